import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { dueWork } from "#db/schema/alumni-dues.ts";
import { alumniImport, alumniMerge } from "#db/schema/alumni-import.ts";
import { columnsOf, idsIn } from "#db/sql.ts";
import { type DeedKind, deedRule, DEEDS } from "#worker/contract/alumni/deeds.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { authorize, can } from "../../kernel/authorize.server.ts";
import { isImportKept, restoresOfficeFields } from "../import/undo.server.ts";
import { isMergeKept } from "../merge.server.ts";
import { alumniSettings } from "../setting.server.ts";

/** Of each of the three tables. */
const LISTED = 50;

const userName = sql<string>`coalesce((SELECT u.user_name FROM user u WHERE u.id = user_id), '')`.as("user_name");

const deedStatements = (db: AppContext["db"]) =>
  [
    db
      .select({
        kind: sql<DeedKind>`iif(${alumniImport.mode} = 'change', 'change', 'import')`.as("kind"),
        id: alumniImport.id,
        name: alumniImport.fileName,
        added: alumniImport.inserted,
        changed: alumniImport.updated,
        ...columnsOf(alumniImport, "createdDate"),
        isBegun: sql<number>`${alumniImport.undoPassDate} IS NOT NULL`.as("is_begun"),
        userName,
      })
      .from(alumniImport)
      .where(and(isNull(alumniImport.undoneDate), isImportKept))
      .orderBy(desc(alumniImport.createdDate))
      .limit(LISTED),
    db
      .select({
        kind: sql<DeedKind>`'merge'`.as("kind"),
        id: alumniMerge.id,
        name: sql<string>`coalesce(${alumni.name}, '')`.as("name"),
        added: sql<number>`0`.as("added"),
        changed: alumniMerge.people,
        createdDate: alumniMerge.createdDate,
        isBegun: sql<number>`0`.as("is_begun"),
        userName,
      })
      .from(alumniMerge)
      .leftJoin(alumni, eq(alumni.id, alumniMerge.keptId))
      .where(and(isNull(alumniMerge.undoneDate), isMergeKept))
      .orderBy(desc(alumniMerge.createdDate))
      .limit(LISTED),
    db
      .select({
        kind: sql<DeedKind>`${dueWork.kind}`.as("kind"),
        ...columnsOf(dueWork, "id", "name", "added"),
        changed: dueWork.matched,
        createdDate: dueWork.createdDate,
        isBegun: sql<number>`0`.as("is_begun"),
        userName,
      })
      .from(dueWork)
      .where(isNull(dueWork.undoneDate))
      .orderBy(desc(dueWork.createdDate), dueWork.id)
      .limit(LISTED),
  ] as const;

const mayUndo = (ctx: Pick<AppContext, "actor">, kind: DeedKind) =>
  deedRule(kind).rights.every((right) => can(ctx.actor, { action: right }));

/** Any right to undo. @throws AppError UNAUTHORIZED, FORBIDDEN */
function authorizeDeeds(ctx: Pick<AppContext, "actor">) {
  if (!Object.keys(DEEDS).some((kind) => mayUndo(ctx, kind as DeedKind))) authorize(ctx, { action: "Alumni_Import" });
}

const undoDaysOf = (ctx: AppContext, kind: DeedKind) =>
  deedRule(kind).rights.includes("Dues_Manage") ? DUE_LIMITS.undoDays : alumniSettings(ctx).undoDays;

/** Imports whose undo needs Alumni_Write as well. */
async function officeImports(ctx: AppContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || can(ctx.actor, { action: "Alumni_Write" })) return new Set();
  const found = await ctx.db
    .select({ id: alumniImport.id })
    .from(alumniImport)
    .where(and(idsIn(alumniImport.id, ids), restoresOfficeFields));
  return new Set(found.map(({ id }) => id));
}

/** Deeds that the caller may undo now, the newest first. */
export async function listDeeds(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeDeeds, deedStatements(scope.db));
  const now = ctx.now().getTime();
  const deeds = rows
    .flatMap((found) => [...found])
    .map(({ isBegun, ...deed }) => ({
      ...deed,
      isBegun: isBegun === 1,
      undoUntil: new Date(deed.createdDate.getTime() + undoDaysOf(ctx, deed.kind) * DAY_MS),
    }))
    .filter(({ kind, isBegun, undoUntil }) => mayUndo(ctx, kind) && (isBegun || undoUntil.getTime() > now));
  const imports = deeds.flatMap(({ kind, id }) => (kind === "import" ? [id] : []));
  const refused = await officeImports(ctx, imports);
  return deeds
    .filter(({ id }) => !refused.has(id))
    .toSorted((a, b) => b.createdDate.getTime() - a.createdDate.getTime())
    .map(({ createdDate, undoUntil, ...deed }) => ({
      ...deed,
      createdDate: createdDate.toISOString(),
      /** An undo that has begun can be finished at any time. */
      undoUntil: deed.isBegun ? null : undoUntil.toISOString(),
    }));
}

export type ListedDeed = View<typeof listDeeds>[number];
