import { and, eq, sql } from "drizzle-orm";
import { isbot } from "isbot";
import { boardItem, boardItemView } from "#db/schema/board.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { AccessClaims } from "#worker/adapters/token.server.ts";
import type { Db } from "#db/client.ts";
import { STAMPS_SQL, UNFINISHED_SQL, VIEWS_SQL } from "#db/page-stamps.ts";
import { prepareOnce } from "#db/prepared.ts";
import { selectPerson } from "../account/session.server.ts";
import { unreadCount } from "../mail/activity.server.ts";

interface ViewedItemPath {
  boardCode: string;
  itemNo: number;
}
type ViewCountContext = Pick<AppContext, "db" | "tokens" | "client" | "now" | "defer">;

/** Runs after the answer and ignores bots; a bit per day counts a viewer once. @param userId undefined for a guest */
export function countItemView(ctx: ViewCountContext, path: ViewedItemPath, userId?: string): void {
  const viewer = viewerHashOf(ctx, userId);
  if (viewer) writeView(ctx, path, viewer);
}

/** Most views a day that one network address can add to an item. */
const BROWSERS_MAX = 16;

/** Cache of today's viewers, so that pages from the edge do not cause a write each. */
const countedViewers = new Set<string>();
const COUNTED_MAX = 5000;

export function countSharedView(ctx: ViewCountContext, path: ViewedItemPath, userId?: string): void {
  const viewer = viewerHashOf(ctx, userId);
  const key = `${dayOf(ctx)} ${path.boardCode} ${path.itemNo} ${viewer}`;
  if (!viewer || countedViewers.has(key)) return;
  if (countedViewers.size >= COUNTED_MAX) countedViewers.clear();
  countedViewers.add(key);
  writeView(ctx, path, viewer);
}

function viewerHashOf({ client, tokens }: ViewCountContext, userId?: string): string | null {
  if (client.userAgent === "" || isbot(client.userAgent)) return null;
  // A guest's prefetched page counts when it is shown (app/features/site/reader/reader-script.ts).
  if (client.isAhead && userId === undefined) return null;
  // Browsers distinguish people behind one address; few buckets make forged ones useless.
  const browser = tokens.hash("browser", client.userAgent).charCodeAt(0) % BROWSERS_MAX;
  return tokens.hash("viewer", userId ?? `${client.address}\n${browser}`);
}

const dayOf = (ctx: ViewCountContext) => ctx.now().toISOString().slice(0, 10);

/** Viewers of a day are bits in a fixed number of rows; a collision counts as one. */
const PARTS = 128;
const BITS_OF_PART = 48;

function writeView(ctx: ViewCountContext, path: ViewedItemPath, viewerHash: string): void {
  const where = and(eq(boardItem.boardCode, path.boardCode), eq(boardItem.itemNo, path.itemNo));
  const place = Buffer.from(viewerHash, "base64url").readUInt32BE(0) % (PARTS * BITS_OF_PART);
  const bit = sql`(1 << ${Math.floor(place / PARTS)})`;
  const row = {
    itemId: boardItem.id,
    day: sql`${dayOf(ctx)}`.as("day"),
    part: sql`${place % PARTS}`.as("part"),
    viewers: sql`${bit}`.as("viewers"),
  };
  ctx.defer(
    ctx.db.batch([
      ctx.db
        .insert(boardItemView)
        .select(ctx.db.select(row).from(boardItem).where(where))
        .onConflictDoUpdate({
          target: [boardItemView.itemId, boardItemView.day, boardItemView.part],
          set: { viewers: sql`${boardItemView.viewers} | excluded.viewers` },
          setWhere: sql`${boardItemView.viewers} & excluded.viewers = 0`,
        }),
      ctx.db
        .update(boardItem)
        .set({ viewCount: sql`${boardItem.viewCount} + 1` })
        .where(and(where, sql`changes() > 0`)),
    ]),
  );
}

/** A board's page: `listedBoardCode` for a list, the other fields for an item. */
export interface BoardPlace {
  listedBoardCode: string;
  boardCode: string;
  itemNo: number;
  scopes: readonly string[];
  /** Items whose view counts the page shows. */
  shownItems: readonly number[];
}

/**
 * The reader, and whether the page differs from that of others with the same rights: own secret items, items, comments or
 * registrations.
 */
export const readerStatement = (
  db: Db,
  { sid, sub }: Pick<AccessClaims, "sid" | "sub">,
  now: Date,
  { scopes, shownItems, ...place }: BoardPlace,
) =>
  preparedReader(db, {
    sessionId: sid,
    userId: sub,
    now: now.getTime(),
    ...place,
    scopes: JSON.stringify(scopes),
    shownItems: JSON.stringify(shownItems),
  });

const preparedReader = prepareOnce((db) => {
  const [userId, boardCode] = [sql.placeholder("userId"), sql.placeholder("boardCode")];
  // The unary plus keeps SQLite from reading all comments of the person.
  const isOwnItem = sql`item.created_user_id = ${userId}
    OR EXISTS (SELECT 1 FROM board_item_comment WHERE item_id = item.id AND +created_user_id = ${userId})
    OR EXISTS (SELECT 1 FROM event_registration WHERE item_id = item.id AND user_id = ${userId} AND status <> 'cancelled')`;
  return selectPerson(db, {
    unread: unreadCount(userId),
    isFound: sql<number>`EXISTS (SELECT 1 FROM board_item INDEXED BY board_item_secret_writer WHERE created_user_id = ${userId} AND is_secret = 1)
      OR EXISTS (SELECT 1 FROM board_item AS item WHERE item.board_code = ${boardCode} AND item.item_no = ${sql.placeholder("itemNo")} AND (${isOwnItem}))
      OR EXISTS (${sql.raw(UNFINISHED_SQL)})`,
    stamps: sql<string>`(${sql.raw(STAMPS_SQL)} WHERE scope IN (SELECT value FROM json_each(${sql.placeholder("scopes")})))`,
    views: sql<string>`(${sql.raw(VIEWS_SQL)} WHERE board_code IN (${boardCode}, ${sql.placeholder("listedBoardCode")}) AND item_no IN (SELECT value FROM json_each(${sql.placeholder("shownItems")})))`,
    isFollowing: sql<number>`EXISTS (SELECT 1 FROM notice_choice WHERE kind = 'item' AND target = ${sql.placeholder("listedBoardCode")} AND user_id = ${userId} AND is_on = 1)`,
  });
});
