import type { ComponentProps } from "react";
import { keepCaret } from "#app/features/account/phone.ts";
import { Input } from "#app/ui/input.tsx";
import type { UserKeyType } from "#worker/contract/account/rules.ts";

const KIND = {
  Id: { type: "text", inputMode: "text" },
  Email: { type: "email", inputMode: "email" },
  Mobile: { type: "tel", inputMode: "tel" },
} as const;

/** What a person signs in with, with the keyboard that fits; a phone number gets its hyphens while it is typed. */
export function KeyInput({
  userKeyType,
  onInput,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "inputMode"> & { userKeyType: UserKeyType }) {
  return (
    <Input
      {...rest}
      {...KIND[userKeyType]}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onInput={(event) => {
        if (userKeyType === "Mobile") keepCaret(event.currentTarget);
        onInput?.(event);
      }}
    />
  );
}
