import { and, asc, gt, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { AlumniAddresses } from "#worker/contract/alumni/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditLook } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";

/** People per call, about 200 kB. */
const PAGE = 2000;

/**
 * Addresses for the check in the browser against the office's road-name file; fixes return as an import. Needs
 * Alumni_Import and Alumni_Write.
 */
export async function listAddresses(
  ctx: AppContext,
  { after }: { after?: string | undefined },
): Promise<AlumniAddresses> {
  authorize(ctx, { action: "Alumni_Import" });
  authorize(ctx, { action: "Alumni_Write" });
  const people = await ctx.db
    .select({ id: alumni.id, name: alumni.name, zipCode: alumni.zipCode, address: alumni.address })
    .from(alumni)
    .where(
      and(
        isNull(alumni.deletedDate),
        after === undefined ? undefined : gt(alumni.id, after),
        sql`(${alumni.address} <> '' OR ${alumni.zipCode} <> '')`,
      ),
    )
    .orderBy(asc(alumni.id))
    .limit(PAGE);
  auditLook(ctx, { action: "alumni.list", targetType: "alumni", detail: { page: 1, filtered: true } }, people);
  return { people, next: people.length === PAGE ? (people.at(-1)?.id ?? null) : null };
}
