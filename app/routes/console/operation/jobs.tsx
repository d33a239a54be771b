import { useState } from "react";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { type Question, QuestionButton, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { ALARM_KINDS } from "#worker/contract/operation/operation.ts";
import { listJobs, type BackupRow, type DrillView } from "#worker/domain/operation/job.server.ts";
import type { Route } from "./+types/jobs";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listJobs(scope));

const RUN_STATES = {
  ok: { label: "정상", tone: "success" },
  failed: { label: "실패", tone: "danger" },
  running: { label: "하는 중", tone: "gray" },
  killed: { label: "중단됨", tone: "danger" },
  never: { label: "아직 안 함", tone: "gray" },
} as const;

const JOB_TIMES: Record<string, string> = { backup: "매일 새벽 3시", drill: "한 달에 한 번" };

function lasted(startedDate: string, finishedDate: string): string {
  const ms = Date.parse(finishedDate) - Date.parse(startedDate);
  return ms < 1000 ? "1초 미만" : `${formatCount(Math.round(ms / 1000))}초`;
}

const JOB_COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["jobs"][number]>[] = [
  {
    head: "작업",
    className: "max-md:font-semibold",
    renderCell: ({ label, name, everyMinutes }) => (
      <>
        {label} <span className="text-sm font-normal text-gray-60">{JOB_TIMES[name] ?? `${everyMinutes}분마다`}</span>
      </>
    ),
  },
  labelled("상태", (job) => <Badge tone={RUN_STATES[job.status].tone}>{RUN_STATES[job.status].label}</Badge>),
  labelled("마지막으로 한 때", (job) => (job.startedDate ? <Time date={job.startedDate} format="datetime" /> : "-")),
  labelled(
    "걸린 시간",
    ({ startedDate, finishedDate }) => (startedDate && finishedDate ? lasted(startedDate, finishedDate) : "-"),
    "tabular whitespace-nowrap",
  ),
  labelled("다음", ({ nextDate }) => (nextDate ? <Time date={nextDate} format="datetime" /> : "-")),
  labelled(
    "오류",
    (job) => job.error || "-",
    (job) => cx("text-sm", !job.error && "max-md:hidden!"),
  ),
];

export default function ConsoleJobsPage({ loaderData }: Route.ComponentProps) {
  const { busy, run, message } = useAction();
  const [running, setRunning] = useState("");
  const runJob = (name: string, label: string) => {
    if (busy) return;
    setRunning(name);
    void run(
      () => callApi(api.admin.job[":name"].run.$post({ param: { name }, json: {} })),
      ({ ok }) =>
        ok
          ? `${label} 작업을 마쳤습니다.`
          : new AppError("INTERNAL_ERROR", { message: `${label} 작업이 실패하였습니다.` }),
    );
  };
  const acknowledge = (key: string) => {
    if (busy) return;
    setRunning(key);
    void run(() => callApi(api.admin.job.alarm.acknowledge.$post({ json: { key } })), "확인한 것으로 적었습니다.");
  };
  return (
    <>
      <ConsoleHeader description="저절로 하는 일과, 밤마다 만드는 백업입니다. 기다리지 않고 지금 할 수도 있습니다." />
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      {loaderData.alarms.length > 0 && (
        <ConsoleSection title="살펴볼 일">
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {loaderData.alarms.map((alarm) => (
              <li key={alarm.key} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
                <span>
                  <Badge tone="danger">{ALARM_KINDS[alarm.kind]}</Badge> {alarm.text}
                </span>
                <span className="flex items-center gap-3 text-gray-60">
                  <Time date={alarm.startedDate} format="datetime" />
                  <Button size="sm" busy={busy && running === alarm.key} onClick={() => acknowledge(alarm.key)}>
                    확인함
                    <span className="sr-only">{alarm.text}</span>
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </ConsoleSection>
      )}
      <ConsoleSection title="예약 작업">
        <ListTable
          caption="예약 작업"
          rows={loaderData.jobs}
          keyOf={(job) => job.name}
          className="md:min-w-[36rem]"
          columns={[
            ...JOB_COLUMNS,
            {
              head: "지금 하기",
              hidesHead: true,
              className: "md:py-2 md:text-right",
              renderCell: (job) =>
                job.isLocked ? (
                  <span className="text-sm text-gray-60">권한 없음</span>
                ) : (
                  <Button size="sm" busy={busy && running === job.name} onClick={() => runJob(job.name, job.label)}>
                    지금 하기
                    <span className="sr-only">{job.label}</span>
                  </Button>
                ),
            },
          ]}
        />
      </ConsoleSection>
      {loaderData.staleItems > 0 && (
        <p className="mt-3 text-gray-60">
          아직 검색되지 않는 글이 {formatCount(loaderData.staleItems)}건 있습니다. 1분에 약 2,000건씩 저절로 찾을 수
          있게 됩니다.
        </p>
      )}
      <ConsoleSection title="복구 연습">
        <DrillLine drill={loaderData.drill} />
      </ConsoleSection>
      <ConsoleSection title="백업">
        {loaderData.backups.length === 0 ? (
          <p className="text-gray-60">아직 없습니다. 매일 새벽에 하나씩 만들어 35일 동안 보관합니다.</p>
        ) : (
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {loaderData.backups.map((backup) => (
              <BackupLine key={backup.name} backup={backup} canDownload={loaderData.canDownload} />
            ))}
          </ul>
        )}
      </ConsoleSection>
    </>
  );
}

function DrillLine({ drill }: { drill: DrillView | null }) {
  if (!drill)
    return (
      <p className="text-gray-60">아직 하지 않았습니다. 한 달에 한 번 마지막 백업을 연습용 저장소에 되살려 봅니다.</p>
    );
  const seconds = drill.finishedDate
    ? Math.round((Date.parse(drill.finishedDate) - Date.parse(drill.startedDate)) / 1000)
    : null;
  return (
    <p>
      <Badge tone={RUN_STATES[drill.status].tone}>{RUN_STATES[drill.status].label}</Badge>{" "}
      <Time date={drill.startedDate} format="datetime" /> · {drill.name} · {formatCount(drill.rows)}건
      {drill.pages > 0 && ` · 화면 ${formatCount(drill.pages)}개 읽음`}
      {seconds !== null && ` · ${formatCount(seconds)}초`}
      {drill.error && <span className="text-danger-60"> · {drill.error}</span>}
    </p>
  );
}

function BackupLine({ backup, canDownload }: { backup: BackupRow; canDownload: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
      <span>
        {backup.name}{" "}
        {backup.status !== "ok" && (
          <Badge tone={RUN_STATES[backup.status].tone}>{RUN_STATES[backup.status].label}</Badge>
        )}
      </span>
      <span className="tabular ml-auto text-gray-60">
        {backup.status === "running" && `${Math.floor(backup.progress * 100)}% · `}
        {backup.interruptions > 0 && `중단 ${backup.interruptions}번 · `}
        {formatCount(backup.rows)}건 · {formatBytes(backup.bytes)} · 파일 {formatCount(backup.files)}개 ·{" "}
        <Time date={backup.finishedDate ?? backup.startedDate} format="datetime" />
      </span>
      {canDownload && backup.status === "ok" && (
        <QuestionButton question={downloadQuestion(backup)}>
          내려받기<span className="sr-only">: {backup.name} 백업</span>
        </QuestionButton>
      )}
      {backup.missingFiles > 0 && (
        <span className="w-full text-danger-60">저장소에 없는 파일 {formatCount(backup.missingFiles)}개</span>
      )}
      {backup.error && <span className="w-full text-danger-60">{backup.error}</span>}
    </li>
  );
}

const downloadQuestion = ({ name, bytes }: BackupRow): Question => ({
  label: "내려받기",
  title: `${name} 백업을 내려받으시겠습니까?`,
  text: (
    <div className="space-y-2">
      <p>
        모든 회원과 글, 주소록이 든 암호화된 파일입니다({formatBytes(bytes)}). 백업 열쇠가 없으면 아무도 열 수 없으므로,
        열쇠와 다른 곳에 보관해 주십시오. 첨부파일의 사본은 백업 저장소에 있으며 여기에는 들어 있지 않습니다.
      </p>
      <p>
        되살리려면 압축을 푼 폴더(보기에서는 backup)를 지정하여 다음과 같이 실행합니다. 비어 있는 새 사이트에만 되살릴
        수 있고, 설치할 때 정한 백업 열쇠와 비밀번호 열쇠가 있어야 합니다.
      </p>
      <code className="block rounded bg-gray-5 px-3 py-2 break-all">
        npm run restore -- {name} --from backup --without-files
      </code>
    </div>
  ),
  reasonHint: REASON_HINT,
  work: (reason) => saveResponseFile(api.admin.job.backup[":name"].export.$post({ param: { name }, json: { reason } })),
  done: "백업을 내려받았습니다.",
});
