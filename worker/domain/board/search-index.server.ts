import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { boardSearch } from "#db/board-search.ts";
import type { Db } from "#db/client.ts";
import { boardItem, boardItemSearch } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { indexTerms, foldSearchText } from "#worker/contract/board/search-terms.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

export interface IndexedItemText {
  boardCode: string;
  isSecret: boolean;
  createdUserId: string;
  title: string;
  /** Cleaned HTML. */
  content: string;
  createdUserName: string;
  createdDate: Date;
  fileNames: string[];
}

// The tokenizer takes ASCII signs for gaps and all else for letters.
const indexWord = (code: string) => code.replaceAll("-", "·").replaceAll("_", "·");
/** Who may find an item stands among its words: readers of its board, its author alone, or managers. */
export const publicTerm = (boardCode: string) => `p${indexWord(boardCode)}`;
export const secretTerm = (boardCode: string) => `q${indexWord(boardCode)}`;
export const ownerTerm = (userId: string) => `o${indexWord(userId)}`;
/** Everything indexed since dates stand among the words has this one; what lacks it is looked at one by one. */
export const DATED_TERM = "d";
/** Months and years are Korea's, as people ask for them. */
export function koreanMonthOf(date: Date): { year: number; month: number } {
  const there = toKoreanClock(date);
  return { year: there.getUTCFullYear(), month: there.getUTCMonth() };
}
export const yearTerm = (year: number) => `d${year}`;
/** @param month from 0 */
export const monthTerm = (year: number, month: number) => `d${year}·${month + 1}`;

function termsOf(item: IndexedItemText): string {
  const content = htmlToText(item.content);
  const { year, month } = koreanMonthOf(item.createdDate);
  const tagged = (tag: string, text: string) => [...indexTerms(text)].map((term) => tag + term);
  const files = item.fileNames.join(" / ");
  const terms = new Set([
    item.isSecret ? secretTerm(item.boardCode) : publicTerm(item.boardCode),
    ...(item.isSecret ? [ownerTerm(item.createdUserId)] : []),
    DATED_TERM,
    yearTerm(year),
    monthTerm(year, month),
    ...tagged("a", content),
    ...tagged("t", item.title),
    ...tagged("w", item.createdUserName),
    ...tagged("f", files),
  ]);
  return [...terms].join(" ");
}

/**
 * Puts an item's words into the index: to stand in the batch of the write, behind it.
 * @param when nothing is written unless this holds; `changes() > 0` right behind a guarded update
 */
export function indexItemStatements(db: Db, itemId: SQL | number, item: IndexedItemText, when: SQL = sql`1`) {
  return [
    db
      .update(boardItemSearch)
      .set({
        title: foldSearchText(item.title),
        content: foldSearchText(htmlToText(item.content)),
        writer: foldSearchText(item.createdUserName),
        file: foldSearchText(item.fileNames.join(" ")),
        isStale: false,
      })
      .where(sql`${boardItemSearch.itemId} = ${itemId} AND ${when}`),
    // The update has taken the old words out of the FTS table (a trigger); nothing updated, nothing put in.
    db.insert(boardSearch).select(sql`SELECT ${itemId}, ${termsOf(item)} WHERE changes() > 0`),
  ] as const;
}

const BATCH = 50;

/** Statements that index items as they stand in the database. */
export async function reindexItemStatements(db: Db, itemIds: number[]) {
  if (itemIds.length === 0) return [];
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const [items, files] = await db.batch([
    db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} IN ${ids}`),
    db
      .select({ itemId: file.itemId, fileName: file.fileName })
      .from(file)
      .where(sql`${file.itemId} IN ${ids} AND ${file.purpose} = 'board' AND ${file.status} = 'attached'`),
  ]);
  return items.flatMap((item) => {
    const fileNames = files.filter((row) => row.itemId === item.id).map((row) => row.fileName);
    // Changed since it was read: the next run sees it again.
    const same = sql`EXISTS (SELECT 1 FROM ${boardItem} WHERE ${boardItem.id} = ${item.id} AND ${boardItem.version} = ${item.version} AND ${boardItem.deletedDate} IS NULL)`;
    return indexItemStatements(db, item.id, { ...item, fileNames }, same);
  });
}

/** The scheduled job: whatever was changed without its words (imports, renamed writers, moved or restored items). */
export async function reindexStaleItems(ctx: { db: Db }, rounds = 20): Promise<number> {
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    const stale = await ctx.db
      .select({ itemId: boardItemSearch.itemId })
      .from(boardItemSearch)
      .where(eq(boardItemSearch.isStale, sql`1`))
      .limit(BATCH);
    if (stale.length === 0) break;
    const ids = stale.map((row) => row.itemId);
    const [first, ...rest] = await reindexItemStatements(ctx.db, ids);
    if (first) await ctx.db.batch([first, ...rest]);
    else await ctx.db.delete(boardItemSearch).where(inArray(boardItemSearch.itemId, ids));
    done += stale.length;
  }
  return done;
}
