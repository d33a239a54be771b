import { and, inArray, lt, ne } from "drizzle-orm";
import { file } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { DAY_MS } from "#worker/contract/limits.ts";

const BATCH = 90;

/** Removes uploads that nothing refers to after 24 hours: the object first, so that a failure leaves a row to try again. */
export async function sweepFiles(ctx: Pick<AppContext, "db" | "files" | "now">): Promise<void> {
  const before = new Date(ctx.now().getTime() - DAY_MS);
  const loose = await ctx.db
    .select({ id: file.id, storageKey: file.storageKey })
    .from(file)
    .where(and(ne(file.status, "attached"), lt(file.createdDate, before)))
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
