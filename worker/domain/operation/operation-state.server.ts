import { eq, sql } from "drizzle-orm";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import { connectDatabase } from "#db/client.ts";
import { isSameSecret } from "#worker/adapters/secrets.server.ts";
import type { Config } from "#worker/config.ts";
import { message } from "#db/schema/mail.ts";
import { pageStamp } from "#db/schema/page-stamp.ts";
import { UNFINISHED, UNFINISHED_SQL } from "#db/page-stamps.ts";
import { job } from "#db/schema/operation.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { jobLateMs } from "./job-due.server.ts";
import { EVERY_MINUTES, type JobName } from "#worker/contract/operation/rules.ts";
import { openAlarmsStatement } from "./alarm.server.ts";
import { lastBackupStatement } from "./backup-run.server.ts";

export function isMonitor(header: string | null, config: Pick<Config, "HEALTH_TOKEN">): boolean {
  const token = /^Bearer (.{32,200})$/.exec(header ?? "")?.[1];
  return Boolean(config.HEALTH_TOKEN && token && isSameSecret(token, config.HEALTH_TOKEN));
}

export const isUnfinished = async (d1: D1Database) => (await d1.prepare(UNFINISHED_SQL).first()) !== null;

/** For monitoring only; contains no personal data. */
export async function readOperation(d1: D1Database, now: Date) {
  const db = connectDatabase(d1);
  const [jobs, alarms, [backup], [failed], [mark]] = await db.batch([
    db.select().from(job),
    openAlarmsStatement(db),
    lastBackupStatement(db),
    countRows(db, message, sql`status = 'failed' AND created_date > ${now.getTime() - HOUR_MS}`),
    db.select({ scope: pageStamp.scope }).from(pageStamp).where(eq(pageStamp.scope, UNFINISHED)),
  ]);
  return {
    isUnfinished: mark !== undefined,
    jobs: jobs.map(({ name, status, startedDate, okDate }) => {
      const lateMs = jobLateMs(startedDate, EVERY_MINUTES[name as JobName] ?? 0, now);
      return {
        name,
        status,
        age: okDate ? Math.round((now.getTime() - okDate.getTime()) / 1000) : null,
        late: lateMs === null ? null : Math.round(lateMs / 1000),
      };
    }),
    alarms: alarms.map(({ kind, text }) => ({ kind, text })),
    lastBackupDate: backup?.finishedDate?.toISOString() ?? null,
    mail: (failed?.count ?? 0) > 0 ? ("failed" as const) : ("ok" as const),
  };
}
