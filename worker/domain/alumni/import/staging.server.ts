import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import { alumniStaging, alumniStaged, type ImportSummary } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportHeader } from "#worker/contract/alumni/import/header.ts";
import { storeIdempotentAnswer } from "../../kernel/idempotency.server.ts";
import { requireSignedIn } from "../../kernel/authorize.server.ts";
import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import type { OwnValues } from "#worker/contract/alumni/own-fields.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
import { derivedColumns } from "../row.server.ts";

interface NewImportStaging {
  fileId: string;
  fileName: string;
  head: ImportHeader;
  parts: number;
}
type PreviewRowKind = "insert" | "update" | "refused" | "seen";

/** Opens the staging area of an import; unfinished ones are deleted after a day. */
export async function openImportStaging(ctx: AppContext, { head, ...input }: NewImportStaging) {
  const now = ctx.now();
  const importId = crypto.randomUUID();
  const { userId } = requireSignedIn(ctx);
  await ctx.db.batch([
    ctx.db.insert(alumniStaging).values({ id: importId, userId, head, ...input, createdDate: now, touchedDate: now }),
    ...(input.parts > 0 ? storeIdempotentAnswer(ctx, { importId }) : []),
  ]);
  return { importId, head };
}

export async function discardImportStaging(ctx: Pick<AppContext, "db">, importId: string): Promise<void> {
  await ctx.db.delete(alumniStaging).where(eq(alumniStaging.id, importId));
}

/** Starts a new plan and invalidates one that runs in parallel. */
export async function beginPreview(ctx: AppContext, importId: string): Promise<{ planNo: number; revision: number }> {
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
      .where(
        and(eq(alumniStaged.importId, importId), inArray(alumniStaged.kind, ["insert", "update", "refused", "seen"])),
      ),
    ctx.db.select({ revision: sql<number>`coalesce(max(revision), 0)` }).from(sql`alumni_state`),
  ]);
  return { planNo: staging?.planNo ?? 0, revision: state[0]?.revision ?? 0 };
}

export async function endPreview(
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

/** At most three bytes a character, below D1's limit of 2 MB per value. */
const VALUE_CHARACTERS = 600_000;

/** Writes plan rows to the database and buffers at most one value of each kind. */
export class PreviewRows {
  private readonly open = new Map<PreviewRowKind, { rows: string[]; length: number }>();
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

  push(kind: PreviewRowKind, row: unknown[]): void {
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

  private close(kind: PreviewRowKind, rows: string[]): void {
    const { importId, planNo } = this;
    this.full.push({ importId, kind, planNo, partNo: (this.partNo += 1), rows: `[${rows.join(",")}]` });
    this.open.delete(kind);
  }

  async flush(isLast = false): Promise<void> {
    if (isLast) for (const [kind, { rows }] of this.open) this.close(kind, rows);
    const [first, ...others] = this.full.map((part) => this.ctx.db.insert(alumniStaged).values(part));
    this.full = [];
    if (first) await this.ctx.db.batch([first, ...others]);
  }
}

export async function* readRefusedRows(ctx: AppContext, importId: string, planNo: number) {
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

/** Deletes uncommitted imports; a partly committed one can continue until its undo period ends. */
export function cleanUpImportStaging(ctx: Pick<AppContext, "db">, before: Date, undoEnd: Date) {
  const isCommitting = sql`${alumniStaging.committedDate} IS NOT NULL AND EXISTS (SELECT 1 FROM alumni_staged
    WHERE alumni_staged.import_id = "alumni_staging"."id" AND kind IN ('insert', 'update'))`;
  return ctx.db
    .delete(alumniStaging)
    .where(
      and(
        lt(alumniStaging.touchedDate, before),
        or(lt(alumniStaging.touchedDate, undoEnd), sql`NOT (${isCommitting})`),
      ),
    );
}

export const filledOwnValues = (own: OwnValues): OwnValues =>
  Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ""));

export const stagedRowOf = (
  id: string,
  values: AlumniValues & { own: OwnValues },
  openFields: readonly OpenField[],
) => {
  const { initials, searchAll, searchOpen } = derivedColumns(values, openFields);
  return [
    id,
    ...ALUMNI_FIELDS.map((field) => values[field]),
    JSON.stringify(values.own),
    initials,
    searchAll,
    searchOpen,
  ];
};
