import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_FORM_TEXTS } from "#app/lib/texts/korean-form.ts";
import { cx } from "#app/ui/cx.ts";
import { Input } from "./field.tsx";

/** Can be shown and pasted into. Warns when Caps Lock or the Hangul keyboard is on. */
export function PasswordInput({
  className,
  onInput,
  onKeyDown,
  onKeyUp,
  onBlur,
  ...rest
}: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const [hangul, setHangul] = useState(false);
  const texts = useSection("form", KOREAN_FORM_TEXTS);
  const Icon = shown ? EyeOff : Eye;
  // Autofill sends key events without `getModifierState`.
  const watchKeys = (event: KeyboardEvent<HTMLInputElement>) => setCapsLock(event.getModifierState?.("CapsLock"));
  const hint = hangul ? texts.hangul : capsLock ? texts.capsLock : "";
  return (
    <span className={cx("block", className)}>
      <span className="relative block">
        <Input
          {...rest}
          type={shown ? "text" : "password"}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className="pr-14"
          onInput={(event) => {
            setHangul(/[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/.test(event.currentTarget.value));
            onInput?.(event);
          }}
          onKeyDown={(event) => {
            watchKeys(event);
            onKeyDown?.(event);
          }}
          onKeyUp={(event) => {
            watchKeys(event);
            onKeyUp?.(event);
          }}
          onBlur={(event) => {
            setCapsLock(false);
            onBlur?.(event);
          }}
        />
        <button
          type="button"
          aria-pressed={shown}
          aria-label={texts.showPassword}
          onClick={() => setShown(!shown)}
          className="absolute top-1/2 right-1 inline-flex size-10 -translate-y-1/2 items-center justify-center rounded-md text-gray-60 hover:text-gray-90"
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      </span>
      <span role="status" className={cx("block text-sm font-medium text-warning-60", hint && "mt-2")}>
        {hint}
      </span>
    </span>
  );
}
