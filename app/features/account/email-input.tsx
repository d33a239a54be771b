import type { ComponentProps } from "react";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";

const EMAIL_DOMAINS = ["naver.com", "daum.net", "gmail.com"];

export function replaceEmailDomain(email: string, domain: string): string {
  return `${email.split("@")[0]?.trim() ?? ""}@${domain}`;
}

export function EmailInput({
  value,
  onValue,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "value" | "onChange"> & {
  value: string;
  onValue: (value: string) => void;
}) {
  const { email: texts } = useAccountTexts();
  const domain = value.split("@")[1]?.trim().toLowerCase() ?? "";
  return (
    <span className="flex flex-col gap-2 md:flex-row">
      <Input
        {...rest}
        type="email"
        inputMode="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        className="md:flex-1"
      />
      <Select
        id={`${rest.id ?? "email"}-domain`}
        aria-label={texts.domain}
        aria-invalid={false}
        required={false}
        className="md:w-44"
        value={EMAIL_DOMAINS.includes(domain) ? domain : ""}
        placeholder={texts.otherDomain}
        options={EMAIL_DOMAINS}
        onChange={(event) => {
          if (event.target.value) onValue(replaceEmailDomain(value, event.target.value));
          else onValue(value.split("@")[0] ?? "");
        }}
      />
    </span>
  );
}
