import { useRef, useState } from "react";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Time } from "#app/ui/time.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
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
  const rules = useSignupRules();
  const [userName, setUserName] = useState(user.userName);
  const [profile, setProfile] = useState(() => initialProfile(user, fields));
  // Own saves count on from what the page was loaded with.
  const version = useRef(user.version);

  const checked = useCheckedForm();
  const submit = () => {
    const found = {
      ...(userName === user.userName ? {} : userNameErrors(userName, rules)),
      ...checkProfile(fields, profile).errors,
    };
    const work = async () => {
      const json = { userName: userName.normalize("NFC").trim(), profile, version: version.current };
      version.current = (await callApi(api.user[":id"].$patch({ param: { id: user.id }, json }))).version;
    };
    return checked.send(found, work, "회원정보를 저장하였습니다.");
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
    </MypageSection>
  );
}
