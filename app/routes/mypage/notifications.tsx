import { Link } from "react-router";
import { NoticeChoices } from "#app/features/board/notification-choices.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listNotices } from "#worker/domain/board/follow.server.ts";
import { ownSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/notifications";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const ctx = await door.context();
  const { userId } = signedIn(ctx);
  const [notices, suspendedDate] = await Promise.all([listNotices(ctx, userId), ownSuspension(ctx, userId)]);
  return { userId, notices, suspendedDate };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["알림", "마이페이지"] });
}

export default function Notices({ loaderData }: Route.ComponentProps) {
  const { suspendedDate, ...choices } = loaderData;
  return (
    <>
      {suspendedDate && (
        <Notice tone="warning" className="mb-8">
          처리정지 중이라 아래에서 고르신 알림을 보내 드리지 않습니다.{" "}
          <Link to="/Mypage/Privacy" className="font-semibold underline underline-offset-4">
            처리정지 풀기
          </Link>
        </Notice>
      )}
      <NoticeChoices {...choices} />
    </>
  );
}
