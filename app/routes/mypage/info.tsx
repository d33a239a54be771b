import { withArticle } from "#app/features/file/article.server.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getUser, type UserView } from "#worker/domain/account/user.server.ts";
import { type ConsentView, listConsents } from "#worker/domain/account/consent.server.ts";
import { getSignupForm } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/info";
import { useRef, useState } from "react";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { CheckedForm, SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { AskedLater } from "#app/features/account/mypage/asked-later.tsx";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatDate } from "#app/lib/format.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import type { ProfileField } from "#worker/contract/account/view.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { signInAgain } from "#app/features/form/signin-dialog.tsx";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import { Field, Select } from "#app/ui/field.tsx";
import type { EnglishSiteFrame } from "#app/features/content/edit/text-fields.tsx";
import { useRootData } from "#app/lib/page-language.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { getOwnJoinedFields, type OwnJoinedFields } from "#worker/domain/alumni/join.server.ts";
import { Button } from "#app/ui/button.tsx";
import { checkProfileChange, isAskedLater } from "#worker/contract/account/own-field.ts";
import { isLatinName, type ProfileInput } from "#worker/contract/account/rules.ts";
import Download from "lucide-react/icons/download";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [{ userProfiles, agreements }, ctx] = await Promise.all([getSignupForm(scope), scope.context()]);
  const me = requireSignedIn(ctx);
  const [user, consents, joined] = await Promise.all([
    getUser(ctx, me.userId),
    listConsents(ctx, me.userId),
    getOwnJoinedFields(ctx),
  ]);
  const texts = new Map(agreements.map((each) => [each.code, withArticle(each).content]));
  return {
    user,
    roleName: me.roleName,
    userProfiles,
    joined,
    consents: consents.map((consent) => ({
      ...consent,
      content: texts.get(consent.code) ?? "",
    })),
  };
});

export default function MypageInfo({
  loaderData: { user, roleName, userProfiles, joined, consents },
}: Route.ComponentProps) {
  return (
    <div className="space-y-14">
      <InfoForm user={user} roleName={roleName} fields={userProfiles} joined={joined} />
      <ConsentForm userId={user.id} consents={consents} />
      <OwnDataSection userId={user.id} />
    </div>
  );
}

function ConsentForm({ userId, consents }: { userId: string; consents: (ConsentView & { content: string })[] }) {
  const optional = consents.filter((consent) => !consent.required);
  const [agreed, setAgreed] = useState(() => optional.filter((each) => each.agreed).map(({ code }) => code));
  const { busy, run, message } = useAction({ reloads: "success" });
  const submit = () => {
    const agreements = optional.map(({ code, version }) => ({ code, version, agreed: agreed.includes(code) }));
    const work = () => callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } }));
    return run(work, "선택 동의를 저장하였습니다.");
  };

  return (
    <MypageSection title="동의 내역" hint="선택 동의는 언제든지 바꾸실 수 있으며, 동의하지 않으셔도 불이익이 없습니다.">
      <DescriptionList
        items={consents
          .filter((consent) => consent.required)
          .map(({ title, consentDate }) => [title, consentDate ? <ConsentDate key="date" date={consentDate} /> : "-"])}
      />
      {optional.length > 0 && (
        <ValidatedForm onSubmit={submit} label="선택 동의" className="mt-4">
          <div className="min-w-0">
            <AgreementChoices
              agreements={optional.map((each) => ({ ...each, note: earlierVersionNote(each) }))}
              agreed={agreed}
              onChange={setAgreed}
              errors={{}}
              withAll={false}
            />
            <ErrorAlert>{message}</ErrorAlert>
            <SubmitButton busy={busy} size="md" className="mt-4">
              동의 저장
            </SubmitButton>
          </div>
        </ValidatedForm>
      )}
    </MypageSection>
  );
}

/** Consent to an earlier version stays valid; saving records consent to the current version. */
function earlierVersionNote({ agreed, version, consentVersion, consentDate }: ConsentView): string | undefined {
  if (!agreed || consentDate === null || consentVersion === version) return undefined;
  const said = consentVersion ? `이전 버전(${consentVersion})에` : "이전 버전에";
  return `${said} ${formatDate(consentDate)} 동의하셨고, 지금도 유효합니다. 바뀐 내용을 확인하고 저장하시면 새 버전(${version})에 동의하신 것으로 적습니다.`;
}

function ConsentDate({ date }: { date: string }) {
  return (
    <>
      <Time date={date} format="datetime" /> 동의
    </>
  );
}

/** Drops stored profile values whose fields no longer exist. */
function initialProfile(user: UserView, fields: ProfileField[]): ProfileInput {
  const known = fields.filter(({ code }) => Object.hasOwn(user.profile, code));
  return Object.fromEntries(known.map(({ code }) => [code, lookUp(user.profile, code) as ProfileInput[string]]));
}

interface InfoFormProps {
  user: UserView;
  roleName: string;
  fields: ProfileField[];
  /** Fields that the member edits in the address book. */
  joined: OwnJoinedFields;
}

function InfoForm({ user, roleName, fields: allFields, joined }: InfoFormProps) {
  const inBook = joined?.fields ?? [];
  const fields = allFields.filter(({ code }) => !inBook.some((each) => each.code === code));
  const asked = fields.filter((field) => isAskedLater(field, user.profile));
  const rules = useSignupRules();
  const texts = useAccountTexts();
  const [userName, setUserName] = useState(user.userName);
  const [profile, setProfile] = useState(() => initialProfile(user, fields));
  const [language, setLanguage] = useState(user.language);
  const hasEnglish = useRootData<EnglishSiteFrame>()?.look.hasEnglish === true;
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
        // A required field that only the address book has.
        profile: { ...profile, ...profileOf(inBook.filter(({ account }) => account === "")) },
        language,
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
      ...(userName === user.userName ? {} : userNameErrors(userName, rules, texts, isLatinName(user.userName))),
      ...checkProfileChange(fields, user.profile, profile).errors,
    };
    if (Object.keys(found).length > 0) return checked.show(found);
    checked.setErrors({});
    if (confirmed.current === null) return setAsking(true);
    void save(confirmed.current);
  };
  const saveConfirmed = (password: string) => {
    if (password === "") return setWrong(enterMessage("현재 비밀번호"));
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
        {joined && inBook.length > 0 && (
          <JoinedFields
            user={user}
            joined={joined}
            version={() => version.current}
            onVersion={(next) => (version.current = next)}
          />
        )}
        {hasEnglish && (
          <Field id="language" label="메일 언어 (Language of mails)" hint="알림과 계정 메일을 이 언어로 보내 드립니다.">
            <Select
              name="language"
              value={language}
              onChange={(event) => setLanguage(event.target.value as Language)}
              options={LANGUAGE_OPTIONS}
            />
          </Field>
        )}
        <AskedLater fields={asked} />
        <ProfileFields fields={fields} stored={user.profile} value={profile} onChange={setProfile} errors={errors} />
        <ErrorSummary errors={fieldErrors} />
      </CheckedForm>
      <FormDialog
        open={asking}
        title="현재 비밀번호를 확인해 주십시오"
        submitLabel="확인"
        busy={checked.busy}
        onSubmit={(data) => saveConfirmed(formText(data, "confirmPassword"))}
        onClose={() => {
          setAsking(false);
          setWrong(null);
        }}
      >
        <p className="text-gray-70">회원님의 정보를 지키기 위해 저장하기 전에 한 번 확인합니다.</p>
        <Field id="confirmPassword" label="현재 비밀번호" error={wrong} required>
          <PasswordInput name="confirmPassword" autoComplete="current-password" />
        </Field>
      </FormDialog>
    </MypageSection>
  );
}

const LANGUAGE_OPTIONS = [
  { value: "ko", label: "한국어" },
  { value: "en", label: "English" },
];

const profileOf = (fields: NonNullable<OwnJoinedFields>["fields"]) =>
  Object.fromEntries(fields.map(({ code, book }) => [code, book]));

interface JoinedFieldsProps {
  user: UserView;
  joined: NonNullable<OwnJoinedFields>;
  version: () => number;
  onVersion: (version: number) => void;
}

/** The address book's values; one that differs from the sign-up's is shown until the member chooses. */
function JoinedFields({ user, joined, version, onVersion }: JoinedFieldsProps) {
  const { busy, run, message } = useAction();
  const choose = (work: () => Promise<unknown>) => void run(work, "저장하였습니다.");
  const keepBook = async (field: (typeof joined)["fields"][number]) => {
    const json = { profile: profileOf([field]), version: version() };
    onVersion((await callApi(api.user[":id"].$patch({ param: { id: user.id }, json }))).version);
  };
  return (
    <div className="rounded-lg border border-gray-20 p-4">
      <DescriptionList items={joined.fields.map(({ name, book }) => [name, book])} />
      <p className="mt-2 text-sm text-gray-70">
        주소록과 함께 쓰는 항목입니다. <TextLink to={`/Alumni?person=${joined.personId}`}>주소록에서 고치기</TextLink>
      </p>
      {joined.fields
        .filter(({ account, book }) => account !== "" && account !== book)
        .map((field) => (
          <div key={field.code} className="mt-3 border-t border-gray-20 pt-3">
            <p>
              {field.name} 항목이 서로 다릅니다. 가입할 때 적은 값은 <strong>{field.account}</strong>, 주소록의 값은{" "}
              <strong>{field.book}</strong>입니다.
            </p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button size="sm" busy={busy} onClick={() => choose(() => keepBook(field))}>
                주소록의 값이 맞습니다
              </Button>
              <Button
                size="sm"
                busy={busy}
                onClick={() =>
                  choose(() => {
                    const json = { [field.column]: field.account, version: joined.version };
                    return callApi(api.alumni[":id"].$patch({ param: { id: joined.personId }, json }));
                  })
                }
              >
                가입할 때 적은 값으로 고치기
              </Button>
            </div>
          </div>
        ))}
      <ErrorAlert>{message}</ErrorAlert>
    </div>
  );
}

/** A plain link works without JavaScript because GET requests accept the cookie. */
function OwnDataSection({ userId }: { userId: string }) {
  return (
    <MypageSection
      title="내 정보 내려받기"
      hint="이 사이트가 보관하고 있는 회원님의 정보와 작성하신 글, 동의와 로그인 기록을 파일 하나로 받으실 수 있습니다."
    >
      <a
        href={`/api/user/${userId}/export`}
        download="내 정보.json"
        className="inline-flex min-h-12 items-center gap-2 rounded-md border border-gray-40 bg-white px-5 font-semibold text-gray-80 hover:border-primary-60 hover:bg-primary-5 hover:text-primary-70"
      >
        <Download aria-hidden="true" className="size-5" />
        내려받기
      </a>
    </MypageSection>
  );
}
