import { AccountPage } from "#app/features/account/account-page.tsx";
import { ADDRESS_TYPE_BY_AUTH_TYPE } from "#app/features/account/error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { recoveryTextsOf, useRecoveryTexts } from "#app/features/account/recovery-texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/find-password";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { AddressField, addressRequestBody, findAddressProblem } from "#app/features/account/address-field.tsx";
import { CodeField } from "#app/features/account/code-field.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { createTabStore } from "#app/features/account/tab-store.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";
import { type KeyVerification, startVerification, type VerifiableKeyType } from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { now } from "#app/lib/clock.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { useAction } from "#app/features/form/action.tsx";
import type { AppError } from "#worker/contract/kernel/errors.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const { authType } = await getAuthenticationInfo(scope);
  return { authType };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: recoveryTextsOf(matches).reset.title, path: "/Account/FindPassword" });

export default function FindPassword({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title={useRecoveryTexts().reset.title}>
      <ResetPasswordForm addressType={ADDRESS_TYPE_BY_AUTH_TYPE[authType]} />
    </AccountPage>
  );
}

interface ResetLink {
  userToken: string;
  pincode: string;
}

/** Keeps the address with its token, or the link's token, until the reset is done. */
const resetStore = createTabStore<{ address: string; sent: KeyVerification | null; link: ResetLink | null }>(
  "passwordReset",
  { address: "", sent: null, link: null },
);

/** Reads the token of a reset link and removes it from the address and the history. */
function takeResetLink(): void {
  const [, userToken, pincode] = /^#([\w-]{20,})\.(\d{6})$/.exec(location.hash) ?? [];
  if (!userToken || !pincode) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  resetStore.update({ link: { userToken, pincode }, sent: null });
}

async function sendResetCode(addressType: VerifiableKeyType, address: string, language: Language): Promise<void> {
  const json = { ...addressRequestBody(addressType, address), language };
  const { userToken, resendSeconds } = await callApi(api.user["reset-password-token"].$post({ json }));
  const sent = { userKeyToken: userToken, resendSeconds };
  resetStore.update({ sent: startVerification(normaliseUserKey(addressType, address), sent, now()) });
}

function ResetPasswordForm({ addressType }: { addressType: VerifiableKeyType }) {
  const { address, sent, link } = resetStore.use();
  useEffect(takeResetLink, []);
  const step = link ? "link" : sent ? "code" : "address";
  const shown = useRef(step);
  // Moves the focus into the new step; the field that had it was removed.
  useEffect(() => {
    if (shown.current !== step) document.querySelector<HTMLElement>("#main form input:not([readonly])")?.focus();
    shown.current = step;
  }, [step]);
  if (link) return <NewPasswordByLink link={link} />;
  if (sent) return <NewPassword addressType={addressType} sent={sent} />;
  return <RequestCode addressType={addressType} address={address} />;
}

function RequestCode({ addressType, address }: { addressType: VerifiableKeyType; address: string }) {
  const texts = useAccountTexts();
  const { reset } = useRecoveryTexts();
  const { language } = useTexts();
  const checked = useCheckedForm({
    reloads: "never",
    toErrors: (failure) => ({ form: texts.failed("sendCode", failure) }),
  });
  const submit = () => {
    const problem = findAddressProblem(addressType, address, texts);
    const found: FormErrors = problem ? { address: problem } : {};
    return checked.send(found, () => sendResetCode(addressType, address, language), null);
  };
  return (
    <CheckedForm checked={checked} onSubmit={submit} label={reset.title} submitLabel={texts.code.ask} large>
      <AddressField
        userKeyType={addressType}
        hint={reset.hint(addressType)}
        value={address}
        onValue={(value) => resetStore.update({ address: value })}
        error={checked.errors.address}
      />
    </CheckedForm>
  );
}

const NO_PASSWORDS = { password: "", confirmation: "" };

function useResetPassword() {
  const navigate = useNavigate();
  const rules = useSignupRules();
  const texts = useAccountTexts();
  const { pathOf, language } = useTexts();
  const returning = useReturningPath();
  const [passwords, setPasswords] = useState(NO_PASSWORDS);
  const checked = useCheckedForm({ reloads: "never", toErrors: (failure) => resetErrors(failure, texts, rules) });
  const reset = ({ userToken, pincode }: ResetLink) => {
    const wrong = {
      ...(/^\d{6}$/.test(pincode) ? {} : { pincode: texts.code.missing }),
      ...passwordErrors(passwords, rules, texts),
    };
    const work = async () => {
      await callApi(
        api.user["reset-password"].$post({ json: { userToken, pincode, password: passwords.password, language } }),
      );
      resetStore.clear();
      await navigate(returning(pathOf("", "/Account/Password/Process/Success")), {
        replace: true,
        state: { done: true },
      });
    };
    return checked.send(wrong, work, null);
  };
  return { checked, passwords, setPasswords, reset };
}

function NewPasswordByLink({ link }: { link: ResetLink }) {
  const { checked, passwords, setPasswords, reset } = useResetPassword();
  const { errors } = checked;
  const texts = useRecoveryTexts().reset;
  return (
    <NewPasswordForm
      checked={errors.form && errors.pincode ? { ...checked, errors: { ...errors, form: texts.linkOver } } : checked}
      onSubmit={() => reset(link)}
      otherWay={{ label: texts.byCode, take: () => resetStore.update({ link: null }) }}
    >
      <Alert>{texts.choose}</Alert>
      <PasswordFields isNew value={passwords} onChange={setPasswords} errors={errors} />
    </NewPasswordForm>
  );
}

function NewPassword({ addressType, sent }: { addressType: VerifiableKeyType; sent: KeyVerification }) {
  const account = useAccountTexts();
  const texts = useRecoveryTexts().reset;
  const { language } = useTexts();
  const sentTo = texts.sentTo(sent.userKeyCode);
  const pincode = useRef<HTMLInputElement>(null);
  const { checked, passwords, setPasswords, reset } = useResetPassword();
  const { errors, show } = checked;
  const resending = useAction({
    reloads: "never",
    onFailure(failure) {
      show({ pincode: account.failed("sendCode", failure) });
      return true;
    },
  });
  const submit = () => reset({ userToken: sent.userKeyToken, pincode: pincode.current?.value ?? "" });
  const resend = () =>
    resending.run(async () => {
      await sendResetCode(addressType, sent.userKeyCode, language);
      if (pincode.current) pincode.current.value = "";
    }, account.code.sentAgain);

  return (
    <NewPasswordForm
      checked={checked}
      onSubmit={submit}
      otherWay={{ label: texts.otherAddress, take: () => resetStore.update({ sent: null }) }}
    >
      <Alert>
        {sentTo.before}
        <strong className="font-semibold">{sent.userKeyCode}</strong>
        {sentTo.after}
      </Alert>
      <CodeField
        ref={pincode}
        resendAt={sent.resendAt}
        expiresAt={sent.expiresAt}
        error={errors.pincode ?? null}
        busy={resending.busy}
        onResend={() => void resend()}
        texts={account.code}
      />
      <input
        type="text"
        autoComplete="username"
        value={sent.userKeyCode}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
      />
      <PasswordFields isNew value={passwords} onChange={setPasswords} errors={errors} />
    </NewPasswordForm>
  );
}

interface NewPasswordFormProps extends Pick<ComponentProps<typeof CheckedForm>, "checked" | "onSubmit" | "children"> {
  otherWay: { label: string; take: () => void };
}

function NewPasswordForm({ otherWay, ...form }: NewPasswordFormProps) {
  const texts = useRecoveryTexts().reset;
  return (
    <CheckedForm
      {...form}
      label={texts.newTitle}
      large
      errorTitle={texts.failed}
      after={
        <Button variant="quiet" className="w-full" onClick={otherWay.take}>
          {otherWay.label}
        </Button>
      }
    />
  );
}

/** Puts the spec's text under `form` and repeats the reason at its field. */
function resetErrors(failure: AppError, texts: AccountTexts, rules: AccountRules): FormErrors {
  if (failure.code === "PINCODE_MISMATCH" || failure.code === "PINCODE_EXPIRED") {
    const reason = texts.codeFailed(failure);
    return { form: reason, pincode: reason };
  }
  const fields = Object.entries(failure.fields ?? {}).map(([id, said]) => [id, texts.problem(id, said, rules)]);
  return { ...Object.fromEntries(fields), form: fields[0]?.[1] ?? texts.reason(failure) };
}
