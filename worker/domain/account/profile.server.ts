import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profileField } from "#db/schema/account.ts";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { SHARED_COLUMN_WORDS, SHARED_COLUMNS } from "#worker/contract/account/shared-columns.ts";
import type { ProfileField } from "#worker/contract/account/view.ts";
import { lookUp, valuesOf } from "#worker/contract/kernel/labels.ts";

export const openProfileFields = (db: Db) =>
  db.select().from(profileField).where(eq(profileField.isClosed, false)).orderBy(asc(profileField.sortOrder));

export function profileFieldView(row: typeof profileField.$inferSelect): ProfileField {
  const { code, name, inputType, required, detail, englishName, englishDetail, sortOrder } = row;
  return { code, name, inputType, required, detail, englishName, englishDetail, order: sortOrder };
}

const SHARED_FIELDS = sql`(SELECT json_group_object(f.code, w.value) FROM profile_field f
  JOIN json_each(${JSON.stringify(SHARED_COLUMNS)}) w ON w.key IN (f.code, lower(replace(f.name, ' ', ''))) WHERE f.input_type = 'text')`;

/** The profile, in which the entry of a joined member gives the values of shared fields. */
export const PROFILE = sql<string>`(SELECT json_patch("user"."profile", json_group_object(f.key, c.value))
  FROM user_key k CROSS JOIN alumni a ON a.email = k.user_key_code AND a.email <> ''
  CROSS JOIN json_each(${SHARED_FIELDS}) f
  CROSS JOIN json_each(json_object(${sql.raw(
    valuesOf(SHARED_COLUMN_WORDS)
      .map((column) => `'${column}', a.${column}`)
      .join(", "),
  )})) c ON c.key = f.value
  WHERE k.user_id = "user"."id" AND k.user_key_type = 'Email' AND k.verified_date IS NOT NULL
    AND a.email_hold IS NULL AND a.deleted_date IS NULL AND c.value <> ''
    AND c.key NOT IN (SELECT off.value FROM site_setting, json_each(site_setting.value, '$.off') off WHERE site_setting.key = 'alumni'))`;

export const profileText = ({ profile }: { profile: string }, code: string) =>
  ownFieldValueText(lookUp(JSON.parse(profile) as Record<string, unknown>, code));
