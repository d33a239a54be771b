import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { withArticle } from "#app/features/file/article.server.ts";
import { PendingAgreements } from "#app/features/account/pending-agreements.tsx";
import { accountTextsOf, useAccountTexts } from "#app/features/account/account-texts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl } from "#app/lib/return-url.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { listLegalPages } from "#worker/domain/content/english-page.server.ts";
import { listConsents } from "#worker/domain/account/consent.server.ts";
import { getSignupForm } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/agreements";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const [{ agreements }, readable, ctx] = await Promise.all([
    getSignupForm(scope),
    listLegalPages(scope, language),
    scope.context(),
  ]);
  const { userId } = requireSignedIn(ctx);
  const agreed = new Set((await listConsents(ctx, userId)).filter((each) => each.agreed).map(({ code }) => code));
  const pending = agreements.filter(({ code, required }) => required && !agreed.has(code));
  const returnUrl = safeReturnUrl(searchParams.get("returnUrl") ?? (language === "en" ? ENGLISH_ROOT : "/"));
  if (pending.length === 0) throw redirect(returnUrl);
  return { userId, pending: pending.map((each) => withArticle(each, { language })), readable, returnUrl };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: accountTextsOf(matches).pending.title });
}

export default function AgreementsPending({ loaderData }: Route.ComponentProps) {
  const texts = useAccountTexts().pending;
  return (
    <AccountPage title={texts.title} description={texts.description} wide>
      <PendingAgreements {...loaderData} />
    </AccountPage>
  );
}
