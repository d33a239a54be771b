import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { dueWork } from "#db/schema/alumni-dues.ts";
import { alumniImport, alumniMerge } from "#db/schema/alumni-import.ts";
import { columnsOf } from "#db/sql.ts";
import { type DeedKind, deedRule, DEEDS } from "#worker/contract/alumni/deeds.ts";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { holdsAt } from "../../access/account-authority.server.ts";
import { authorize, can } from "../../kernel/authorize.server.ts";
import { isImportKept, restoresOfficeFields } from "../import/undo.server.ts";
import { isMergeKept } from "../merge.server.ts";
import { alumniSettings } from "../setting.server.ts";

/** Of each kind, or of all works on dues. */
const LISTED = 50;

const userName = sql<string>`coalesce((SELECT u.user_name FROM user u WHERE u.id = user_id), '')`.as("user_name");

const importStatement = (db: AppContext["db"], kind: "import" | "change", more: SQL) =>
  db
    .select({
      kind: sql<DeedKind>`${sql.raw(`'${kind}'`)}`.as("kind"),
      id: alumniImport.id,
      name: alumniImport.fileName,
      added: alumniImport.inserted,
      changed: alumniImport.updated,
      ...columnsOf(alumniImport, "createdDate"),
      isBegun: sql<number>`${alumniImport.undoPassDate} IS NOT NULL`.as("is_begun"),
      userName,
    })
    .from(alumniImport)
    .where(and(isNull(alumniImport.undoneDate), isImportKept, more))
    .orderBy(desc(alumniImport.createdDate))
    .limit(LISTED);

const deedStatements = (db: AppContext["db"], mayRestore: SQL) =>
  [
    importStatement(
      db,
      "import",
      sql`${alumniImport.mode} <> 'change' AND (${mayRestore} OR NOT ${restoresOfficeFields})`,
    ),
    importStatement(db, "change", sql`${alumniImport.mode} = 'change'`),
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

/** Deeds that the caller may undo now, the newest first. */
export async function listDeeds(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeDeeds, (viewerId) =>
    deedStatements(
      scope.db,
      sql`EXISTS (SELECT 1 FROM user WHERE id = ${viewerId} AND ${holdsAt("Alumni_Write", scope.now())})`,
    ),
  );
  const now = ctx.now();
  return rows
    .flatMap((found) => [...found])
    .map(({ isBegun, ...deed }) => ({
      ...deed,
      isBegun: isBegun === 1,
      undoUntil: daysLater(deed.createdDate, undoDaysOf(ctx, deed.kind)),
    }))
    .filter(({ kind, isBegun, undoUntil }) => mayUndo(ctx, kind) && (isBegun || undoUntil >= now))
    .toSorted((a, b) => b.createdDate.getTime() - a.createdDate.getTime())
    .map(({ createdDate, undoUntil, ...deed }) => ({
      ...deed,
      createdDate: createdDate.toISOString(),
      /** An undo that has begun can be finished at any time. */
      undoUntil: deed.isBegun ? null : undoUntil.toISOString(),
    }));
}

export type ListedDeed = View<typeof listDeeds>[number];
