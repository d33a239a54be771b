import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { pendingNotification } from "#db/schema/mail.ts";

/** Must follow the item's insert in its batch; the job notifies followers when it appears. */
export function queueItemNotification(db: Db, { boardCode, itemNo }: { boardCode: string; itemNo: SQL<number> }) {
  return db
    .insert(pendingNotification)
    .select(
      sql`SELECT 'item', CAST(id AS TEXT), id, '', 0 FROM board_item WHERE board_code = ${boardCode} AND item_no = ${itemNo}`,
    );
}

export function queueCommentNotification(db: Db, commentId: string, itemId: number) {
  return db.insert(pendingNotification).values({ kind: "comment", sourceId: commentId, itemId });
}
