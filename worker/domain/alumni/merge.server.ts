import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumni, alumniBefore, alumniMerge, user } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import type { MergeAlumniInput } from "#worker/contract/alumni.ts";
import {
  defaultSource,
  isMemoTooLong,
  type MergeEntry,
  type MergePage,
  type MergePerson,
  type MergeSource,
  type MergeUndo,
  mergedOpenFields,
  mergedValues,
} from "#worker/contract/alumni-merge.ts";
import { isUsed } from "#worker/contract/alumni-book.ts";
import { ALUMNI_FIELDS, type AlumniField, COLUMN_LABELS } from "#worker/contract/alumni-columns.ts";
import { AppError, invalid } from "#worker/contract/errors.ts";
import { DAY_MS } from "#worker/contract/limits.ts";
import { permit, signedIn } from "../access.server.ts";
import { audit } from "../audit.server.ts";
import { conditionFailed, onlyIf } from "../guard.server.ts";
import { undoIsOver } from "./import-undo.server.ts";
import { BEFORE_JSON, ROW_COLUMNS } from "./import-sql.server.ts";
import { bumpRevision, derived, type Person, PERSON_COLUMNS, personView } from "./row.server.ts";

const missing = () => new AppError("NOT_FOUND", { message: "동문을 찾을 수 없습니다." });

function permitMerge(ctx: AppContext): void {
  permit(ctx, { action: "Alumni_Write" });
  permit(ctx, { action: "Alumni_Delete" });
}

/** In the order asked for. @throws AppError NOT_FOUND when one is not there, or in the bin */
async function peopleOf(ctx: AppContext, ids: readonly string[]): Promise<Person[]> {
  const found = await ctx.db
    .select(PERSON_COLUMNS)
    .from(alumni)
    .where(and(inArray(alumni.id, [...ids]), isNull(alumni.deletedDate)));
  return ids.map((id) => {
    const person = found.find((each) => each.id === id);
    if (!person) throw missing();
    return person;
  });
}

/** The rows side by side, for the screen. Needs Alumni_Write and Alumni_Delete, as one of them goes to the bin. */
export async function mergePage(ctx: AppContext, ids: readonly string[]): Promise<MergePage> {
  permitMerge(ctx);
  const people = await peopleOf(ctx, ids);
  ctx.defer(audit(ctx, { action: "alumni.compare", targetType: "alumni", subjectCount: people.length }).run());
  return {
    people: people.map((person) => ({ ...personView(ctx, person), linked: person.ownerUserId !== null })),
    undoDays: ctx.book.undoDays,
  };
}

const toMerge = (person: Person): MergePerson & { createdDate: string } => ({
  ...person,
  createdDate: person.createdDate.toISOString(),
  modifiedDate: person.modifiedDate.toISOString(),
  linked: person.ownerUserId !== null,
});

/**
 * Makes one row of several, in one batch: the kept one gets the chosen values, the others go to the bin and say where
 * they went. What is closed to other members in one is closed in the result. Needs Alumni_Write and Alumni_Delete.
 * @throws AppError CONFLICT when one of them was changed or deleted meanwhile; then nothing happened
 */
export async function mergeAlumni(
  ctx: AppContext,
  input: MergeAlumniInput,
): Promise<{ mergeId: string; id: string; version: number }> {
  permitMerge(ctx);
  const ids = input.people.map((person) => person.id);
  if (new Set(ids).size < ids.length) throw invalid({ people: "같은 동문을 두 번 골랐습니다." });
  if (!ids.includes(input.keepId)) throw invalid({ keepId: "남길 동문은 합칠 동문 가운데 하나여야 합니다." });
  const people = await peopleOf(ctx, ids).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "NOT_FOUND" ? new AppError("CONFLICT") : error;
  });
  const rows = people.map(toMerge);
  const source = sourceOf(rows, inUse(ctx, input.source));
  const values = mergedValues(rows, source);
  refuse(people, values.email);
  if (isMemoTooLong(values)) throw invalid({ memo: "합친 메모가 너무 깁니다. 한쪽의 메모를 골라 주십시오." });
  const openFields = mergedOpenFields(rows);
  const now = ctx.now();
  const mergeId = crypto.randomUUID();
  const lost = ids.filter((id) => id !== input.keepId);
  const kept = people.find((person) => person.id === input.keepId);
  if (!kept) throw new AppError("CONFLICT");
  const given = sql`(SELECT value ->> 'id' AS id, value ->> 'version' AS version FROM json_each(${JSON.stringify(input.people)}))`;
  const current = sql`(SELECT count(*) FROM ${given} g CROSS JOIN alumni a ON a.id = g.id
    WHERE a.version = g.version AND a.deleted_date IS NULL) = ${ids.length}`;
  const merged = { ...kept, ...values };
  try {
    await runBatch(ctx.db, [
      onlyIf(ctx, current),
      ctx.db.insert(alumniMerge).values({
        id: mergeId,
        keptId: input.keepId,
        people: ids.length,
        userId: signedIn(ctx).userId,
        createdDate: now,
      }),
      ctx.db.run(sql`
        INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
        SELECT ${mergeId}, a.id, json_set(${sql.raw(BEFORE_JSON)}, '$.open_fields', a.open_fields), a.version + 1
        FROM alumni a WHERE a.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
      ctx.db
        .update(alumni)
        .set({
          ...values,
          openFields,
          ...derived(merged, openFields),
          modifiedDate: now,
          version: sql`${alumni.version} + 1`,
        })
        .where(eq(alumni.id, input.keepId)),
      ctx.db
        .update(alumni)
        .set({ deletedDate: now, mergedInto: input.keepId, version: sql`${alumni.version} + 1` })
        .where(inArray(alumni.id, lost)),
      bumpRevision(ctx.db),
      audit(ctx, {
        action: "alumni.merge",
        targetType: "alumni",
        targetId: input.keepId,
        subjectCount: ids.length,
        detail: { mergeId, ids, fields: ALUMNI_FIELDS.filter((field) => kept[field] !== values[field]) },
      }),
    ]);
  } catch (error) {
    throw conditionFailed(error) ? new AppError("CONFLICT", { cause: error }) : error;
  }
  const version = (input.people.find((person) => person.id === input.keepId)?.version ?? 0) + 1;
  return { mergeId, id: input.keepId, version };
}

/** Nobody chooses where he sees nothing: what columns hold that are not used is kept by itself. */
const inUse = ({ book }: AppContext, chosen: MergeAlumniInput["source"]): MergeAlumniInput["source"] =>
  Object.fromEntries(Object.entries(chosen).filter(([field]) => isUsed(book, field as AlumniField)));

function sourceOf(rows: readonly MergePerson[], chosen: MergeAlumniInput["source"]): MergeSource {
  for (const [field, id] of Object.entries(chosen)) {
    const known = rows.some((row) => row.id === id) || (field === "memo" && id === "all");
    if (!known) throw invalid({ source: `‘${COLUMN_LABELS[field as keyof MergeSource]}’의 값을 다시 골라 주십시오.` });
  }
  return { ...defaultSource(rows), ...chosen } as MergeSource;
}

/** A member keeps his entry, and two members are two persons. */
function refuse(people: readonly Person[], email: string): void {
  const linked = people.filter((person) => person.ownerUserId !== null);
  if (new Set(linked.map((person) => person.ownerUserId)).size > 1)
    throw invalid({ people: "서로 다른 회원의 정보여서 합칠 수 없습니다." });
  if (linked[0] && linked[0].email !== email)
    throw invalid({ email: "회원이 로그인하는 이메일이므로 이 이메일을 남겨야 합니다." });
}

/** As for imports: the sweep may have forgotten while the days were fewer. */
const isKept = sql`EXISTS (SELECT 1 FROM alumni_before WHERE import_id = alumni_merge.id)`;

/** The merges that can still be taken back, newest first. Needs Alumni_Write. */
export async function listMerges(ctx: AppContext): Promise<MergeEntry[]> {
  permit(ctx, { action: "Alumni_Write" });
  const since = new Date(ctx.now().getTime() - ctx.book.undoDays * DAY_MS);
  const rows = await ctx.db
    .select({
      mergeId: alumniMerge.id,
      keptId: alumniMerge.keptId,
      name: alumni.name,
      people: alumniMerge.people,
      userName: user.userName,
      createdDate: alumniMerge.createdDate,
      undoneDate: alumniMerge.undoneDate,
    })
    .from(alumniMerge)
    .leftJoin(alumni, eq(alumni.id, alumniMerge.keptId))
    .leftJoin(user, eq(user.id, alumniMerge.userId))
    .where(and(gt(alumniMerge.createdDate, since), or(isNotNull(alumniMerge.undoneDate), isKept)))
    .orderBy(desc(alumniMerge.createdDate))
    .limit(20);
  return rows.map(({ name, userName, createdDate, undoneDate, ...row }) => ({
    ...row,
    name: name ?? "",
    userName: userName ?? "",
    createdDate: createdDate.toISOString(),
    undoneDate: undoneDate?.toISOString() ?? null,
  }));
}

/**
 * Takes a merge back in one batch: every row is as it was, with its dates and its privacy. Rows that somebody edited
 * since, or fetched from the bin, stay as they are and are named. Needs Alumni_Write and Alumni_Delete.
 */
export async function undoMerge(ctx: AppContext, mergeId: string): Promise<MergeUndo> {
  permitMerge(ctx);
  const now = ctx.now();
  const [entry] = await ctx.db.select().from(alumniMerge).where(eq(alumniMerge.id, mergeId));
  if (!entry) throw new AppError("NOT_FOUND", { message: "합친 기록을 찾을 수 없습니다." });
  const undone = () => new AppError("CONFLICT", { message: "이미 되돌린 합치기입니다." });
  if (entry.undoneDate) throw undone();
  const before = await ctx.db
    .select({ id: alumniBefore.alumniId })
    .from(alumniBefore)
    .where(eq(alumniBefore.importId, mergeId));
  if (before.length === 0 || entry.createdDate.getTime() + ctx.book.undoDays * DAY_MS <= now.getTime())
    throw undoIsOver(ctx);
  const fields = [...ROW_COLUMNS.slice(1), "open_fields", "modified_date"];
  try {
    const [, kept = [], restored = []] = await runBatch(ctx.db, [
      onlyIf(ctx, sql`EXISTS (SELECT 1 FROM alumni_merge WHERE id = ${mergeId} AND undone_date IS NULL)`),
      ctx.db.all(sql`
        SELECT a.id, a.name FROM alumni_before b CROSS JOIN alumni a ON a.id = b.alumni_id
        WHERE b.import_id = ${mergeId} AND a.version <> b.version_after`),
      ctx.db.all(sql`
        UPDATE alumni SET (${sql.raw(fields.join(", "))}) = (${sql.raw(fields.map((name) => `b."values" ->> '${name}'`).join(", "))}),
          deleted_date = NULL, merged_into = NULL, version = version + 1
        FROM alumni_before b
        WHERE b.import_id = ${mergeId} AND alumni.id = b.alumni_id AND alumni.version = b.version_after
        RETURNING 1 AS one`),
      bumpRevision(ctx.db),
      ctx.db.update(alumniMerge).set({ undoneDate: now }).where(eq(alumniMerge.id, mergeId)),
      audit(ctx, {
        action: "alumni.undoMerge",
        targetType: "alumni",
        targetId: entry.keptId,
        subjectCount: entry.people,
        detail: { mergeId, ids: before.map((row) => row.id) },
      }),
    ]);
    return { restored: restored.length, kept: kept as MergeUndo["kept"] };
  } catch (error) {
    throw conditionFailed(error) ? undone() : error;
  }
}
