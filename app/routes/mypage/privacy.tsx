import { PrivacyRequestForm } from "#app/features/mypage/privacy-request-form.tsx";
import { PrivacyRequestList } from "#app/features/mypage/privacy-request-list.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { listOwnRequests } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/privacy";

export const loader = page(async (door, _args: Route.LoaderArgs) => listOwnRequests(await door.context()));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["개인정보 요구", "마이페이지"] });
}

export default function MypagePrivacy({ loaderData }: Route.ComponentProps) {
  return (
    <div className="space-y-14">
      <PrivacyRequestForm />
      <PrivacyRequestList requests={loaderData} />
    </div>
  );
}
