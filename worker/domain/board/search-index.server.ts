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
    ...tagged("t", item.title),
    ...tagged("w", item.createdUserName),
    ...tagged("f", files),
    ...tagged("a", content),
    ...tagged("x", attachmentText(item)),
  ]);
  // What is cut off is the end of the longest files.
  return cutToBytes([...terms].join(" "), TERMS_BYTES);
}

const encoder = new TextEncoder();

/** The beginning of a text that takes at most so many bytes. */
function cutToBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(max)).read);
}

/** Of all files together. */
const ATTACHMENT_LETTERS = 300_000;
const attachmentText = (item: IndexedItemText) => item.fileTexts.join("\n").slice(0, ATTACHMENT_LETTERS);

// D1 takes values and rows below 2,000,000 bytes; some signs fold to as many as eighteen letters.
const FOLDED_BYTES = 900_000;
const TERMS_BYTES = 1_800_000;

const foldedTexts = (item: IndexedItemText) => ({
  title: foldSearchText(item.title),
  content: cutToBytes(foldSearchText(htmlToText(item.content)), FOLDED_BYTES),
  writer: foldSearchText(item.createdUserName),
  file: foldSearchText(item.fileNames.join(" ")),
  attachment: cutToBytes(foldSearchText(attachmentText(item)), FOLDED_BYTES),
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
/** Of the texts of one round, which are all held in memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

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

/** What one run of the job takes at most, every minute: 2,000 items in 280 statements; fewer when their files are long. */
const ROUNDS = 40;
/** A round of the longest texts asks a hundred more. */
const RUN_STATEMENTS = 390;

/** The scheduled job: whatever was changed without its words (imports, renamed writers, moved or restored items). */
export async function reindexStaleItems(ctx: { db: Db }, rounds = ROUNDS, ms = Infinity): Promise<number> {
  const until = Date.now() + ms;
  let done = 0;
  let statements = 0;
  for (let round = 0; round < rounds && statements < RUN_STATEMENTS && Date.now() < until; round++) {
    const stale = await readStaleItems(ctx.db);
    if (stale.length === 0) break;
    statements += 1 + (await reindexTogether(ctx.db, stale));
    done += stale.length;
  }
  return done;
}

/** As many of them as are held in memory together, at least one. */
async function readStaleItems(db: Db): Promise<number[]> {
  const fileBytes = sql`(SELECT sum(octet_length(${fileText.text})) FROM ${file} JOIN ${fileText} ON ${fileText.fileId} = ${file.id} WHERE ${file.itemId} = ${boardItem.id})`;
  const stale = await db
    .select({
      itemId: boardItemSearch.itemId,
      bytes: sql<number>`coalesce(octet_length(${boardItem.content}), 0) + coalesce(${fileBytes}, 0)`,
    })
    .from(boardItemSearch)
    .leftJoin(boardItem, eq(boardItem.id, boardItemSearch.itemId))
    .where(eq(boardItemSearch.isStale, sql`1`))
    .limit(BATCH);
  let held = 0;
  const fitting = stale.filter(({ bytes }) => (held += bytes) <= BATCH_BYTES);
  return (fitting.length > 0 ? fitting : stale.slice(0, 1)).map(({ itemId }) => itemId);
}

/** The words of many items in a few statements; one that was changed since it was read stays for the next round. @returns how many statements */
async function reindexTogether(db: Db, itemIds: number[]): Promise<number> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const { items, filesOf } = await readIndexedItems(db, itemIds);
  const same = sql`EXISTS (SELECT 1 FROM board_item WHERE board_item.id = value ->> 'id' AND board_item.version = value ->> 'version' AND board_item.deleted_date IS NULL)`;
  const rows = items
    .filter(({ deletedDate }) => deletedDate === null)
    .map((item) => {
      const indexed = { ...item, ...filesOf(item.id) };
      const { id, version } = item;
      // Texts and words apart: together they are more than one value may hold.
      return { texts: { id, version, ...foldedTexts(indexed) }, words: { id, version, terms: termsOf(indexed) } };
    });
  const texts = jsonArrays(rows.map((row) => row.texts));
  const words = jsonArrays(rows.map((row) => row.words));
  const statements = [
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
    ...texts.map((json) =>
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
    ),
    // The updates have taken the old words out of the FTS table (a trigger).
    ...words.map((json) =>
      db
        .insert(boardSearch)
        .select(sql`SELECT value ->> 'id', value ->> 'terms' FROM json_each(${json}) WHERE ${same}`),
    ),
  ] as const;
  await db.batch(statements);
  return 2 + statements.length;
}
