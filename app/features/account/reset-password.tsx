import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { AddressField, addressRequestBody, findAddressProblem } from "#app/features/account/address-field.tsx";
import { CodeField } from "#app/features/account/code-field.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { createTabStore } from "#app/features/account/tab-store.ts";
import { pincodeErrorMessage, appendReason } from "#app/features/account/error-messages.ts";
import { type VerifiableKeyType, startVerification, type KeyVerification } from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { useCheckedForm, type FormErrors } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import type { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { particleOf, withParticle } from "#worker/contract/kernel/particles.ts";

/** Both halves of what a link in a message proves. */
interface ResetLink {
  userToken: string;
  pincode: string;
}

/** The address and the token that its code belongs to, or what a link brought, until the reset is done. */
const resetStore = createTabStore<{ address: string; sent: KeyVerification | null; link: ResetLink | null }>(
  "passwordReset",
  { address: "", sent: null, link: null },
);

/** Takes over the link of an administrator's message, and takes it out of the address and the history. */
function takeResetLink(): void {
  const [, userToken, pincode] = /^#([\w-]{20,})\.(\d{6})$/.exec(location.hash) ?? [];
  if (!userToken || !pincode) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  resetStore.update({ link: { userToken, pincode }, sent: null });
}

async function sendResetCode(addressType: VerifiableKeyType, address: string): Promise<void> {
  const json = addressRequestBody(addressType, address);
  const { userToken, resendSeconds } = await callApi(api.user["reset-password-token"].$post({ json }));
  const sent = { userKeyToken: userToken, resendSeconds };
  resetStore.update({ sent: startVerification(normaliseUserKey(addressType, address), sent, Date.now()) });
}

export function ResetPasswordForm({ addressType }: { addressType: VerifiableKeyType }) {
  const { address, sent, link } = resetStore.use();
  useEffect(takeResetLink, []);
  if (link) return <NewPasswordByLink link={link} />;
  if (sent) return <NewPassword addressType={addressType} sent={sent} />;
  return <RequestCode addressType={addressType} address={address} />;
}

function RequestCode({ addressType, address }: { addressType: VerifiableKeyType; address: string }) {
  const checked = useCheckedForm({
    reloads: "never",
    toErrors: (failure) => ({ form: appendReason(UI_MESSAGES.pincodeSendFailed, failure) }),
  });
  const submit = () => {
    const problem = findAddressProblem(addressType, address);
    const found: FormErrors = problem ? { address: problem } : {};
    return checked.send(found, () => sendResetCode(addressType, address), null);
  };
  return (
    <CheckedForm checked={checked} onSubmit={submit} label="비밀번호 찾기" submitLabel="인증번호 받기" large>
      <AddressField
        userKeyType={addressType}
        hint={`가입하실 때 쓰신 ${withParticle(USER_KEY_NAMES[addressType], "으로/로")} 인증번호를 보내 드립니다.`}
        value={address}
        onValue={(value) => resetStore.update({ address: value })}
        error={checked.errors.address}
      />
    </CheckedForm>
  );
}

const NO_PASSWORDS = { password: "", confirmation: "" };

/** The new password twice, and its sending with what proves whose it is. */
function useResetPassword() {
  const navigate = useNavigate();
  const rules = useSignupRules();
  const [passwords, setPasswords] = useState(NO_PASSWORDS);
  const checked = useCheckedForm({ reloads: "never", toErrors: resetErrors });
  const reset = ({ userToken, pincode }: ResetLink) => {
    const wrong = {
      ...(/^\d{6}$/.test(pincode) ? {} : { pincode: "인증번호 6자리를 입력해 주십시오." }),
      ...passwordErrors(passwords, rules),
    };
    const work = async () => {
      await callApi(api.user["reset-password"].$post({ json: { userToken, pincode, password: passwords.password } }));
      resetStore.clear();
      await navigate("/Account/Password/Process/Success", { replace: true, state: { done: true } });
    };
    return checked.send(wrong, work, null);
  };
  return { checked, passwords, setPasswords, reset };
}

function NewPasswordByLink({ link }: { link: ResetLink }) {
  const { checked, passwords, setPasswords, reset } = useResetPassword();
  const { errors } = checked;
  const expired = "링크의 유효 기간이 지났거나 이미 쓴 링크입니다. 인증번호를 받아 주십시오.";
  return (
    <CheckedForm
      checked={errors.form && errors.pincode ? { ...checked, errors: { ...errors, form: expired } } : checked}
      onSubmit={() => reset(link)}
      label="비밀번호 재설정"
      large
      errorTitle={UI_MESSAGES.resetFailed}
      after={
        <Button variant="quiet" className="w-full" onClick={() => resetStore.update({ link: null })}>
          인증번호로 재설정
        </Button>
      }
    >
      <Alert>새로 쓰실 비밀번호를 정해 주십시오. 재설정하면 모든 기기에서 로그아웃됩니다.</Alert>
      <PasswordFields label="새 비밀번호" value={passwords} onChange={setPasswords} errors={errors} />
    </CheckedForm>
  );
}

function NewPassword({ addressType, sent }: { addressType: VerifiableKeyType; sent: KeyVerification }) {
  const pincode = useRef<HTMLInputElement>(null);
  const { checked, passwords, setPasswords, reset } = useResetPassword();
  const { errors, show } = checked;
  const resending = useAction({
    reloads: "never",
    onFailure(failure) {
      show({ pincode: appendReason(UI_MESSAGES.pincodeSendFailed, failure) });
      return true;
    },
  });
  const submit = () => reset({ userToken: sent.userKeyToken, pincode: pincode.current?.value ?? "" });
  const resend = () =>
    resending.run(async () => {
      await sendResetCode(addressType, sent.userKeyCode);
      if (pincode.current) pincode.current.value = "";
    }, "인증번호를 다시 보냈습니다.");

  return (
    <CheckedForm
      checked={checked}
      onSubmit={submit}
      label="비밀번호 재설정"
      large
      errorTitle={UI_MESSAGES.resetFailed}
      after={
        <Button variant="quiet" className="w-full" onClick={() => resetStore.update({ sent: null })}>
          다른 주소로 받기
        </Button>
      }
    >
      <Alert>
        <strong className="font-semibold break-all">{sent.userKeyCode}</strong>
        {particleOf(sent.userKeyCode, "으로/로")} 인증번호를 보냈습니다. 가입하지 않은 주소라면 인증번호가 가지
        않습니다.
      </Alert>
      <CodeField
        ref={pincode}
        resendAt={sent.resendAt}
        expiresAt={sent.expiresAt}
        error={errors.pincode ?? null}
        busy={resending.busy}
        onResend={() => void resend()}
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
      <PasswordFields label="새 비밀번호" value={passwords} onChange={setPasswords} errors={errors} />
    </CheckedForm>
  );
}

/** The spec's text with the reason under `form`; the reason once more at its field. */
function resetErrors(failure: AppError): FormErrors {
  if (failure.code === "PINCODE_MISMATCH" || failure.code === "PINCODE_EXPIRED") {
    const reason = pincodeErrorMessage(failure);
    return { form: reason, pincode: reason };
  }
  return { ...failure.fields, form: failure.message };
}
