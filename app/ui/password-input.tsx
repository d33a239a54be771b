import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentProps, useState } from "react";
import { cx } from "#app/ui/cx.ts";
import { Input } from "#app/ui/input.tsx";

/** A password that can be shown; pasting is allowed. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className={cx("relative block", className)}>
      <Input
        {...rest}
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pr-14"
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="비밀번호 표시"
        onClick={() => setShown(!shown)}
        className="absolute top-1/2 right-1 inline-flex size-10 -translate-y-1/2 items-center justify-center rounded-md text-gray-60 hover:text-gray-90"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </span>
  );
}
