import { useRef, useState } from "react";
import { focusFirst } from "#app/features/form/focus-first.ts";
import { Form, SubmitButton, useOnce } from "#app/features/form/form.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check.ts";
import { useRules } from "#app/features/account/use-rules.ts";
import { CurrentPassword, credentialErrors } from "#app/features/account/mypage/current-password.tsx";
import { Section } from "#app/features/account/mypage/section.tsx";
import { api, call } from "#app/lib/api.ts";
import { Notice } from "#app/ui/notice.tsx";
import { enterMessage } from "#app/features/account/texts.ts";

const NONE = { password: "", confirmation: "" };

export function PasswordForm({ userId }: { userId: string }) {
  const [current, setCurrent] = useState("");
  const rules = useRules();
  const [passwords, setPasswords] = useState(NONE);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [done, setDone] = useState(false);
  const [busy, once] = useOnce();
  const form = useRef<HTMLFormElement>(null);

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirst(form.current, found);
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
        await call(api.user["change-password"][":id"].$post({ param: { id: userId }, json }));
        setCurrent("");
        setPasswords(NONE);
        setDone(true);
      } catch (thrown) {
        const { newPassword, ...rest } = credentialErrors(thrown);
        show(newPassword ? { ...rest, password: newPassword } : rest);
      }
    });

  return (
    <Section title="비밀번호 변경" hint="비밀번호를 바꾸시면 다른 기기에서는 모두 로그아웃됩니다.">
      <Form ref={form} onSubmit={submit} label="비밀번호 변경" className="max-w-lg">
        <div className="min-w-0 space-y-6">
          <CurrentPassword label="현재 비밀번호" value={current} onValue={setCurrent} error={errors.currentPassword} />
          <PasswordFields label="새 비밀번호" value={passwords} onChange={setPasswords} errors={errors} />
          {errors.form && <Notice tone="error">{errors.form}</Notice>}
          <SubmitButton busy={busy} size="md">
            비밀번호 변경
          </SubmitButton>
        </div>
        {done && (
          <Notice tone="success" className="mt-6">
            비밀번호를 변경하였습니다.
          </Notice>
        )}
      </Form>
    </Section>
  );
}
