import { sql } from "drizzle-orm";
import type { AccessClaims } from "#worker/adapters/token.server.ts";
import type { Db } from "#db/client.ts";
import { STAMPS_SQL, UNFINISHED_SQL } from "#db/page-stamps.ts";
import { prepareOnce } from "#db/prepared.ts";
import { selectPerson } from "../account/session.server.ts";
import { unreadCount } from "../mail/activity.server.ts";

/** A board's page: `listedBoardCode` for a list, the other fields for an item. */
export interface BoardPlace {
  listedBoardCode: string;
  boardCode: string;
  itemNo: number;
  scopes: readonly string[];
}

/**
 * The reader, and whether the page differs from that of others with the same rights: own secret items, items or
 * comments.
 */
export const readerStatement = (
  db: Db,
  { sid, sub }: Pick<AccessClaims, "sid" | "sub">,
  now: Date,
  { scopes, ...place }: BoardPlace,
) => preparedReader(db, { sessionId: sid, userId: sub, now: now.getTime(), ...place, scopes: JSON.stringify(scopes) });

const preparedReader = prepareOnce((db) => {
  const [userId, boardCode] = [sql.placeholder("userId"), sql.placeholder("boardCode")];
  // The unary plus keeps SQLite from reading all comments of the person.
  const isOwnItem = sql`item.created_user_id = ${userId}
    OR EXISTS (SELECT 1 FROM board_item_comment WHERE item_id = item.id AND +created_user_id = ${userId})`;
  return selectPerson(db, {
    unread: unreadCount(userId),
    isFound: sql<number>`EXISTS (SELECT 1 FROM board_item INDEXED BY board_item_secret_writer WHERE created_user_id = ${userId} AND is_secret = 1)
      OR EXISTS (SELECT 1 FROM board_item AS item WHERE item.board_code = ${boardCode} AND item.item_no = ${sql.placeholder("itemNo")} AND (${isOwnItem}))
      OR EXISTS (${sql.raw(UNFINISHED_SQL)})`,
    stamps: sql<string>`(${sql.raw(STAMPS_SQL)} WHERE scope IN (SELECT value FROM json_each(${sql.placeholder("scopes")})))`,
    isFollowing: sql<number>`EXISTS (SELECT 1 FROM notice_choice WHERE kind = 'item' AND target = ${sql.placeholder("listedBoardCode")} AND user_id = ${userId} AND is_on = 1)`,
  });
});
