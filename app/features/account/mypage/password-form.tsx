import { useRef, useState } from "react";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, SAVED, useOnce } from "#app/features/form/validated-form.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { CurrentPasswordField, credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useSignedInWork } from "#app/features/form/signin-gate-context.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";

const NO_NEW_PASSWORDS = { password: "", confirmation: "" };

export function PasswordForm({ userId }: { userId: string }) {
  const [current, setCurrent] = useState("");
  const rules = useSignupRules();
  const [passwords, setPasswords] = useState(NO_NEW_PASSWORDS);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [done, setDone] = useState(false);
  const [busy, once] = useOnce();
  const signedIn = useSignedInWork();
  const form = useRef<HTMLFormElement>(null);

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  const submit = () =>
    once(async () => {
      setDone(false);
      const found = {
        ...(current === "" ? { currentPassword: enterMessage("현재 비밀번호") } : {}),
        ...passwordErrors(passwords, rules),
      };
      if (Object.keys(found).length > 0) return show(found);
      setErrors({});
      try {
        const json = { password: current, newPassword: passwords.password };
        await signedIn(() => callApi(api.user["change-password"][":id"].$post({ param: { id: userId }, json })));
        setCurrent("");
        setPasswords(NO_NEW_PASSWORDS);
        setDone(true);
        return SAVED;
      } catch (thrown) {
        const { newPassword, ...rest } = credentialErrorsByField(thrown);
        show(newPassword ? { ...rest, password: newPassword } : rest);
      }
    });

  return (
    <MypageSection title="비밀번호 변경" hint="비밀번호를 바꾸시면 다른 기기에서는 모두 로그아웃됩니다.">
      <ValidatedForm ref={form} onSubmit={submit} label="비밀번호 변경" className="max-w-lg">
        <div className="min-w-0 space-y-6">
          <CurrentPasswordField
            label="현재 비밀번호"
            value={current}
            onValue={setCurrent}
            error={errors.currentPassword}
          />
          <PasswordFields label="새 비밀번호" value={passwords} onChange={setPasswords} errors={errors} />
          <ErrorAlert>{errors.form}</ErrorAlert>
          <SubmitButton busy={busy} size="md">
            비밀번호 변경
          </SubmitButton>
        </div>
        {done && (
          <Alert tone="success" className="mt-6">
            비밀번호를 변경하였습니다.
          </Alert>
        )}
      </ValidatedForm>
    </MypageSection>
  );
}
