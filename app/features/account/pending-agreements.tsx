import { useState } from "react";
import { AgreementLanguage, type LegalPage } from "#app/features/account/agreement-language.tsx";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { agreementControlId } from "#app/features/account/signup/check-signup.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { signOut } from "#app/lib/session.ts";
import { followReturnUrl } from "#app/lib/return-url.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { useAction } from "#app/features/form/use-action.ts";
import type { SignupFormView } from "#worker/contract/account/view.ts";

interface PendingAgreementsProps {
  userId: string;
  pending: SignupFormView["agreements"];
  returnUrl: string;
  readable: readonly LegalPage[];
}

export function PendingAgreements({ userId, pending, returnUrl, readable }: PendingAgreementsProps) {
  const texts = useAccountTexts();
  const { pathOf } = useTexts();
  const [agreed, setAgreed] = useState<string[]>([]);
  const { form, errors, busy, send } = useCheckedForm({
    reloads: "never",
    toErrors: (failure) => ({ form: texts.reason(failure) }),
  });
  const leaving = useAction({ reloads: "never" });

  const submit = () => {
    const missing = pending.filter(({ code }) => !agreed.includes(code));
    const found = Object.fromEntries(
      missing.map(({ code, title }) => [agreementControlId(code), texts.agreements.missing(title)]),
    );
    const work = async () => {
      const agreements = pending.map(({ code, version }) => ({ code, version, agreed: true }));
      await callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } }));
      followReturnUrl(returnUrl);
      await new Promise(() => {});
    };
    return send(found, work, null);
  };
  const leave = () =>
    leaving.run(async () => {
      await signOut();
      location.replace(pathOf("", "/"));
    }, null);

  return (
    <ValidatedForm ref={form} onSubmit={submit} label={texts.pending.title}>
      <div className="min-w-0 space-y-6">
        <AgreementLanguage readable={readable} />
        <AgreementChoices agreements={pending} agreed={agreed} onChange={setAgreed} errors={errors} />
        <ErrorAlert>{errors.form}</ErrorAlert>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busy={busy} size="md">
            {texts.pending.submit}
          </SubmitButton>
          <Button busy={leaving.busy} onClick={() => void leave()}>
            {texts.pending.leave}
          </Button>
        </div>
      </div>
    </ValidatedForm>
  );
}
