import { Link } from "react-router";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { auditActionLabel } from "#worker/contract/kernel/audit-actions.ts";
import { TRIED_STATES } from "#app/features/operation/part-states.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { DATABASE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { getSetup, type SetupView } from "#worker/domain/site/setup.server.ts";
import { getDashboard, type DashboardView } from "#worker/domain/operation/dashboard.server.ts";
import type { Route } from "./+types/dashboard";
import { Alert } from "#app/ui/alert.tsx";
import { SETUP_STEPS } from "#worker/contract/site/setup-rules.ts";
import type { ReactNode } from "react";
import { bandsOf, niceTop, ticksOf } from "#app/lib/chart-scale.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [dashboard, setup] = await Promise.all([getDashboard(scope), getSetup(scope)]);
  return { ...dashboard, setup };
});

export const meta = titledMeta("관리");

const STATES = {
  ...TRIED_STATES,
  off: { label: "연결 안 함", tone: "gray" },
  local: { label: "보관함에만 저장", tone: "gray" },
} as const;
const PARTS = { database: "자료 저장소", storage: "파일 저장소", mail: "메일", caseReport: "연계 서비스" } as const;

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const { members, days, messages, storage, databaseBytes, states, recent, boards } = loaderData;
  const { backup, lastBackupDate } = loaderData;
  const people = (count: number) => `${formatCount(count)}명`;
  const counts = [
    ["회원", people(members.active), "/Admin/Members?status=active"],
    ["최근 7일 가입", people(members.newThisWeek), "/Admin/Members"],
    ["승인 대기", people(members.waiting), "/Admin/Members?status=waiting"],
    ["차단", people(members.blocked), "/Admin/Members?status=blocked"],
    ["탈퇴", people(members.retired), "/Admin/Members?status=retired"],
    ["보낼 메일", `${formatCount(messages.queued)}건`, "/Admin/Messages?status=queued"],
  ] as const;
  return (
    <>
      <ConsoleHeader />
      <SetupAlert setup={loaderData.setup} />
      <DashboardAlerts found={loaderData} />
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {counts.map(([label, value, href]) => (
          <DashboardFigure key={label} label={label} value={value} href={href} />
        ))}
        <DashboardFigure
          label="저장한 파일"
          value={formatBytes(storage.bytes)}
          note={`${formatCount(storage.files)}개`}
        />
        <DashboardFigure label="저장한 자료" value={formatBytes(databaseBytes)} note={shareOfLimit(databaseBytes)} />
      </ul>
      <div className="mt-10">
        <ConsoleSection title="최근 30일의 글과 댓글">
          <DayChart days={days} />
        </ConsoleSection>
      </div>
      <div className="mt-10 grid items-start gap-10 md:grid-cols-2 [&>section]:mt-0!">
        <ConsoleSection title="상태">
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((part) => (
              <li key={part} className="flex items-center justify-between gap-3 py-3">
                {PARTS[part]}
                <Badge tone={STATES[states[part]].tone}>{STATES[states[part]].label}</Badge>
              </li>
            ))}
            <li className="flex items-center justify-between gap-3 py-3">
              <Link to="/Admin/Jobs" className="underline-offset-4 hover:underline">
                마지막 백업
              </Link>
              {lastBackupDate ? (
                <span className={backup === "late" ? "text-danger-60" : "text-gray-60"}>
                  <Time date={lastBackupDate} format="datetime" />
                </span>
              ) : (
                <Badge tone="gray">아직 없음</Badge>
              )}
            </li>
          </ul>
        </ConsoleSection>
        <ConsoleSection title="게시판">
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {boards.map((board) => (
              <li key={board.boardCode} className="flex items-center justify-between gap-3 py-3">
                <Link to={`/board/${board.boardCode}/List/`} className="underline-offset-4 hover:underline">
                  {board.boardName}
                </Link>
                <span className="tabular text-gray-60">{formatCount(board.itemCount)}건</span>
              </li>
            ))}
          </ul>
        </ConsoleSection>
      </div>
      <div className="mt-10">
        <ConsoleSection title="최근에 한 일">
          {recent.length === 0 && <p className="text-gray-60">아직 없습니다.</p>}
          <ul className="divide-y divide-gray-20 border-b border-gray-20">
            {recent.map((row) => (
              <li
                key={`${row.createdDate} ${row.action} ${row.actorName}`}
                className="flex flex-wrap justify-between gap-x-4 py-2.5"
              >
                <span>
                  {auditActionLabel(row.action)} <span className="text-gray-60">{row.actorName}</span>
                </span>
                <span className="text-sm text-gray-60">
                  <Time date={row.createdDate} format="datetime" />
                </span>
              </li>
            ))}
          </ul>
        </ConsoleSection>
      </div>
    </>
  );
}

function shareOfLimit(bytes: number): string {
  const percent = Math.floor((bytes / DATABASE_LIMITS.maxBytes) * 100);
  return `한도 ${formatBytes(DATABASE_LIMITS.maxBytes)}의 ${percent < 1 ? "1% 미만" : `${percent}%`}`;
}

function DashboardFigure({ label, value, note, href }: { label: string; value: string; note?: string; href?: string }) {
  const body = (
    <>
      <span className="block text-sm text-gray-60">{label}</span>
      <span className="tabular mt-1 block text-xl font-bold text-gray-90">{value}</span>
      {note && <span className="text-sm text-gray-60">{note}</span>}
    </>
  );
  return (
    <li className="rounded-lg border border-gray-20">
      {href ? (
        <Link to={href} className="block h-full rounded-lg p-4 hover:bg-primary-5">
          {body}
        </Link>
      ) : (
        <div className="p-4">{body}</div>
      )}
    </li>
  );
}

function SetupAlert({ setup: { steps, signupClosed } }: { setup: SetupView }) {
  const left = steps.filter(({ isDone }) => !isDone);
  if (left.length === 0) return null;
  return (
    <Alert tone={signupClosed ? "warning" : "info"} className="mb-3">
      <Link to="/Admin/Setup" className="font-semibold underline underline-offset-4">
        처음 설정이 {left.length}가지 남았습니다.
      </Link>{" "}
      {signupClosed && "그때까지 회원가입은 닫혀 있습니다. "}
      <span className="text-sm">{left.map(({ step }) => SETUP_STEPS[step].label).join(", ")}</span>
    </Alert>
  );
}

function DashboardAlerts({ found }: { found: DashboardView }) {
  const {
    members,
    messages,
    privacy,
    openReports,
    waitingCorrections,
    undecidedAddresses,
    waitingInquiries,
    failedImports,
    failedJobs,
    backup,
    databaseBytes,
  } = found;
  return (
    <>
      {members.waiting > 0 && (
        <TodoAlert to="/Admin/Members?status=waiting">
          가입 승인을 기다리는 회원이 {formatCount(members.waiting)}명 있습니다.
        </TodoAlert>
      )}
      {privacy.open > 0 && (
        <TodoAlert to="/Admin/Privacy?status=open" tone={privacy.overdue > 0 ? "error" : "warning"}>
          처리할 개인정보 열람·정정 요청이 {formatCount(privacy.open)}건 있습니다.{" "}
          {privacy.overdue > 0 ? (
            <span>{formatCount(privacy.overdue)}건은 기한이 지났습니다.</span>
          ) : (
            privacy.nextDueDate && (
              <span>
                가장 가까운 기한은 <Time date={privacy.nextDueDate} />
                입니다.
              </span>
            )
          )}
        </TodoAlert>
      )}
      {waitingInquiries > 0 && (
        <TodoAlert to="/Admin/Inquiries?status=waiting">
          답변을 기다리는 문의가 {formatCount(waitingInquiries)}건 있습니다.
        </TodoAlert>
      )}
      {openReports > 0 && (
        <TodoAlert to="/Admin/Reports">처리할 글·댓글 신고가 {formatCount(openReports)}건 있습니다.</TodoAlert>
      )}
      {waitingCorrections > 0 && (
        <TodoAlert to="/Admin/Representatives?state=waiting">
          기수 대표가 보낸 수정 요청이 {formatCount(waitingCorrections)}건 기다립니다.
        </TodoAlert>
      )}
      {undecidedAddresses > 0 && (
        <TodoAlert to="/Admin/Representatives?state=held">
          본인이 확인하지 않은 이메일 {formatCount(undecidedAddresses)}개를 쓸지 정해 주십시오.
        </TodoAlert>
      )}
      {messages.failed > 0 && (
        <TodoAlert to="/Admin/Messages?status=failed">
          보내지 못한 메일·문자가 {formatCount(messages.failed)}건 있습니다.
        </TodoAlert>
      )}
      {failedImports > 0 && (
        <TodoAlert to="/Admin/Audit?action=alumni.importFailed">
          최근 7일 동안 주소록 가져오기가 {formatCount(failedImports)}번 실패하였습니다.
        </TodoAlert>
      )}
      {failedJobs.length > 0 && (
        <TodoAlert to="/Admin/Jobs">예약 작업이 실패하였습니다: {failedJobs.join(", ")}</TodoAlert>
      )}
      {databaseBytes > DATABASE_LIMITS.maxBytes * DATABASE_LIMITS.warnShare && (
        <TodoAlert to="/Admin/Privacy/Retention">
          자료 저장 공간이 한도({formatBytes(DATABASE_LIMITS.maxBytes)})의 {DATABASE_LIMITS.warnShare * 100}%를
          넘었습니다. 보유 기간을 줄이거나 사이트를 설치한 사람에게 알려 주십시오.
        </TodoAlert>
      )}
      {backup === "late" && <TodoAlert to="/Admin/Jobs">26시간 안에 만든 백업이 없습니다.</TodoAlert>}
      {backup === "first" && (
        <TodoAlert to="/Admin/Jobs" tone="info">
          아직 백업이 없습니다. 매일 새벽 3시가 지나면 저절로 만들며, 지금 만드실 수도 있습니다.
        </TodoAlert>
      )}
    </>
  );
}

interface TodoAlertProps {
  to: string;
  tone?: "info" | "warning" | "error";
  children: ReactNode;
}

function TodoAlert({ to, tone = "warning", children }: TodoAlertProps) {
  return (
    <Alert tone={tone} className="mb-3">
      <Link to={to} className="font-semibold underline underline-offset-4">
        {children}
      </Link>
    </Alert>
  );
}

interface DayCounts {
  /** 2026-11-21 */
  day: string;
  items: number;
  comments: number;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 36;
const BOTTOM = 24;
/** In SVG units; phones scale the chart to half, so the text is doubled. */
const AXIS_TEXT = "fill-gray-60 text-[12px] max-md:text-[22px]";

/** Is drawn on the server. A table holds the same numbers for screen readers. */
function DayChart({ days }: { days: readonly DayCounts[] }) {
  const top = niceTop(Math.max(4, ...days.map((day) => day.items + day.comments)));
  const base = HEIGHT - BOTTOM;
  const bands = bandsOf(days.length, LEFT, WIDTH, 0.18);
  const y = (count: number) => base * (1 - count / top) + 12 * (count / top);
  const items = days.reduce((sum, day) => sum + day.items, 0);
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  const short = (day: string) => `${Number(day.slice(5, 7))}.${Number(day.slice(8))}.`;
  return (
    <figure className="max-w-4xl">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`최근 30일 글 ${formatCount(items)}건, 댓글 ${formatCount(comments)}건`}
        className="block h-auto w-full"
      >
        {ticksOf(top).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-gray-20" />
            <text x={LEFT - 6} y={y(tick) + 5} textAnchor="end" className={AXIS_TEXT}>
              {tick}
            </text>
          </g>
        ))}
        {days.map((day, at) => {
          const bar = { x: bands.startOf(at), width: bands.size };
          const [low, high] = [y(day.items), y(day.items + day.comments)];
          return (
            <g key={day.day}>
              <title>{`${short(day.day)} 글 ${day.items}건, 댓글 ${day.comments}건`}</title>
              <rect {...bar} y={low} height={base - low} className="fill-primary-60" />
              <rect {...bar} y={high} height={low - high} className="fill-primary-30" />
              {at % 5 === 3 && (
                <text x={bar.x + bar.width / 2} y={HEIGHT - 6} textAnchor="middle" className={AXIS_TEXT}>
                  {short(day.day)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-5 text-sm text-gray-70">
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-primary-60" />글 {formatCount(items)}건
        </span>
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-primary-30" />
          댓글 {formatCount(comments)}건
        </span>
      </figcaption>
    </figure>
  );
}
