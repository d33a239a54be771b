import { eq, type SQL, sql } from "drizzle-orm";
import { boardSearch } from "#db/search.ts";
import type { Db } from "#db/client.ts";
import { boardItem, boardItemComment, boardItemSearch } from "#db/schema/board.ts";
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
  content: string;
  createdUserName: string;
  createdDate: Date;
  fileNames: string[];
  fileTexts: string[];
  comments: string[];
}

// The tokenizer treats ASCII signs as separators and all others as letters.
const indexWord = (code: string) => code.replaceAll("-", "·").replaceAll("_", "·");
/** Terms for access: readers of the board, the author alone, or managers. */
export const publicTerm = (boardCode: string) => `p${indexWord(boardCode)}`;
export const secretTerm = (boardCode: string) => `q${indexWord(boardCode)}`;
export const ownerTerm = (userId: string) => `o${indexWord(userId)}`;
export const DATED_TERM = "d";
/** Months and years in Korean time. */
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
    ...tagged("c", commentText(item)),
    ...tagged("x", attachmentText(item)),
  ]);
  // Cuts the end of the longest files.
  return cutToBytes([...terms].join(" "), TERMS_BYTES);
}

const encoder = new TextEncoder();

function cutToBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(max)).read);
}

/** For all files of an item. */
const ATTACHMENT_LETTERS = 300_000;
const attachmentText = (item: IndexedItemText) => item.fileTexts.join("\n").slice(0, ATTACHMENT_LETTERS);

const COMMENT_LETTERS = 100_000;
const commentText = (item: IndexedItemText) => item.comments.join("\n").slice(0, COMMENT_LETTERS);

// D1 limits values and rows to 2,000,000 bytes, and folding expands some characters to 18 letters.
const FOLDED_BYTES = 800_000;
const FOLDED_COMMENT_BYTES = 200_000;
const TERMS_BYTES = 1_800_000;

const foldedTexts = (item: IndexedItemText) => ({
  title: foldSearchText(item.title),
  content: cutToBytes(foldSearchText(htmlToText(item.content)), FOLDED_BYTES),
  writer: foldSearchText(item.createdUserName),
  file: foldSearchText(item.fileNames.join(" ")),
  attachment: cutToBytes(foldSearchText(attachmentText(item)), FOLDED_BYTES),
  comments: cutToBytes(foldSearchText(commentText(item)), FOLDED_COMMENT_BYTES),
});

/** Comments whose text readers of the item may read. */
export const readCommentTexts = (db: Db, itemIds: SQL) =>
  db
    .select({ itemId: boardItemComment.itemId, content: boardItemComment.content })
    .from(boardItemComment)
    .where(sql`${boardItemComment.itemId} IN ${itemIds} AND ${boardItemComment.deletedDate} IS NULL`)
    .orderBy(boardItemComment.createdDate);

/**
 * Indexes an item; must follow its write in the batch. @param when condition for the update, such as `changes() > 0`
 */
export function indexItemStatements(db: Db, itemId: SQL | number, item: IndexedItemText, when: SQL = sql`1`) {
  return [
    db
      .update(boardItemSearch)
      .set({ ...foldedTexts(item), isStale: false })
      .where(sql`${boardItemSearch.itemId} = ${itemId} AND ${when}`),
    // A trigger on the update removes the old words; without an update, nothing is added.
    db.insert(boardSearch).select(sql`SELECT ${itemId}, ${termsOf(item)} WHERE changes() > 0`),
  ] as const;
}

const BATCH = 50;
/** Limit for the texts of a round, which are held in memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

async function readIndexedItems(db: Db, itemIds: number[]) {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const [items, files, comments] = await db.batch([
    db
      .select()
      .from(boardItem)
      .where(sql`${boardItem.id} IN ${ids}`),
    db
      .select({ itemId: file.itemId, fileName: file.fileName, text: fileText.text })
      .from(file)
      .leftJoin(fileText, eq(fileText.fileId, file.id))
      .where(sql`${file.itemId} IN ${ids} AND ${file.purpose} = 'board' AND ${file.status} = 'attached'`),
    readCommentTexts(db, ids),
  ]);
  const textsOf = (id: number) => {
    const own = files.filter((row) => row.itemId === id);
    return {
      fileNames: own.map(({ fileName }) => fileName),
      fileTexts: own.flatMap(({ text }) => text ?? []),
      comments: comments.filter((row) => row.itemId === id).map(({ content }) => content),
    };
  };
  return { items, textsOf };
}

/** Indexes items whose comments or board changed; a failed run is completed by the job if a trigger marked them. */
export async function reindexItems(db: Db, itemIds: number[]): Promise<void> {
  const [first, ...rest] = await reindexItemStatements(db, itemIds);
  if (first) await db.batch([first, ...rest]);
}

export async function reindexItemStatements(db: Db, itemIds: number[]) {
  if (itemIds.length === 0) return [];
  const { items, textsOf } = await readIndexedItems(db, itemIds);
  return items.flatMap((item) => {
    // Skips an item that changed since it was read; the next run indexes it.
    const same = sql`EXISTS (SELECT 1 FROM ${boardItem} WHERE ${boardItem.id} = ${item.id} AND ${boardItem.version} = ${item.version} AND ${boardItem.deletedDate} IS NULL)`;
    return indexItemStatements(db, item.id, { ...item, ...textsOf(item.id) }, same);
  });
}

/** Limit for a run each minute: 2,000 items in 280 statements, fewer with long files. */
const ROUNDS = 40;
/** A round of the longest texts needs another hundred. */
const RUN_STATEMENTS = 390;

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

async function reindexTogether(db: Db, itemIds: number[]): Promise<number> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(itemIds)}))`;
  const { items, textsOf } = await readIndexedItems(db, itemIds);
  const same = sql`EXISTS (SELECT 1 FROM board_item WHERE board_item.id = value ->> 'id' AND board_item.version = value ->> 'version' AND board_item.deleted_date IS NULL)`;
  const rows = items
    .filter(({ deletedDate }) => deletedDate === null)
    .map((item) => {
      const indexed = { ...item, ...textsOf(item.id) };
      const { id, version } = item;
      // Separate values, because together they exceed D1's limit.
      return { texts: { id, version, ...foldedTexts(indexed) }, words: { id, version, terms: termsOf(indexed) } };
    });
  const texts = jsonArrays(rows.map((row) => row.texts));
  const words = jsonArrays(rows.map((row) => row.words));
  const statements = [
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
          comments: sql`value ->> 'comments'`,
          isStale: false,
        })
        .from(sql`json_each(${json})`)
        .where(sql`${boardItemSearch.itemId} = value ->> 'id' AND ${same}`),
    ),
    ...words.map((json) =>
      db
        .insert(boardSearch)
        .select(sql`SELECT value ->> 'id', value ->> 'terms' FROM json_each(${json}) WHERE ${same}`),
    ),
  ] as const;
  await db.batch(statements);
  return 2 + statements.length;
}
