import { redirect, useSearchParams } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { SigninForm } from "#app/features/account/signin-form.tsx";
import { signinTextsOf, useSigninTexts } from "#app/features/account/signin-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { findRootData, pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl, secondFactorPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/signin";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [{ authType }, ctx] = await Promise.all([getAuthenticationInfo(scope), scope.context()]);
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const home = language === "en" ? ENGLISH_ROOT : "/";
  const returnUrl = safeReturnUrl(searchParams.get("returnUrl") ?? home);
  if (ctx.actor.kind !== "guest") throw redirect(returnUrl);
  if (ctx.actor.pending) throw redirect(secondFactorPathFor(returnUrl, language));
  return { userKeyType: SIGNIN_KEY[authType] };
});

export function meta({ matches }: Route.MetaArgs) {
  const hasEnglish = findRootData(matches)?.look.hasEnglish;
  return pageMeta({ matches, title: signinTextsOf(matches).title, path: "/Account/Signin", hasEnglish });
}

export default function SigninPage({ loaderData }: Route.ComponentProps) {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  const texts = useSigninTexts();
  const home = useTexts().pathOf("", "/");
  return (
    <AccountPage title={texts.title}>
      {returnUrl && <Alert className="mb-6">{texts.memberOnly}</Alert>}
      <SigninForm userKeyType={loaderData.userKeyType} returnUrl={safeReturnUrl(returnUrl ?? home)} />
    </AccountPage>
  );
}
