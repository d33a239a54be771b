import { and, asc, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { alumniView } from "#db/schema/alumni.ts";
import type { Db } from "#db/client.ts";
import { unchanged } from "#db/sql.ts";
import { isBookFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { isOfficeField } from "#worker/contract/alumni/columns.ts";
import { readFilterTexts } from "#worker/contract/alumni/conditions.ts";
import { ALUMNI_VIEW_LIMITS } from "#worker/contract/alumni/list.ts";
import type { createAlumniViewInput, updateAlumniViewInput } from "#worker/contract/alumni/list-view-input.ts";
import { type AlumniFieldCode, ownFieldsFor } from "#worker/contract/alumni/own-fields.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { Ages } from "#worker/domain/audit/ages.server.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { ownFields } from "./setting.server.ts";
import { bookForCaller, unusableFor } from "./filter.server.ts";

type ViewRow = typeof alumniView.$inferSelect;

const viewNotFound = () => new AppError("NOT_FOUND", { message: "저장한 보기를 찾을 수 없습니다." });

/** The caller's own and the shared views, by name. The caller authorizes. */
export const alumniViewsStatement = (db: Db, userId: string) =>
  db
    .select()
    .from(alumniView)
    .where(and(isNull(alumniView.deletedDate), or(eq(alumniView.userId, userId), eq(alumniView.isShared, true))))
    .orderBy(asc(alumniView.isShared), asc(alumniView.name), asc(alumniView.id));

/** Hides views by dues and shared views by fields closed to the caller, and removes closed columns. */
export function seenViews(ctx: Pick<AppContext, "actor" | "storedSettings" | "now">, rows: readonly ViewRow[]) {
  const { userId } = requireSignedIn(ctx);
  const book = bookForCaller(ctx);
  const { office } = book;
  const seenOwn = ownFieldsFor(ownFields(ctx), office);
  const maySee = (field: AlumniFieldCode) =>
    isBookFieldUsed(book.settings, seenOwn, field) && (office || !isOfficeField(field));
  return rows
    .filter(({ userId: by, content }) => {
      if (content.filter.dues && !book.dues) return false;
      return office || by === userId || unusableFor(book, readFilterTexts(content.filter)).length === 0;
    })
    .map(({ id, name, isShared, content, userId: by, version }) => ({
      id,
      name,
      isShared,
      filter: content.filter,
      sort: content.sort,
      columns: content.columns.filter(maySee),
      isDense: content.isDense,
      size: content.size,
      canChange: office || by === userId,
      version,
    }));
}

export type AlumniSavedView = View<typeof seenViews>[number];

/** Another person's view is reported as missing; changing a shared one needs Alumni_Write. */
async function requireView(ctx: AppContext, id: string, isDeleted = false): Promise<ViewRow> {
  const [row] = await ctx.db
    .select()
    .from(alumniView)
    .where(and(eq(alumniView.id, id), (isDeleted ? isNotNull : isNull)(alumniView.deletedDate)));
  const isOwn = row?.userId === requireSignedIn(ctx).userId;
  if (!row || (!isOwn && !row.isShared)) throw viewNotFound();
  if (row.isShared) authorize(ctx, { action: "Alumni_Write" });
  return row;
}

const hasRoom = (userId: string, isShared: boolean, field = "name") => ({
  holds: isShared
    ? sql`(SELECT count(*) FROM alumni_view WHERE is_shared = 1 AND deleted_date IS NULL) < ${ALUMNI_VIEW_LIMITS.shared}`
    : sql`(SELECT count(*) FROM alumni_view WHERE user_id = ${userId} AND is_shared = 0 AND deleted_date IS NULL) < ${ALUMNI_VIEW_LIMITS.own}`,
  error: () =>
    invalidInput({
      [field]: isShared
        ? `공용 보기는 ${ALUMNI_VIEW_LIMITS.shared}개까지 둘 수 있습니다.`
        : `보기는 한 사람이 ${ALUMNI_VIEW_LIMITS.own}개까지 저장할 수 있습니다.`,
    }),
});

/** Needs Alumni_Read, and Alumni_Write to share it. @throws AppError INVALID_INPUT at the limit */
export async function createAlumniView(
  ctx: AppContext,
  input: Parsed<typeof createAlumniViewInput>,
): Promise<{ id: string }> {
  authorize(ctx, { action: "Alumni_Read" });
  if (input.isShared) authorize(ctx, { action: "Alumni_Write" });
  const { userId } = requireSignedIn(ctx);
  const id = crypto.randomUUID();
  await runGuardedBatch(ctx, hasRoom(userId, input.isShared), [
    ctx.db.insert(alumniView).values({ id, userId, createdDate: ctx.now(), ...input }),
    auditView(ctx, "create", id, { name: input.name, isShared: input.isShared }),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

const auditView = (
  ctx: AppContext,
  act: "create" | "change" | "delete" | "restore",
  id: string,
  detail: Record<string, unknown>,
) => audit(ctx, { action: `alumni-view.${act}`, targetType: "alumni-view", targetId: id, detail });

/** @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT */
export async function updateAlumniView(
  ctx: AppContext,
  id: string,
  { version, ...given }: Parsed<typeof updateAlumniViewInput>,
): Promise<{ version: number }> {
  authorize(ctx, { action: "Alumni_Read" });
  const before = await requireView(ctx, id);
  const isShared = given.isShared ?? before.isShared;
  if (isShared) authorize(ctx, { action: "Alumni_Write" });
  const value = { name: given.name ?? before.name, isShared, content: given.content ?? before.content };
  const room = isShared === before.isShared ? [] : [hasRoom(before.userId, isShared, "isShared")];
  const guards = [unchanged(alumniView, id, version), ...room];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(alumniView)
      .set({ ...value, version: version + 1 })
      .where(eq(alumniView.id, id)),
    // Omits the keyword, which may name a person.
    auditView(ctx, "change", id, {
      ...auditDifference({ name: before.name, isShared: before.isShared }, { name: value.name, isShared }),
      content: given.content !== undefined,
    }),
  ]);
  return { version: version + 1 };
}

/** Soft delete, restorable for a day. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT */
export async function deleteAlumniView(ctx: AppContext, id: string, version: number): Promise<{ version: number }> {
  authorize(ctx, { action: "Alumni_Read" });
  const { name } = await requireView(ctx, id);
  await runGuardedBatch(ctx, unchanged(alumniView, id, version), [
    ctx.db
      .update(alumniView)
      .set({ deletedDate: ctx.now(), version: version + 1 })
      .where(eq(alumniView.id, id)),
    auditView(ctx, "delete", id, { name }),
  ]);
  return { version: version + 1 };
}

/** Restores a deleted view. @throws AppError NOT_FOUND, FORBIDDEN, INVALID_INPUT */
export async function restoreAlumniView(ctx: AppContext, id: string): Promise<{ version: number }> {
  authorize(ctx, { action: "Alumni_Read" });
  const { name, version, userId, isShared } = await requireView(ctx, id, true);
  const guards = [unchanged(alumniView, id, version), hasRoom(userId, isShared)];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(alumniView)
      .set({ deletedDate: null, version: version + 1 })
      .where(eq(alumniView.id, id)),
    auditView(ctx, "restore", id, { name }),
  ]);
  return { version: version + 1 };
}

export const cleanUpAlumniViews = ({ db }: Pick<AppContext, "db">, ages: Ages) =>
  db.delete(alumniView).where(lt(alumniView.deletedDate, ages.before("deleted-view")));
