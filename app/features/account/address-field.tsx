import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import type { VerifiableKeyType } from "#app/features/account/verification.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { normaliseUserKey, userKeyProblem } from "#worker/contract/account/rules.ts";
import { type AccountRules, WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import type { ComponentProps } from "react";

interface AddressFieldProps {
  userKeyType: VerifiableKeyType;
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
  hint?: string;
}

export function AddressField({ userKeyType, value, onValue, error, hint }: AddressFieldProps) {
  const { keys } = useAccountTexts();
  return (
    <Field id="address" label={keys[userKeyType]} hint={hint} error={error} required>
      <AddressInput id="address" userKeyType={userKeyType} value={value} onValue={onValue} />
    </Field>
  );
}

export function AddressInput({
  id,
  userKeyType,
  value,
  onValue,
}: Pick<AddressFieldProps, "userKeyType" | "value" | "onValue"> & { id: string }) {
  if (userKeyType === "Email")
    return <EmailInput id={id} name="email" autoComplete="email" value={value} onValue={onValue} />;
  return (
    <UserKeyInput
      userKeyType="Mobile"
      name="mobile"
      autoComplete="tel"
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

export function addressRequestBody(userKeyType: VerifiableKeyType, value: string) {
  const code = normaliseUserKey(userKeyType, value);
  return userKeyType === "Email" ? { email: code } : { mobile: code };
}

export function findAddressProblem(
  userKeyType: VerifiableKeyType,
  value: string,
  texts: AccountTexts,
  rules: AccountRules = WIDEST_ACCOUNT_RULES,
): string | null {
  const code = normaliseUserKey(userKeyType, value);
  if (code === "") return texts.keyMissing(userKeyType);
  const problem = userKeyProblem(userKeyType, code, rules);
  return problem && texts.problem("address", problem, rules);
}

const EMAIL_DOMAINS = ["naver.com", "daum.net", "gmail.com"];

export function replaceEmailDomain(email: string, domain: string): string {
  return `${email.split("@")[0]?.trim() ?? ""}@${domain}`;
}

function EmailInput({
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
