import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { SignupForm } from "#app/features/account/signup/signup-form.tsx";
import { pageMetaOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { signupClosedMessage } from "#worker/contract/account/signup-texts.ts";
import { getSignupForm } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/signup";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [info, ctx] = await Promise.all([getSignupForm(scope), scope.context()]);
  if (ctx.actor.kind !== "guest") throw redirect("/");
  return info;
});

export const meta = pageMetaOf({ title: "회원가입", path: "/Account/Signup" });

export default function SignupPage({ loaderData }: Route.ComponentProps) {
  const closed = signupClosedMessage(loaderData.missingTexts);
  return (
    <AccountPage title="회원가입" wide>
      {closed ? <Alert tone="info">{closed}</Alert> : <SignupForm info={loaderData} />}
    </AccountPage>
  );
}
