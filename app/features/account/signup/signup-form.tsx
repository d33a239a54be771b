import { lookUp } from "#worker/contract/kernel/labels.ts";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { AgreementLanguage } from "#app/features/account/agreement-language.tsx";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import {
  addressControlId,
  addressErrors,
  agreementControlId,
  agreementErrors,
  agreementVersionKey,
  checkSignup,
  findUserIdProblem,
  signupAddressType,
  signupOwnWords,
  signupServerErrors,
} from "#app/features/account/signup/check-signup.ts";
import { type SignupDraft, signupDraftStore } from "#app/features/account/signup/signup-draft.ts";
import { SignupSteps } from "#app/features/account/signup/signup-steps.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useCurrentTime } from "#app/features/account/code-field.tsx";
import { VerifiedKeyField } from "#app/features/account/verified-key-field.tsx";
import { completeVerification, startVerification } from "#app/features/account/verification.ts";
import { now as currentTime } from "#app/lib/clock.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import type { AppError } from "#worker/contract/kernel/errors.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { UserText } from "#app/ui/user-text.tsx";
import type { ProfileField } from "#worker/contract/account/view.ts";
import type { SignupFormView as SignupInfo } from "#worker/domain/account/signup.server.ts";
import { normaliseUserKey, SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import Check from "lucide-react/icons/check";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";

const EMPTY_PASSWORDS = { password: "", confirmation: "" };

const isInKoreanAlone = ({ detail, englishName, englishDetail }: ProfileField) =>
  englishName === "" || detail.some((_, at) => !englishDetail[at]);

/** Keeps the typed values in the tab, except passwords. */
export function SignupForm({ info }: { info: SignupInfo }) {
  const texts = useAccountTexts();
  const { language, pathOf } = useTexts();
  const returning = useReturningPath();
  const draft = signupDraftStore.use();
  const navigate = useNavigate();
  const [passwords, setPasswords] = useState(EMPTY_PASSWORDS);
  const [title, setTitle] = useState<string>();
  const now = useCurrentTime(draft.verification !== null);

  const userKeyType = SIGNIN_KEY[info.authType];
  const addressType = signupAddressType(userKeyType);
  const agreedCodes = info.agreements.filter((each) => draft.agreed.includes(agreementVersionKey(each)));
  const current = currentSignupStep(info, draft, now, texts);

  const failure = (refused: AppError): FormErrors => {
    setTitle(texts.signup.failed);
    if (refused.fields) {
      const found = signupServerErrors(refused.fields, info, texts);
      if (found[addressControlId(addressType)]) signupDraftStore.update({ verification: null });
      return found;
    }
    if (refused.code !== "ALREADY_EXISTS") return { form: texts.failed("signup", refused) };
    if (refused.data?.userKeyType !== "Id") return { [addressControlId(addressType)]: texts.keyTaken(addressType) };
    signupDraftStore.update({ checkedId: null });
    return { userId: texts.keyTaken("Id") };
  };
  const { form, errors, setErrors, busy, send } = useCheckedForm({ reloads: "never", toErrors: failure });
  const { form: general, ...fieldErrors } = errors;
  useEffect(() => {
    void takeInvitation().catch((refused: unknown) => setErrors({ email: texts.codeFailed(refused) }));
  }, [setErrors, texts]);
  const setError = (id: string, message: string | undefined) =>
    setErrors(({ [id]: _old, ...rest }) => (message === undefined ? rest : { ...rest, [id]: message }));
  const clear = (...ids: string[]) =>
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([id]) => !ids.includes(id))));
  /** Prefers the English name; used only on English pages. */
  const nameOf = (id: string) => {
    const field = info.userProfiles.find(({ code }) => id === `profile.${code}`);
    const name =
      (field?.englishName || field?.name) ?? info.agreements.find(({ code }) => id === agreementControlId(code))?.title;
    return (
      name && (
        <>
          <UserText>{name}</UserText>:{" "}
        </>
      )
    );
  };
  const submit = () => {
    setTitle(undefined);
    const found = checkSignup(info, draft, passwords, now, texts);
    const work = async () => {
      const json = { ...signupRequestBody(info, draft, passwords.password), language };
      const { userName } = await callApi(api.user.signup.$post({ json, header: ONCE }));
      signupDraftStore.clear();
      setPasswords(EMPTY_PASSWORDS);
      await navigate(returning(pathOf("", "/Account/Signup/Welcome")), { replace: true, state: { userName } });
    };
    return send(found, work, null);
  };

  return (
    <>
      <SignupSteps current={current} />
      <ValidatedForm ref={form} onSubmit={submit} label={texts.signup.title} className="mt-8 md:mt-10">
        <div className="min-w-0">
          <SignupSection step={1}>
            <AgreementLanguage agreements={info.agreements} />
            <AgreementChoices
              agreements={info.agreements}
              agreed={agreedCodes.map(({ code }) => code)}
              errors={errors}
              onChange={(codes) => {
                const chosen = info.agreements.filter(({ code }) => codes.includes(code));
                signupDraftStore.update({ agreed: chosen.map(agreementVersionKey) });
                clear(...codes.map((code) => `agreements.${code}`));
              }}
            />
          </SignupSection>
          <SignupSection step={2}>
            <VerifiedKeyField
              id={addressControlId(addressType)}
              userKeyType={addressType}
              checkExists={userKeyType !== "Id"}
              hint={texts.signup.addressHint(info.authType)}
              value={addressType === "Email" ? draft.email : draft.mobile}
              onValue={(value) =>
                signupDraftStore.update(addressType === "Email" ? { email: value } : { mobile: value })
              }
              verification={draft.verification}
              onVerification={(verification) => {
                signupDraftStore.update({ verification });
                if (verification?.isVerified) clear(addressControlId(addressType));
              }}
              error={errors[addressControlId(addressType)]}
              onError={(message) => setError(addressControlId(addressType), message)}
            />
          </SignupSection>
          <SignupSection step={3}>
            {userKeyType === "Id" && (
              <UserIdField
                value={draft.userId}
                checkedId={draft.checkedId}
                onChange={(userId, checkedId) => signupDraftStore.update({ userId, checkedId })}
                error={errors.userId}
                onError={(message) => setError("userId", message)}
              />
            )}
            <PasswordFields
              value={passwords}
              ownWords={signupOwnWords(draft)}
              errors={errors}
              onChange={(value) => {
                setPasswords(value);
                clear("password", "passwordConfirmation");
              }}
            />
            <UserNameField
              value={draft.userName}
              onValue={(userName) => {
                signupDraftStore.update({ userName });
                clear("userName");
              }}
              error={errors.userName}
              hint={texts.name.hint(info.rules)}
            />
            {texts.signup.officeFields && info.userProfiles.some(isInKoreanAlone) && (
              <p className="text-sm text-gray-60">{texts.signup.officeFields}</p>
            )}
            <ProfileFields
              fields={info.userProfiles}
              value={draft.profile}
              errors={errors}
              onChange={(profile) => {
                const changed = Object.keys(profile).filter((code) => profile[code] !== lookUp(draft.profile, code));
                signupDraftStore.update({ profile });
                clear(...changed.map((code) => `profile.${code}`));
              }}
            />
          </SignupSection>
        </div>
        <div className="mt-8 empty:hidden">
          {general && (
            <Alert tone="error" title={title}>
              {general}
            </Alert>
          )}
          <ErrorSummary title={title} errors={fieldErrors} nameOf={texts.namesFields ? undefined : nameOf} />
        </div>
        <SubmitButton busy={busy} className="mt-8 w-full">
          {texts.signup.submit}
        </SubmitButton>
      </ValidatedForm>
    </>
  );
}

/** Proves the address with the code of an invitation, which it removes from the URL and the history. */
async function takeInvitation(): Promise<void> {
  const [, userKeyToken, pincode, address] = /^#([\w-]{20,})\.(\d{6})\.(.+)$/.exec(location.hash) ?? [];
  if (!userKeyToken || !pincode || !address) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  const email = decodeURIComponent(address);
  signupDraftStore.update({ email, verification: null });
  const proven = await callApi(api["user-key"].confirm.$post({ json: { userKeyToken, pincode } }));
  const sent = startVerification(email, { userKeyToken, resendSeconds: 0 }, currentTime());
  signupDraftStore.update({ verification: completeVerification(sent, proven.userKeyToken, currentTime()) });
}

function SignupSection({ step, children }: { step: number; children: ReactNode }) {
  const { steps } = useAccountTexts().signup;
  return (
    <section
      aria-labelledby={`step-${step}`}
      className="border-t border-gray-20 py-8 first:border-t-0 first:pt-0 last:pb-0"
    >
      <h2 id={`step-${step}`} className="mb-5 text-xl">
        {step}. {steps[step - 1]}
      </h2>
      <div className="space-y-6">{children}</div>
    </section>
  );
}

function currentSignupStep(info: SignupInfo, draft: SignupDraft, now: number, texts: AccountTexts): number {
  if (Object.keys(agreementErrors(info, draft, texts)).length > 0) return 1;
  const type = signupAddressType(SIGNIN_KEY[info.authType]);
  return Object.keys(addressErrors(type, draft, now, info.rules, texts)).length > 0 ? 2 : 3;
}

function signupRequestBody(info: SignupInfo, draft: SignupDraft, password: string) {
  const userKeyType = SIGNIN_KEY[info.authType];
  const typed = { Id: draft.userId, Email: draft.email, Mobile: draft.mobile }[userKeyType];
  const token = draft.verification?.userKeyToken ?? "";
  return {
    userKeyType,
    userKeyCode: normaliseUserKey(userKeyType, typed),
    password,
    userName: draft.userName.trim(),
    profile: draft.profile,
    ...(userKeyType === "Mobile" ? { userKeyTokenForMobile: token } : { userKeyTokenForEmail: token }),
    agreements: info.agreements
      .filter((each) => draft.agreed.includes(agreementVersionKey(each)))
      .map(({ code, version }) => ({ code, version })),
  };
}

interface UserIdFieldProps {
  value: string;
  checkedId: string | null;
  onChange: (value: string, checkedId: string | null) => void;
  error: string | undefined;
  onError: (message: string | undefined) => void;
}

/** Editing the ID voids its duplicate check. */
function UserIdField({ value, checkedId, onChange, error, onError }: UserIdFieldProps) {
  const texts = useAccountTexts();
  const code = normaliseUserKey("Id", value);
  const isFree = code !== "" && checkedId === code;

  const fail = (message: string) => {
    onError(message);
    document.getElementById("userId")?.focus();
    return true;
  };
  const { busy, run } = useAction({
    reloads: "never",
    onFailure: (failure) => fail(texts.failed("check", failure)),
  });
  const check = () => {
    const problem = findUserIdProblem(value, WIDEST_ACCOUNT_RULES, texts);
    if (problem) return fail(problem);
    onError(undefined);
    return run(async () => {
      const json = { userKeyType: "Id" as const, userKeyCode: code };
      const { exists } = await callApi(api["user-key"]["check-exists"].$post({ json }));
      if (exists) fail(texts.keyTaken("Id"));
      else onChange(value, code);
    }, null);
  };

  return (
    <div>
      <Field id="userId" label={texts.keys.Id} error={error} required hint={texts.userId.hint}>
        <span className="flex gap-2 @max-[20rem]/page:flex-wrap">
          <UserKeyInput
            userKeyType="Id"
            name="userId"
            autoComplete="username"
            className="min-w-0 flex-1"
            value={value}
            onChange={(event) => {
              onError(undefined);
              onChange(event.target.value, null);
            }}
          />
          <Button onClick={() => void check()} busy={busy}>
            {texts.userId.check}
          </Button>
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-success-60">
        {isFree && (
          <span className="mt-2 flex items-center gap-1.5">
            <Check aria-hidden="true" className="size-4" />
            {texts.keyFree("Id")}
          </span>
        )}
      </p>
    </div>
  );
}
