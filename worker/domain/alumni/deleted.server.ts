import { and, desc, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { mailAddress, message } from "#db/schema/mail.ts";
import { alumni } from "#db/schema/alumni.ts";
import { columnsOf } from "#db/sql.ts";
import { makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { alumniBinDays } from "#worker/contract/audit/retention-input.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { keepDestroyedTraces, registerDestroyedPeople } from "../audit/destruction.server.ts";
import { privacySettingStatement, privacySettingView } from "../audit/retention-setting.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";
import { alumniSettings } from "./setting.server.ts";
import { releaseUnusedFiles } from "./own-field.server.ts";
import { endCertificates } from "./certificate.server.ts";
import { tablesThat } from "./person-tables.server.ts";
import { bumpAlumniRevision } from "./row.server.ts";

const PAGE_SIZE = 50;
const idListSql = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
const isDeletedAmong = (ids: readonly string[]) =>
  and(inArray(alumni.id, idListSql(ids)), isNotNull(alumni.deletedDate));
const withMergedIn = (ids: readonly string[]) => sql`(
  WITH RECURSIVE one(id) AS (
    SELECT id FROM alumni WHERE id IN ${idListSql(ids)} AND deleted_date IS NOT NULL
    UNION SELECT merged.id FROM one CROSS JOIN alumni AS merged ON merged.merged_into = one.id AND merged.deleted_date IS NOT NULL
  ) SELECT id FROM one)`;
const deletedAlumniNotFound = () => new AppError("NOT_FOUND", { message: "휴지통에 없는 사람입니다." });

export async function listDeletedAlumni(scope: RequestScope, { page }: { page: number }) {
  const { ctx, rows } = await scope.readFor(
    (reader) => authorize(reader, { action: "Alumni_Delete" }),
    [
      rowsOfPage(
        scope.db
          .select({
            ...columnsOf(alumni, "id", "name", "cohort", "affiliation", "deletedDate"),
            keptId: alumni.mergedInto,
            keptName: sql<string | null>`(SELECT k.name FROM alumni k WHERE k.id = alumni.merged_into)`.as("kept_name"),
          })
          .from(alumni)
          .where(isNotNull(alumni.deletedDate))
          .orderBy(desc(alumni.deletedDate)),
        { page, size: PAGE_SIZE },
      ),
      scope.db
        .select({ count: sql<number>`count(*)`.as("bin_count") })
        .from(alumni)
        .where(isNotNull(alumni.deletedDate)),
      privacySettingStatement(scope.db),
    ],
  );
  const [people, counts, settings] = rows;
  const days = alumniBinDays(privacySettingView(settings[0]).value);
  auditLook(ctx, { action: "alumni.bin" }, people);
  const content = people.flatMap(({ deletedDate, keptId, keptName, ...row }) =>
    deletedDate === null
      ? []
      : {
          ...row,
          deletedDate: deletedDate.toISOString(),
          purgeDate: days !== null ? new Date(deletedDate.getTime() + days * DAY_MS).toISOString() : null,
          mergedInto: keptId && keptName ? { id: keptId, name: keptName } : null,
        },
  );
  return { ...makeCountedPage({ page, size: PAGE_SIZE }, content, counts), binDays: days };
}

export type DeletedAlumniView = View<typeof listDeletedAlumni>;

export async function restoreSeveralAlumni(ctx: AppContext, ids: string[]): Promise<{ restored: number }> {
  authorize(ctx, { action: "Alumni_Delete" });
  const people = await ctx.db.select({ id: alumni.id }).from(alumni).where(isDeletedAmong(ids));
  if (people.length === 0) throw deletedAlumniNotFound();
  const detail = { ids: people.map((person) => person.id) };
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(alumni)
      .set({ deletedDate: null, mergedInto: null, version: sql`${alumni.version} + 1` })
      .where(isDeletedAmong(ids))
      .returning({ id: alumni.id }),
    bumpAlumniRevision(ctx.db),
    ...auditPeople(ctx, { action: "alumni.restore", detail }, people),
  ]);
  return { restored: rows.length };
}

/** Destroys people in the bin, with their import and merge data. Needs Alumni_Delete. */
export async function destroySeveralAlumni(ctx: AppContext, ids: string[]): Promise<{ destroyed: number }> {
  authorize(ctx, { action: "Alumni_Delete" });
  const people = await destroyedWith(ctx, ids);
  if (people.length === 0) throw deletedAlumniNotFound();
  const detail = { ids: people.map((person) => person.id) };
  const [rows] = await runBatch(ctx.db, [
    ctx.db.select({ id: alumni.id }).from(alumni).where(isDeletedAmong(detail.ids)),
    ...forgetAlumniStatements(ctx.db, isDeletedAmong(detail.ids)),
    bumpAlumniRevision(ctx.db),
    ctx.db.delete(alumni).where(isDeletedAmong(detail.ids)),
    registerDestroyedPeople(ctx, detail.ids, {
      kind: "주소록 정보",
      rule: "alumni-bin",
      basis: "휴지통에서 바로 삭제",
    }),
    ...auditPeople(ctx, { action: "alumni.destroy", detail }, people),
    releaseUnusedFiles(ctx.db),
    ...keepAlumniTraces(ctx, people),
  ]);
  ctx.defer(cleanUpFiles(ctx, alumniSettings(ctx).exportHours));
  return { destroyed: rows?.length ?? 0 };
}

/** Merged rows of these people, which an undo can no longer restore. */
export const destroyedWith = (ctx: AppContext, ids: readonly string[]) =>
  ctx.db
    .select(KNOWN_COLUMNS)
    .from(alumni)
    .where(inArray(alumni.id, withMergedIn(ids)));

/** Deletes all other data of the matching people; must precede their deletion in the batch. */
export function forgetAlumniStatements(db: AppContext["db"], people: SQL | undefined) {
  const isGone = (id: SQL) => sql`${id} IN (SELECT id FROM alumni WHERE ${people})`;
  return [
    db
      .delete(message)
      .where(
        sql`${message.onceKey} IN (SELECT 'mailing:' || mailing_id || ':' || person_id FROM mailing_recipient WHERE ${isGone(sql`person_id`)})`,
      ),
    // Keeps the mail state of an address or number that another person shares.
    db.delete(mailAddress).where(
      sql`${mailAddress.address} IN (SELECT email FROM alumni WHERE ${people} UNION ALL SELECT mobile FROM alumni WHERE ${people})
          AND NOT EXISTS (SELECT 1 FROM alumni other WHERE other.email = ${mailAddress.address} AND NOT (${isGone(sql`other.id`)}))
          AND NOT EXISTS (SELECT 1 FROM alumni other WHERE other.deleted_date IS NULL AND other.mobile <> '' AND other.mobile = ${mailAddress.address} AND NOT (${isGone(sql`other.id`)}))
          AND NOT EXISTS (SELECT 1 FROM alumni other WHERE other.deleted_date IS NOT NULL AND other.mobile = ${mailAddress.address} AND NOT (${isGone(sql`other.id`)}))
          AND NOT EXISTS (SELECT 1 FROM user_key WHERE user_key_type IN ('Email', 'Mobile') AND user_key_code = ${mailAddress.address})`,
    ),
    // Names that the office wrote for a payment by hand.
    db.run(sql`UPDATE deposit SET payer = '', note = '' WHERE source = 'hand' AND (id IN (SELECT x.deposit_id
        FROM due d JOIN due_allocation x ON x.due_id = d.id WHERE ${isGone(sql`d.alumni_id`)})
      OR (allocated = 0 AND payer IN (SELECT name FROM alumni WHERE ${people})))`),
    // An import without changed people is not without its undo data: the added ones can still be taken back.
    db.run(sql`UPDATE alumni_import SET undo_started_date = created_date WHERE undo_started_date IS NULL
      AND id IN (SELECT import_id FROM alumni_before WHERE ${isGone(sql`alumni_id`)})
      AND NOT EXISTS (SELECT 1 FROM alumni_before b WHERE b.import_id = alumni_import.id AND NOT ${isGone(sql`b.alumni_id`)})
      AND NOT EXISTS (SELECT 1 FROM alumni_staged s WHERE s.import_id = alumni_import.id AND s.kind IN ('insert', 'update'))`),
    ...tablesThat("destroyed", "delete").flatMap(({ name, columns }) =>
      columns.map((column) => db.run(sql`DELETE FROM ${sql.raw(name)} WHERE ${isGone(sql.raw(column))}`)),
    ),
    ...tablesThat("destroyed", "end").map(() => endCertificates(db, isGone(sql`alumni_id`))),
    // Paid dues are kept for their retention rule.
    ...tablesThat("destroyed", "unpaid").map(({ name }) =>
      db.run(sql`DELETE FROM ${sql.raw(name)} WHERE paid = 0 AND ${isGone(sql`alumni_id`)}`),
    ),
  ];
}

export const KNOWN_COLUMNS = {
  ...columnsOf(alumni, "id", "name", "email", "mobile", "createdDate"),
};

type KnownPerson = Pick<typeof alumni.$inferSelect, keyof typeof KNOWN_COLUMNS>;

export const keepAlumniTraces = (ctx: AppContext, people: readonly KnownPerson[]) =>
  keepDestroyedTraces(
    ctx,
    people.map(({ id, name, email, mobile, createdDate }) => ({
      id,
      type: "alumni",
      since: createdDate,
      knownAs: [name, email, mobile],
    })),
  );
