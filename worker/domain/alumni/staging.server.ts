import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { alumniStaged, alumniStaging, type ImportSummary } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { Head } from "#worker/contract/alumni/import-header.ts";
import { signedIn } from "../kernel/authorize.server.ts";

export interface Staging {
  importId: string;
  head: Head;
}
export interface NewStaging {
  fileId: string;
  fileName: string;
  head: Head;
  /** How many parts of rows will come; 0 where a file is read at once. */
  parts: number;
}
export type PlannedKind = "insert" | "update" | "refused";

/** A place for the rows of an import on their way. What nobody finishes is swept after a day. */
export async function openStaging(ctx: AppContext, { head, ...input }: NewStaging): Promise<Staging> {
  const now = ctx.now();
  const importId = crypto.randomUUID();
  await ctx.db
    .insert(alumniStaging)
    .values({ id: importId, userId: signedIn(ctx).userId, head, ...input, createdDate: now, touchedDate: now });
  return { importId, head };
}

export async function discardStaging(ctx: Pick<AppContext, "db">, importId: string): Promise<void> {
  await ctx.db.delete(alumniStaging).where(eq(alumniStaging.id, importId));
}

/** Begins a plan anew; one that runs at the same time can no longer become the valid one. */
export async function beginPlan(ctx: AppContext, importId: string): Promise<{ planNo: number; revision: number }> {
  const [[staging], , state] = await ctx.db.batch([
    ctx.db
      .update(alumniStaging)
      .set({
        planNo: sql`${alumniStaging.planNo} + 1`,
        plannedParts: 0,
        plannedRevision: null,
        touchedDate: ctx.now(),
      })
      .where(eq(alumniStaging.id, importId))
      .returning({ planNo: alumniStaging.planNo }),
    ctx.db
      .delete(alumniStaged)
      .where(and(eq(alumniStaged.importId, importId), inArray(alumniStaged.kind, ["insert", "update", "refused"]))),
    ctx.db.select({ revision: sql<number>`coalesce(max(revision), 0)` }).from(sql`alumni_state`),
  ]);
  return { planNo: staging?.planNo ?? 0, revision: state[0]?.revision ?? 0 };
}

export async function endPlan(
  ctx: AppContext,
  {
    importId,
    planNo,
    revision,
    summary,
  }: { importId: string; planNo: number; revision: number; summary: ImportSummary },
): Promise<void> {
  await ctx.db
    .update(alumniStaging)
    .set({ plannedRevision: revision, summary })
    .where(and(eq(alumniStaging.id, importId), eq(alumniStaging.planNo, planNo)));
}

/** Three bytes a letter at most: below the 2 MB that D1 takes as one value. */
const VALUE_CHARACTERS = 600_000;

/** Rows of a plan on their way into the database, of which memory holds no more than one value a kind. */
export class PlannedRows {
  private readonly open = new Map<PlannedKind, { rows: string[]; length: number }>();
  private full: (typeof alumniStaged.$inferInsert)[] = [];
  private partNo = 0;
  private readonly ctx: AppContext;
  private readonly importId: string;
  private readonly planNo: number;

  constructor(ctx: AppContext, importId: string, planNo: number) {
    this.ctx = ctx;
    this.importId = importId;
    this.planNo = planNo;
  }

  push(kind: PlannedKind, row: unknown[]): void {
    const text = JSON.stringify(row);
    let part = this.open.get(kind);
    if (part && part.length + text.length > VALUE_CHARACTERS) {
      this.close(kind, part.rows);
      part = undefined;
    }
    if (!part) this.open.set(kind, (part = { rows: [], length: 0 }));
    part.rows.push(text);
    part.length += text.length + 1;
  }

  private close(kind: PlannedKind, rows: string[]): void {
    const { importId, planNo } = this;
    this.full.push({ importId, kind, planNo, partNo: (this.partNo += 1), rows: `[${rows.join(",")}]` });
    this.open.delete(kind);
  }

  /** Writes what is full, and at the end the rest. */
  async flush(isLast = false): Promise<void> {
    if (isLast) for (const [kind, { rows }] of this.open) this.close(kind, rows);
    const [first, ...others] = this.full.map((part) => this.ctx.db.insert(alumniStaged).values(part));
    this.full = [];
    if (first) await this.ctx.db.batch([first, ...others]);
  }
}

/** The refused rows of a plan, one part at a time. */
export async function* refusedRows(ctx: AppContext, importId: string, planNo: number) {
  for (let after = 0; ;) {
    const [part] = await ctx.db
      .select({ partNo: alumniStaged.partNo, rows: alumniStaged.rows })
      .from(alumniStaged)
      .where(
        and(
          eq(alumniStaged.importId, importId),
          eq(alumniStaged.kind, "refused"),
          eq(alumniStaged.planNo, planNo),
          sql`${alumniStaged.partNo} > ${after}`,
        ),
      )
      .orderBy(alumniStaged.partNo)
      .limit(1);
    if (!part) return;
    after = part.partNo;
    yield* JSON.parse(part.rows) as [row: number, cells: string[], reasons: string][];
  }
}

/** Rolls back what was left open: nothing of it is in the book. */
export function sweepStaging(ctx: Pick<AppContext, "db">, before: Date) {
  return ctx.db.delete(alumniStaging).where(lt(alumniStaging.touchedDate, before));
}
