import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { RecoveryOffer } from "#app/features/account/second-factor/recovery-offer.tsx";
import { LazyVerifyForm } from "#app/features/account/second-factor/lazy-verify-form.ts";
import { pageMetaOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl, signinPathFor } from "#app/lib/return-url.ts";
import { signOut } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { getOwnSecondFactor } from "#worker/domain/account/second-factor/own.server.ts";
import { LazyPart } from "#app/ui/lazy-part.tsx";
import type { Route } from "./+types/second-factor";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const returnUrl = safeReturnUrl(new URL(request.url).searchParams.get("returnUrl"));
  if (ctx.actor.kind !== "guest") throw redirect(returnUrl);
  if (!ctx.actor.pending) throw redirect(signinPathFor(returnUrl));
  const { userName, recovery } = await getOwnSecondFactor(ctx);
  return { userName, recovery, returnUrl };
});

export const meta = pageMetaOf({ title: "2단계 인증", path: "/Account/SecondFactor" });

export default function SecondFactorPage({ loaderData }: Route.ComponentProps) {
  const { userName, recovery, returnUrl } = loaderData;
  const leave = async () => {
    await signOut();
    location.replace(signinPathFor(returnUrl));
  };
  return (
    <AccountPage title="2단계 인증" description={`${userName}님, 비밀번호가 확인되었습니다. 한 번만 더 확인합니다.`}>
      <LazyPart fallback={<p role="status">불러오는 중입니다.</p>}>
        <LazyVerifyForm onDone={() => location.replace(returnUrl)} />
      </LazyPart>
      <div className="mt-8 border-t border-gray-20 pt-5">
        <RecoveryOffer recovery={recovery} onDone={() => location.replace("/Mypage/Security")} />
        <Button size="sm" className="needs-script mt-3 block" onClick={() => void leave()}>
          다른 계정으로 로그인
        </Button>
      </div>
    </AccountPage>
  );
}
