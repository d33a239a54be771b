import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { movedThing } from "#db/schema/moving.ts";
import { sql } from "drizzle-orm";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { isPlainPath } from "#worker/adapters/zip-reader.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { itemResource } from "../kernel/resource.server.ts";

/** What an address of an old site names. */
export type OldAddress =
  | { kind: "board"; key: string }
  /** `board` is empty where the number alone says which item. */
  | { kind: "item"; board: string; number: number }
  | { kind: "file"; board: string; item: number; index: number }
  | { kind: "file-number"; number: number }
  | { kind: "path"; path: string };

const NAME = /^[A-Za-z0-9_-]{1,60}$/;
const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : null;
const nameOf = (text: string | null): string | null => (text !== null && NAME.test(text) ? text : null);

/** What an address means in gnuboard, Rhymix, XE or Zeroboard; null for all others, which cost nothing but this look. */
export function parseOldAddress(url: URL): OldAddress | null {
  const path = url.pathname.replace(/\/{2,}/g, "/");
  const query = url.searchParams;
  const script = /\/([a-z]+)\.php$/i.exec(path)?.[1]?.toLowerCase();
  if (script) return parseScript(script, query);
  if (query.has("document_srl") || query.has("mid")) return parseQuery(query);
  const stored = storedPath(path);
  if (stored) return { kind: "path", path: stored };
  const download = /^(?:\/[\w-]+)?\/files\/download\/(?:link\/)?(\d{1,12})\//.exec(path);
  if (download) return { kind: "file-number", number: Number(download[1]) };
  const [, first = "", second] = /^\/([A-Za-z0-9_-]{1,60})(?:\/(\d{1,12}))?\/?$/.exec(path) ?? [];
  const number = numberOf(second ?? null);
  if (number !== null) return { kind: "item", board: first, number };
  if (second !== undefined || first === "") return null;
  return numberOf(first) === null ? { kind: "board", key: first } : { kind: "item", board: "", number: Number(first) };
}

function parseScript(script: string, query: URLSearchParams): OldAddress | null {
  const key = nameOf(query.get("bo_table")) ?? nameOf(query.get("id"));
  const item = numberOf(query.get("wr_id")) ?? numberOf(query.get("no"));
  if (script === "download" && key !== null) {
    const owner = numberOf(query.get("wr_id"));
    const index = /^\d{1,3}$/.exec(query.get("no") ?? "")?.[0];
    return owner === null || index === undefined
      ? null
      : { kind: "file", board: key, item: owner, index: Number(index) };
  }
  if (script === "index") return parseQuery(query);
  if (key === null || !/^(?:board|zboard|view|rss|link|write)$/.test(script)) return null;
  return item === null ? { kind: "board", key } : { kind: "item", board: key, number: item };
}

function parseQuery(query: URLSearchParams): OldAddress | null {
  const fileNumber = numberOf(query.get("file_srl"));
  if (fileNumber !== null && query.get("act")?.startsWith("procFile"))
    return { kind: "file-number", number: fileNumber };
  const key = nameOf(query.get("mid")) ?? "";
  const number = numberOf(query.get("document_srl"));
  if (number !== null) return { kind: "item", board: key, number };
  return key === "" ? null : { kind: "board", key };
}

/** `/gnuboard5/data/file/free/1.png` as it lay below the old site's folder. */
function storedPath(path: string): string | null {
  const start = path.search(/\/(?:data\/(?:file|editor|cheditor5?|geditor)|files\/attach)\/./);
  if (start < 0) return null;
  try {
    const plain = decodeURIComponent(path.slice(start + 1));
    return isPlainPath(plain) && plain.length <= 500 ? plain : null;
  } catch {
    return null;
  }
}

/** Ways that are this site's own, and no board of an old one. */
const OWN_NAMES =
  /^(?:account|admin|alumni|api|assets|board|dev|health|mail|mypage|pid|privacy|registry|research|search|terms|tos)$/i;

/**
 * Where what an old address names is now, for whoever may know of it; null where nothing is known of it. What somebody may
 * not know is answered like what never was: by the list of its board, which says itself who may see it.
 */
export async function findOldAddress(
  scope: RequestScope,
  address: OldAddress,
): Promise<{ path: string; isLasting: boolean } | null> {
  if (address.kind === "board" && OWN_NAMES.test(address.key)) return null;
  const boardKey = "board" in address ? address.board : address.kind === "board" ? address.key : "";
  const moved = movedStatementFor(address);
  const itemId = sql`(CASE moved_thing.kind WHEN 'item' THEN CAST(moved_thing.target_id AS INTEGER)
    WHEN 'comment' THEN (SELECT item_id FROM board_item_comment WHERE id = moved_thing.target_id)
    ELSE (SELECT item_id FROM file WHERE id = moved_thing.target_id) END)`;
  const { ctx, rows } = await scope.read([
    scope.db
      .select({ id: movedThing.targetId })
      .from(movedThing)
      .where(sql`${movedThing.kind} = 'board' AND ${movedThing.oldKey} = ${boardKey}`)
      .limit(1),
    scope.db
      .select({ kind: movedThing.kind, id: movedThing.targetId, itemId: sql<number | null>`${itemId}` })
      .from(movedThing)
      .where(moved)
      .limit(5),
    scope.db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} IN (SELECT ${itemId} FROM moved_thing WHERE ${moved} LIMIT 5)`),
    scope.db
      .select()
      .from(board)
      .where(
        sql`${board.boardCode} IN (SELECT board_code FROM board_item WHERE id IN (SELECT ${itemId} FROM moved_thing WHERE ${moved} LIMIT 5))`,
      ),
    scope.db
      .select({ id: file.id, purpose: file.purpose })
      .from(file)
      .where(sql`${file.id} IN (SELECT target_id FROM moved_thing WHERE ${moved} LIMIT 5)`),
  ]);
  const [[home], found, items, boards, files] = rows;
  for (const thing of found) {
    const item = items.find(({ id }) => id === thing.itemId);
    const parent = boards.find(({ boardCode }) => boardCode === item?.boardCode);
    if (!item || !parent) continue;
    const stored = thing.kind === "file" ? files.find(({ id }) => id === thing.id) : undefined;
    if (!mayKnow(ctx, item, parent, stored)) continue;
    if (stored) return { path: `/api/file/${stored.id}`, isLasting: true };
    const anchor = thing.kind === "comment" ? `#comment-${thing.id}` : "";
    return { path: `/board/${item.boardCode}/View/${item.itemNo}${anchor}`, isLasting: true };
  }
  return home ? { path: `/board/${home.id}/List/`, isLasting: address.kind === "board" } : null;
}

type ItemDbRow = typeof boardItem.$inferSelect;
type BoardDbRow = typeof board.$inferSelect;

function mayKnow(ctx: AppContext, item: ItemDbRow, parent: BoardDbRow, stored?: { purpose: string }): boolean {
  const question = { item: itemResource(parent, item), now: ctx.now() };
  if (!stored) return can(ctx.actor, { action: "Item.Know", ...question });
  return can(ctx.actor, { action: stored.purpose === "image" ? "Item.Read" : "Item.Download", ...question });
}

function movedStatementFor(address: OldAddress) {
  switch (address.kind) {
    case "board":
      return sql`0`;
    case "item":
      // In gnuboard comments have numbers of the same row; XE numbers all things of a site.
      return address.board === ""
        ? sql`moved_thing.kind IN ('item', 'comment') AND moved_thing.old_number = ${address.number}`
        : sql`moved_thing.kind IN ('item', 'comment') AND moved_thing.old_number = ${address.number} AND moved_thing.old_key = ${`${address.board}/${address.number}`}`;
    case "file":
      return sql`moved_thing.kind = 'file' AND moved_thing.old_number = ${address.index + 1} AND moved_thing.old_key = ${`${address.board}/${address.item}/${address.index + 1}`}`;
    case "file-number":
      return sql`moved_thing.kind = 'file' AND moved_thing.old_number = ${address.number}`;
    case "path":
      return sql`moved_thing.old_path = ${address.path}`;
  }
}
