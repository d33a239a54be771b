import { and, inArray, lt, ne, not, sql } from "drizzle-orm";
import { file, itemDraft } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { DAY_MS } from "#worker/contract/limits.ts";

const BATCH = 90;

/** Does a draft still refer to the file? */
const drafted = sql`EXISTS (SELECT 1 FROM ${itemDraft}, json_each(${itemDraft.fileIds}) WHERE ${itemDraft.userId} = ${file.ownerUserId} AND json_each.value = ${file.id})`;

/** Removes uploads that neither an item nor a draft refers to after 24 hours: the object first, so that a failure leaves a row to try again. */
export async function sweepFiles(ctx: Pick<AppContext, "db" | "files" | "now">): Promise<void> {
  const before = new Date(ctx.now().getTime() - DAY_MS);
  const loose = await ctx.db
    .select({ id: file.id, storageKey: file.storageKey })
    .from(file)
    .where(and(ne(file.status, "attached"), lt(file.createdDate, before), not(drafted)))
    .limit(BATCH);
  if (loose.length === 0) return;
  await ctx.files.delete(loose.map((row) => row.storageKey));
  await ctx.db.delete(file).where(
    and(
      ne(file.status, "attached"),
      inArray(
        file.id,
        loose.map((row) => row.id),
      ),
    ),
  );
}
