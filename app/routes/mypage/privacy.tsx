import { PrivacyRequestForm } from "#app/features/privacy/own-request-form.tsx";
import { PrivacyRequestList } from "#app/features/privacy/own-request-list.tsx";
import { SuspensionNotice } from "#app/features/privacy/suspension-alert.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listOwnRequests } from "#worker/domain/privacy/request.server.ts";
import { ownSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/privacy";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const ctx = await door.context();
  const { userId } = signedIn(ctx);
  const [requests, suspendedDate] = await Promise.all([listOwnRequests(ctx), ownSuspension(ctx, userId)]);
  return { userId, requests, suspendedDate };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["개인정보 요구", "마이페이지"] });
}

export default function MypagePrivacy({ loaderData }: Route.ComponentProps) {
  const { userId, requests, suspendedDate } = loaderData;
  return (
    <div className="space-y-14">
      {suspendedDate && <SuspensionNotice userId={userId} since={suspendedDate} />}
      <PrivacyRequestForm />
      <PrivacyRequestList requests={requests} />
    </div>
  );
}
