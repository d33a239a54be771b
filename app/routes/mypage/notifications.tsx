import { Link } from "react-router";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listNotifications, type NotificationsView } from "#worker/domain/board/follow.server.ts";
import { getOwnSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/notifications";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { useAction } from "#app/features/form/action.tsx";
import type { NotificationsInput } from "#worker/contract/mail/input.ts";
import { ACTIVITY_KIND_NAMES } from "#worker/contract/mail/mail.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const [notices, suspendedDate] = await Promise.all([listNotifications(ctx, userId), getOwnSuspension(ctx, userId)]);
  return { userId, notices, suspendedDate };
});

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

/** Each checkbox is saved at once. */
function NotificationChoices({ userId, notices }: { userId: string; notices: NotificationsView }) {
  const { busy, run, message } = useAction({ reloads: "success" });
  const follow = api.board[":boardCode"].follow;
  const change = (json: NotificationsInput, done: string) =>
    void run(() => callApi(api.user[":id"].notices.$patch({ param: { id: userId }, json })), done);
  return (
    <div className="min-w-0 space-y-12">
      <ErrorAlert>{message}</ErrorAlert>
      <MypageSection
        title="게시판 새 글 알림 메일"
        hint="선택하신 게시판에 새 글이 올라오면 가입하신 이메일로 알려 드립니다. 메일 아래의 주소에서도 바로 끄실 수 있습니다."
      >
        <ul className="divide-y divide-gray-20 border-y border-gray-20">
          {notices.boards.map(({ boardCode, boardName, following }) => (
            <li key={boardCode} className="py-1.5">
              <Checkbox
                label={boardName}
                checked={following}
                aria-disabled={busy}
                onChange={() => {
                  const at = { param: { boardCode } };
                  void run(
                    () => (following ? callApi(follow.$delete(at)) : callApi(follow.$put({ ...at, json: {} }))),
                    following ? `${boardName} 알림을 껐습니다.` : `${boardName}의 새 글을 메일로 알려 드립니다.`,
                  );
                }}
              />
            </li>
          ))}
        </ul>
      </MypageSection>
      <MypageSection title="댓글 알림 메일" hint="쓰신 글이나 댓글에 다른 사람이 댓글을 달면 이메일로 알려 드립니다.">
        <Checkbox
          label="내 글과 댓글에 달린 댓글 알림 받기"
          checked={notices.comments}
          aria-disabled={busy}
          onChange={() =>
            change(
              { comments: !notices.comments },
              notices.comments ? "댓글 알림을 껐습니다." : "댓글 알림을 켰습니다.",
            )
          }
        />
      </MypageSection>
      {notices.office !== null && (
        <MypageSection
          title="사무국 메일과 문자"
          hint="총회나 회비처럼 사무국이 여러 사람에게 한꺼번에 알리는 메일과 문자입니다. 그 안의 주소에서 끄신 뒤에도 여기에서 다시 켜실 수 있습니다."
        >
          <Checkbox
            label="사무국이 보내는 단체 메일·문자 받기"
            checked={notices.office}
            aria-disabled={busy}
            onChange={() => {
              const office = !notices.office;
              change(
                { office },
                office ? "사무국 메일과 문자를 다시 보내 드립니다." : "사무국 메일과 문자를 껐습니다.",
              );
            }}
          />
        </MypageSection>
      )}
      <MypageSection title="알림함" hint="메일과 따로 고르실 수 있습니다. 끄신 뒤에 생긴 일은 알림함에 남지 않습니다.">
        <ul className="divide-y divide-gray-20 border-y border-gray-20">
          {notices.bell.map(({ kind, isOn }) => (
            <li key={kind} className="py-1.5">
              <Checkbox
                label={ACTIVITY_KIND_NAMES[kind]}
                checked={isOn}
                aria-disabled={busy}
                onChange={() =>
                  change(
                    { bell: { [kind]: !isOn } },
                    isOn ? "이제 알림함에 나오지 않습니다." : "이제 알림함에서 알려 드립니다.",
                  )
                }
              />
            </li>
          ))}
        </ul>
      </MypageSection>
    </div>
  );
}
