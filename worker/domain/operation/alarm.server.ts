import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { file } from "#db/schema/file.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { message } from "#db/schema/mail.ts";
import { alarm, backupRun, job } from "#db/schema/operation.ts";
import { DATABASE_LIMITS, DAY_MS, HOUR_MS, RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type AlarmKind, JOB_LABELS, JOB_LATE_MS } from "#worker/contract/operation/operation.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { describeJump, readAges, trustClock } from "../audit/ages.server.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { limitKey, type LimitEntry, limitsWhere } from "../kernel/limit.server.ts";
import { queueMessage } from "../mail/message.server.ts";
import { lastBackupStatement } from "./backup-run.server.ts";
import { lastDrillStatement } from "./backup-drill.server.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

interface Problem {
  key: string;
  kind: AlarmKind;
  text: string;
}

const BACKUP_LATE_MS = 26 * HOUR_MS;
const DRILL_LATE_MS = 40 * DAY_MS;
const FAILED_MAIL_MIN = 5;
/** Warns about R2 costs; uploads continue. */
const STORAGE_WARN_BYTES = 50 * 1024 ** 3;

const DAY_LIMITS = [
  [["codeSignupSiteDay", "site"], "가입 인증번호"],
  [["codeResetSiteDay", "site"], "비밀번호 재설정 인증번호"],
] as const satisfies [LimitEntry, string][];

async function findOperationProblems(ctx: AppContext): Promise<Problem[]> {
  const now = ctx.now().getTime();
  const { jump } = await readAges(ctx);
  const [jobs, [backup], [failedRun], [drill], [mail], [stored], [first], counted, { meta }] = await ctx.db.batch([
    ctx.db.select().from(job),
    lastBackupStatement(ctx.db, ctx.now()),
    ctx.db
      .select()
      .from(backupRun)
      .orderBy(sql`${backupRun.startedDate} DESC`)
      .limit(1),
    lastDrillStatement(ctx.db),
    countRows(ctx.db, message, sql`status = 'failed' AND created_date > ${now - DAY_MS}`),
    ctx.db.select({ bytes: sql<number>`coalesce(sum(size), 0)` }).from(file),
    ctx.db.select({ createdDate: user.createdDate }).from(user).orderBy(asc(user.createdDate)).limit(1),
    ctx.db
      .select()
      .from(rateLimit)
      .where(
        and(
          limitsWhere(
            ctx,
            DAY_LIMITS.map(([entry]) => entry),
          ),
          gt(rateLimit.resetDate, ctx.now()),
        ),
      ),
    ctx.db.run(sql`SELECT 1`),
  ]);
  const problems: Problem[] = [];
  const add = (kind: AlarmKind, about: string, text: string) => problems.push({ key: `${kind}:${about}`, kind, text });
  if (jump)
    add(
      "clock",
      "jumped",
      `${describeJump(jump)} 시계가 맞는지 살펴보십시오. '확인함'을 누르거나 하루가 지날 때까지 오래된 백업과 보유 기간이 지난 정보, 되돌리기 자료를 지우지 않습니다.`,
    );
  const since = first?.createdDate.getTime() ?? now;
  // After a jump nothing is known to be late.
  const isLate = (date: number, ms: number) => !jump && now - date > ms;
  for (const [name, label] of Object.entries(JOB_LABELS)) {
    const row = jobs.find((each) => each.name === name);
    const ok = row?.okDate?.getTime() ?? since;
    if (name !== "backup" && isLate(ok, JOB_LATE_MS))
      add("job", name, `'${label}' 작업이 ${hours(now - ok)}시간 동안 끝나지 않았습니다. ${row?.error ?? ""}`);
  }
  if (failedRun?.status === "failed") add("backup", "failed", `백업하지 못했습니다. ${failedRun.error}`);
  const lastBackup = backup?.finishedDate?.getTime() ?? since;
  if (isLate(lastBackup, BACKUP_LATE_MS)) add("backup", "late", `${hours(now - lastBackup)}시간 동안 백업이 없습니다.`);
  const missing = failedRun?.state?.files;
  if (missing && missing.missing > 0)
    add("file", "missing", `저장소에 없는 파일이 ${missing.missing}개 있습니다: ${missing.missingNames.join(", ")}`);
  if (drill?.status === "failed") add("drill", "failed", `백업을 시험 삼아 되살리지 못했습니다. ${drill.error}`);
  const lastDrill = (drill?.status === "ok" ? drill.finishedDate : drill?.startedDate)?.getTime() ?? since;
  if (isLate(lastDrill, DRILL_LATE_MS)) add("drill", "late", "40일 동안 백업을 시험 삼아 되살리지 않았습니다.");
  if ((mail?.count ?? 0) >= FAILED_MAIL_MIN)
    add("mail", "failed", `하루 동안 메일·문자 ${mail?.count}건을 보내지 못했습니다.`);
  for (const [entry, label] of DAY_LIMITS) {
    const { max } = RATE_LIMITS[entry[0]];
    const count = counted.find(({ key }) => key === limitKey(ctx, entry))?.count ?? 0;
    if (count >= max / 2)
      add(
        "limit",
        entry[0],
        `오늘 보낸 ${label}가 ${formatCount(count)}건으로, 하루 한도 ${formatCount(max)}건의 절반에 이르렀습니다.`,
      );
  }
  const share = (meta as D1Meta).size_after / DATABASE_LIMITS.maxBytes;
  for (const level of [0.5, DATABASE_LIMITS.warnShare])
    if (share >= level)
      add("database", String(level), `자료 저장 공간이 한도의 ${Math.floor(share * 100)}%를 넘었습니다.`);
  if ((stored?.bytes ?? 0) >= STORAGE_WARN_BYTES)
    add("storage", "size", `파일 저장 공간을 ${Math.floor((stored?.bytes ?? 0) / 1024 ** 3)}GB 쓰고 있습니다.`);
  return problems;
}

const hours = (ms: number) => Math.floor(ms / HOUR_MS);

/** A jump is over within minutes, but the office must have read of it. */
const staysOpen = ({ kind, acknowledgedDate }: typeof alarm.$inferSelect) =>
  kind === "clock" && acknowledgedDate === null;

/** Mails a new problem to every administrator once; a closed problem is new when it returns. */
export async function raiseAlarms(ctx: AppContext): Promise<void> {
  const problems = await findOperationProblems(ctx);
  const open = await ctx.db.select().from(alarm).where(isNull(alarm.endedDate));
  const now = ctx.now();
  const ended = open
    .filter((row) => !problems.some(({ key }) => key === row.key) && !staysOpen(row))
    .map(({ key }) => key);
  if (ended.length > 0) await ctx.db.update(alarm).set({ endedDate: now }).where(inArray(alarm.key, ended));
  const fresh = problems.filter(({ key }) => !open.some((row) => row.key === key));
  if (fresh.length === 0) return;
  const people = await ctx.db
    .select({ userId: user.id, email: userKey.userKeyCode })
    .from(user)
    .innerJoin(userKey, and(eq(userKey.userId, user.id), eq(userKey.userKeyType, "Email")))
    .where(sql`${user.userType} = 'Admin' AND ${user.status} = 'active' AND ${userKey.verifiedDate} IS NOT NULL`)
    .limit(50);
  const lines = fresh.map(({ text }) => `- ${text.trim()}`).join("\n");
  const text = `사이트에 살펴볼 일이 있습니다.\n\n${lines}\n\n관리 → 예약 작업·백업에서 '확인함'을 누르실 수 있습니다.\n${ctx.config.SITE_ORIGIN}/Admin/Jobs`;
  const mails = people.map(({ userId, email }) =>
    queueMessage(ctx, {
      channel: "email",
      recipient: email,
      subject: "[사이트 알림] 살펴볼 일이 있습니다",
      text,
      userId,
    }),
  );
  const started = {
    startedDate: now,
    mailedDate: now,
    acknowledgedDate: null,
    acknowledgedUserId: null,
    endedDate: null,
  };
  const [begin, ...rest] = fresh.map((problem) =>
    ctx.db
      .insert(alarm)
      .values({ ...problem, ...started })
      .onConflictDoUpdate({ target: alarm.key, set: { text: problem.text, ...started } }),
  );
  if (begin) await ctx.db.batch([begin, ...rest, ...mails.map(({ statement }) => statement)]);
}

export const openAlarmsStatement = (db: AppContext["db"]) =>
  db
    .select()
    .from(alarm)
    .where(and(isNull(alarm.acknowledgedDate), isNull(alarm.endedDate)))
    .orderBy(asc(alarm.startedDate));

export async function acknowledgeAlarm(ctx: AppContext, key: string): Promise<{ key: string }> {
  authorizeConsole(ctx);
  const acknowledgedUserId = ctx.actor.kind === "guest" ? null : ctx.actor.userId;
  const [row] = await ctx.db
    .update(alarm)
    .set({ acknowledgedDate: ctx.now(), acknowledgedUserId })
    .where(and(eq(alarm.key, key), isNull(alarm.acknowledgedDate)))
    .returning({ key: alarm.key, kind: alarm.kind });
  if (!row) throw new AppError("NOT_FOUND", { message: "이미 확인하였거나 없는 알림입니다." });
  if (row.kind === "clock") await trustClock(ctx);
  await audit(ctx, { action: "alarm.acknowledge", targetId: key }).run();
  return { key: row.key };
}
