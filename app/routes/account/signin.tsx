import { redirect, useSearchParams } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { SigninForm } from "#app/features/account/signin-form.tsx";
import { pageMetaOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl, secondFactorPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/signin";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [{ authType }, ctx] = await Promise.all([getAuthenticationInfo(scope), scope.context()]);
  const returnUrl = safeReturnUrl(new URL(request.url).searchParams.get("returnUrl"));
  if (ctx.actor.kind !== "guest") throw redirect(returnUrl);
  if (ctx.actor.pending) throw redirect(secondFactorPathFor(returnUrl));
  return { userKeyType: SIGNIN_KEY[authType] };
});

export const meta = pageMetaOf({ title: "로그인", path: "/Account/Signin" });

export default function SigninPage({ loaderData }: Route.ComponentProps) {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return (
    <AccountPage title="로그인">
      {returnUrl && <Alert className="mb-6">{UI_MESSAGES.memberOnly}</Alert>}
      <SigninForm userKeyType={loaderData.userKeyType} returnUrl={safeReturnUrl(returnUrl)} />
    </AccountPage>
  );
}
