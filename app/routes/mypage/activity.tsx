import { pageLoader } from "#app/lib/page-loader.server.ts";
import { listActivityQuery } from "#worker/contract/mail/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { type ActivityPage, listActivity } from "#worker/domain/board/activity-list.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/activity";
import type { MouseEvent } from "react";
import { Link, useNavigate, useRevalidator } from "react-router";
import { boardItemHref, commentHash } from "#app/features/board/board-paths.ts";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, type BadgeTone, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Pager, pagesOf } from "#app/ui/pager.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { ACTIVITY_DAYS, type ActivityKind } from "#worker/contract/mail/mail.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const query = parseInput(listActivityQuery, Object.fromEntries(new URL(request.url).searchParams));
  return { userId, page: await listActivity(ctx, userId, query) };
});

export default function ActivityRoute({ loaderData }: Route.ComponentProps) {
  return <ActivityList {...loaderData} />;
}

const KINDS: Record<ActivityKind, { label: string; tone: BadgeTone }> = {
  comment: { label: "댓글", tone: "primary" },
  answer: { label: "답글", tone: "primary" },
  item: { label: "새 글", tone: "gray" },
  report: { label: "신고 처리", tone: "warning" },
  role: { label: "역할", tone: "success" },
  import: { label: "가져오기", tone: "gray" },
  inquiry: { label: "문의 답변", tone: "primary" },
};

interface ActivityText {
  title: string;
  text: string;
  /** Null if the activity has no target. */
  href: string | null;
}

const GONE = "지금은 볼 수 없는 글입니다.";

type Activity = ActivityPage["content"][number];

function activityText({ kind, item, comment, inquiry, detail }: Activity): ActivityText {
  const place = comment ? commentHash(comment.commentId) : "";
  const href = item && boardItemHref(item.boardCode, item.itemNo) + place;
  switch (kind) {
    case "comment":
    case "answer":
      if (!item) return { title: GONE, text: "", href };
      return {
        title: item.title,
        text: comment ? `${comment.createdUserName}: ${comment.excerpt}` : "삭제된 댓글입니다.",
        href,
      };
    case "item":
      return item
        ? { title: item.title, text: `${item.boardName} · ${item.createdUserName}`, href }
        : { title: GONE, text: "", href };
    case "report":
      return {
        title: "신고하신 내용을 확인하였습니다.",
        text:
          detail.decision === "hide"
            ? "운영 기준에 따라 보이지 않게 하였습니다."
            : "운영 기준에 어긋나지 않아 그대로 두었습니다.",
        href: null,
      };
    case "role":
      return {
        title: `회원님의 역할이 ${withParticle(detail.roleName ?? "", "으로/로")} 바뀌었습니다.`,
        text: "",
        href: "/Mypage/Info",
      };
    case "inquiry":
      return inquiry
        ? {
            title: inquiry.subject,
            text: "문의에 답변을 드렸습니다.",
            href: `/Mypage/Inquiries/${inquiry.id}`,
          }
        : { title: "보관 기간이 지나 파기한 문의입니다.", text: "", href: null };
    case "import":
      return {
        title: "주소록 가져오기를 마쳤습니다.",
        text: `추가 ${formatCount(detail.inserted ?? 0)}명, 수정 ${formatCount(detail.updated ?? 0)}명`,
        href: "/Alumni",
      };
  }
}

/** Opening an activity marks it as read. */
function ActivityList({ userId, page }: { userId: string; page: ActivityPage }) {
  const { busy, run } = useAction();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const read = api.user[":id"].activity.read;
  const param = { id: userId };
  const newest = page.content[0]?.id ?? 0;
  const open = async (event: MouseEvent, row: Activity, href: string) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (row.isRead || !isPlain) return;
    event.preventDefault();
    // Opens the target even if marking it as read fails.
    await callApi(read.$post({ param, json: { ids: [row.id] } })).catch(() => undefined);
    await navigate(href);
    await revalidate();
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-gray-70">
          읽지 않은 알림 <strong className="tabular text-primary-60">{formatCount(page.unread)}</strong>건
        </p>
        {page.unread > 0 && (
          <Button
            size="sm"
            busy={busy}
            onClick={() =>
              void run(
                () => callApi(read.$post({ param, json: { upTo: newest } })),
                "알림을 모두 읽음으로 표시하였습니다.",
              )
            }
          >
            모두 읽음
          </Button>
        )}
      </div>
      {page.content.length === 0 ? (
        <Empty className="mt-3 border-y border-gray-20">
          {page.page > 1 ? "이 페이지에는 알림이 없습니다." : "받은 알림이 없습니다."}
        </Empty>
      ) : (
        <ul aria-label="알림" className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {page.content.map((row) => (
            <ActivityRow key={row.id} row={row} onOpen={open} />
          ))}
        </ul>
      )}
      <Pager list={page} href={pagesOf("/Mypage/Activity")} label="알림 페이지 이동" />
      <p className="mt-6 text-sm text-gray-60">
        알림은 {ACTIVITY_DAYS}일 동안 보관합니다. 무엇을 받으실지는{" "}
        <Link to="/Mypage/Notices" className="font-semibold underline underline-offset-4">
          알림 설정
        </Link>
        에서 고르실 수 있습니다.
      </p>
    </>
  );
}

interface ActivityRowProps {
  row: Activity;
  onOpen: (event: MouseEvent, row: Activity, href: string) => Promise<void>;
}

function ActivityRow({ row, onOpen }: ActivityRowProps) {
  const { title, text, href } = activityText(row);
  const kind = KINDS[row.kind];
  const titleClass = cx("min-w-0 text-gray-90", !row.isRead && "font-semibold");
  return (
    <li className={cx("relative px-2 py-3.5", row.isRead ? "" : "bg-primary-5", href && "hover:bg-gray-5")}>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        {!row.isRead && (
          <span className="size-2 shrink-0 rounded-full bg-accent-50 forced-colors:border">
            <span className="sr-only">읽지 않음</span>
          </span>
        )}
        <Badge tone={kind.tone}>{kind.label}</Badge>
        {href ? (
          <Link
            to={href}
            onClick={(event) => void onOpen(event, row, href)}
            className={cx(
              titleClass,
              "underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline",
            )}
          >
            {title}
          </Link>
        ) : (
          <span className={titleClass}>{title}</span>
        )}
        <span className="ml-auto text-sm text-gray-60">
          <Time date={row.createdDate} format="datetime" />
        </span>
      </p>
      {text && <p className="mt-1 line-clamp-2 text-sm text-gray-70">{text}</p>}
    </li>
  );
}
