import { asc, eq, type SQL, sql } from "drizzle-orm";
import { board, boardItem, boardItemSearch } from "#db/schema/board.ts";
import type { Db } from "#db/client.ts";
import type { AppContext, BatchRows, BatchStatement, View } from "#worker/domain/kernel/context.ts";
import type { SearchHit } from "#worker/contract/board/view.ts";
import type { SearchInput } from "#worker/contract/board/input.ts";
import { AppError, makePage } from "#worker/contract/kernel/errors.ts";
import {
  bareWords,
  otherLabels,
  partWords,
  type SearchPart,
  searchParts,
} from "#worker/contract/board/search-parts.ts";
import {
  excerptAroundHit,
  highlightHtml,
  type SearchTarget,
  splitAtHits,
} from "#worker/contract/board/search-terms.ts";
import { synonymGroups } from "#worker/contract/kernel/synonyms.ts";
import { authorize, type BoardRow, can, identityOf, itemResource } from "../kernel/authorize.server.ts";
import { countWithin } from "../kernel/limit.server.ts";
import { downloadableBoards, INSIDE_FILES, matchExpression } from "./search-match.server.ts";
import { file } from "#db/schema/file.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

const NO_HITS = { hits: [], total: 0, more: false };

export async function searchItems(ctx: AppContext, input: SearchInput) {
  const boardCode = input.boardCode ?? undefined;
  const boards = searchableBoards(ctx, await searchedBoardsStatement(ctx.db, boardCode), boardCode);
  return (await searchAmong(ctx, boards, input, () => [])).page;
}

export type SearchPage = View<typeof searchItems>;

/**
 * Runs hits, extra reads and the rate limit in one batch; without a hit, searches again by bare words. Extra reads must
 * be empty when `isFree` is false. @param boards of `searchableBoards` @returns the page, and the rows of the extra
 * reads @throws AppError TOO_MANY_REQUESTS
 */
export async function searchAmong(
  ctx: AppContext,
  boards: BoardRow[],
  input: SearchInput,
  beside: (isFree: SQL) => readonly BatchStatement[],
) {
  // Counted by account, because members may share one network address.
  const { actor } = ctx;
  const limit = countWithin(
    ctx,
    actor.kind === "guest" ? ["searchAddress", ctx.client.address] : ["searchAccount", actor.userId],
  );
  const isFurther = (input.page - 1) * input.size >= HIT_COUNT_MAX;
  const prepare = (parts: readonly SearchPart[], isFree: SQL, missing: 0 | 1 = 0) => {
    const match = isFurther ? null : matchExpression(ctx, boards, input, parts, missing);
    return match === null ? null : searchHitStatements(ctx, input, { match, parts, boards, isFree, missing });
  };
  const typed = askedParts(ctx, input.keyword);
  const search = prepare(typed, limit.isFree);
  const others = beside(limit.isFree);
  const statements: BatchStatement[] = [...(search?.statements ?? []), ...others, ...limit.statements];
  const results: unknown[] = await ctx.db.batch(statements as [BatchStatement, ...BatchStatement[]]);
  const hitResults = results.splice(0, search?.statements.length ?? 0);
  const [places, counted] = results.splice(others.length) as unknown as Parameters<typeof limit.require>;
  limit.require(places, counted);
  type HitRows = Parameters<NonNullable<typeof search>["read"]>[0];
  let parts = typed;
  /** True when no item matches every word, and these lack one. */
  let isNear = false;
  let found = search?.read(hitResults as unknown as HitRows) ?? NO_HITS;
  const bare = askedParts(ctx, bareWords(input.keyword).join(" "));
  const near = bare.length > 0 ? bare : typed;
  for (const [asked, missing] of [[bare, 0] as const, [near.length > 2 ? near : [], 1] as const]) {
    if (found.total > 0 || asked.length === 0) continue;
    const again = prepare(asked, sql`1`, missing);
    if (!again) continue;
    found = again.read((await ctx.db.batch(again.statements)) as unknown as HitRows);
    if (found.total > 0) [parts, isNear] = [asked, missing > 0];
  }
  const words = partWords(parts);
  const { hits, total, more } = found;
  const content = hits.flatMap((hit) => {
    const row = boards.find((candidate) => candidate.boardCode === hit.item.boardCode);
    if (!row || !can(ctx.actor, { action: "Item.Read", item: itemResource(row, hit.item), now: ctx.now() })) return [];
    return [searchHitView(ctx, row, hit, words)];
  });
  const page = makePage(content, { page: input.page, size: input.size, totalElements: total });
  return { page: { ...page, highlight: words, also: otherLabels(parts), more, isNear }, rows: results };
}

export const searchedBoardsStatement = (db: Db, boardCode?: string) =>
  db
    .select()
    .from(board)
    .where(boardCode === undefined ? undefined : eq(board.boardCode, boardCode))
    .orderBy(asc(board.sortOrder));

/** @param rows of `searchedBoardsStatement` @throws AppError NOT_FOUND, UNAUTHORIZED or FORBIDDEN for one unreadable board */
export function searchableBoards(ctx: AppContext, rows: readonly BoardRow[], boardCode?: string): BoardRow[] {
  const open = rows.filter((row) => !row.isClosed || can(ctx.actor, { action: "Board.Manage", board: row }));
  if (boardCode === undefined) {
    return open.filter(
      (row) =>
        can(ctx.actor, { action: "Board.List", board: row }) && can(ctx.actor, { action: "Board.View", board: row }),
    );
  }
  const row = open.find((each) => each.boardCode === boardCode);
  if (!row) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  authorize(ctx, { action: "Board.List", board: row });
  authorize(ctx, { action: "Board.View", board: row });
  return [row];
}

export const askedParts = (ctx: AppContext, keyword: string): SearchPart[] =>
  searchParts(keyword, synonymGroups(identityOf(ctx).synonyms));

/** Hits are counted up to this limit; one more means "more". */
const HIT_COUNT_MAX = 500;

/** Most recent items whose text is checked for a word that the syllable pairs only suggest. */
const CANDIDATES_MAX = 5000;

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
  `(instr(board_item_search.attachment, ${word}) > 0 AND board_item_search.board_code IN (SELECT value FROM json_each((SELECT open_boards FROM asked))))`;

const anyOf = (conditions: readonly string[]) => `(${conditions.join(" OR ")})`;

/** As the access terms, for items found without them. */
function readableWhere(ctx: AppContext, boards: readonly BoardRow[]): SQL {
  const codes = (rows: readonly BoardRow[]) =>
    sql`(SELECT value FROM json_each(${JSON.stringify(rows.map(({ boardCode }) => boardCode))}))`;
  const managed = boards.filter((row) => can(ctx.actor, { action: "Board.Manage", board: row }));
  const me = ctx.actor.kind === "guest" ? null : ctx.actor.userId;
  const { boardCode, secretOf } = boardItemSearch;
  return sql`${boardCode} IN ${codes(boards)} AND (${secretOf} IS NULL OR ${secretOf} = ${me} OR ${boardCode} IN ${codes(managed)})`;
}

function hitsWhere(ctx: AppContext, input: SearchInput, { parts, boards, missing }: HitSearch, asked: AskedWith): SQL {
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
      sql`${boardItemSearch.createdDate} <= ${upTo}`,
      ...(input.from ? [sql`${boardItemSearch.createdDate} >= ${input.from.getTime()}`] : []),
      readableWhere(ctx, boards),
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
  match: SQL;
  parts: readonly SearchPart[];
  boards: readonly BoardRow[];
  missing: 0 | 1;
  isFree: SQL;
}

function searchHitStatements(ctx: AppContext, input: SearchInput, search: HitSearch) {
  const { match, parts, isFree } = search;
  const { db } = ctx;
  const asked = askedWith(ctx, search);
  // LIMIT 0 ends the statement before it searches.
  const candidates = sql`(SELECT rowid AS id FROM board_search WHERE board_search MATCH ${match}
    ORDER BY rowid DESC LIMIT CASE WHEN ${isFree} THEN ${CANDIDATES_MAX} ELSE 0 END)`;
  // IDs follow the order of writing, which differs from the dates after a move from an old site.
  const score = input.order === "match" ? matchScore(parts, asked) : sql`${boardItemSearch.createdDate}`;
  // Ranks only the latest hits, so that the cost does not grow with the board.
  const hits = sql`SELECT candidate.id, ${score} AS score FROM ${candidates} AS candidate
    CROSS JOIN ${boardItemSearch} ON ${boardItemSearch.itemId} = candidate.id
    WHERE ${hitsWhere(ctx, input, search, asked)} LIMIT ${HIT_COUNT_MAX + 1}`;
  const found = sql`(${asked.with}, hits AS MATERIALIZED (${hits})
    SELECT page.id, page.score, counted.total FROM (SELECT count(*) AS total FROM hits) AS counted
    LEFT JOIN (SELECT id, score FROM hits ORDER BY score DESC, id DESC LIMIT ${input.size} OFFSET ${(input.page - 1) * input.size}) AS page)`;
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
        item: ITEM_ROW_COLUMNS,
        content: excerptSource(firstWords, input.size),
        inFiles,
        fileNames: sql<string>`(SELECT json_group_array(file_name) FROM ${names})`,
        total: sql<number>`found.total`,
      })
      .from(sql`${found} AS found`)
      .leftJoin(boardItem, sql`found.id = ${boardItem.id}`)
      .orderBy(sql`found.score DESC`, sql`${boardItem.id} DESC`),
  ] as const;
  const read = ([rows]: BatchRows<typeof statements>) => {
    const total = rows[0]?.total ?? 0;
    return {
      hits: rows.flatMap(({ item, content, fileNames, inFiles: texts }) =>
        item === null
          ? []
          : {
              item,
              content,
              inFiles: JSON.parse(texts) as { fileName: string; text: string }[],
              fileNames: JSON.parse(fileNames) as string[],
            },
      ),
      total: Math.min(total, HIT_COUNT_MAX),
      more: total > HIT_COUNT_MAX,
    };
  };
  return { statements, read };
}

function searchHitView(
  ctx: AppContext,
  row: BoardRow,
  { item, content, fileNames, inFiles }: ReturnType<ReturnType<typeof searchHitStatements>["read"]>["hits"][number],
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
