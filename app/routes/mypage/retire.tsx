import { RetireForm } from "#app/features/privacy/retire-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/retire";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  requireSignedIn(await scope.context());
  return null;
});

export const meta = titledMeta("탈퇴", "마이페이지");

export default function MypageRetire() {
  return <RetireForm />;
}
