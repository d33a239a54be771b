import { useLayoutEffect, useRef, useState } from "react";
import { CodeField } from "#app/features/account/code-field.tsx";
import { createPortal } from "react-dom";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { pincodeErrorMessage, appendReason } from "#app/features/account/error-messages.ts";
import {
  type VerifiableKeyType,
  completeVerification,
  type KeyVerification,
} from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { particleOf } from "#worker/contract/kernel/particles.ts";

const CHANNEL_TEXTS = {
  Email: { title: "이메일 인증", hint: "메일이 보이지 않으면 스팸 메일함을 확인해 주십시오." },
  Mobile: { title: "휴대전화 인증", hint: "문자가 오지 않으면 번호를 다시 확인해 주십시오." },
};

interface PincodeDialogProps {
  open: boolean;
  onClose: () => void;
  userKeyType: VerifiableKeyType;
  verification: KeyVerification;
  /** Sends another code. @throws AppError */
  onResend: () => Promise<void>;
  onConfirmed: (verification: KeyVerification) => void;
}

/** Asks for the code that was sent to an address. Outside the page's form: HTML knows no form within a form. */
export function PincodeDialog(props: PincodeDialogProps) {
  const { title } = CHANNEL_TEXTS[props.userKeyType];
  return createPortal(
    <Dialog open={props.open} onClose={props.onClose} title={title}>
      <PincodeForm {...props} />
    </Dialog>,
    document.body,
  );
}

function PincodeForm({ userKeyType, verification, onResend, onConfirmed }: PincodeDialogProps) {
  const pincode = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [said, setSaid] = useState("");

  // Before the dialog opens: it gives the focus to what carries the attribute, else to its cross.
  useLayoutEffect(() => {
    pincode.current?.setAttribute("autofocus", "");
  }, []);

  const fail = (message: string) => {
    setError(message);
    pincode.current?.focus();
    pincode.current?.select();
    return true;
  };
  const confirming = useAction({
    reloads: "never",
    onFailure: (failure) => fail(pincodeErrorMessage(failure)),
  });
  const resending = useAction({
    reloads: "never",
    onFailure: (failure) => fail(appendReason(UI_MESSAGES.pincodeSendFailed, failure)),
  });
  const confirm = () => {
    const code = pincode.current?.value ?? "";
    setSaid("");
    if (!/^\d{6}$/.test(code)) return void fail("인증번호 6자리를 입력해 주십시오.");
    if (verification.expiresAt <= Date.now()) return void fail(UI_MESSAGES.pincodeNotSent);
    return void confirming.run(async () => {
      const json = { userKeyToken: verification.userKeyToken, pincode: code };
      const { userKeyToken } = await callApi(api["user-key"].confirm.$post({ json }));
      onConfirmed(completeVerification(verification, userKeyToken, Date.now()));
    }, null);
  };
  const resend = () => {
    setError(null);
    void resending.run(async () => {
      await onResend();
      setSaid("인증번호를 다시 보냈습니다.");
      if (pincode.current) pincode.current.value = "";
      pincode.current?.focus();
    }, null);
  };

  return (
    <ValidatedForm onSubmit={confirm}>
      <p>
        <strong className="font-semibold break-all">{verification.userKeyCode}</strong>
        {particleOf(verification.userKeyCode, "으로/로")} 인증번호를 보냈습니다. {CHANNEL_TEXTS[userKeyType].hint}
      </p>
      <div className="mt-5">
        <CodeField
          ref={pincode}
          resendAt={verification.resendAt}
          expiresAt={verification.expiresAt}
          error={error}
          busy={resending.busy}
          onResend={resend}
        />
      </div>
      <p role="alert" className="sr-only">
        {error}
      </p>
      <p role="status" className="mt-1 text-sm text-success-60">
        {said}
      </p>
      <SubmitButton busy={confirming.busy} size="md" className="mt-4 w-full">
        인증 확인
      </SubmitButton>
    </ValidatedForm>
  );
}
