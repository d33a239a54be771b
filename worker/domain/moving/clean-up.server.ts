import { and, eq, inArray, sql } from "drizzle-orm";
import { moving, movingArchive, movingIssue } from "#db/schema/moving.ts";
import { firstOfKoreanDay } from "#worker/contract/kernel/day-ends.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { readAges } from "../audit/ages.server.ts";
import { dropArchive } from "./archive.server.ts";
import { clearWorkStatements } from "./commit-archives.server.ts";

/** Per run; only one move is active at a time. */
const MOVES = 5;

/**
 * Deletes archives with personal data of failed or abandoned moves, and skip lists after the undo period. Keeps the map
 * of old addresses.
 */
export async function cleanUpMovings(ctx: AppContext): Promise<void> {
  const now = ctx.now();
  const ages = await readAges(ctx);
  const abandoned = ages.before("abandoned-move", MOVING_LIMITS.abandonedDays * DAY_MS).getTime();
  const undoEnd = firstOfKoreanDay(ages.before("skip-list", MOVING_LIMITS.undoDays * DAY_MS)).getTime();
  const ENDED = ["cancelled", "failed"] as const;
  const [left] = await ctx.db.batch([
    ctx.db
      .update(moving)
      .set({ status: "cancelled", endedDate: now, version: sql`${moving.version} + 1` })
      .where(and(inArray(moving.status, ["uploading", "checked"]), sql`${moving.createdDate} <= ${abandoned}`))
      .returning({ id: moving.id }),
    ctx.db
      .delete(movingIssue)
      .where(
        sql`${movingIssue.movingId} IN (SELECT id FROM moving WHERE committed_date < ${undoEnd} AND status = 'committed')`,
      ),
  ]);
  const ended = await ctx.db
    .selectDistinct({ id: moving.id })
    .from(moving)
    .innerJoin(movingArchive, eq(movingArchive.movingId, moving.id))
    .where(inArray(moving.status, [...ENDED]))
    .limit(MOVES);
  for (const id of new Set([...left, ...ended].map((row) => row.id))) {
    const archives = await ctx.db.select().from(movingArchive).where(eq(movingArchive.movingId, id));
    for (const archive of archives) await dropArchive(ctx, archive);
    await ctx.db.$client.batch(clearWorkStatements(ctx.db.$client, id));
  }
}
