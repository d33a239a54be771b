import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { AddressField, addressRequestBody, findAddressProblem } from "#app/features/account/address-field.tsx";
import { CodeField } from "#app/features/account/code-field.tsx";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, useOnce } from "#app/features/form/validated-form.tsx";
import { PasswordFields } from "#app/features/account/password-fields.tsx";
import { passwordErrors } from "#app/features/account/signup/check-signup.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { createTabStore } from "#app/features/account/tab-store.ts";
import { pincodeErrorMessage, appendReason } from "#app/features/account/error-messages.ts";
import { type VerifiableKeyType, startVerification, type KeyVerification } from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { particleOf } from "#worker/contract/kernel/particles.ts";

/** Both halves of what a link in a letter proves. */
interface ResetLink {
  userToken: string;
  pincode: string;
}

/** The address and the token that its code belongs to, or what a link brought, until the reset is done. */
const resetStore = createTabStore<{ address: string; sent: KeyVerification | null; link: ResetLink | null }>(
  "passwordReset",
  { address: "", sent: null, link: null },
);

/** Takes over the link of an administrator's letter, and takes it out of the address and the history. */
function takeResetLink(): void {
  const [, userToken, pincode] = /^#([\w-]{20,})\.(\d{6})$/.exec(location.hash) ?? [];
  if (!userToken || !pincode) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  resetStore.update({ link: { userToken, pincode }, sent: null });
}

async function sendResetCode(addressType: VerifiableKeyType, address: string): Promise<void> {
  const json = addressRequestBody(addressType, address);
  const { userToken } = await callApi(api.user["reset-password-token"].$post({ json }));
  resetStore.update({ sent: startVerification(normaliseUserKey(addressType, address), userToken, Date.now()) });
}

export function ResetPasswordForm({ addressType }: { addressType: VerifiableKeyType }) {
  const { address, sent, link } = resetStore.use();
  useEffect(takeResetLink, []);
  if (link) return <NewPasswordByLink link={link} />;
  if (sent) return <NewPassword addressType={addressType} sent={sent} />;
  return <RequestCode addressType={addressType} address={address} />;
}

function RequestCode({ addressType, address }: { addressType: VerifiableKeyType; address: string }) {
  const [error, setError] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const [busy, once] = useOnce();
  const submit = () =>
    once(async () => {
      const problem = findAddressProblem(addressType, address);
      setError(problem ?? undefined);
      setRefused(undefined);
      if (problem) return document.getElementById("address")?.focus();
      try {
        await sendResetCode(addressType, address);
      } catch (thrown) {
        setRefused(appendReason(UI_MESSAGES.pincodeSendFailed, thrown));
      }
    });
  return (
    <ValidatedForm onSubmit={submit} label="비밀번호 찾기">
      <div className="min-w-0 space-y-5">
        <AddressField
          userKeyType={addressType}
          hint="가입하신 주소로 인증번호를 보내 드립니다."
          value={address}
          onValue={(value) => resetStore.update({ address: value })}
          error={error}
        />
        <ErrorAlert>{refused}</ErrorAlert>
        <SubmitButton busy={busy} className="w-full">
          인증번호 받기
        </SubmitButton>
      </div>
    </ValidatedForm>
  );
}

const NO_PASSWORDS = { password: "", confirmation: "" };

/** The new password twice, and its sending with what proves whose it is. */
function useResetPassword() {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const rules = useSignupRules();
  const [passwords, setPasswords] = useState(NO_PASSWORDS);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  const reset = ({ userToken, pincode }: ResetLink) =>
    once(async () => {
      const wrong = {
        ...(/^\d{6}$/.test(pincode) ? {} : { pincode: "인증번호 6자리를 입력해 주십시오." }),
        ...passwordErrors(passwords, rules),
      };
      if (Object.keys(wrong).length > 0) return show(wrong);
      setErrors({});
      try {
        await callApi(api.user["reset-password"].$post({ json: { userToken, pincode, password: passwords.password } }));
        resetStore.clear();
        await navigate("/Account/Password/Process/Success", { replace: true, state: { done: true } });
      } catch (thrown) {
        show(resetErrors(thrown));
      }
    });
  return { form, passwords, setPasswords, errors, show, busy, reset };
}

function NewPasswordByLink({ link }: { link: ResetLink }) {
  const { form, passwords, setPasswords, errors, busy, reset } = useResetPassword();
  return (
    <ValidatedForm ref={form} onSubmit={() => reset(link)} label="비밀번호 재설정">
      <div className="min-w-0 space-y-5">
        <Alert>새로 쓰실 비밀번호를 정해 주십시오. 재설정하면 모든 기기에서 로그아웃됩니다.</Alert>
        <PasswordFields label="새 비밀번호" value={passwords} onChange={setPasswords} errors={errors} />
        {errors.form && (
          <Alert tone="error" title={UI_MESSAGES.resetFailed}>
            {errors.pincode ? "주소의 유효 기간이 지났거나 이미 쓴 주소입니다. 인증번호를 받아 주십시오." : errors.form}
          </Alert>
        )}
        <SubmitButton busy={busy} className="w-full">
          비밀번호 재설정
        </SubmitButton>
        <Button variant="quiet" className="w-full" onClick={() => resetStore.update({ link: null })}>
          인증번호로 재설정
        </Button>
      </div>
    </ValidatedForm>
  );
}

function NewPassword({ addressType, sent }: { addressType: VerifiableKeyType; sent: KeyVerification }) {
  const pincode = useRef<HTMLInputElement>(null);
  const { form, passwords, setPasswords, errors, show, busy, reset } = useResetPassword();
  const [resending, resendOnce] = useOnce();
  const submit = () => reset({ userToken: sent.userKeyToken, pincode: pincode.current?.value ?? "" });
  const resend = () =>
    resendOnce(async () => {
      try {
        await sendResetCode(addressType, sent.userKeyCode);
        toast("인증번호를 다시 보냈습니다.", "success");
        if (pincode.current) pincode.current.value = "";
      } catch (thrown) {
        show({ pincode: appendReason(UI_MESSAGES.pincodeSendFailed, thrown) });
      }
    });

  return (
    <ValidatedForm ref={form} onSubmit={submit} label="비밀번호 재설정">
      <div className="min-w-0 space-y-5">
        <Alert>
          <strong className="font-semibold break-all">{sent.userKeyCode}</strong>
          {particleOf(sent.userKeyCode, "으로/로")} 인증번호를 보냈습니다. 가입하지 않은 주소라면 인증번호가 가지
          않습니다.
        </Alert>
        <CodeField
          ref={pincode}
          sentAt={sent.sentAt}
          expiresAt={sent.expiresAt}
          error={errors.pincode ?? null}
          busy={resending}
          onResend={resend}
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
        {errors.form && (
          <Alert tone="error" title={UI_MESSAGES.resetFailed}>
            {errors.form}
          </Alert>
        )}
        <SubmitButton busy={busy} className="w-full">
          비밀번호 재설정
        </SubmitButton>
        <Button variant="quiet" className="w-full" onClick={() => resetStore.update({ sent: null })}>
          다른 주소로 받기
        </Button>
      </div>
    </ValidatedForm>
  );
}

/** The spec's text with the reason under `form`; the reason once more at its field. */
function resetErrors(thrown: unknown): Record<string, string> {
  if (!(thrown instanceof AppError)) return { form: "잠시 후 다시 시도해 주십시오." };
  if (thrown.code === "PINCODE_MISMATCH" || thrown.code === "PINCODE_EXPIRED") {
    const reason = pincodeErrorMessage(thrown);
    return { form: reason, pincode: reason };
  }
  return { ...thrown.fields, form: thrown.message };
}
