import { SessionList } from "#app/features/account/mypage/session-list.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listSessions } from "#worker/domain/account/session-list.server.ts";
import type { Route } from "./+types/sessions";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  return { userId, sessions: await listSessions(ctx, userId) };
});

export const meta = titledMeta("로그인 기기", "마이페이지");

export default function MypageSessions({ loaderData }: Route.ComponentProps) {
  return <SessionList {...loaderData} />;
}
