import { EmailInput } from "#app/features/account/email-input.tsx";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import type { VerifiableKeyType } from "#app/features/account/verification.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import { Field } from "#app/ui/field.tsx";
import { normaliseUserKey, userKeyProblem } from "#worker/contract/account/rules.ts";
import { type AccountRules, WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/identity-rules.ts";

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

export function addressRequestBody(
  userKeyType: VerifiableKeyType,
  value: string,
): { email: string } | { mobile: string } {
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
