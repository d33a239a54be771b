import type { ComponentProps } from "react";
import { hyphenatePhoneInput } from "#app/features/account/hyphenate-phone.ts";
import { Input } from "#app/ui/field.tsx";
import type { UserKeyType } from "#worker/contract/account/rules.ts";

const INPUT_ATTRIBUTES = {
  Id: { type: "text", inputMode: "text" },
  Email: { type: "email", inputMode: "email" },
  Mobile: { type: "tel", inputMode: "tel" },
} as const;

export function UserKeyInput({
  userKeyType,
  onInput,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "inputMode"> & { userKeyType: UserKeyType }) {
  return (
    <Input
      {...rest}
      {...INPUT_ATTRIBUTES[userKeyType]}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onInput={(event) => {
        if (userKeyType === "Mobile") hyphenatePhoneInput(event.currentTarget);
        onInput?.(event);
      }}
    />
  );
}
