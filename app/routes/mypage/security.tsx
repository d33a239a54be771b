import { useSearchParams } from "react-router";
import { SecuritySettings } from "#app/features/account/second-factor/security-settings.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl } from "#app/lib/return-url.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getOwnSecondFactor } from "#worker/domain/account/second-factor/own.server.ts";
import type { Route } from "./+types/security";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  requireSignedIn(ctx);
  return { own: await getOwnSecondFactor(ctx) };
});

export const meta = titledMeta("2단계 인증", "마이페이지");

export default function MypageSecurity({ loaderData }: Route.ComponentProps) {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return <SecuritySettings own={loaderData.own} returnUrl={returnUrl ? safeReturnUrl(returnUrl) : null} />;
}
