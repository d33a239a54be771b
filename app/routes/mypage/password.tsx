import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getUser } from "#worker/domain/account/user.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/password";
import { useState } from "react";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { credentialErrorsByField, CurrentPasswordField } from "#app/features/account/mypage/current-password-field.tsx";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { id, userName, userKeys } = await getUser(ctx, requireSignedIn(ctx).userId);
  return { userId: id, ownWords: [userName, ...userKeys.map(({ userKeyCode }) => userKeyCode)] };
});

export default function MypagePassword({ loaderData }: Route.ComponentProps) {
  return <PasswordForm {...loaderData} />;
}

const NO_NEW_PASSWORDS = { password: "", confirmation: "" };

function PasswordForm({ userId, ownWords }: { userId: string; ownWords: string[] }) {
  const [current, setCurrent] = useState("");
  const rules = useSignupRules();
  const texts = useAccountTexts();
  const [passwords, setPasswords] = useState(NO_NEW_PASSWORDS);
  const [done, setDone] = useState(false);
  const checked = useCheckedForm({
    reloads: "never",
    toErrors(failure) {
      const { newPassword, ...rest } = credentialErrorsByField(failure);
      return newPassword ? { ...rest, password: newPassword } : rest;
    },
  });
  const { errors } = checked;
  const submit = () => {
    setDone(false);
    const found = {
      ...(current === "" ? { currentPassword: enterMessage("현재 비밀번호") } : {}),
      ...passwordErrors(passwords, rules, texts, ownWords),
    };
    const work = async () => {
      const json = { password: current, newPassword: passwords.password };
      await callApi(api.user["change-password"][":id"].$post({ param: { id: userId }, json }));
      setCurrent("");
      setPasswords(NO_NEW_PASSWORDS);
      setDone(true);
    };
    return checked.send(found, work, null);
  };
  return (
    <MypageSection title="비밀번호 변경" hint="비밀번호를 바꾸시면 다른 기기에서는 모두 로그아웃됩니다.">
      <CheckedForm
        checked={checked}
        onSubmit={submit}
        label="비밀번호 변경"
        className="max-w-lg"
        after={done && <Alert tone="success">비밀번호를 변경하였습니다.</Alert>}
      >
        <CurrentPasswordField value={current} onValue={setCurrent} error={errors.currentPassword} />
        <PasswordFields isNew ownWords={ownWords} value={passwords} onChange={setPasswords} errors={errors} />
      </CheckedForm>
    </MypageSection>
  );
}
