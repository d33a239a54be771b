import Check from "lucide-react/icons/check";
import { useState, useRef } from "react";
import { PincodeDialog } from "#app/features/account/pincode-dialog.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { useSignupRules } from "#app/features/account/use-signup-rules.ts";
import { useCurrentTime } from "#app/features/account/use-current-time.ts";
import {
  type VerifiableKeyType,
  startVerification,
  findVerification,
  type KeyVerification,
} from "#app/features/account/verification.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import type { AccountAct } from "#app/lib/texts/account.ts";
import { now as currentTime } from "#app/lib/clock.ts";
import { AddressInput, findAddressProblem } from "#app/features/account/address-field.tsx";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";

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
  const now = useCurrentTime(verification !== null);
  const texts = useAccountTexts();
  const { language } = useTexts();
  const proof = findVerification(userKeyType, value, verification, now);

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
