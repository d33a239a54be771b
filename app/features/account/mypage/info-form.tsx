import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, SAVED, useOnce } from "#app/features/form/validated-form.tsx";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useSignedInWork } from "#app/features/form/signin-gate.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { toast } from "#app/ui/toast.tsx";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { checkProfile } from "#worker/contract/account/profile.ts";
import type { ProfileField, UserView } from "#worker/contract/account/view.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

/** What stands in a stored profile for the fields of today. */
function initialProfile(user: UserView, fields: ProfileField[]): ProfileInput {
  const known = fields.filter(({ code }) => user.profile[code] !== undefined);
  return Object.fromEntries(known.map(({ code }) => [code, user.profile[code] as ProfileInput[string]]));
}

export function InfoForm({ user, roleName, fields }: { user: UserView; roleName: string; fields: ProfileField[] }) {
  const { revalidate } = useRevalidator();
  const rules = useSignupRules();
  const [userName, setUserName] = useState(user.userName);
  const [profile, setProfile] = useState(() => initialProfile(user, fields));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const signedIn = useSignedInWork();
  const form = useRef<HTMLFormElement>(null);
  // Own saves count on from what the page was loaded with.
  const version = useRef(user.version);

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  /** Asked for once while this page is open. */
  const confirmed = useRef<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = () =>
    once(async () => {
      const found = {
        ...(userName === user.userName ? {} : userNameErrors(userName, rules)),
        ...checkProfile(fields, profile).errors,
      };
      if (Object.keys(found).length > 0) return show(found);
      setErrors({});
      if (confirmed.current === null) return setAsking(true);
      return save(confirmed.current);
    });
  const confirm = (password: string) =>
    once(async () => {
      if (password === "") return setWrong(enterMessage("비밀번호"));
      setWrong(null);
      const saved = await save(password);
      // The page is saved, whose form the dialog's is not.
      if (saved) form.current?.removeAttribute("data-unsaved");
    });
  const save = async (password: string): Promise<typeof SAVED | void> => {
    try {
      const json = {
        userName: userName.normalize("NFC").trim(),
        profile,
        version: version.current,
        currentPassword: password,
      };
      const saved = await signedIn(() => callApi(api.user[":id"].$patch({ param: { id: user.id }, json })));
      version.current = saved.version;
      confirmed.current = password;
      setAsking(false);
      toast("회원정보를 저장하였습니다.", "success");
      await revalidate();
      return SAVED;
    } catch (thrown) {
      const { currentPassword, ...found } = credentialErrorsByField(thrown);
      if (currentPassword) return setWrong(currentPassword);
      setAsking(false);
      show(found);
    }
  };
  const { form: general, ...fieldErrors } = errors;

  return (
    <MypageSection title="회원정보">
      <DescriptionList
        items={[
          ...user.userKeys.map((key) => [USER_KEY_NAMES[key.userKeyType], key.userKeyCode] as const),
          ["회원 등급", roleName],
          ["가입일", <Time key="joined" date={user.createdDate} />],
        ]}
      />
      <ValidatedForm ref={form} onSubmit={submit} label="회원정보" className="mt-8">
        <div className="min-w-0 space-y-6">
          <Field id="userName" label="이름" error={errors.userName} required hint="한글 1~4자">
            <Input
              name="userName"
              autoComplete="name"
              value={userName}
              onChange={(event) => setUserName(event.target.value)}
            />
          </Field>
          <ProfileFields fields={fields} value={profile} onChange={setProfile} errors={errors} />
          {general && <Alert tone="error">{general}</Alert>}
          <ErrorSummary errors={fieldErrors} />
          <SubmitButton busy={busy} size="md">
            저장
          </SubmitButton>
        </div>
      </ValidatedForm>
      <FormDialog
        open={asking}
        title="비밀번호를 확인해 주십시오"
        submitLabel="확인"
        busy={busy}
        onSubmit={(data) => void confirm(String(data.get("confirmPassword") ?? ""))}
        onClose={() => {
          setAsking(false);
          setWrong(null);
        }}
      >
        <p className="text-gray-70">회원님의 정보를 지키기 위해 저장하기 전에 한 번 확인합니다.</p>
        <Field id="confirmPassword" label="비밀번호" error={wrong} required>
          <PasswordInput name="confirmPassword" autoComplete="current-password" />
        </Field>
      </FormDialog>
    </MypageSection>
  );
}
