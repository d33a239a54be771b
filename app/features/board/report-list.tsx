import { Link } from "react-router";
import { useAction } from "#app/features/form/use-action.ts";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { Time } from "#app/ui/time.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { REPORT_REASONS } from "#worker/contract/board/rules.ts";
import type { ReportedContent } from "#worker/contract/board/view.ts";

const STATUS = {
  open: { label: "처리할 신고", tone: "danger" },
  dismissed: { label: "문제없음", tone: "gray" },
  hidden: { label: "숨김", tone: "primary" },
} as const;
const reportedThingKey = (thing: ReportedContent) => `${thing.boardCode}/${thing.itemNo}/${thing.commentId ?? ""}`;

interface ReportListProps {
  reports: Page<ReportedContent>;
  status: string;
  /** The page's own address. */
  path: string;
  onDecide: (thing: ReportedContent, decision: "dismiss" | "hide") => Promise<unknown>;
}

/** What was reported, and what becomes of it: in the console for all boards, beside a board for its managers. */
export function ReportList({ reports, status, path, onDecide }: ReportListProps) {
  const { busy, run, message } = useAction();
  const { content } = reports;
  return (
    <>
      <Tabs
        label="신고의 상태"
        tabs={[
          { label: "처리할 신고", href: path, current: status === "open" },
          { label: "처리한 신고", href: `${path}?status=decided`, current: status !== "open" },
        ]}
      />
      <p className="tabular my-4 text-gray-70">총 {formatCount(reports.totalElements)}건</p>
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">
          {status === "open" ? "처리할 신고가 없습니다." : "처리한 신고가 없습니다."}
        </Empty>
      ) : (
        <ul className="flex flex-col gap-5">
          {content.map((thing) => (
            <li key={reportedThingKey(thing)}>
              <ReportedThingEntry
                thing={thing}
                busy={busy}
                onDismiss={() => void run(() => onDecide(thing, "dismiss"), "문제없는 것으로 처리하였습니다.")}
                onHide={() => onDecide(thing, "hide")}
              />
            </li>
          ))}
        </ul>
      )}
      <Pager
        page={reports.page}
        totalPages={reports.totalPages}
        href={(number) => `${path}?status=${status}&page=${number}`}
        label="신고 페이지 이동"
      />
    </>
  );
}

interface ReportedThingEntryProps {
  thing: ReportedContent;
  busy: boolean;
  onDismiss: () => void;
  onHide: () => Promise<unknown>;
}

function ReportedThingEntry({ thing, busy, onDismiss, onHide }: ReportedThingEntryProps) {
  const { commentId, status } = thing;
  const address = boardItemHref(thing.boardCode, thing.itemNo) + (commentId ? `#comment-${commentId}` : "");
  const hideQuestion: Question = {
    label: commentId ? "댓글 삭제" : "휴지통으로 보내기",
    title: commentId ? "댓글을 삭제하시겠습니까?" : "글을 휴지통으로 보내시겠습니까?",
    text: <p>{commentId ? "삭제한 댓글은 되살릴 수 없습니다." : "게시판의 휴지통에서 되살릴 수 있습니다."}</p>,
    danger: true,
    work: onHide,
    done: "숨겼습니다.",
  };
  return (
    <article className="rounded-lg border border-gray-20 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>
        <Badge tone="gray">
          {thing.boardName} {commentId ? "댓글" : "글"}
        </Badge>
        {thing.isGone && status === "open" && <Badge tone="gray">이미 삭제됨</Badge>}
        {thing.decidedDate && (
          <span className="text-sm text-gray-60">
            처리 <Time date={thing.decidedDate} format="datetime" />
          </span>
        )}
      </div>
      <h2 className="mt-2 text-lg">
        <Link to={address} className="underline-offset-4 hover:text-primary-60 hover:underline">
          {thing.title}
        </Link>
      </h2>
      <p className="mt-1 text-sm text-gray-60">작성자: {thing.createdUserName}</p>
      <blockquote className="mt-3 rounded-md bg-gray-5 px-4 py-3 whitespace-pre-line">{thing.content}</blockquote>
      <h3 className="mt-4 text-sm font-semibold">신고 {formatCount(thing.reports.length)}건</h3>
      <ul className="mt-1 divide-y divide-gray-20">
        {thing.reports.map((report) => (
          <li key={report.createdDate} className="flex flex-wrap gap-x-3 py-2">
            <span className="font-medium">{REPORT_REASONS[report.reason]}</span>
            {report.text && <span className="min-w-0">{report.text}</span>}
            <span className="text-sm text-gray-60">
              <Time date={report.createdDate} format="datetime" />
            </span>
          </li>
        ))}
      </ul>
      {status === "open" && (
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="sm" busy={busy} onClick={onDismiss}>
            문제없음
          </Button>
          {!thing.isGone && <QuestionButton question={hideQuestion} disabled={busy} />}
        </div>
      )}
    </article>
  );
}
