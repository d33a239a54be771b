import { sql } from "drizzle-orm";
import { boardItem, boardItemRevision } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";

/** Saves the original before its first edit; must precede the update of this version. */
export function keepOriginalRevision(ctx: AppContext, itemId: number, version: number) {
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, created_user_id, created_user_name, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND ${boardItem.version} = ${version} AND NOT EXISTS (SELECT 1 FROM ${boardItemRevision} WHERE ${boardItemRevision.itemId} = ${itemId})`,
    );
}

/** Saves the new version and its editor; must directly follow the update, whose success it checks. */
export function keepRevision(ctx: AppContext, itemId: number) {
  const me = requireSignedIn(ctx);
  return ctx.db
    .insert(boardItemRevision)
    .select(
      sql`SELECT id, version, title, content, category, ${me.userId}, ${me.userName}, modified_date FROM ${boardItem} WHERE ${boardItem.id} = ${itemId} AND changes() > 0`,
    );
}
