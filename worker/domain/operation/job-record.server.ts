import { job } from "#db/schema/operation.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { BackupRow, JobRow } from "#worker/contract/operation/view.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";

export const JOB_LABELS: Record<string, string> = {
  notices: "새 글·댓글 알림 쓰기",
  "consent-reminders": "광고성 메일 수신 동의 확인",
  messages: "메일·문자 보내기",
  "bulk-messages": "여러 명에게 메일 보내기",
  files: "쓰지 않는 파일 정리",
  search: "검색 색인",
  "case-report": "증례 보고 집계",
  agreements: "예고한 약관 시행",
  alumni: "동문 가져오기 되돌리기 자료 정리",
  retention: "보유 기간이 지난 정보 파기",
  expired: "기한이 지난 자료 정리",
  backup: "데이터베이스 백업",
  "file-list": "저장된 파일 목록과 점검",
};

export interface JobsPageData {
  jobs: JobRow[];
  backups: BackupRow[];
}

/** The last run of each scheduled job, and the dumps that are kept. */
export async function listJobs(scope: RequestScope): Promise<JobsPageData> {
  const { ctx, rows } = await scope.read([scope.db.select().from(job)]);
  authorizeConsole(ctx);
  const known = new Map(rows[0].map((row) => [row.name, row]));
  const { objects } = await ctx.files.list({ prefix: BACKUP_PREFIX, limit: 100 });
  return {
    // The last run of a job that is no more tells nobody anything.
    jobs: Object.entries(JOB_LABELS).map(([name, label]): JobRow => {
      const row = known.get(name);
      return {
        name,
        label,
        startedDate: row?.startedDate.toISOString() ?? null,
        finishedDate: row?.finishedDate?.toISOString() ?? null,
        status: row?.status ?? "never",
        error: row?.error ?? "",
      };
    }),
    backups: objects
      .map(({ key, size, uploaded }) => ({ key, size, createdDate: uploaded.toISOString() }))
      .toSorted((a, b) => b.key.localeCompare(a.key)),
  };
}

export const BACKUP_PREFIX = "backup/";

type JobRecordContext = Pick<AppContext, "db" | "now">;

/** Runs a job and keeps how it went. @returns what went wrong, or null */
export async function runRecordedJob(ctx: JobRecordContext, name: string, run: () => Promise<void>): Promise<unknown> {
  const startedDate = ctx.now();
  const started = { startedDate, finishedDate: null, status: "running" as const, error: "" };
  await ctx.db
    .insert(job)
    .values({ name, ...started })
    .onConflictDoUpdate({ target: job.name, set: started });
  let failure: unknown = null;
  try {
    await run();
  } catch (cause) {
    failure = cause;
  }
  const ended = {
    finishedDate: ctx.now(),
    status: failure ? ("failed" as const) : ("ok" as const),
    // The first words alone: a failed statement carries people's data.
    error:
      failure instanceof Error
        ? failure.message
            .replace(/\n.*$/s, "")
            .replace(/^Failed query:.*/, "Failed query")
            .slice(0, 200)
        : "",
  };
  await ctx.db
    .insert(job)
    .values({ name, startedDate, ...ended })
    .onConflictDoUpdate({ target: job.name, set: ended });
  return failure;
}
