import { alumniSettings, ownFields } from "./setting.server.ts";
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { user } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { alumniMerge } from "#db/schema/alumni-import.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import type { MergeAlumniInput } from "#worker/contract/alumni/input.ts";
import {
  defaultMergeSource,
  isMemoTooLong,
  MERGE_MAX,
  mergeOpenFields,
  mergeOwnValues,
  type MergePerson,
  type MergeSource,
  mergeValues,
} from "#worker/contract/alumni/duplicate.ts";
import { joinDues } from "#worker/contract/alumni/dues/joined-dues.ts";
import { isBookFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, columnLabel, isSameOwnValue } from "#worker/contract/alumni/own-fields.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { daysLater, oldestWithin } from "#worker/contract/kernel/day-ends.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless, isBatchAborted, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { mergeConfirmationStatements } from "./confirmation.server.ts";
import { storeDeed } from "./deed/deed-tables.server.ts";
import { storePeopleAfter, undoPeople } from "./deed/undo-people.server.ts";
import { undoRows } from "./deed/undo-rows.server.ts";
import { seesDues } from "./dues/person.server.ts";
import { mergedDuesStatement, mergeDuesStatements } from "./dues/work.server.ts";
import { undoExpired } from "./import/undo.server.ts";
import { ROW_BEFORE_JSON } from "./own-value.server.ts";
import { mergeTableStatements } from "./person-tables.server.ts";
import {
  ALUMNI_PERSON_COLUMNS,
  type AlumniPerson,
  alumniRowView,
  bumpAlumniRevision,
  derivedColumns,
} from "./row.server.ts";

const alumniNotFound = () => new AppError("NOT_FOUND", { message: "주소록에 없는 사람입니다." });

function authorizeMerge(ctx: AppContext): void {
  authorize(ctx, { action: "Alumni_Write" });
  authorize(ctx, { action: "Alumni_Delete" });
}

/** Keeps the given order. @throws AppError NOT_FOUND for a missing or deleted person */
async function requirePeople(ctx: AppContext, ids: readonly string[]): Promise<AlumniPerson[]> {
  const found = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(inArray(alumni.id, [...ids]), isNull(alumni.deletedDate)));
  return ids.map((id) => {
    const person = found.find((each) => each.id === id);
    if (!person) throw alumniNotFound();
    return person;
  });
}

export async function getMergePage(ctx: AppContext, ids: readonly string[]) {
  authorizeMerge(ctx);
  const [people, dues] = await Promise.all([requirePeople(ctx, ids), mergedDuesStatement(ctx.db, ids)]);
  auditLook(ctx, { action: "alumni.compare" }, people);
  const countOf = (id: string) => dues.filter(({ alumniId }) => alumniId === id).length;
  return {
    people: people.map((person) => ({ ...alumniRowView(ctx, person), linked: person.ownerUserId !== null })),
    dueCounts: Object.fromEntries(ids.map((id) => [id, countOf(id)])),
    /** With amounts, for holders of Dues_Manage. */
    joinedDues: seesDues(ctx) ? joinDues(dues) : null,
    undoDays: alumniSettings(ctx).undoDays,
    own: [...ownFields(ctx)],
  };
}

export type MergePage = View<typeof getMergePage>;

const mergePersonOf = (person: AlumniPerson): MergePerson & { createdDate: string } => ({
  ...person,
  createdDate: person.createdDate.toISOString(),
  modifiedDate: person.modifiedDate.toISOString(),
  linked: person.ownerUserId !== null,
});

/**
 * Merges rows in one batch and bins the others; a field closed in one stays closed. Needs Alumni_Write and
 * Alumni_Delete. @throws AppError CONFLICT when a row changed meanwhile
 */
export async function mergeAlumni(
  ctx: AppContext,
  input: MergeAlumniInput,
): Promise<{ mergeId: string; id: string; version: number }> {
  authorizeMerge(ctx);
  const ids = input.people.map((person) => person.id);
  if (new Set(ids).size < ids.length) throw invalidInput({ people: "같은 사람을 두 번 골랐습니다." });
  if (!ids.includes(input.keepId)) throw invalidInput({ keepId: "남길 사람은 합칠 사람 가운데 하나여야 합니다." });
  const people = await requirePeople(ctx, ids).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "NOT_FOUND" ? new AppError("CONFLICT") : error;
  });
  const rows = people.map(mergePersonOf);
  const source = mergeSourceOf(ctx, rows, usedSources(ctx, input.source));
  const values = mergeValues(rows, source);
  const own = mergeOwnValues(rows, source);
  refuseMerge(people, values.email);
  if (isMemoTooLong(values)) throw invalidInput({ memo: "합친 메모가 너무 깁니다. 한쪽의 메모를 골라 주십시오." });
  const openFields = mergeOpenFields(rows);
  const now = ctx.now();
  const mergeId = crypto.randomUUID();
  const lost = ids.filter((id) => id !== input.keepId);
  const kept = people.find((person) => person.id === input.keepId);
  if (!kept) throw new AppError("CONFLICT");
  const given = sql`(SELECT value ->> 'id' AS id, value ->> 'version' AS version FROM json_each(${JSON.stringify(input.people)}))`;
  const current = sql`(SELECT count(*) FROM ${given} g CROSS JOIN alumni a ON a.id = g.id
    WHERE a.version = g.version AND a.deleted_date IS NULL) = ${ids.length}`;
  const merged = { ...kept, ...values };
  const version = (input.people.find((person) => person.id === input.keepId)?.version ?? 0) + 1;
  const answer = { mergeId, id: input.keepId, version };
  const [confirmations, dues] = await Promise.all([
    mergeConfirmationStatements(ctx, { ...merged, own }, ids),
    mergedDuesStatement(ctx.db, lost),
  ]);
  try {
    await runBatch(ctx.db, [
      abortBatchUnless(ctx, current),
      ctx.db.insert(alumniMerge).values({
        id: mergeId,
        keptId: input.keepId,
        people: ids.length,
        userId: requireSignedIn(ctx).userId,
        createdDate: now,
      }),
      ctx.db.run(sql`
        INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
        SELECT ${mergeId}, a.id, ${sql.raw(ROW_BEFORE_JSON)}, a.version + 1
        FROM alumni a WHERE a.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
      ctx.db
        .update(alumni)
        .set({
          ...values,
          ...(values.email === kept.email && people.every(({ ownerUserId }) => ownerUserId === null)
            ? {}
            : { emailHold: null }),
          own,
          openFields,
          ...derivedColumns(merged, openFields),
          modifiedDate: now,
          version: sql`${alumni.version} + 1`,
        })
        .where(eq(alumni.id, input.keepId)),
      ctx.db
        .update(alumni)
        .set({ deletedDate: now, mergedInto: input.keepId, version: sql`${alumni.version} + 1` })
        .where(inArray(alumni.id, lost)),
      storePeopleAfter(ctx, mergeId),
      ...storeDeed(ctx, mergeId, personRows(ids), [
        ...mergeDuesStatements(ctx, input.keepId, ids),
        ...confirmations,
        ...mergeTableStatements(ctx, input.keepId, lost),
      ]),
      bumpAlumniRevision(ctx.db),
      ...auditPeople(
        ctx,
        {
          action: "alumni.merge",
          targetId: input.keepId,
          detail: {
            mergeId,
            ids,
            fields: [
              ...ALUMNI_FIELDS.filter((field) => kept[field] !== values[field]),
              ...ownFields(ctx).flatMap(({ code, name }) => (isSameOwnValue(kept.own[code], own[code]) ? [] : [name])),
            ],
            ...(dues.length > 0 && { dues: dues.map(({ period, kindName }) => `${period} ${kindName}`) }),
          },
        },
        ids,
      ),
      ...storeIdempotentAnswer(ctx, answer),
    ]);
  } catch (error) {
    throw isBatchAborted(error) ? new AppError("CONFLICT", { cause: error }) : error;
  }
  return answer;
}

/** Ignores choices for unused columns, which the page does not show. */
const usedSources = (ctx: AppContext, chosen: MergeAlumniInput["source"]): MergeAlumniInput["source"] =>
  Object.fromEntries(
    Object.entries(chosen).filter(([field]) =>
      isBookFieldUsed(alumniSettings(ctx), ownFields(ctx), field as AlumniFieldCode),
    ),
  );

function mergeSourceOf(ctx: AppContext, rows: readonly MergePerson[], chosen: MergeAlumniInput["source"]): MergeSource {
  for (const [field, id] of Object.entries(chosen)) {
    const known = rows.some((row) => row.id === id) || (field === "memo" && id === "all");
    if (!known)
      throw invalidInput({
        source: `‘${columnLabel(field as AlumniFieldCode, ownFields(ctx))}’의 값을 다시 골라 주십시오.`,
      });
  }
  return { ...defaultMergeSource(rows), ...chosen } as MergeSource;
}

/** Keeps a member's entry, and never merges two members. */
function refuseMerge(people: readonly AlumniPerson[], email: string): void {
  const linked = people.filter((person) => person.ownerUserId !== null);
  if (new Set(linked.map((person) => person.ownerUserId)).size > 1)
    throw invalidInput({ people: "서로 다른 회원의 정보여서 합칠 수 없습니다." });
  if (linked[0] && linked[0].email !== email)
    throw invalidInput({ email: "회원이 로그인하는 이메일이므로 이 이메일을 남겨야 합니다." });
}

/** Rows that a merge may change, of all these people. */
function personRows(ids: readonly string[]) {
  const theirs = sql`t.alumni_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return {
    due: theirs,
    allocation: sql`t.due_id IN (SELECT id FROM due AS t WHERE ${theirs})`,
    payer: theirs,
    listed: theirs,
    certificate: theirs,
    correction: theirs,
    confirmation: theirs,
  };
}

/** The clean-up may have deleted merge data while the undo period was shorter. */
export const isMergeKept = sql`(EXISTS (SELECT 1 FROM alumni_before WHERE import_id = alumni_merge.id)
  OR EXISTS (SELECT 1 FROM deed_row WHERE deed_id = alumni_merge.id))`;

export async function listMerges(ctx: AppContext) {
  authorize(ctx, { action: "Alumni_Write" });
  const now = ctx.now();
  const { undoDays } = alumniSettings(ctx);
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
    .where(
      and(gt(alumniMerge.createdDate, oldestWithin(now, undoDays)), or(isNotNull(alumniMerge.undoneDate), isMergeKept)),
    )
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

export type MergeEntry = View<typeof listMerges>[number];

/** Stores the rows that a merge by earlier code moved, which listed them with the values of each person. */
const storeEarlierRows = (ctx: AppContext, { id, keptId }: Pick<typeof alumniMerge.$inferSelect, "id" | "keptId">) =>
  ctx.db.run(sql`INSERT OR IGNORE INTO deed_row (deed_id, table_name, row_key, alumni_id, before, after)
    SELECT ${id}, t.value ->> 0, json_array(c.value), b.alumni_id, json_object('alumni_id', b.alumni_id), json_object('alumni_id', ${keptId})
    FROM alumni_before b, json_each('[["alumni_certificate", "$.certificates"], ["alumni_correction", "$.corrections"]]') t,
      json_each(b."values", t.value ->> 1) c
    WHERE b.import_id = ${id} AND b.after IS NULL`);

/**
 * Reverts a merge in one batch; rows edited or restored since are kept and listed. Needs Alumni_Write and
 * Alumni_Delete.
 */
export async function undoMerge(ctx: AppContext, mergeId: string) {
  authorizeMerge(ctx);
  const now = ctx.now();
  const [entry] = await ctx.db.select().from(alumniMerge).where(eq(alumniMerge.id, mergeId));
  if (!entry) throw new AppError("NOT_FOUND", { message: "합친 기록을 찾을 수 없습니다." });
  const undone = () => new AppError("CONFLICT", { message: "이미 되돌린 합치기입니다." });
  if (entry.undoneDate) throw undone();
  const isKeptYet = await ctx.db.all<{ id: string; isEarlier: number }>(
    sql`SELECT alumni_id AS id, max(is_earlier) AS isEarlier FROM (
      SELECT alumni_id, after IS NULL AS is_earlier FROM alumni_before WHERE import_id = ${mergeId}
      UNION ALL SELECT alumni_id, 0 FROM deed_row WHERE deed_id = ${mergeId} AND alumni_id <> '') GROUP BY 1`,
  );
  if (isKeptYet.length === 0 || daysLater(entry.createdDate, alumniSettings(ctx).undoDays) < now)
    throw undoExpired(ctx);
  if (isKeptYet.some(({ isEarlier }) => isEarlier === 1)) await storeEarlierRows(ctx, entry);
  const people = await undoPeople(ctx, entry, MERGE_MAX);
  const rows = await undoRows(ctx, mergeId, new Map(people.kept.map(({ id, reason }) => [id, reason])));
  const isOpen = {
    holds: sql`EXISTS (SELECT 1 FROM alumni_merge WHERE id = ${mergeId} AND undone_date IS NULL)`,
    error: undone,
  };
  const isLeft = people.kept.length > 0 || rows.isLeft;
  await runGuardedBatch(
    ctx,
    [isOpen, ...people.guards, ...rows.guards],
    [
      ...people.statements,
      ...rows.statements,
      bumpAlumniRevision(ctx.db),
      ...(isLeft ? [] : [ctx.db.update(alumniMerge).set({ undoneDate: now }).where(eq(alumniMerge.id, mergeId))]),
      ...auditPeople(
        ctx,
        {
          action: "alumni.undoMerge",
          targetId: entry.keptId,
          detail: { mergeId, ids: isKeptYet.map((row) => row.id) },
        },
        isKeptYet,
      ),
    ],
  );
  const named = new Set(people.kept.map(({ id }) => id));
  return {
    restored: people.restored.length,
    removed: rows.removed,
    kept: [...people.kept, ...rows.kept.filter(({ id }) => !named.has(id))],
  };
}
