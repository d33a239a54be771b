import { type SQL, sql } from "drizzle-orm";
import { backupTrace, destroyedTrace } from "#db/schema/audit.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

/** Somebody who is about to be destroyed, with what the office may still know of them afterwards. */
export interface DestroyedPerson {
  id: string;
  type: "user" | "alumni";
  /** When they came. */
  since: Date;
  knownAs: readonly (string | null | undefined)[];
}

const PHONE = /^[+\d().-]{9,20}$/;

/** However a name or number is spaced, and in whatever case an address is typed, it is one. */
function spelledAlike(value: string): string {
  const text = normaliseUnicode(value, "NFC").toLowerCase().replaceAll(/\s/g, "");
  return PHONE.test(text) ? text.replaceAll(/\D/g, "") : text;
}

/** Only whoever has the site's key can make it, and nobody can read from it what it was made of. */
export const traceDigest = (ctx: Pick<AppContext, "tokens">, value: string) =>
  ctx.tokens.hash("trace", spelledAlike(value));

/** Whose rows were taken out with exports that are on record still. */
export const exportedIds = sql`(SELECT j.value FROM export_subject AS e, json_each(e.ids) AS j)`;

/** Does a backup that may still be downloaded, or is being made, hold whoever is there since then? */
export const isHeldByBackup = (since: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= ${since})`;

/**
 * For the batch that destroys them: of who stands in an export, that they were in it is known still after a leak; of who
 * stands in a backup, it will be should that go out.
 */
export function keepDestroyedTraces(ctx: AppContext, people: readonly DestroyedPerson[]) {
  const now = ctx.now().getTime();
  const rows = people.flatMap(({ id, type, since, knownAs }) =>
    [...new Set(knownAs.flatMap((value) => (value?.trim() ? traceDigest(ctx, value) : [])))].map((digest) => [
      digest,
      id,
      type,
      since.getTime(),
    ]),
  );
  // In the order of the tables' columns.
  return jsonArrays(rows).flatMap((json) => [
    ctx.db
      .insert(destroyedTrace)
      .select(sql`SELECT value ->> 0, value ->> 1, ${now} FROM json_each(${json}) WHERE value ->> 1 IN ${exportedIds}`)
      .onConflictDoNothing(),
    ctx.db
      .insert(backupTrace)
      .select(
        sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${now} FROM json_each(${json}) WHERE ${isHeldByBackup(sql`value ->> 3`)}`,
      )
      .onConflictDoNothing(),
  ]);
}

/** Who stood there at that time and is gone since. */
export const goneSince = (at: Date): SQL => sql`since_date <= ${at.getTime()} AND created_date > ${at.getTime()}`;

/** For the batch in which a backup of that time goes out: whoever it holds and is gone is found by what was known of them. */
export const keepBackupTraces = (ctx: AppContext, at: Date) =>
  ctx.db
    .insert(destroyedTrace)
    .select(sql`SELECT digest, subject_id, ${ctx.now().getTime()} FROM backup_trace WHERE ${goneSince(at)}`)
    .onConflictDoNothing();

/** Of whom no kept backup holds any more. */
export const dropBackupTraces = (db: AppContext["db"]) =>
  db
    .delete(backupTrace)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= since_date AND started_date < backup_trace.created_date)`,
    );

/** Ids of the people who were known so and are gone. */
export const destroyedPeopleSql = (digest: string): SQL =>
  sql`SELECT subject_id FROM destroyed_trace WHERE digest = ${digest}`;
