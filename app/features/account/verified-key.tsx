import Check from "lucide-react/icons/check";
import { useState } from "react";
import { EmailInput } from "#app/features/account/email-input.tsx";
import { useOnce } from "#app/features/form/form.tsx";
import { KeyInput } from "#app/features/account/key-input.tsx";
import { PincodeDialog } from "#app/features/account/pincode-dialog.tsx";
import { keyMissing, withReason } from "#app/features/account/texts.ts";
import { useRules } from "#app/features/account/use-rules.ts";
import { useNow } from "#app/features/account/use-now.ts";
import { type AddressType, codeSent, proofFor, type Verification } from "#app/features/account/verification.ts";
import { api, call } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { availableMessage, MESSAGES, takenMessage, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { normaliseUserKey, userKeyProblem } from "#worker/contract/account/rules.ts";

interface VerifiedKeyProps {
  id: string;
  userKeyType: AddressType;
  label?: string | undefined;
  hint?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  verification: Verification | null;
  onVerification: (verification: Verification | null) => void;
  error: string | undefined;
  onError: (message: string | undefined) => void;
  /** The address will be what its owner signs in with: asked for duplicates before a code goes out. */
  checkExists: boolean;
}

/** An address that is proved by a code; changing it makes the proof void. */
export function VerifiedKey({ id, userKeyType, label, hint, value, onValue, error, ...props }: VerifiedKeyProps) {
  const { verification, onVerification, onError, checkExists } = props;
  const [asking, setAsking] = useState(false);
  const [busy, once] = useOnce();
  const rules = useRules();
  const now = useNow(verification !== null);
  const name = USER_KEY_NAMES[userKeyType];
  const proof = proofFor(userKeyType, value, verification, now);

  const change = (next: string) => {
    onValue(next);
    onError(undefined);
    if (verification && !proofFor(userKeyType, next, verification, Date.now())) onVerification(null);
  };
  const sendCode = async (userKeyCode: string) => {
    const { userKeyToken } = await call(api["user-key"].check.$post({ json: { userKeyType, userKeyCode } }));
    onVerification(codeSent(userKeyCode, userKeyToken, Date.now()));
  };
  const fail = (message: string) => {
    onError(message);
    document.getElementById(id)?.focus();
  };
  const start = () =>
    once(async () => {
      if (proof && !proof.isVerified) return setAsking(true);
      const userKeyCode = normaliseUserKey(userKeyType, value);
      const problem = userKeyCode === "" ? keyMissing(userKeyType) : userKeyProblem(userKeyType, userKeyCode, rules);
      if (problem) return fail(problem);
      onError(undefined);
      if (checkExists) {
        try {
          const { exists } = await call(api["user-key"]["check-exists"].$post({ json: { userKeyType, userKeyCode } }));
          if (exists) return fail(takenMessage(userKeyType));
        } catch (thrown) {
          return fail(withReason(MESSAGES.checkFailed, thrown));
        }
      }
      try {
        await sendCode(userKeyCode);
        setAsking(true);
      } catch (thrown) {
        fail(withReason(MESSAGES.pincodeSendFailed, thrown));
      }
    });

  return (
    <div>
      <Field id={id} label={label ?? name} hint={hint} error={error} required>
        <span className="flex flex-col gap-2 md:flex-row">
          <span className="min-w-0 md:flex-1">
            {userKeyType === "Email" ? (
              <EmailInput id={id} name="email" autoComplete="email" value={value} onValue={change} />
            ) : (
              <KeyInput
                userKeyType="Mobile"
                name="mobile"
                autoComplete="tel"
                value={value}
                onChange={(event) => change(event.target.value)}
              />
            )}
          </span>
          {!proof?.isVerified && (
            <Button onClick={start} busy={busy}>
              {proof ? "인증번호 입력" : "인증번호 받기"}
            </Button>
          )}
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-success-60">
        {(proof?.isVerified || (proof && checkExists)) && (
          <span className="mt-2 flex items-center gap-1.5">
            <Check aria-hidden="true" className="size-4" />
            {proof.isVerified ? MESSAGES.pincodeConfirmed : availableMessage(userKeyType)}
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
