import { SessionList } from "#app/features/account/mypage/session-list.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listSessions } from "#worker/domain/account/sessions.server.ts";
import type { Route } from "./+types/sessions";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const ctx = await door.context();
  const { userId } = signedIn(ctx);
  return { userId, sessions: await listSessions(ctx, userId) };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["로그인 기기", "마이페이지"] });
}

export default function Sessions({ loaderData }: Route.ComponentProps) {
  return <SessionList {...loaderData} />;
}
