import { desc, eq } from "drizzle-orm";
import { claimWork, describeFailure, WorkStep } from "../kernel/stepped-work.server.ts";
import { backupDrill } from "#db/schema/operation.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { type BackupContext, bucketReader, openBackup, type OpenedBackup } from "./backup-manifest.server.ts";
import { newestBackupStatement } from "./backup-run.server.ts";
import type { AppContext, BatchRows, BatchStatements, RequestScope } from "#worker/domain/kernel/context.ts";
import {
  bindingTarget,
  compareTables,
  findBrokenInvariants,
  finishStatements,
  prepareStatements,
  restorePart,
} from "./restore.server.ts";
import { connectDatabase } from "#db/client.ts";
import type { DrillState } from "#worker/contract/operation/operation.ts";
import { listItemsQuery } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { siteSettingsStatement, siteStateStatement, storedSettingsOf } from "../access/actor.server.ts";
import { storedAccountRules } from "../account/session.server.ts";
import { getBoardListPage } from "../board/list.server.ts";
import { getBoardViewPage } from "../board/view.server.ts";
import { getLegalPage } from "../content/legal-page.server.ts";
import { getInfoPage } from "../content/page.server.ts";
import { getHomePage } from "../site/home.server.ts";
import { getSiteFrame } from "../site/site.server.ts";

const EVERY_MS = 30 * DAY_MS;
const RETRY_MS = DAY_MS;
/** Per minute, 2 MB each. */
const PARTS_PER_STEP = 4;

const NOTHING_RESTORED: DrillState = { part: 0, rows: 0, bytes: 0 };

type DrillRow = typeof backupDrill.$inferSelect;

export const lastDrillStatement = (db: BackupContext["db"]) =>
  db.select().from(backupDrill).orderBy(desc(backupDrill.startedDate)).limit(1);

export const nextDrillDate = (last: Pick<DrillRow, "status" | "startedDate"> | undefined, now: Date): Date =>
  new Date(
    last && last.startedDate <= now ? last.startedDate.getTime() + (last.status === "failed" ? RETRY_MS : EVERY_MS) : 0,
  );

/** Restores the newest backup monthly into the scratch database, a few parts a minute, then empties it. */
export async function drillInSteps(ctx: AppContext, partsPerStep = PARTS_PER_STEP): Promise<void> {
  const [last] = await lastDrillStatement(ctx.db);
  const now = ctx.now();
  if (last?.status !== "running") {
    if (now < nextDrillDate(last, now)) return;
    const [backup] = await newestBackupStatement(ctx.db);
    if (!backup) return;
    await ctx.db.insert(backupDrill).values({
      id: crypto.randomUUID(),
      name: backup.name,
      status: "running",
      startedDate: now,
      state: NOTHING_RESTORED,
    });
  }
  const drill = await claimWork(ctx, backupDrill, eq(backupDrill.status, "running"));
  if (!drill) return;
  const step = new WorkStep(ctx, backupDrill, drill);
  await step.run(
    () => takeDrillStep(step, partsPerStep),
    (cause) => endDrill(step, { status: "failed", error: describeFailure(cause) }),
  );
}

type DrillStep = WorkStep<DrillRow, AppContext>;

async function takeDrillStep(step: DrillStep, partsPerStep: number): Promise<void> {
  const { ctx, row } = step;
  if (!ctx.config.BACKUP_KEY) throw new Error("BACKUP_KEY가 없어 백업을 풀지 못합니다.");
  const backup = await openBackup(bucketReader(ctx.backups), row.name, ctx.config.BACKUP_KEY);
  const target = bindingTarget(ctx.scratch);
  // A killed step leaves half a part, so the drill restarts.
  if (row.interruptions > 0) step.state = NOTHING_RESTORED;
  const from = step.state.part;
  if (from === 0) await buildScratch(ctx.scratch, backup);
  const { parts } = backup.manifest;
  const until = Math.min(from + partsPerStep, parts.length);
  for (let part = from; part < until; part += 1) {
    const { rows, bytes } = await restorePart(backup, part, target);
    step.state = { part: part + 1, rows: step.state.rows + rows, bytes: step.state.bytes + bytes };
  }
  // Comparing and emptying get their own run unless the restore was short.
  if (until < parts.length || until - from > 1) return step.commit();
  await compareTables(backup, target);
  await target.run(finishStatements(backup));
  const broken = await findBrokenInvariants(target);
  if (broken.length > 0) throw new Error(`되살린 데이터베이스가 맞지 않습니다: ${broken.join(", ")}`);
  step.state = { ...step.state, pages: await readRestoredPages(ctx) };
  await endDrill(step, { status: "ok" });
}

async function endDrill(step: DrillStep, result: Pick<DrillRow, "status"> & Partial<DrillRow>): Promise<void> {
  await step.commit([], { finishedDate: step.ctx.now(), ...result });
  await emptyDatabase(step.ctx.scratch);
}

async function buildScratch(d1: D1Database, backup: OpenedBackup): Promise<void> {
  const found = await databaseTables(d1);
  // Protects the live database from being bound as SCRATCH and emptied.
  if (found.length > 0 && !found.some(({ name }) => name === MARKER))
    throw new Error("연습용 데이터베이스(SCRATCH)에 다른 자료가 있습니다. 비어 있는 데이터베이스를 연결해 주십시오.");
  await emptyDatabase(d1);
  const { schema, tables } = backup.manifest;
  const statements = [
    `CREATE TABLE ${MARKER} (id INTEGER)`,
    ...schema,
    ...prepareStatements(tables.map(({ name }) => name)),
  ];
  await d1.batch(statements.map((sql) => d1.prepare(sql)));
}

const MARKER = "_restore_scratch";

/** A dropped table takes its triggers with it. */
async function databaseTables(d1: D1Database): Promise<{ name: string }[]> {
  const { results } = await d1
    .prepare(
      `SELECT s.name AS name FROM sqlite_master AS s LEFT JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = s.name
       WHERE s.type = 'table' AND coalesce(t.type, '') <> 'shadow' AND s.name NOT GLOB '_cf*' AND s.name NOT GLOB 'sqlite_*'`,
    )
    .all<{ name: string }>();
  return results;
}

async function emptyDatabase(d1: D1Database): Promise<void> {
  const results = await databaseTables(d1);
  if (!results.some(({ name }) => name === MARKER)) return;
  await d1.batch([
    d1.prepare("PRAGMA defer_foreign_keys = on"),
    ...results.map(({ name }) => d1.prepare(`DROP TABLE "${name.replaceAll('"', '""')}"`)),
  ]);
}

const PAGES = 10;
const LISTED_BOARDS = 3;

/** A guest's request scope on the restored site; deferred work ends with `settle`. */
async function scratchScope(ctx: AppContext): Promise<{ scope: RequestScope; settle(): Promise<unknown> }> {
  const db = connectDatabase(ctx.scratch);
  const [states, siteSettings] = await db.batch([siteStateStatement(db), siteSettingsStatement(db)]);
  const waiting: Promise<unknown>[] = [];
  const guest = {
    kind: "guest" as const,
    permissions: { all: false, codes: new Set(siteSettings[0]?.permissions ?? []) },
  };
  const restored: AppContext = {
    ...ctx,
    db,
    actor: guest,
    guest,
    rules: storedAccountRules(siteSettings[0]?.rules ?? null),
    storedSettings: storedSettingsOf(states, siteSettings),
    defer: (work) => void waiting.push(work),
  };
  async function readOnce<T extends BatchStatements>(asked: T | ((viewerId: string) => T)) {
    const statements = typeof asked === "function" ? asked("") : asked;
    return { ctx: restored, rows: (await db.batch([...statements] as never)) as BatchRows<T> };
  }
  const scope: RequestScope = {
    db,
    origin: ctx.origin,
    now: ctx.now,
    context: () => Promise.resolve(restored),
    read: readOnce,
    readFor(check, asked) {
      check(restored);
      return readOnce(asked);
    },
  };
  return { scope, settle: () => Promise.allSettled(waiting) };
}

async function readRestoredPages(ctx: AppContext): Promise<number> {
  const { scope, settle } = await scratchScope(ctx);
  let count = 0;
  const read = async <T>(name: string, page: () => Promise<T>): Promise<T | null> => {
    if (count >= PAGES) return null;
    try {
      const result = await page();
      count += 1;
      return result;
    } catch (cause) {
      if (cause instanceof AppError && cause.status < 500) return null;
      throw new Error(`되살린 사이트의 화면을 열지 못했습니다: ${name}`, { cause });
    }
  };
  const frame = await read("머리글과 메뉴", () => getSiteFrame(scope));
  await read("홈", () => getHomePage(scope));
  for (const code of ["terms", "privacy"] as const) await read(code, () => getLegalPage(scope, { code }));
  for (const code of ["about", "target", "registration"] as const) await read(code, () => getInfoPage(scope, { code }));
  for (const { boardCode } of frame?.boards.slice(0, LISTED_BOARDS) ?? []) {
    const list = await read(boardCode, () => getBoardListPage(scope, listItemsQuery.parse({ boardCode })));
    for (const { itemNo } of list?.items.content.slice(0, 2) ?? [])
      await read(`${boardCode} ${itemNo}`, () => getBoardViewPage(scope, { boardCode, itemNo }));
  }
  await settle();
  return count;
}
