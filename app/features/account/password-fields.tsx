import Check from "lucide-react/icons/check";
import Dot from "lucide-react/icons/dot";
import type { NewPasswords } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { cx } from "#app/ui/cx.ts";
import { Field } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import type { FormErrors } from "#app/features/form/use-checked-form.ts";
import { passwordChecks } from "#worker/contract/account/rules.ts";

interface PasswordFieldsProps {
  value: NewPasswords;
  onChange: (value: NewPasswords) => void;
  errors: FormErrors;
  isNew?: boolean;
  /** ID, addresses and name, where the page knows them all. */
  ownWords?: readonly string[];
}

export function PasswordFields({ value, onChange, errors, isNew = false, ownWords }: PasswordFieldsProps) {
  const rules = useSignupRules();
  const texts = useAccountTexts().password;
  const label = isNew ? texts.newLabel : texts.label;
  const ruleLabels = texts.rules(rules.password);
  const { password, confirmation } = value;
  // Shows no mismatch while the confirmation is a prefix of the password.
  const differs = confirmation !== "" && !password.startsWith(confirmation);
  return (
    <>
      <Field id="password" label={label} error={errors.password} required>
        <PasswordInput
          name="password"
          autoComplete="new-password"
          aria-describedby="password-rules"
          value={password}
          onChange={(event) => onChange({ ...value, password: event.target.value })}
        />
        <ul id="password-rules" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {passwordChecks(rules.password, ownWords).map(({ code, test }) => {
            const met = test(password);
            const Icon = met ? Check : Dot;
            return (
              <li
                key={code}
                className={cx("flex items-center gap-1", met ? "font-semibold text-success-60" : "text-gray-60")}
              >
                <Icon aria-hidden="true" className="size-4" />
                <span>{ruleLabels[code]}</span>
                <span className="sr-only">{met ? texts.met : texts.unmet}</span>
              </li>
            );
          })}
          <li className="w-full text-gray-60">{texts.note}</li>
        </ul>
      </Field>
      <Field
        id="passwordConfirmation"
        label={texts.confirmation(label)}
        error={errors.passwordConfirmation ?? (differs ? texts.mismatch : undefined)}
        required
      >
        <PasswordInput
          name="passwordConfirmation"
          autoComplete="new-password"
          value={confirmation}
          onChange={(event) => onChange({ ...value, confirmation: event.target.value })}
        />
      </Field>
    </>
  );
}
