import { redirect, useSearchParams } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { PendingAgreements } from "#app/features/account/pending-agreements.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl } from "#app/lib/return-url.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listConsents } from "#worker/domain/account/consent.server.ts";
import { getSignupForm } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/agreements";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [{ agreements }, ctx] = await Promise.all([getSignupForm(scope), scope.context()]);
  const { userId } = requireSignedIn(ctx);
  const agreed = new Set((await listConsents(ctx, userId)).filter((each) => each.agreed).map(({ code }) => code));
  const pending = agreements.filter(({ code, required }) => required && !agreed.has(code));
  if (pending.length === 0) throw redirect(safeReturnUrl(new URL(request.url).searchParams.get("returnUrl")));
  return { userId, pending };
});

export const meta = titledMeta("약관 동의");

export default function AgreementsPending({ loaderData }: Route.ComponentProps) {
  const returnUrl = safeReturnUrl(useSearchParams()[0].get("returnUrl"));
  return (
    <AccountPage
      title="약관 동의"
      description="약관이 바뀌었습니다. 내용을 확인하시고 동의하시면 계속 이용하실 수 있습니다."
      wide
    >
      <PendingAgreements {...loaderData} returnUrl={returnUrl} />
    </AccountPage>
  );
}
