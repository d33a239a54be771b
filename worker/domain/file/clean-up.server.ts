import { idsIn } from "#db/sql.ts";
import { and, eq, inArray, lt, ne, not, or, sql } from "drizzle-orm";
import { itemDraft } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { readAges } from "../audit/ages.server.ts";
import { storageKeysOf } from "./picture.server.ts";

const BATCH = 90;

const isInDraft = sql`EXISTS (SELECT 1 FROM ${itemDraft}, json_each(${itemDraft.fileIds}) WHERE ${itemDraft.userId} = ${file.ownerUserId} AND json_each.value = ${file.id})`;

/**
 * Deletes unreferenced uploads after 24 hours and expired exports. Claiming rows first prevents attaching them;
 * deleting them last allows a retry. @param exportHours lifetime of an address book export
 */
export async function cleanUpFiles(ctx: Pick<AppContext, "db" | "files" | "now">, exportHours: number): Promise<void> {
  const ages = await readAges(ctx);
  const loose = ctx.db
    .select({ id: file.id })
    .from(file)
    .where(
      and(
        ne(file.status, "attached"),
        or(
          eq(file.status, "swept"),
          and(
            eq(file.purpose, "alumni-export"),
            lt(file.createdDate, ages.before("address-book-export", exportHours * HOUR_MS)),
          ),
          and(lt(file.createdDate, ages.before("upload")), not(isInDraft)),
        ),
      ),
    )
    .limit(BATCH);
  const claimed = await ctx.db
    .update(file)
    .set({ status: "swept" })
    .where(inArray(file.id, loose))
    .returning({ id: file.id, storageKey: file.storageKey, fileName: file.fileName });
  if (claimed.length === 0) return;
  await ctx.files.delete(claimed.flatMap(storageKeysOf));
  const ids = claimed.map((row) => row.id);
  await ctx.db.delete(file).where(and(eq(file.status, "swept"), idsIn(file.id, ids)));
}
