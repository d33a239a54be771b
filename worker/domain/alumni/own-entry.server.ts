import { and, isNull, ne, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { isOwnFile, ownFieldsFor, ownFileUrl } from "#worker/contract/alumni/own-fields.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { alumniSettings, ownFields } from "./alumni-settings.server.ts";
import { CONFIRMATION_COLUMN, readConfirmation } from "./confirmation.server.ts";
import { ALUMNI_PERSON_COLUMNS } from "./row.server.ts";

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

export async function exportOwnEntry(ctx: AppContext, userId: string): Promise<Record<string, unknown> | null> {
  authorize(ctx, { action: "User.Self", userId });
  const [person] = await ownEntryStatement(ctx);
  if (!person) return null;
  const fields = ALUMNI_FIELDS.filter((field) => field !== "memo" && isFieldUsed(alumniSettings(ctx), field));
  return Object.fromEntries([
    ...fields.map((field) => [ALUMNI_COLUMN_LABELS[field], person[field]]),
    ...ownFieldsFor(ownFields(ctx), false).map(({ code, name }) => {
      const value = person.own[code] ?? "";
      return [name, isOwnFile(value) ? { fileName: value.fileName, url: ownFileUrl(person.id, code) } : value];
    }),
    ["본인이 확인한 날", readConfirmation(ctx, person, person.confirmation)?.date ?? ""],
  ]);
}
