import { and, isNotNull, lt, sql } from "drizzle-orm";
import { alumni, alumniBefore } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { ALUMNI, DAY_MS } from "#worker/contract/limits.ts";

/** Empties the bin after 30 days, and forgets what imports replaced once they cannot be taken back. */
export async function sweepAlumni(ctx: Pick<AppContext, "db" | "now">): Promise<void> {
  const now = ctx.now().getTime();
  const undoEnd = now - ALUMNI.undoDays * DAY_MS;
  await ctx.db.batch([
    ctx.db
      .delete(alumni)
      .where(and(isNotNull(alumni.deletedDate), lt(alumni.deletedDate, new Date(now - ALUMNI.binDays * DAY_MS)))),
    ctx.db
      .delete(alumniBefore)
      .where(sql`${alumniBefore.importId} IN (SELECT id FROM alumni_import WHERE created_date < ${undoEnd})`),
  ]);
}
