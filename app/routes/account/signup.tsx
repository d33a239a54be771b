import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { withArticle } from "#app/features/file/article.server.ts";
import { SignupForm } from "#app/features/account/signup/signup-form.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { accountTextsOf, useAccountTexts } from "#app/features/account/account-texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { getSignupForm } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/signup";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const language = languageOf(new URL(request.url).pathname);
  const [info, ctx] = await Promise.all([getSignupForm(scope, language), scope.context()]);
  if (ctx.actor.kind !== "guest") throw redirect(language === "en" ? ENGLISH_ROOT : "/");
  const agreements = info.agreements.map((each) => withArticle(each, { language }));
  return { info: { ...info, agreements } };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: accountTextsOf(matches).signup.title, path: "/Account/Signup" });

export default function SignupPage({ loaderData }: Route.ComponentProps) {
  const texts = useAccountTexts().signup;
  const closed = texts.closed(loaderData.info.missingTexts);
  return (
    <AccountPage title={texts.title} wide>
      {closed ? <Alert tone="info">{closed}</Alert> : <SignupForm {...loaderData} />}
    </AccountPage>
  );
}
