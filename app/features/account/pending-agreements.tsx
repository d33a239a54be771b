import { useRef, useState } from "react";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, useOnce } from "#app/features/form/validated-form.tsx";
import { agreementControlId, agreementMissingMessage } from "#app/features/account/signup/check-signup.ts";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { api, callApi } from "#app/lib/api.ts";
import { signOut } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { SignupFormView } from "#worker/contract/account/view.ts";

interface PendingAgreementsProps {
  userId: string;
  pending: SignupFormView["agreements"];
  returnUrl: string;
}

/** New versions of what a member must agree to, asked for before he goes on to where he wanted. */
export function PendingAgreements({ userId, pending, returnUrl }: PendingAgreementsProps) {
  const [agreed, setAgreed] = useState<string[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const [leaving, leaveOnce] = useOnce();
  const form = useRef<HTMLFormElement>(null);

  const submit = () =>
    once(async () => {
      const missing = pending.filter(({ code }) => !agreed.includes(code));
      const found = Object.fromEntries(
        missing.map(({ code, title }) => [agreementControlId(code), agreementMissingMessage(title)]),
      );
      setErrors(found);
      if (missing.length > 0) return focusFirstError(form.current, found);
      try {
        const agreements = pending.map(({ code, version }) => ({ code, version, agreed: true }));
        await callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } }));
        location.replace(returnUrl);
        await new Promise(() => {});
      } catch (thrown) {
        setErrors({ form: errorMessage(thrown) });
      }
    });
  const leave = () =>
    leaveOnce(async () => {
      await signOut();
      location.replace("/");
    });

  return (
    <ValidatedForm ref={form} onSubmit={submit} label="약관 동의">
      <div className="min-w-0 space-y-6">
        <AgreementChoices agreements={pending} agreed={agreed} onChange={setAgreed} errors={errors} />
        <ErrorAlert>{errors.form}</ErrorAlert>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busy={busy} size="md">
            동의하고 계속하기
          </SubmitButton>
          <Button busy={leaving} onClick={leave}>
            동의하지 않고 로그아웃
          </Button>
        </div>
      </div>
    </ValidatedForm>
  );
}
