import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { and, desc, eq } from "drizzle-orm";
import { isLeaseOver, LEASE_MS } from "../kernel/guard.server.ts";
import { backupDrill } from "#db/schema/operation.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { type OpenedBackup, openBackup } from "./backup-manifest.server.ts";
import { lastBackupStatement } from "./backup-run.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type BackupContext } from "./backup-context.ts";
import { readRestoredPages } from "./drill-pages.server.ts";
import {
  bindingTarget,
  findBrokenInvariants,
  compareTables,
  finishStatements,
  prepareStatements,
  restorePart,
} from "./restore.server.ts";

const EVERY_MS = 30 * DAY_MS;
const RETRY_MS = DAY_MS;
/** Per minute, 2 MB each. */
const PARTS_PER_STEP = 4;

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
    const [backup] = await lastBackupStatement(ctx.db);
    if (!backup) return;
    await ctx.db.insert(backupDrill).values({
      id: crypto.randomUUID(),
      name: backup.name,
      status: "running",
      startedDate: now,
      state: { part: 0, rows: 0, bytes: 0 },
    });
  }
  const running = requirePresent((await lastDrillStatement(ctx.db))[0]);
  const [drill] = await ctx.db
    .update(backupDrill)
    .set({ leaseDate: new Date(now.getTime() + LEASE_MS) })
    .where(
      and(eq(backupDrill.id, running.id), eq(backupDrill.status, "running"), isLeaseOver(backupDrill.leaseDate, now)),
    )
    .returning();
  if (drill) await takeDrillStep(ctx, drill, running.leaseDate !== null, partsPerStep);
}

async function takeDrillStep(
  ctx: AppContext,
  drill: DrillRow,
  wasKilled: boolean,
  partsPerStep: number,
): Promise<void> {
  try {
    if (!ctx.config.BACKUP_KEY) throw new Error("BACKUP_KEY가 없어 백업을 풀지 못합니다.");
    const backup = await openBackup((key) => readObject(ctx.backups, key), drill.name, ctx.config.BACKUP_KEY);
    const target = bindingTarget(ctx.scratch);
    let { state } = drill;
    // A killed step leaves half a part, so the drill restarts.
    if (wasKilled) state = { part: 0, rows: 0, bytes: 0 };
    if (state.part === 0) await buildScratch(ctx.scratch, backup);
    const { parts } = backup.manifest;
    const from = state.part;
    const until = Math.min(from + partsPerStep, parts.length);
    for (; state.part < until;) {
      const { rows, bytes } = await restorePart(backup, state.part, target);
      state = { part: state.part + 1, rows: state.rows + rows, bytes: state.bytes + bytes };
    }
    // Comparing and emptying get their own run unless the restore was short.
    if (state.part < parts.length || until - from > 1) {
      await ctx.db.update(backupDrill).set({ state, leaseDate: null }).where(eq(backupDrill.id, drill.id));
      return;
    }
    await compareTables(backup, target);
    await target.run(finishStatements(backup));
    const broken = await findBrokenInvariants(target);
    if (broken.length > 0) throw new Error(`되살린 데이터베이스가 맞지 않습니다: ${broken.join(", ")}`);
    state = { ...state, pages: await readRestoredPages(ctx) };
    await endDrill(ctx, drill, { state, status: "ok", error: "" });
  } catch (cause) {
    const error = cause instanceof Error ? cause.message.replace(/\n.*$/s, "").slice(0, 200) : "";
    await endDrill(ctx, drill, { status: "failed", error });
    throw cause;
  }
}

async function endDrill(ctx: AppContext, drill: DrillRow, result: Partial<DrillRow>): Promise<void> {
  await ctx.db
    .update(backupDrill)
    .set({ ...result, finishedDate: ctx.now(), leaseDate: null })
    .where(eq(backupDrill.id, drill.id));
  await emptyDatabase(ctx.scratch);
}

async function readObject(bucket: R2Bucket, key: string): Promise<Uint8Array | null> {
  const object = await bucket.get(key);
  return object && new Uint8Array(await object.arrayBuffer());
}

async function buildScratch(d1: D1Database, backup: OpenedBackup): Promise<void> {
  const found = await databaseObjects(d1);
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

async function databaseObjects(d1: D1Database): Promise<{ type: string; name: string }[]> {
  const { results } = await d1
    .prepare(
      `SELECT s.type AS type, s.name AS name FROM sqlite_master AS s LEFT JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = s.name
       WHERE s.type IN ('table', 'trigger') AND coalesce(t.type, '') <> 'shadow' AND s.name NOT GLOB '_cf*' AND s.name NOT GLOB 'sqlite_*'
       ORDER BY s.type = 'table'`,
    )
    .all<{ type: string; name: string }>();
  return results;
}

async function emptyDatabase(d1: D1Database): Promise<void> {
  const results = await databaseObjects(d1);
  if (!results.some(({ name }) => name === MARKER)) return;
  await d1.batch([
    d1.prepare("PRAGMA defer_foreign_keys = on"),
    ...results.map(({ type, name }) => d1.prepare(`DROP ${type} "${name.replaceAll('"', '""')}"`)),
  ]);
}
