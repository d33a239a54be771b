import { useState } from "react";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { listJobs } from "#worker/domain/operation/job-record.server.ts";
import type { Route } from "./+types/jobs";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listJobs(scope));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["예약 작업·백업", "관리"] });
}

const STATUS = {
  ok: { label: "정상", tone: "success" },
  failed: { label: "실패", tone: "danger" },
  running: { label: "하는 중", tone: "gray" },
  never: { label: "아직 안 함", tone: "gray" },
} as const;

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
  return (
    <>
      <ConsoleHeader
        title="예약 작업·백업"
        description="10분마다 저절로 하는 일과, 밤마다 만드는 백업입니다. 기다리지 않고 지금 할 수도 있습니다."
      />
      {message && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      <ConsoleSection title="예약 작업">
        <Table caption="예약 작업" cards className="md:min-w-[36rem]">
          <thead>
            <tr>
              <Th>작업</Th>
              <Th>상태</Th>
              <Th>마지막으로 한 때</Th>
              <Th>오류</Th>
              <Th>
                <span className="sr-only">지금 하기</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {loaderData.jobs.map((job) => (
              <tr key={job.name}>
                <Td className="max-md:font-semibold">{job.label}</Td>
                <Td data-label="상태">
                  <Badge tone={STATUS[job.status].tone}>{STATUS[job.status].label}</Badge>
                </Td>
                <Td data-label="마지막으로 한 때">
                  {job.startedDate ? <Time date={job.startedDate} format="datetime" /> : "-"}
                </Td>
                <Td data-label="오류" className={cx("text-sm", !job.error && "max-md:hidden!")}>
                  {job.error || "-"}
                </Td>
                <Td className="md:py-2 md:text-right">
                  <Button size="sm" busy={busy && running === job.name} onClick={() => runJob(job.name, job.label)}>
                    지금 하기
                    <span className="sr-only">{job.label}</span>
                  </Button>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </ConsoleSection>
      <ConsoleSection title="보관 중인 백업">
        {loaderData.backups.length === 0 ? (
          <p className="text-gray-60">아직 없습니다. 매일 새벽에 하나씩 만들어 35일 동안 보관합니다.</p>
        ) : (
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {loaderData.backups.map((backup) => (
              <li key={backup.key} className="flex flex-wrap justify-between gap-x-4 py-2.5">
                <span>{backup.key}</span>
                <span className="tabular text-gray-60">
                  {formatBytes(backup.size)} · <Time date={backup.createdDate} format="datetime" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </ConsoleSection>
    </>
  );
}
