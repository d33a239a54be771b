import { type SQL, sql } from "drizzle-orm";
import { boardItem, boardItemSearch } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext, BatchRows } from "#worker/domain/kernel/context.ts";
import { countRows } from "#worker/domain/kernel/page.server.ts";
import type { SearchHit } from "#worker/contract/board/view.ts";
import type { SearchInput } from "#worker/contract/board/input.ts";
import { partWords, type SearchPart } from "#worker/contract/board/search-parts.ts";
import {
  excerptAroundHit,
  highlightHtml,
  type SearchTarget,
  splitAtHits,
} from "#worker/contract/board/search-terms.ts";
import { type BoardRow, can } from "../kernel/authorize.server.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

/** Hits are counted up to this limit; one more means "more". */
export const HIT_COUNT_MAX = 1000;

const EXACT_MAX = 100;

/** Most recent items whose text is checked for a word that the syllable pairs only suggest. */
const CANDIDATES_MAX = 5000;

export const INSIDE_FILES = new Set<SearchTarget>(["all", "file"]);

export const downloadableBoards = (ctx: AppContext, boards: readonly BoardRow[]) =>
  boards.filter((row) => can(ctx.actor, { action: "Board.Download", board: row }));

/** Binds each value once, because D1 allows 100 parameters in a statement. */
function askedWith(ctx: AppContext, { parts, boards }: HitSearch) {
  const open = JSON.stringify(downloadableBoards(ctx, boards).map(({ boardCode }) => boardCode));
  const words = partWords(parts);
  const columns = words.map((word, index) => sql`${word} AS ${sql.identifier(`word${index}`)}`);
  return {
    with: sql`WITH asked AS (SELECT ${sql.join([sql`${open} AS open_boards`, ...columns], sql`, `)})`,
    column: (word: string) => `(SELECT word${words.indexOf(word)} FROM asked)`,
  };
}

type AskedWith = ReturnType<typeof askedWith>;

const TEXTS = {
  title: "board_item_search.title",
  content: "board_item_search.content",
  writer: "board_item_search.writer",
  file: "board_item_search.file",
} as const;
const SEARCHED_TEXTS: Record<SearchTarget, readonly string[]> = {
  all: Object.values(TEXTS),
  title: [TEXTS.title],
  content: [TEXTS.content],
  titleContent: [TEXTS.title, TEXTS.content],
  writer: [TEXTS.writer],
  file: [TEXTS.file],
};
/** Texts of files in downloadable boards. */
const INSIDE_FILE = (word: string) =>
  `(instr(board_item_search.attachment, ${word}) > 0 AND board_item.board_code IN (SELECT value FROM json_each((SELECT open_boards FROM asked))))`;

const anyOf = (conditions: readonly string[]) => `(${conditions.join(" OR ")})`;

function hitsWhere(ctx: AppContext, input: SearchInput, { parts, missing }: HitSearch, asked: AskedWith): SQL {
  const holdsWord = (word: string) =>
    anyOf([
      ...SEARCHED_TEXTS[input.target].map((text) => `instr(${text}, ${word}) > 0`),
      ...(INSIDE_FILES.has(input.target) ? [INSIDE_FILE(word)] : []),
    ]);
  const holds = parts.map((wordings) =>
    anyOf(wordings.map(({ words }) => `(${words.map((word) => holdsWord(asked.column(word))).join(" AND ")})`)),
  );
  const enough = missing === 0 ? holds.join(" AND ") : `(${holds.join(" + ")}) >= ${holds.length - missing}`;
  const upTo = Math.min(input.to?.getTime() ?? Infinity, ctx.now().getTime());
  return sql.join(
    [
      // Names only: the words are bound in `asked`.
      sql.raw(enough),
      sql`${boardItem.deletedDate} IS NULL`,
      sql`${boardItem.createdDate} <= ${upTo}`,
      ...(input.from ? [sql`${boardItem.createdDate} >= ${input.from.getTime()}`] : []),
      // Only for one board, because the author's secret items elsewhere share the term.
      ...(input.boardCode ? [sql`${boardItem.boardCode} = ${input.boardCode}`] : []),
    ],
    sql` AND `,
  );
}

const FILES_LOOKED_INTO = 10;

/** Scores title over file name over text, and a prefix over a match inside. */
function matchScore(parts: readonly SearchPart[], asked: AskedWith): SQL {
  const scores = parts.flatMap((wordings) => {
    const words = wordings.flatMap((wording) => wording.words).map(asked.column);
    const found = (text: string, where = "> 0") => anyOf(words.map((word) => `instr(${text}, ${word}) ${where}`));
    const { title, file: names, content } = TEXTS;
    return [`8 * ${found(title)}`, `4 * ${found(title, "= 1")}`, `2 * ${found(names)}`, found(content)];
  });
  return sql.raw(scores.join(" + "));
}

/** Characters of HTML for the excerpts of one page. */
const EXCERPT_LETTERS = 200_000;

const EXCERPT_LEAD = 500;

const excerptSource = (words: readonly string[], size: number) =>
  sql<string>`substr(${boardItem.content}, max(1, ${firstPlace(sql`${boardItem.content}`, words)} - ${EXCERPT_LEAD}), ${Math.floor(EXCERPT_LETTERS / size)})`;

const firstPlace = (text: SQL, words: readonly string[]) =>
  sql`coalesce(${sql.join([...words.map((word) => sql`nullif(instr(${text}, ${word}), 0)`), sql`0`], sql`, `)})`;

function withoutCutTag(html: string): string {
  const end = html.indexOf(">");
  const start = html.indexOf("<");
  return end >= 0 && (start < 0 || end < start) ? html.slice(end + 1) : html;
}

interface HitSearch {
  match: string;
  parts: readonly SearchPart[];
  boards: readonly BoardRow[];
  missing: 0 | 1;
  isFree: SQL;
}

export function searchHitStatements(ctx: AppContext, input: SearchInput, search: HitSearch) {
  const { match, parts, isFree } = search;
  const { db } = ctx;
  const words = partWords(parts);
  const asked = askedWith(ctx, search);
  const hits = sql`board_search CROSS JOIN ${boardItemSearch} ON ${boardItemSearch.itemId} = board_search.rowid CROSS JOIN ${boardItem} ON ${boardItem.id} = board_search.rowid`;
  // Only words longer than a syllable pair can be false hits of the index.
  const candidates = words.some((word) => [...word].length > 2)
    ? sql`board_search.rowid >= coalesce((SELECT rowid FROM board_search WHERE board_search MATCH ${match}
        ORDER BY rowid DESC LIMIT 1 OFFSET ${CANDIDATES_MAX - 1}), 0)`
    : sql`1`;
  const where = sql`board_search MATCH ${match} AND ${candidates} AND ${hitsWhere(ctx, input, search, asked)}`;
  // LIMIT 0 ends the statement before it searches.
  const atMost = (rows: number) => sql`LIMIT CASE WHEN ${isFree} THEN ${rows} ELSE 0 END`;
  const range = sql`${atMost(input.size)} OFFSET ${(input.page - 1) * input.size}`;
  // IDs follow the order of writing, which differs from the dates after a move from an old site.
  const score = input.order === "match" ? matchScore(parts, asked) : sql`${boardItem.createdDate}`;
  const newest = sql`${asked.with} SELECT board_search.rowid AS id, ${score} AS score FROM ${hits} WHERE ${where} ORDER BY board_search.rowid DESC`;
  // Ranks only the latest hits, so that the cost does not grow with the board.
  const page = sql`(SELECT id, score FROM (${newest} ${atMost(HIT_COUNT_MAX)}) ORDER BY score DESC, id DESC ${range})`;
  const firstWords = (parts[0] ?? []).flatMap((wording) => wording.words.slice(0, 1));
  const inFiles = sql<string>`(SELECT json_group_array(json_object('fileName', name, 'text', part)) FROM (
    SELECT file.file_name AS name, substr(file_text.text, max(1, ${firstPlace(sql`lower(file_text.text)`, firstWords)} - 200), 600) AS part
    FROM file JOIN file_text ON file_text.file_id = file.id
    WHERE file.item_id = ${boardItem.id} AND file.purpose = 'board' AND file.status = 'attached' AND ${INSIDE_FILES.has(input.target) ? 1 : 0}
    ORDER BY file.sort_order LIMIT ${FILES_LOOKED_INTO}))`;
  const names = sql`(SELECT file_name FROM ${file} WHERE ${file.itemId} = ${boardItem.id} AND ${file.purpose} = 'board' AND ${file.status} = 'attached' ORDER BY ${file.sortOrder})`;
  const statements = [
    db
      .select({
        ...ITEM_ROW_COLUMNS,
        content: excerptSource(firstWords, input.size),
        inFiles,
        fileNames: sql<string>`(SELECT json_group_array(file_name) FROM ${names})`,
      })
      .from(boardItem)
      .innerJoin(sql`${page} AS found`, sql`found.id = ${boardItem.id}`)
      .orderBy(sql`found.score DESC`, sql`${boardItem.id} DESC`),
    countRows(db, sql`(${asked.with} SELECT 1 FROM ${hits} WHERE ${where} ${atMost(EXACT_MAX + 1)})`),
    countRows(db, sql`(SELECT 1 FROM board_search WHERE board_search MATCH ${match} ${atMost(HIT_COUNT_MAX + 1)})`),
  ] as const;
  const read = ([items, exact, rough]: BatchRows<typeof statements>) => {
    const few = exact[0]?.count ?? 0;
    const count = few <= EXACT_MAX ? few : (rough[0]?.count ?? 0);
    return {
      hits: items.map(({ content, fileNames, inFiles: found, ...item }) => ({
        item,
        content,
        inFiles: JSON.parse(found) as { fileName: string; text: string }[],
        fileNames: JSON.parse(fileNames) as string[],
      })),
      total: Math.min(count, HIT_COUNT_MAX),
      more: count > HIT_COUNT_MAX,
    };
  };
  return { statements, read };
}

type SearchHitRow = ReturnType<ReturnType<typeof searchHitStatements>["read"]>["hits"][number];

export function searchHitView(
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
