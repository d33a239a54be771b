import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_FIELDS, isOfficeField } from "#worker/contract/alumni/columns.ts";
import { isOwnFile, ownFieldsFor, ownFileUrl } from "#worker/contract/alumni/own-fields.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { WITHDRAWN } from "#worker/contract/mail/letters.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { alumniSettings, ownFields } from "./setting.server.ts";
import { CONFIRMATION_COLUMN, readConfirmation } from "./confirmation.server.ts";
import { ALUMNI_PERSON_COLUMNS, bumpAlumniRevision, derivedColumns } from "./row.server.ts";
import { idsIn } from "#db/sql.ts";

/** The entry with the caller's verified e-mail address. The caller authorizes. */
export const ownEntryStatement = (ctx: AppContext) =>
  ctx.db
    .select({ ...ALUMNI_PERSON_COLUMNS, confirmation: CONFIRMATION_COLUMN })
    .from(alumni)
    .where(
      and(
        isNull(alumni.deletedDate),
        ne(alumni.email, ""),
        isNull(alumni.emailHold),
        sql`${alumni.email} = (SELECT user_key_code FROM user_key WHERE user_id = ${requireSignedIn(ctx).userId} AND user_key_type = 'Email' AND verified_date IS NOT NULL)`,
      ),
    )
    .limit(1);

/** Entries with a verified and confirmed e-mail address of the account. */
export const ownEntriesSql = (userId: string | SQL) => sql`(SELECT a.id FROM alumni a
  JOIN user_key ON user_key_type = 'Email' AND user_key_code = a.email AND verified_date IS NOT NULL
  WHERE user_id = ${userId} AND a.deleted_date IS NULL AND a.email <> '' AND a.email_hold IS NULL)`;

export async function exportOwnEntry(ctx: AppContext, userId: string): Promise<Record<string, unknown> | null> {
  authorize(ctx, { action: "User.Self", userId });
  const [person] = await ownEntryStatement(ctx);
  if (!person) return null;
  const fields = ALUMNI_FIELDS.filter((field) => !isOfficeField(field) && isFieldUsed(alumniSettings(ctx), field));
  return Object.fromEntries([
    ...fields.map((field) => [ALUMNI_COLUMN_LABELS[field], person[field]]),
    ...ownFieldsFor(ownFields(ctx), false).map(({ code, name }) => {
      const value = person.own[code] ?? "";
      return [name, isOwnFile(value) ? { fileName: value.fileName, url: ownFileUrl(person.id, code) } : value];
    }),
    ["본인이 확인한 날", readConfirmation(ctx, person, person.confirmation)?.date ?? ""],
  ]);
}

/** Marks the entry of somebody who left, so that it gets no letter. */
export const withdrawEntryStatements = (ctx: AppContext, id: string) =>
  [
    ctx.db
      .update(alumni)
      .set({
        state: WITHDRAWN,
        stateDate: koreanDay(ctx.now()),
        stateNote: "본인이 누리집에서 탈퇴함",
        modifiedDate: ctx.now(),
        version: sql`${alumni.version} + 1`,
      })
      .where(and(eq(alumni.id, id), isNull(alumni.deletedDate))),
    bumpAlumniRevision(ctx.db),
  ] as const;

/** Keeps a leaving member's entry for the office, and closes the fields that they opened. */
export async function unlinkAlumniStatements(ctx: AppContext, emails: readonly string[]) {
  if (emails.length === 0) return [];
  const people = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(idsIn(alumni.email, emails), ne(alumni.email, "")));
  const closed = people.map((person) =>
    ctx.db
      .update(alumni)
      .set({ openFields: [], ...derivedColumns(person, []), version: sql`${alumni.version} + 1` })
      .where(eq(alumni.id, person.id)),
  );
  return closed.length > 0 ? [...closed, bumpAlumniRevision(ctx.db)] : [];
}
