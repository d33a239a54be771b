import { useLayoutEffect, useRef, useState } from "react";
import { CodeField } from "#app/features/account/code-field.tsx";
import { createPortal } from "react-dom";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import {
  type VerifiableKeyType,
  completeVerification,
  type KeyVerification,
} from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { now } from "#app/lib/clock.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";

interface PincodeDialogProps {
  open: boolean;
  onClose: () => void;
  userKeyType: VerifiableKeyType;
  verification: KeyVerification;
  /** @throws AppError */
  onResend: () => Promise<void>;
  onConfirmed: (verification: KeyVerification) => void;
}

/** Is rendered outside the page's form because HTML forbids nested forms. */
export function PincodeDialog(props: PincodeDialogProps) {
  const { title } = useAccountTexts().code;
  return createPortal(
    <Dialog open={props.open} onClose={props.onClose} title={title[props.userKeyType]}>
      <PincodeForm {...props} />
    </Dialog>,
    document.body,
  );
}

function PincodeForm({ userKeyType, verification, onResend, onConfirmed }: PincodeDialogProps) {
  const texts = useAccountTexts();
  const pincode = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [said, setSaid] = useState("");

  // Sets `autofocus` before the dialog opens; without it the close button gets the focus.
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
    onFailure: (failure) => fail(texts.codeFailed(failure)),
  });
  const resending = useAction({
    reloads: "never",
    onFailure: (failure) => fail(texts.failed("sendCode", failure)),
  });
  const confirm = () => {
    const code = pincode.current?.value ?? "";
    setSaid("");
    if (!/^\d{6}$/.test(code)) return void fail(texts.code.missing);
    if (verification.expiresAt <= now()) return void fail(texts.code.askAgain);
    return void confirming.run(async () => {
      const json = { userKeyToken: verification.userKeyToken, pincode: code };
      const { userKeyToken } = await callApi(api["user-key"].confirm.$post({ json }));
      onConfirmed(completeVerification(verification, userKeyToken, now()));
    }, null);
  };
  const resend = () => {
    setError(null);
    void resending.run(async () => {
      await onResend();
      setSaid(texts.code.sentAgain);
      if (pincode.current) pincode.current.value = "";
      pincode.current?.focus();
    }, null);
  };

  const sentTo = texts.code.sentTo(verification.userKeyCode);
  return (
    <ValidatedForm onSubmit={confirm}>
      <p>
        {sentTo.before}
        <strong className="font-semibold wrap-anywhere">{verification.userKeyCode}</strong>
        {sentTo.after} {texts.code.hint[userKeyType]}
      </p>
      <div className="mt-5">
        <CodeField
          ref={pincode}
          resendAt={verification.resendAt}
          expiresAt={verification.expiresAt}
          error={error}
          busy={resending.busy}
          onResend={resend}
          texts={texts.code}
        />
      </div>
      <p role="alert" className="sr-only">
        {error}
      </p>
      <p role="status" className="mt-1 text-sm text-success-60">
        {said}
      </p>
      <SubmitButton busy={confirming.busy} size="md" className="mt-4 w-full">
        {texts.code.confirm}
      </SubmitButton>
    </ValidatedForm>
  );
}
