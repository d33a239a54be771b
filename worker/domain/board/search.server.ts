import { asc, eq, type SQL, sql } from "drizzle-orm";
import { board, boardItem, boardItemSearch } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import type { SearchHit, SearchPage } from "#worker/contract/board/view.ts";
import type { SearchInput } from "#worker/contract/board/search-input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import {
  excerptAroundHit,
  highlightHtml,
  queryTerms,
  type SearchTarget,
  keywordWords,
  splitAtHits,
} from "#worker/contract/board/search-terms.ts";
import { can, authorize } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { type BoardRow, itemResource } from "../kernel/resource.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import {
  DATED_TERM,
  koreanMonthOf,
  monthTerm,
  ownerTerm,
  publicTerm,
  secretTerm,
  yearTerm,
} from "./search-index.server.ts";

/** Hits are counted to here; one more says that there are more. */
const COUNT_MAX = 1000;
/** So few are looked at one by one, so that the total is exact. */
const EXACT_MAX = 100;
/** How many of the newest items that hold a word's pairs of syllables are read to see whether they hold the word. */
const CANDIDATES_MAX = 5000;
/** The letters that a field's words begin with in the index. */
const TAGS: Record<SearchTarget, readonly string[]> = {
  all: ["a", "t", "w", "f"],
  title: ["t"],
  content: ["a"],
  titleContent: ["a", "t"],
  writer: ["w"],
  file: ["f"],
};
/** Where the texts of files are looked through as well. */
const INSIDE_FILES = new Set<SearchTarget>(["all", "file"]);
const FIRST_YEAR = 1970;

/** POST board-item/search: the boards that the caller may read, or one of them; hits are what they may open. */
export async function searchItems(ctx: AppContext, input: SearchInput): Promise<SearchPage> {
  const boards = await searchableBoards(ctx, input.boardCode ?? undefined);
  // By account, so that a hospital behind one address does not share a member's searches.
  const { actor } = ctx;
  await countLimits(
    ctx,
    actor.kind === "guest" ? ["searchAddress", ctx.client.address] : ["searchAccount", actor.userId],
  );
  const words = keywordWords(input.keyword);
  const match = matchExpression(ctx, boards, input);
  const empty = {
    ...makePage<SearchHit>([], { page: input.page, size: input.size, totalElements: 0 }),
    highlight: words,
  };
  // What was counted ends there: nobody is led further, and nothing is read to skip it.
  if (match === null || (input.page - 1) * input.size >= COUNT_MAX) return { ...empty, more: false };
  const { hits, total, more } = await readHits(ctx, input, match, words, boards);
  const content = hits.flatMap((hit) => {
    const row = boards.find((candidate) => candidate.boardCode === hit.item.boardCode);
    if (!row || !can(ctx.actor, { action: "Item.Read", item: itemResource(row, hit.item), now: ctx.now() })) return [];
    return [hitView(ctx, row, hit, words)];
  });
  return {
    ...makePage(content, { page: input.page, size: input.size, totalElements: total }),
    highlight: words,
    more,
  };
}

/** @throws AppError NOT_FOUND, UNAUTHORIZED or FORBIDDEN for one board that the caller may not read */
export async function searchableBoards(ctx: AppContext, boardCode?: string): Promise<BoardRow[]> {
  const rows = await ctx.db
    .select()
    .from(board)
    .where(boardCode === undefined ? undefined : eq(board.boardCode, boardCode))
    .orderBy(asc(board.sortOrder));
  const open = rows.filter((row) => !row.isClosed || can(ctx.actor, { action: "Board.Manage", board: row }));
  if (boardCode === undefined) {
    return open.filter(
      (row) =>
        can(ctx.actor, { action: "Board.List", board: row }) && can(ctx.actor, { action: "Board.View", board: row }),
    );
  }
  const [row] = open;
  if (!row) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  authorize(ctx, { action: "Board.List", board: row });
  authorize(ctx, { action: "Board.View", board: row });
  return [row];
}

const downloadableBoards = (ctx: AppContext, boards: readonly BoardRow[]) =>
  boards.filter((row) => can(ctx.actor, { action: "Board.Download", board: row }));

/** The FTS5 expression: every term, and one of the words that say who may find it. */
function matchExpression(ctx: AppContext, boards: BoardRow[], input: SearchInput): string | null {
  const terms = queryTerms(input.keyword);
  if (terms.length === 0 || boards.length === 0) return null;
  const readersOf = (rows: readonly BoardRow[]) =>
    rows.flatMap((row) => {
      if (can(ctx.actor, { action: "Board.Manage", board: row }))
        return [publicTerm(row.boardCode), secretTerm(row.boardCode)];
      if (ctx.actor.kind === "guest") return [publicTerm(row.boardCode)];
      return [publicTerm(row.boardCode), ownerTerm(ctx.actor.userId)];
    });
  const readers = readersOf(boards);
  const anyOf = (words: readonly string[]) => `(${[...new Set(words)].map((each) => `"${each}"`).join(" OR ")})`;
  const holds = (tags: readonly string[], who: readonly string[]) =>
    [...terms.map((term) => anyOf(tags.map((tag) => tag + term))), anyOf(who)].join(" AND ");
  const plain = holds(TAGS[input.target], readers);
  // What stands in a file is found by those who may have the file.
  const open = downloadableBoards(ctx, boards);
  const match =
    INSIDE_FILES.has(input.target) && open.length > 0
      ? `((${plain}) OR (${holds([...TAGS[input.target], "x"], readersOf(open))}))`
      : plain;
  if (!input.from && !input.to) return match;
  const months = monthTermsOf(input.from, input.to ?? ctx.now());
  return months.length === 0 ? null : `(${match} AND ${anyOf(months)}) OR (${match} NOT "${DATED_TERM}")`;
}

/** The words of a stretch of time: its whole years, and the months at its ends. */
function monthTermsOf(from: Date | null | undefined, to: Date): string[] {
  const first = from ? koreanMonthOf(from) : { year: FIRST_YEAR, month: 0 };
  const last = koreanMonthOf(to);
  const words: string[] = [];
  for (let year = Math.max(first.year, FIRST_YEAR); year <= last.year; year += 1) {
    const begin = year === first.year ? first.month : 0;
    const end = year === last.year ? last.month : 11;
    if (begin === 0 && end === 11) words.push(yearTerm(year));
    else for (let month = begin; month <= end; month += 1) words.push(monthTerm(year, month));
  }
  return words;
}

function hitsWhere(ctx: AppContext, input: SearchInput, words: string[], boards: readonly BoardRow[]): SQL {
  const open = JSON.stringify(downloadableBoards(ctx, boards).map(({ boardCode }) => boardCode));
  const inside = (word: string) =>
    sql`(instr(${boardItemSearch.attachment}, ${word}) > 0 AND ${boardItem.boardCode} IN (SELECT value FROM json_each(${open})))`;
  const { title, content, writer, file: names } = boardItemSearch;
  const places = {
    all: [title, content, writer, names],
    title: [title],
    content: [content],
    titleContent: [title, content],
    writer: [writer],
    file: [names],
  }[input.target];
  const holds = words.map(
    (word) =>
      sql`(${sql.join(
        [
          ...places.map((place) => sql`instr(${place}, ${word}) > 0`),
          ...(INSIDE_FILES.has(input.target) ? [inside(word)] : []),
        ],
        sql` OR `,
      )})`,
  );
  const upTo = Math.min(input.to?.getTime() ?? Infinity, ctx.now().getTime());
  return sql.join(
    [
      ...holds,
      sql`${boardItem.deletedDate} IS NULL`,
      sql`${boardItem.createdDate} <= ${upTo}`,
      ...(input.from ? [sql`${boardItem.createdDate} >= ${input.from.getTime()}`] : []),
      // One board alone: an author's own secret items elsewhere have the same term.
      ...(input.boardCode ? [sql`${boardItem.boardCode} = ${input.boardCode}`] : []),
    ],
    sql` AND `,
  );
}

/** Of an item's files, in the order in which they hang on it. */
const FILES_LOOKED_INTO = 10;

/** A title before a file's name, and that before the text; a title that begins with the word before one that holds it. */
const matchScore = (words: readonly string[]) =>
  sql.join(
    words.map(
      (word) =>
        sql`8 * (instr(${boardItemSearch.title}, ${word}) > 0) + 4 * (instr(${boardItemSearch.title}, ${word}) = 1) + 2 * (instr(${boardItemSearch.file}, ${word}) > 0) + (instr(${boardItemSearch.content}, ${word}) > 0)`,
    ),
    sql` + `,
  );

/** Letters of HTML that the excerpts of one page of hits are made of, all together. */
const EXCERPT_LETTERS = 200_000;
/** So many of them before the first hit. */
const EXCERPT_LEAD = 500;

/** A stretch of the text around the first word where it stands as it was typed, or else its beginning. */
const excerptSource = (word: string, size: number) =>
  sql<string>`substr(${boardItem.content}, max(1, instr(${boardItem.content}, ${word}) - ${EXCERPT_LEAD}), ${Math.floor(EXCERPT_LETTERS / size)})`;

/** Without the rest of a tag that the stretch begins in: a tag's own signs are escaped everywhere else. */
function withoutCutTag(html: string): string {
  const end = html.indexOf(">");
  const start = html.indexOf("<");
  return end >= 0 && (start < 0 || end < start) ? html.slice(end + 1) : html;
}

async function readHits(
  ctx: AppContext,
  input: SearchInput,
  match: string,
  words: string[],
  boards: readonly BoardRow[],
) {
  const { db } = ctx;
  const hits = sql`board_search CROSS JOIN ${boardItemSearch} ON ${boardItemSearch.itemId} = board_search.rowid CROSS JOIN ${boardItem} ON ${boardItem.id} = board_search.rowid`;
  // A pair of syllables is a term of the index: only a longer word can be missing where its pairs are.
  const candidates = words.some((word) => [...word].length > 2)
    ? sql`board_search.rowid >= coalesce((SELECT rowid FROM board_search WHERE board_search MATCH ${match}
        ORDER BY rowid DESC LIMIT 1 OFFSET ${CANDIDATES_MAX - 1}), 0)`
    : sql`1`;
  const where = sql`board_search MATCH ${match} AND ${candidates} AND ${hitsWhere(ctx, input, words, boards)}`;
  const range = sql`LIMIT ${input.size} OFFSET ${(input.page - 1) * input.size}`;
  const newest = sql`SELECT board_search.rowid AS id, ${input.order === "match" ? matchScore(words) : sql`0`} AS score FROM ${hits} WHERE ${where} ORDER BY board_search.rowid DESC`;
  // The best of the newest: how many are weighed does not grow with the board.
  const page =
    input.order === "match"
      ? sql`(SELECT id, score FROM (${newest} LIMIT ${COUNT_MAX}) ORDER BY score DESC, id DESC ${range})`
      : sql`(${newest} ${range})`;
  const firstWord = words[0] ?? "";
  // Of the first word alone and so much of it: what tells where it stands.
  const inFiles = sql<string>`(SELECT json_group_array(json_object('fileName', name, 'text', part)) FROM (
    SELECT file.file_name AS name, substr(file_text.text, max(1, instr(lower(file_text.text), ${firstWord}) - 200), 600) AS part
    FROM file JOIN file_text ON file_text.file_id = file.id
    WHERE file.item_id = ${boardItem.id} AND file.purpose = 'board' AND file.status = 'attached' AND ${INSIDE_FILES.has(input.target) ? 1 : 0}
    ORDER BY file.sort_order LIMIT ${FILES_LOOKED_INTO}))`;
  const names = sql`(SELECT file_name FROM ${file} WHERE ${file.itemId} = ${boardItem.id} AND ${file.purpose} = 'board' AND ${file.status} = 'attached' ORDER BY ${file.sortOrder})`;
  const [items, exact, rough] = await db.batch([
    db
      .select({
        ...ITEM_ROW_COLUMNS,
        content: excerptSource(firstWord, input.size),
        inFiles,
        fileNames: sql<string>`(SELECT json_group_array(file_name) FROM ${names})`,
      })
      .from(boardItem)
      .innerJoin(sql`${page} AS found`, sql`found.id = ${boardItem.id}`)
      .orderBy(sql`found.score DESC`, sql`${boardItem.id} DESC`),
    countRows(db, sql`(SELECT 1 FROM ${hits} WHERE ${where} LIMIT ${EXACT_MAX + 1})`),
    countRows(db, sql`(SELECT 1 FROM board_search WHERE board_search MATCH ${match} LIMIT ${COUNT_MAX + 1})`),
  ]);
  const few = exact[0]?.count ?? 0;
  const count = few <= EXACT_MAX ? few : (rough[0]?.count ?? 0);
  return {
    hits: items.map(({ content, fileNames, inFiles: parts, ...item }) => ({
      item,
      content,
      inFiles: JSON.parse(parts) as { fileName: string; text: string }[],
      fileNames: JSON.parse(fileNames) as string[],
    })),
    total: Math.min(count, COUNT_MAX),
    more: count > COUNT_MAX,
  };
}

type SearchHitRow = Awaited<ReturnType<typeof readHits>>["hits"][number];

function hitView(
  ctx: AppContext,
  row: BoardRow,
  { item, content, fileNames, inFiles }: SearchHitRow,
  words: string[],
): SearchHit {
  const view = itemRowView(ctx, row, item);
  const excerpt = excerptAroundHit(htmlToText(withoutCutTag(content)), words);
  return {
    ...view,
    boardName: row.boardName,
    excerpt,
    fileNames,
    attachments: can(ctx.actor, { action: "Board.Download", board: row })
      ? inFiles.flatMap(({ fileName, text }) => {
          const part = excerptAroundHit(text, words);
          return splitAtHits(part, words).some(({ hit }) => hit) ? [{ fileName, excerpt: part }] : [];
        })
      : [],
    highlight: {
      title: highlightHtml(view.title, words),
      content: highlightHtml(excerpt, words),
      fileNames: fileNames.map((name) => highlightHtml(name, words)),
    },
  };
}
