import { errorMessage } from "#app/features/account/error-messages.ts";
import { Field } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";

interface CurrentPasswordFieldProps {
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}

export function CurrentPasswordField({ value, onValue, error }: CurrentPasswordFieldProps) {
  return (
    <Field id="currentPassword" label="현재 비밀번호" error={error} required>
      <PasswordInput
        name="currentPassword"
        autoComplete="current-password"
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  );
}

/** Maps a wrong password to its field, server errors to theirs and the rest to `form`. */
export function credentialErrorsByField(thrown: unknown): Record<string, string> {
  if (!(thrown instanceof AppError)) return { form: errorMessage(thrown) };
  if (thrown.code === "INVALID_CREDENTIAL") return { currentPassword: "현재 비밀번호가 일치하지 않습니다." };
  return thrown.fields ?? { form: thrown.message };
}
