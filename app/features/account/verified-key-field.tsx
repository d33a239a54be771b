import Check from "lucide-react/icons/check";
import { useLayoutEffect, useRef, useState } from "react";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { CodeField, useCurrentTime } from "./code-field.tsx";
import {
  completeVerification,
  findVerification,
  type KeyVerification,
  startVerification,
  type VerifiableKeyType,
} from "#app/features/account/verification.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useAction } from "#app/features/form/action.tsx";
import type { AccountAct } from "#app/lib/texts/account.ts";
import { now as currentTime, now } from "#app/lib/clock.ts";
import { AddressInput, findAddressProblem } from "#app/features/account/address-field.tsx";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { createPortal } from "react-dom";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface VerifiedKeyFieldProps {
  id: string;
  userKeyType: VerifiableKeyType;
  label?: string | undefined;
  hint?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  verification: KeyVerification | null;
  onVerification: (verification: KeyVerification | null) => void;
  error: string | undefined;
  onError: (message: string | undefined) => void;
  /** Checks for duplicates before a code is sent, because the address becomes a sign-in key. */
  checkExists: boolean;
}

/** Changing the address voids its verification. */
export function VerifiedKeyField({
  id,
  userKeyType,
  label,
  hint,
  value,
  onValue,
  error,
  ...props
}: VerifiedKeyFieldProps) {
  const { verification, onVerification, onError, checkExists } = props;
  const [asking, setAsking] = useState(false);
  const rules = useSignupRules();
  const nowMs = useCurrentTime(verification !== null);
  const texts = useAccountTexts();
  const { language } = useTexts();
  const proof = findVerification(userKeyType, value, verification, nowMs);

  const change = (next: string) => {
    onValue(next);
    onError(undefined);
    if (verification && !findVerification(userKeyType, next, verification, currentTime())) onVerification(null);
  };
  const sendCode = async (userKeyCode: string) => {
    const sent = await callApi(api["user-key"].check.$post({ json: { userKeyType, userKeyCode, language } }));
    onVerification(startVerification(userKeyCode, sent, currentTime()));
  };
  const fail = (message: string) => {
    onError(message);
    document.getElementById(id)?.focus();
    return true;
  };
  const failed = useRef<AccountAct>("check");
  const { busy, run } = useAction({
    reloads: "never",
    onFailure: (failure) => fail(texts.failed(failed.current, failure)),
  });
  const start = () => {
    if (proof && !proof.isVerified) return setAsking(true);
    const userKeyCode = normaliseUserKey(userKeyType, value);
    const problem = findAddressProblem(userKeyType, value, texts, rules);
    if (problem) return void fail(problem);
    onError(undefined);
    return void run(async () => {
      failed.current = "check";
      const json = { userKeyType, userKeyCode };
      if (checkExists && (await callApi(api["user-key"]["check-exists"].$post({ json }))).exists)
        return void fail(texts.keyTaken(userKeyType));
      failed.current = "sendCode";
      await sendCode(userKeyCode);
      setAsking(true);
    }, null);
  };

  return (
    <div>
      <Field id={id} label={label ?? texts.keys[userKeyType]} hint={hint} error={error} required>
        <span className="flex flex-col gap-2 md:flex-row">
          <span className="min-w-0 md:flex-1">
            <AddressInput id={id} userKeyType={userKeyType} value={value} onValue={change} />
          </span>
          {!proof?.isVerified && (
            <Button onClick={start} busy={busy}>
              {proof ? texts.code.enter : texts.code.ask}
            </Button>
          )}
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-success-60">
        {(proof?.isVerified || (proof && checkExists)) && (
          <span className="mt-2 flex items-center gap-1.5">
            <Check aria-hidden="true" className="size-4" />
            {proof.isVerified ? texts.code.confirmed : texts.keyFree(userKeyType)}
          </span>
        )}
      </p>
      {verification && !verification.isVerified && (
        <PincodeDialog
          open={asking}
          onClose={() => setAsking(false)}
          userKeyType={userKeyType}
          verification={verification}
          onResend={() => sendCode(verification.userKeyCode)}
          onConfirmed={(confirmed) => {
            setAsking(false);
            onVerification(confirmed);
          }}
        />
      )}
    </div>
  );
}

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
function PincodeDialog(props: PincodeDialogProps) {
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
        <strong className="font-semibold">{verification.userKeyCode}</strong>
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
