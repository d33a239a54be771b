import { ownValue } from "#worker/contract/kernel/labels.ts";
import { useRef, useState } from "react";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Time } from "#app/ui/time.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { signInAgain } from "#app/features/form/signin-dialog.tsx";
import { useSigninGate } from "#app/features/form/signin-gate-context.ts";
import { formText } from "#app/features/form/form-values.ts";
import { Field } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { checkProfile } from "#worker/contract/account/profile.ts";
import type { ProfileField, UserView } from "#worker/contract/account/view.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

/** Drops stored profile values whose fields no longer exist. */
function initialProfile(user: UserView, fields: ProfileField[]): ProfileInput {
  const known = fields.filter(({ code }) => Object.hasOwn(user.profile, code));
  return Object.fromEntries(known.map(({ code }) => [code, ownValue(user.profile, code) as ProfileInput[string]]));
}

export function InfoForm({ user, roleName, fields }: { user: UserView; roleName: string; fields: ProfileField[] }) {
  const rules = useSignupRules();
  const texts = useAccountTexts();
  const [userName, setUserName] = useState(user.userName);
  const [profile, setProfile] = useState(() => initialProfile(user, fields));
  // Own saves increment the version that the page was loaded with.
  const version = useRef(user.version);

  /** The confirmed password, asked for once while the page is open. */
  const confirmed = useRef<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  /** The typed password also signs the user in again after the session ends. */
  const typed = useRef("");
  const [signinKey] = user.userKeys;
  const askAtGate = useSigninGate();
  const checked = useCheckedForm({
    askSignin: () => (signinKey ? signInAgain(signinKey, typed.current) : askAtGate()),
    toErrors(failure) {
      const { currentPassword, ...found } = credentialErrorsByField(failure);
      setWrong(currentPassword ?? null);
      setAsking(currentPassword !== undefined);
      return found;
    },
  });
  const save = (password: string) => {
    typed.current = password;
    const work = async () => {
      const json = {
        userName: userName.normalize("NFC").trim(),
        profile,
        version: version.current,
        currentPassword: password,
      };
      version.current = (await callApi(api.user[":id"].$patch({ param: { id: user.id }, json }))).version;
      confirmed.current = password;
      setAsking(false);
      // The dialog has its own form, so the page's form is marked as saved here.
      checked.form.current?.removeAttribute("data-unsaved");
    };
    return checked.send({}, work, "회원정보를 저장하였습니다.");
  };
  const submit = () => {
    const found = {
      ...(userName === user.userName ? {} : userNameErrors(userName, rules, texts)),
      ...checkProfile(fields, profile).errors,
    };
    if (Object.keys(found).length > 0) return checked.show(found);
    checked.setErrors({});
    if (confirmed.current === null) return setAsking(true);
    void save(confirmed.current);
  };
  const saveConfirmed = (password: string) => {
    if (password === "") return setWrong(enterMessage("비밀번호"));
    setWrong(null);
    void save(password);
  };
  const { errors } = checked;
  const { form: _general, ...fieldErrors } = errors;

  return (
    <MypageSection title="회원정보">
      <DescriptionList
        items={[
          ...user.userKeys.map((key) => [USER_KEY_NAMES[key.userKeyType], key.userKeyCode] as const),
          ["회원 등급", roleName],
          ["가입일", <Time key="joined" date={user.createdDate} />],
        ]}
      />
      <CheckedForm checked={checked} onSubmit={submit} label="회원정보" submitLabel="저장" className="mt-8">
        <UserNameField value={userName} onValue={setUserName} error={errors.userName} hint="한글 1~4자" />
        <ProfileFields fields={fields} value={profile} onChange={setProfile} errors={errors} />
        <ErrorSummary errors={fieldErrors} />
      </CheckedForm>
      <FormDialog
        open={asking}
        title="비밀번호를 확인해 주십시오"
        submitLabel="확인"
        busy={checked.busy}
        onSubmit={(data) => saveConfirmed(formText(data, "confirmPassword"))}
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
