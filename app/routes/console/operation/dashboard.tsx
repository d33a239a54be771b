import { Link } from "react-router";
import { SetupAlert } from "#app/features/site/setup-alert.tsx";
import { DashboardAlerts } from "#app/features/operation/dashboard-alerts.tsx";
import { DayChart } from "#app/features/operation/day-chart.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { auditActionLabel } from "#worker/contract/kernel/audit-actions.ts";
import { TRIED_STATES } from "#app/features/operation/part-states.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Time } from "#app/ui/time.tsx";
import { DATABASE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { getSetup } from "#worker/domain/site/setup.server.ts";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import type { Route } from "./+types/dashboard";

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
      <ConsoleHeader title="한눈에 보기" />
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
