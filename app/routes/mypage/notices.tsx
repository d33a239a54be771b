import { NoticeChoices } from "#app/features/mypage/notice-choices.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/access.server.ts";
import { listNotices } from "#worker/domain/board/follow.server.ts";
import type { Route } from "./+types/notices";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const ctx = await door.context();
  const { userId } = signedIn(ctx);
  return { userId, notices: await listNotices(ctx, userId) };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["알림", "마이페이지"] });
}

export default function Notices({ loaderData }: Route.ComponentProps) {
  return <NoticeChoices {...loaderData} />;
}
