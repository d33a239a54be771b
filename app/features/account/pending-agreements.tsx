import { useState } from "react";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { agreementControlId, agreementMissingMessage } from "#app/features/account/signup/check-signup.ts";
import { api, callApi } from "#app/lib/api.ts";
import { signOut } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { useAction } from "#app/features/form/use-action.ts";
import type { SignupFormView } from "#worker/contract/account/view.ts";

interface PendingAgreementsProps {
  userId: string;
  pending: SignupFormView["agreements"];
  returnUrl: string;
}

/** New versions of what a member must agree to, asked for before they go on to where they wanted. */
export function PendingAgreements({ userId, pending, returnUrl }: PendingAgreementsProps) {
  const [agreed, setAgreed] = useState<string[]>([]);
  const { form, errors, busy, send } = useCheckedForm({
    reloads: "never",
    toErrors: ({ message }) => ({ form: message }),
  });
  const leaving = useAction({ reloads: "never" });

  const submit = () => {
    const missing = pending.filter(({ code }) => !agreed.includes(code));
    const found = Object.fromEntries(
      missing.map(({ code, title }) => [agreementControlId(code), agreementMissingMessage(title)]),
    );
    const work = async () => {
      const agreements = pending.map(({ code, version }) => ({ code, version, agreed: true }));
      await callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } }));
      location.replace(returnUrl);
      await new Promise(() => {});
    };
    return send(found, work, null);
  };
  const leave = () =>
    leaving.run(async () => {
      await signOut();
      location.replace("/");
    }, null);

  return (
    <ValidatedForm ref={form} onSubmit={submit} label="약관 동의">
      <div className="min-w-0 space-y-6">
        <AgreementChoices agreements={pending} agreed={agreed} onChange={setAgreed} errors={errors} />
        <ErrorAlert>{errors.form}</ErrorAlert>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busy={busy} size="md">
            동의하고 계속하기
          </SubmitButton>
          <Button busy={leaving.busy} onClick={() => void leave()}>
            동의하지 않고 로그아웃
          </Button>
        </div>
      </div>
    </ValidatedForm>
  );
}
