import { eq, type SQL, sql } from "drizzle-orm";
import { boardSearch } from "#db/board-search.ts";
import type { Db } from "#db/client.ts";
import { boardItem, boardItemSearch } from "#db/schema/board.ts";
import { file, fileText } from "#db/schema/file.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { indexTerms, foldSearchText } from "#worker/contract/board/search-terms.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
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
  /** What stands in its files. */
  fileTexts: string[];
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
    ...tagged("x", attachmentText(item)),
  ]);
  return [...terms].join(" ");
}

/** Of all files together: what one row and its words can hold. */
const ATTACHMENT_LETTERS = 300_000;
const attachmentText = (item: IndexedItemText) => item.fileTexts.join("\n").slice(0, ATTACHMENT_LETTERS);

const foldedTexts = (item: IndexedItemText) => ({
  title: foldSearchText(item.title),
  content: foldSearchText(htmlToText(item.content)),
  writer: foldSearchText(item.createdUserName),
  file: foldSearchText(item.fileNames.join(" ")),
  attachment: foldSearchText(attachmentText(item)),
});

/**
 * Puts an item's words into the index: to stand in the batch of the write, behind it.
 * @param when nothing is written unless this holds; `changes() > 0` right behind a guarded update
 */
export function indexItemStatements(db: Db, itemId: SQL | number, item: IndexedItemText, when: SQL = sql`1`) {
  return [
    db
      .update(boardItemSearch)
      .set({ ...foldedTexts(item), isStale: false })
      .where(sql`${boardItemSearch.itemId} = ${itemId} AND ${when}`),
    // The update has taken the old words out of the FTS table (a trigger); nothing updated, nothing put in.
    db.insert(boardSearch).select(sql`SELECT ${itemId}, ${termsOf(item)} WHERE changes() > 0`),
  ] as const;
}

const BATCH = 50;

async function readIndexedItems(db: Db, itemIds: number[]) {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const [items, files] = await db.batch([
    db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} IN ${ids}`),
    db
      .select({ itemId: file.itemId, fileName: file.fileName, text: fileText.text })
      .from(file)
      .leftJoin(fileText, eq(fileText.fileId, file.id))
      .where(sql`${file.itemId} IN ${ids} AND ${file.purpose} = 'board' AND ${file.status} = 'attached'`),
  ]);
  const filesOf = (id: number) => {
    const own = files.filter((row) => row.itemId === id);
    return { fileNames: own.map(({ fileName }) => fileName), fileTexts: own.flatMap(({ text }) => text ?? []) };
  };
  return { items, filesOf };
}

/** Statements that index items as they stand in the database. */
export async function reindexItemStatements(db: Db, itemIds: number[]) {
  if (itemIds.length === 0) return [];
  const { items, filesOf } = await readIndexedItems(db, itemIds);
  return items.flatMap((item) => {
    // Changed since it was read: the next run sees it again.
    const same = sql`EXISTS (SELECT 1 FROM ${boardItem} WHERE ${boardItem.id} = ${item.id} AND ${boardItem.version} = ${item.version} AND ${boardItem.deletedDate} IS NULL)`;
    return indexItemStatements(db, item.id, { ...item, ...filesOf(item.id) }, same);
  });
}

/** What one run of the job takes at most, every minute: 2,000 items in 300 statements. */
const ROUNDS = 40;

/** The scheduled job: whatever was changed without its words (imports, renamed writers, moved or restored items). */
export async function reindexStaleItems(ctx: { db: Db }, rounds = ROUNDS, ms = Infinity): Promise<number> {
  const until = Date.now() + ms;
  let done = 0;
  for (let round = 0; round < rounds && Date.now() < until; round++) {
    const stale = await ctx.db
      .select({ itemId: boardItemSearch.itemId })
      .from(boardItemSearch)
      .where(eq(boardItemSearch.isStale, sql`1`))
      .limit(BATCH);
    if (stale.length === 0) break;
    await reindexTogether(
      ctx.db,
      stale.map(({ itemId }) => itemId),
    );
    done += stale.length;
  }
  return done;
}

/** The words of many items in a few statements; one that was changed since it was read stays for the next round. */
async function reindexTogether(db: Db, itemIds: number[]): Promise<void> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const { items, filesOf } = await readIndexedItems(db, itemIds);
  const same = sql`EXISTS (SELECT 1 FROM board_item WHERE board_item.id = value ->> 'id' AND board_item.version = value ->> 'version' AND board_item.deleted_date IS NULL)`;
  const rows = items
    .filter(({ deletedDate }) => deletedDate === null)
    .map((item) => {
      const indexed = { ...item, ...filesOf(item.id) };
      const { id, version } = item;
      return { id, version, terms: termsOf(indexed), ...foldedTexts(indexed) };
    });
  await db.batch([
    // Nothing is found of an item that is deleted or gone.
    db
      .update(boardItemSearch)
      .set({ isStale: false })
      .where(
        sql`${boardItemSearch.itemId} IN ${ids} AND EXISTS (SELECT 1 FROM board_item WHERE board_item.id = item_id AND deleted_date IS NOT NULL)`,
      ),
    db
      .delete(boardItemSearch)
      .where(
        sql`${boardItemSearch.itemId} IN ${ids} AND NOT EXISTS (SELECT 1 FROM board_item WHERE board_item.id = item_id)`,
      ),
    ...jsonArrays(rows).flatMap((json) => [
      db
        .update(boardItemSearch)
        .set({
          title: sql`value ->> 'title'`,
          content: sql`value ->> 'content'`,
          writer: sql`value ->> 'writer'`,
          file: sql`value ->> 'file'`,
          attachment: sql`value ->> 'attachment'`,
          isStale: false,
        })
        .from(sql`json_each(${json})`)
        .where(sql`${boardItemSearch.itemId} = value ->> 'id' AND ${same}`),
      // The update has taken the old words out of the FTS table (a trigger).
      db
        .insert(boardSearch)
        .select(sql`SELECT value ->> 'id', value ->> 'terms' FROM json_each(${json}) WHERE ${same}`),
    ]),
  ]);
}
