import { type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { ListTable } from "#app/features/list/searched-list.tsx";
import { boardItemHref, commentHash } from "#app/features/board/board-paths.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, StateBadge, TextLink, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Page } from "#worker/contract/kernel/page.ts";
import { REPORT_DESK, REPORT_REASONS } from "#worker/contract/board/rules.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import type { ReportedContent } from "#worker/domain/board/report.server.ts";

const EXCERPT_LENGTH = 100;
const reportedThingKey = (thing: ReportedContent) => `${thing.boardCode}/${thing.itemNo}/${thing.commentId ?? ""}`;

interface ReportListProps {
  reports: Page<ReportedContent>;
  status: string;
  path: string;
  onDecide: (thing: ReportedContent, decision: "dismiss" | "hide") => Promise<unknown>;
}

/** Is used by the console for all boards and by managers for one board. */
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
      <p className="list-count tabular my-4 text-gray-70">총 {formatCount(reports.totalElements)}건</p>
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">
          {status === "open" ? "처리할 신고가 없습니다." : "처리한 신고가 없습니다."}
        </Empty>
      ) : (
        <ListTable
          caption={status === "open" ? "처리할 신고" : "처리한 신고"}
          rows={content}
          keyOf={reportedThingKey}
          columns={[
            {
              head: "게시판",
              className: "md:whitespace-nowrap",
              renderCell: (thing) => `${thing.boardName} ${thing.commentId ? "댓글" : "글"}`,
            },
            {
              head: "제목",
              className: "max-md:font-semibold md:max-w-40",
              renderCell: (thing) => <ReportedLink thing={thing} />,
            },
            { head: "내용", className: "md:max-w-34", renderCell: (thing) => <ReportedDetails thing={thing} /> },
            {
              head: "작성자",
              label: true,
              headClassName: "whitespace-nowrap",
              className: "md:max-w-24 md:truncate",
              renderCell: ({ createdUserName }) => createdUserName,
            },
            {
              head: "사유",
              label: true,
              className: "md:max-w-32 md:truncate",
              renderCell: ({ reports: given }) => reasonsOf(given),
            },
            {
              head: status === "open" ? "신고한 날" : "처리한 날",
              className: "tabular md:whitespace-nowrap",
              renderCell: ({ reports: given, decidedDate }) => {
                const date = decidedDate ?? given.at(-1)?.createdDate;
                return date && <Time date={date} format={status === "open" ? "date" : "datetime"} />;
              },
            },
            {
              head: "처리",
              className: "md:whitespace-nowrap",
              renderCell: (thing) => (
                <ReportActs
                  thing={thing}
                  busy={busy}
                  onDismiss={() => void run(() => onDecide(thing, "dismiss"), "문제없는 것으로 처리하였습니다.")}
                  onHide={() => onDecide(thing, "hide")}
                />
              ),
            },
          ]}
        />
      )}
      <Pager list={reports} href={(number) => `${path}?status=${status}&page=${number}`} label="신고 페이지 이동" />
    </>
  );
}

/** Lists each reason once with the total number of reports. */
function reasonsOf(reports: ReportedContent["reports"]): string {
  const names = [...new Set(reports.map(({ reason }) => REPORT_REASONS[reason]))].join(", ");
  return reports.length > 1 ? `${names} (${formatCount(reports.length)}건)` : names;
}

function ReportedLink({ thing }: { thing: ReportedContent }) {
  const { boardCode, itemNo, commentId, title } = thing;
  const address = boardItemHref(boardCode, itemNo) + (commentId ? commentHash(commentId) : "");
  return (
    <>
      <TextLink to={address} className="block truncate">
        {title}
      </TextLink>
      {thing.isGone && thing.status === "open" && <Badge tone="gray">이미 삭제됨</Badge>}
    </>
  );
}

function ReportedDetails({ thing: { content, reports } }: { thing: ReportedContent }) {
  return (
    <details>
      <summary className="cursor-pointer truncate">{content.slice(0, EXCERPT_LENGTH) || "내용 없음"}</summary>
      <blockquote className="my-2 rounded-md bg-gray-5 px-4 py-3 whitespace-pre-line">{content}</blockquote>
      <ul className="divide-y divide-gray-20">
        {reports.map((report) => (
          <li key={report.createdDate} className="py-1">
            <span className="font-medium">{REPORT_REASONS[report.reason]}</span> {report.text}{" "}
            <Time date={report.createdDate} format="datetime" />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ReportActsProps {
  thing: ReportedContent;
  busy: boolean;
  onDismiss: () => void;
  onHide: () => Promise<unknown>;
}

function ReportActs({ thing: { commentId, status, isGone }, busy, onDismiss, onHide }: ReportActsProps) {
  const hideQuestion: Question = {
    label: commentId ? "댓글 삭제" : "휴지통으로 보내기",
    title: commentId ? "댓글을 삭제하시겠습니까?" : "글을 휴지통으로 보내시겠습니까?",
    text: <p>{commentId ? "삭제한 댓글은 되살릴 수 없습니다." : "게시판의 휴지통에서 되살릴 수 있습니다."}</p>,
    danger: true,
    work: onHide,
    done: "숨겼습니다.",
  };
  if (!hasCommand(REPORT_DESK, "dismiss", status)) return <StateBadge desk={REPORT_DESK} state={status} />;
  return (
    <div className="flex gap-2">
      <Button size="sm" busy={busy} onClick={onDismiss}>
        문제없음
      </Button>
      {!isGone && <QuestionButton question={hideQuestion} disabled={busy} />}
    </div>
  );
}
