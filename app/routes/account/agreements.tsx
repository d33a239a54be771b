import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { withArticle } from "#app/features/file/article.server.ts";
import { accountTextsOf, useAccountTexts } from "#app/features/account/account-texts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { followReturnUrl } from "#app/lib/destination.ts";
import { safeReturnUrl } from "#app/lib/return-url.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { listConsents } from "#worker/domain/account/consent.server.ts";
import { getSignupForm, type SignupFormView } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/agreements";
import { useState } from "react";
import { AgreementLanguage } from "#app/features/account/agreement-language.tsx";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { agreementControlId } from "#app/features/account/signup/check-signup.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { signOut } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { useAction } from "#app/features/form/action.tsx";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const [{ agreements }, ctx] = await Promise.all([getSignupForm(scope, language), scope.context()]);
  const { userId } = requireSignedIn(ctx);
  const agreed = new Set((await listConsents(ctx, userId)).filter((each) => each.agreed).map(({ code }) => code));
  const pending = agreements.filter(({ code, required }) => required && !agreed.has(code));
  const returnUrl = safeReturnUrl(searchParams.get("returnUrl") ?? (language === "en" ? ENGLISH_ROOT : "/"));
  if (pending.length === 0) throw redirect(returnUrl);
  return { userId, pending: pending.map((each) => withArticle(each, { language })), returnUrl };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: accountTextsOf(matches).pending.title });

export default function AgreementsPending({ loaderData }: Route.ComponentProps) {
  const texts = useAccountTexts().pending;
  return (
    <AccountPage title={texts.title} description={texts.description} wide>
      <PendingAgreements {...loaderData} />
    </AccountPage>
  );
}

interface PendingAgreementsProps {
  userId: string;
  pending: SignupFormView["agreements"];
  returnUrl: string;
}

function PendingAgreements({ userId, pending, returnUrl }: PendingAgreementsProps) {
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
        <AgreementLanguage agreements={pending} />
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
