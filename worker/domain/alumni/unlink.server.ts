import { idsIn } from "#db/sql.ts";
import { and, eq, ne, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { bumpAlumniRevision, derivedColumns, ALUMNI_PERSON_COLUMNS } from "./row.server.ts";

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
