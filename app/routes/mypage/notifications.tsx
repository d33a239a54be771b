import { Link } from "react-router";
import { NotificationChoices } from "#app/features/board/notification-choices.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listNotifications } from "#worker/domain/board/follow.server.ts";
import { getOwnSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/notifications";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const [notices, suspendedDate] = await Promise.all([listNotifications(ctx, userId), getOwnSuspension(ctx, userId)]);
  return { userId, notices, suspendedDate };
});

export const meta = titledMeta("알림 설정", "마이페이지");

export default function NotificationsPage({ loaderData }: Route.ComponentProps) {
  const { suspendedDate, ...choices } = loaderData;
  return (
    <>
      {suspendedDate && (
        <Alert tone="warning" className="mb-8">
          처리정지 중이라 아래에서 고르신 알림을 보내 드리지 않습니다.{" "}
          <Link to="/Mypage/Privacy" className="font-semibold underline underline-offset-4">
            처리정지 풀기
          </Link>
        </Alert>
      )}
      <NotificationChoices {...choices} />
    </>
  );
}
