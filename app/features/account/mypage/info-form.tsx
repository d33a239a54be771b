import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, useOnce } from "#app/features/form/validated-form.tsx";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
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
  const form = useRef<HTMLFormElement>(null);
  // Own saves count on from what the page was loaded with.
  const version = useRef(user.version);

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  const submit = () =>
    once(async () => {
      const found = {
        ...(userName === user.userName ? {} : userNameErrors(userName, rules)),
        ...checkProfile(fields, profile).errors,
      };
      if (Object.keys(found).length > 0) return show(found);
      setErrors({});
      try {
        const json = { userName: userName.normalize("NFC").trim(), profile, version: version.current };
        const saved = await callApi(api.user[":id"].$patch({ param: { id: user.id }, json }));
        version.current = saved.version;
        toast("회원정보를 저장하였습니다.", "success");
        await revalidate();
      } catch (thrown) {
        show(thrown instanceof AppError && thrown.fields ? thrown.fields : { form: errorMessage(thrown) });
      }
    });
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
          <ErrorAlert>{general}</ErrorAlert>
          <ErrorSummary errors={fieldErrors} />
          <SubmitButton busy={busy} size="md">
            저장
          </SubmitButton>
        </div>
      </ValidatedForm>
    </MypageSection>
  );
}
