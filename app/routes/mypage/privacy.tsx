import { OwnRequestForm } from "#app/features/privacy/own-request-form.tsx";
import { OwnRequestList } from "#app/features/privacy/own-request-list.tsx";
import { SuspensionAlert } from "#app/features/privacy/suspension-alert.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listOwnPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import { getOwnSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/privacy";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const [requests, suspendedDate] = await Promise.all([listOwnPrivacyRequests(ctx), getOwnSuspension(ctx, userId)]);
  return { userId, requests, suspendedDate };
});

export const meta = titledMeta("개인정보 요구", "마이페이지");

export default function MypagePrivacy({ loaderData }: Route.ComponentProps) {
  const { userId, requests, suspendedDate } = loaderData;
  return (
    <div className="space-y-14">
      {suspendedDate && <SuspensionAlert userId={userId} since={suspendedDate} />}
      <OwnRequestForm />
      <OwnRequestList requests={requests} />
    </div>
  );
}
