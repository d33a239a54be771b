import { type SQL, sql } from "drizzle-orm";
import { backupTrace, destroyedTrace } from "#db/schema/audit.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

interface DestroyedPerson {
  id: string;
  type: "user" | "alumni";
  since: Date;
  knownAs: readonly (string | null | undefined)[];
}

const PHONE = /^[+\d().-]{9,20}$/;

/** Normalizes spaces and case, and the digits of phone numbers. */
function spelledAlike(value: string): string {
  const text = normaliseUnicode(value, "NFC").toLowerCase().replaceAll(/\s/g, "");
  return PHONE.test(text) ? text.replaceAll(/\D/g, "") : text;
}

/** Keyed hash, so that no one can derive or guess the value without the site's key. */
export const traceDigest = (ctx: Pick<AppContext, "tokens">, value: string) =>
  ctx.tokens.hash("trace", spelledAlike(value));

export const exportedIds = sql`(SELECT j.value FROM export_subject AS e, json_each(e.ids) AS j)`;

/** Checks whether a backup that exists or is running contains rows since then. */
export const isHeldByBackup = (since: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= ${since})`;

/** Keeps digests of destroyed people in exports and backups, so that a later leak can be traced to them. */
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
  // Values follow the column order of the tables.
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

export const destroyedBetween = (at: Date): SQL =>
  sql`since_date <= ${at.getTime()} AND created_date > ${at.getTime()}`;

/** Moves digests of a released backup's destroyed people to the traces; for the batch of that release. */
export const keepBackupTraces = (ctx: AppContext, at: Date) =>
  ctx.db
    .insert(destroyedTrace)
    .select(sql`SELECT digest, subject_id, ${ctx.now().getTime()} FROM backup_trace WHERE ${destroyedBetween(at)}`)
    .onConflictDoNothing();

export const dropBackupTraces = (db: AppContext["db"]) =>
  db
    .delete(backupTrace)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= since_date AND started_date < backup_trace.created_date)`,
    );

export const destroyedPeopleSql = (digest: string): SQL =>
  sql`SELECT subject_id FROM destroyed_trace WHERE digest = ${digest}`;
