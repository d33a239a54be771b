import { sql } from "drizzle-orm";
import { boardItem, boardItemRevision } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";

/** What the item was before anybody edited it: once, in front of the update of exactly this version. */
export function keepOriginalRevision(ctx: AppContext, itemId: number, version: number) {
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, created_user_id, created_user_name, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND ${boardItem.version} = ${version} AND NOT EXISTS (SELECT 1 FROM ${boardItemRevision} WHERE ${boardItemRevision.itemId} = ${itemId})`,
    );
}

/** What it is now and who made it so: right behind the update, and only if that took place. */
export function keepRevision(ctx: AppContext, itemId: number) {
  const me = requireSignedIn(ctx);
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, ${me.userId}, ${me.userName}, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND changes() > 0`,
    );
}
