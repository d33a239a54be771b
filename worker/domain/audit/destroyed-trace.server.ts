import { type SQL, sql } from "drizzle-orm";
import { destroyedTrace } from "#db/schema/audit.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

/** Somebody who is about to be destroyed, with what the office may still know of them afterwards. */
export interface DestroyedPerson {
  id: string;
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

/** Of those alone who stand in an export, for the batch that destroys them: after a leak it is known still that they were in it. */
export function keepDestroyedTraces(ctx: AppContext, people: readonly DestroyedPerson[]) {
  const rows = people.flatMap(({ id, knownAs }) =>
    [...new Set(knownAs.flatMap((value) => (value?.trim() ? traceDigest(ctx, value) : [])))].map((digest) => [
      digest,
      id,
    ]),
  );
  // In the order of the table's columns.
  return jsonArrays(rows).map((json) =>
    ctx.db
      .insert(destroyedTrace)
      .select(
        sql`SELECT value ->> 0, value ->> 1, ${ctx.now().getTime()} FROM json_each(${json}) WHERE value ->> 1 IN ${exportedIds}`,
      )
      .onConflictDoNothing(),
  );
}

/** Ids of the people who were known so and are gone. */
export const destroyedPeopleSql = (digest: string): SQL =>
  sql`SELECT subject_id FROM destroyed_trace WHERE digest = ${digest}`;
