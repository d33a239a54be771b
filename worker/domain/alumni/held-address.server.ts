import { asc, eq, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { decideHeldAddressInput, listHeldAddressesQuery } from "#worker/contract/alumni/representative-input.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { ALUMNI_PERSON_COLUMNS, bumpAlumniRevision, derivedColumns } from "./row.server.ts";
import { mayBeSent } from "./segment.server.ts";
import { authorizeOffice } from "./setting.server.ts";

/** An imported address of somebody with no trusted one that takes a question: the office decides. */
const IS_UNDECIDED = sql`(alumni.email_hold IS NOT NULL AND alumni.deleted_date IS NULL
  AND NOT (alumni.email_hold <> '' AND ${mayBeSent("email")}))`;

export const undecidedAddressesStatement = (db: RequestScope["db"]) => countRows(db, alumni, IS_UNDECIDED);

export async function countHeldAddresses(scope: RequestScope): Promise<number> {
  const { rows } = await scope.readFor(authorizeOffice, [undecidedAddressesStatement(scope.db)]);
  return rows[0][0]?.count ?? 0;
}

export async function listHeldAddresses(scope: RequestScope, query: Parsed<typeof listHeldAddressesQuery>) {
  const { ctx, rows } = await scope.readFor(authorizeOffice, [
    rowsOfPage(
      scope.db
        .select({
          id: alumni.id,
          name: alumni.name,
          cohort: alumni.cohort,
          affiliation: alumni.affiliation,
          email: alumni.email,
          trusted: sql<string>`coalesce(${alumni.emailHold}, '')`.as("trusted_email"),
          version: alumni.version,
        })
        .from(alumni)
        .where(IS_UNDECIDED)
        .orderBy(asc(alumni.name), asc(alumni.id)),
      query,
    ),
    undecidedAddressesStatement(scope.db),
  ]);
  const entry = { action: "alumni.held", detail: { page: query.page } } as const;
  auditLook(
    ctx,
    entry,
    rows[0].map(({ id }) => id),
  );
  return makeCountedPage(query, rows[0], rows[1]);
}

export type HeldAddressRow = View<typeof listHeldAddresses>["content"][number];

/** Trusts the imported address, or puts the one before back. @throws AppError NOT_FOUND, CONFLICT */
export async function decideHeldAddress(
  ctx: AppContext,
  id: string,
  { decision, version }: Parsed<typeof decideHeldAddressInput>,
): Promise<Record<string, never>> {
  authorizeOffice(ctx);
  const [person] = await ctx.db
    .select({ ...ALUMNI_PERSON_COLUMNS, emailHold: alumni.emailHold })
    .from(alumni)
    .where(sql`${alumni.id} = ${id} AND ${IS_UNDECIDED}`);
  if (!person) throw conflict("이미 정하였거나 확인할 것이 없는 이메일입니다. 화면을 새로 고쳐 주십시오.");
  const email = decision === "keep" ? person.email : (person.emailHold ?? "");
  const stillHeld = {
    holds: sql`${unchanged(alumni, id, version)} AND EXISTS (SELECT 1 FROM alumni WHERE alumni.id = ${id} AND ${IS_UNDECIDED})`,
    error: () => conflict(),
  };
  await runGuardedBatch(ctx, stillHeld, [
    ctx.db
      .update(alumni)
      .set({
        email,
        emailHold: null,
        ...derivedColumns({ ...person, email }, person.openFields),
        modifiedDate: ctx.now(),
        version: version + 1,
      })
      .where(eq(alumni.id, id)),
    bumpAlumniRevision(ctx.db),
    audit(ctx, {
      action: "alumni.update",
      targetId: id,
      subjectCount: 1,
      detail: { fields: email === person.email ? [] : ["email"], heldAddress: decision },
    }),
  ]);
  return {};
}
