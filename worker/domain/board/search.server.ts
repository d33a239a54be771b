import { asc, eq, type SQL, sql } from "drizzle-orm";
import { board, boardItem, boardItemSearch } from "#db/schema/board.ts";
import type { Db } from "#db/client.ts";
import type { AppContext, BatchRows, BatchStatement, View } from "#worker/domain/kernel/context.ts";
import type { SearchHit } from "#worker/contract/board/view.ts";
import type { SearchInput } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { makePage } from "#worker/contract/kernel/page.ts";
import { otherLabels, partWords, readQuestions, type SearchQuestion } from "#worker/contract/board/search-parts.ts";
import { NO_SPELLING, type Spelling, spellingOf } from "#worker/contract/board/search-spelling.ts";
import { excerptAroundHit, highlightHtml, splitAtHits } from "#worker/contract/board/search-terms.ts";
import { synonymGroups } from "#worker/contract/kernel/setting/synonyms.ts";
import { authorize, type BoardRow, can, itemResource } from "../kernel/authorize.server.ts";
import { identityOf } from "../kernel/site-identity.server.ts";
import { countWithin } from "../kernel/limit.server.ts";
import { INSIDE_FILES, matchExpression, similarTitlesExpression } from "./search-match.server.ts";
import {
  askedWith,
  type AskedWith,
  type HitSearch,
  holdsParts,
  matchScore,
  type Reading,
  WITH_COMMENTS,
} from "./search-score.server.ts";
import { file } from "#db/schema/file.ts";
import { ITEM_ROW_COLUMNS, itemRowView } from "./row.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

const NO_HITS = { hits: [], total: 0, more: false, reading: undefined };

/** Other places that are searched in the same batch, and may answer in place of items. */
interface OtherPlaces {
  /** @param isFree SQL condition for reading anything */
  statements: (isFree: SQL, questions: readonly SearchQuestion[]) => readonly BatchStatement[];
  answers: (rows: readonly unknown[], question: SearchQuestion) => boolean;
  texts: (rows: readonly unknown[]) => readonly string[];
}

const NO_OTHER_PLACES: OtherPlaces = { statements: () => [], answers: () => false, texts: () => [] };

export async function searchItems(ctx: AppContext, input: SearchInput) {
  const boardCode = input.boardCode ?? undefined;
  const boards = searchableBoards(ctx, await searchedBoardsStatement(ctx.db, boardCode), boardCode);
  return (await searchAmong(ctx, boards, input, NO_OTHER_PLACES)).page;
}

export type SearchPage = View<typeof searchItems>;

/**
 * Reads hits, other places, similar titles and the rate limit in one batch. Only a keyword without an answer is read
 * again: with corrected words, or without some. @param boards of `searchableBoards` @returns the page, the scores of its
 * hits, the question that was answered, and the rows of the other places @throws AppError TOO_MANY_REQUESTS
 */
export async function searchAmong(ctx: AppContext, boards: BoardRow[], input: SearchInput, others: OtherPlaces) {
  // Counted by account, because members may share one network address.
  const { actor } = ctx;
  const limit = countWithin(
    ctx,
    actor.kind === "guest" ? ["searchAddress", ctx.client.address] : ["searchAccount", actor.userId],
  );
  const isFurther = (input.page - 1) * input.size >= HIT_COUNT_MAX;
  const prepare = (readings: readonly Reading[], isFree: SQL) => {
    const matched = isFurther
      ? []
      : readings.flatMap((reading) => {
          const match = matchExpression(ctx, boards, input, reading.parts, reading.missing);
          return match === null ? [] : { ...reading, match };
        });
    return matched.length === 0 ? null : searchHitStatements(ctx, input, { readings: matched, boards, isFree });
  };
  const questions = readQuestions(input.keyword, synonymsOf(ctx));
  const typed = questions.map((question): Reading => ({ ...question, missing: 0, isCorrected: false }));
  const search = prepare(typed, limit.isFree);
  const similar = search ? [similarTitlesStatement(ctx, boards, questions, search.widest, limit.isFree)] : [];
  const beside = others.statements(limit.isFree, questions);
  const statements: BatchStatement[] = [...(search?.statements ?? []), ...similar, ...beside, ...limit.statements];
  const results: unknown[] = await ctx.db.batch(statements as [BatchStatement, ...BatchStatement[]]);
  const hitResults = results.splice(0, search?.statements.length ?? 0);
  const titles = results.splice(0, similar.length).flat() as { title: string }[];
  const [places, counted] = results.splice(beside.length) as unknown as Parameters<typeof limit.require>;
  limit.require(places, counted);
  type HitRows = Parameters<NonNullable<typeof search>["read"]>[0];
  let found: Found = search?.read(hitResults as unknown as HitRows) ?? NO_HITS;
  let question: SearchQuestion =
    found.reading ?? questions.find((each) => others.answers(results, each)) ?? questions[0] ?? NO_QUESTION;
  let spelling: Spelling = NO_SPELLING;
  if (found.total === 0 && !isFurther && !others.answers(results, question)) {
    spelling = spellingOf(questions.at(-1) ?? question, [
      ...titles.map(({ title }) => title),
      ...others.texts(results),
    ]);
    const { asides, phrase } = question;
    const corrected =
      spelling.corrections.length > 0
        ? readQuestions(spelling.keyword, synonymsOf(ctx)).map(({ parts }) => ({ parts, asides, phrase }))
        : [];
    const asked = corrected.length > 0 ? corrected : questions;
    const wide = asked.at(-2) ?? asked.at(-1);
    const missing = wide ? mayMiss(wide, false) : 0;
    const again = prepare(
      [
        ...corrected.map((each): Reading => ({ ...each, missing: 0, isCorrected: true })),
        ...(wide && missing > 0 ? [{ ...wide, missing, isCorrected: corrected.length > 0 }] : []),
      ],
      sql`1`,
    );
    if (again) found = again.read((await ctx.db.batch(again.statements)) as unknown as HitRows);
    const answering = corrected.find((each) => others.answers(results, each));
    question = found.reading ?? answering ?? question;
    if (!found.reading?.isCorrected && !answering) spelling = { ...spelling, corrections: [] };
  }
  const words = partWords(question.parts);
  const { hits, total, more, reading } = found;
  const content = hits.flatMap((hit) => {
    const row = boards.find((candidate) => candidate.boardCode === hit.item.boardCode);
    if (!row || !can(ctx.actor, { action: "Item.Read", item: itemResource(row, hit.item), now: ctx.now() })) return [];
    return [{ score: hit.score, hit: searchHitView(ctx, row, hit, words) }];
  });
  const shown = content.map(({ hit }) => hit);
  const page = {
    ...makePage(shown, { page: input.page, size: input.size, totalElements: total }),
    highlight: words,
    also: otherLabels(question.parts),
    more,
    isNear: (reading?.missing ?? 0) > 0,
    /** Words of the site that replaced misspelled ones. */
    corrected: spelling.corrections,
    /** Words of the site close to those without an answer. */
    suggested: total === 0 ? spelling.suggestions : [],
  };
  return { page, scores: content.map(({ score }) => score), question, rows: results };
}

const NO_QUESTION: SearchQuestion = { parts: [], asides: [], phrase: "" };

/** One part of up to four may be missing, two of more; of two parts only if nothing else answers. */
export const mayMiss = ({ parts }: SearchQuestion, isAnswered: boolean) =>
  parts.length > 4 ? 2 : parts.length > (isAnswered ? 2 : 1) ? 1 : 0;

const SIMILAR_TITLES = 200;

/** Titles that may contain the right spelling; none while the widest reading has candidates. */
function similarTitlesStatement(
  ctx: AppContext,
  boards: readonly BoardRow[],
  questions: readonly SearchQuestion[],
  widest: SQL,
  isFree: SQL,
) {
  const { db } = ctx;
  const words = questions.slice(-1).flatMap(({ parts }) => parts.map(([own]) => own.words.join("")));
  const match = similarTitlesExpression(ctx, boards, words) ?? "";
  const isNeeded = sql`${match} <> '' AND ${isFree} AND NOT EXISTS (SELECT 1 FROM board_search WHERE board_search MATCH ${widest} LIMIT 1)`;
  const alike = sql`(SELECT rowid AS id FROM board_search WHERE board_search MATCH ${match}
    ORDER BY rowid DESC LIMIT CASE WHEN ${isNeeded} THEN ${SIMILAR_TITLES} ELSE 0 END)`;
  return db
    .select({ title: boardItem.title })
    .from(sql`${alike} AS alike`)
    .innerJoin(boardItemSearch, sql`${boardItemSearch.itemId} = alike.id`)
    .innerJoin(boardItem, sql`${boardItem.id} = alike.id`)
    .where(sql`${boardItemSearch.createdDate} <= ${ctx.now().getTime()} AND ${readableWhere(ctx, boards)}`);
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

const synonymsOf = (ctx: AppContext) => synonymGroups(identityOf(ctx).synonyms);

/** Hits are counted up to this limit; one more means "more". */
const HIT_COUNT_MAX = 500;

/** Most recent items whose text is checked for a word that the syllable pairs only suggest. */
const CANDIDATES_MAX = 5000;

/** As the access terms, for items found without them. */
function readableWhere(ctx: AppContext, boards: readonly BoardRow[]): SQL {
  const codes = (rows: readonly BoardRow[]) =>
    sql`(SELECT value FROM json_each(${JSON.stringify(rows.map(({ boardCode }) => boardCode))}))`;
  const managed = boards.filter((row) => can(ctx.actor, { action: "Board.Manage", board: row }));
  const me = ctx.actor.kind === "guest" ? null : ctx.actor.userId;
  const { boardCode, secretOf } = boardItemSearch;
  return sql`${boardCode} IN ${codes(boards)} AND (${secretOf} IS NULL OR ${secretOf} = ${me} OR ${boardCode} IN ${codes(managed)})`;
}

function hitsWhere(
  ctx: AppContext,
  input: SearchInput,
  reading: Reading,
  boards: readonly BoardRow[],
  asked: AskedWith,
): SQL {
  const upTo = Math.min(input.to?.getTime() ?? Infinity, ctx.now().getTime());
  return sql.join(
    [
      holdsParts(reading, input.target, asked),
      sql`${boardItemSearch.createdDate} <= ${upTo}`,
      ...(input.from ? [sql`${boardItemSearch.createdDate} >= ${input.from.getTime()}`] : []),
      readableWhere(ctx, boards),
    ],
    sql` AND `,
  );
}

const FILES_LOOKED_INTO = 10;
const COMMENTS_LOOKED_INTO = 30;

/** Characters of HTML for the excerpts of one page. */
const EXCERPT_LETTERS = 200_000;

const EXCERPT_LEAD = 500;
const EXCERPT_WORDS = 12;

const excerptSource = (words: readonly string[], size: number) =>
  sql<string>`substr(${boardItem.content}, max(1, ${firstPlace(sql`${boardItem.content}`, words)} - ${EXCERPT_LEAD}), ${Math.floor(EXCERPT_LETTERS / size)})`;

const firstPlace = (text: SQL, words: readonly string[]) =>
  sql`coalesce(${sql.join([...words.map((word) => sql`nullif(instr(${text}, ${word}), 0)`), sql`0`], sql`, `)})`;

function withoutCutTag(html: string): string {
  const end = html.indexOf(">");
  const start = html.indexOf("<");
  return end >= 0 && (start < 0 || end < start) ? html.slice(end + 1) : html;
}

type Found = Omit<ReturnType<NonNullable<ReturnType<typeof searchHitStatements>>["read"]>, "reading"> & {
  reading: Reading | undefined;
};

function searchHitStatements(ctx: AppContext, input: SearchInput, search: HitSearch) {
  const { readings, boards, isFree } = search;
  const { db } = ctx;
  const asked = askedWith(ctx, search);
  const hitsOf = (reading: HitSearch["readings"][number], at: number) => {
    const before = readings.slice(0, at).map((_, each) => sql.raw(`NOT EXISTS (SELECT 1 FROM hits${each})`));
    const isFirst = sql.join([isFree, ...before], sql` AND `);
    // LIMIT 0 ends the statement before it searches.
    const candidates = sql`(SELECT rowid AS id FROM board_search WHERE board_search MATCH ${reading.match}
      ORDER BY rowid DESC LIMIT CASE WHEN ${isFirst} THEN ${CANDIDATES_MAX} ELSE 0 END)`;
    // IDs follow the order of writing, which differs from the dates after a move from an old site.
    const score = input.order === "match" ? matchScore(ctx, reading, asked) : sql`${boardItemSearch.createdDate}`;
    // Ranks only the latest hits, so that the cost does not grow with the board.
    const own = sql`SELECT candidate.id, ${boardItemSearch.createdDate} AS created, ${score} AS score, ${sql.raw(String(at))} AS reading
      FROM ${candidates} AS candidate CROSS JOIN ${boardItemSearch} ON ${boardItemSearch.itemId} = candidate.id
      WHERE ${hitsWhere(ctx, input, reading, boards, asked)} LIMIT ${HIT_COUNT_MAX + 1}`;
    return sql`${sql.raw(`hits${at}`)} AS MATERIALIZED (${own})`;
  };
  // Copies no hits from one reading to the next: each copy is read again.
  const each = readings.map((_, at) => `SELECT * FROM hits${at}`).join(" UNION ALL ");
  const found = sql`(${asked.with}, ${sql.join(readings.map(hitsOf), sql`, `)}, hits AS NOT MATERIALIZED (${sql.raw(each)})
    SELECT page.id, page.created, page.score, page.reading, counted.total FROM (SELECT count(*) AS total FROM hits) AS counted
    LEFT JOIN (SELECT * FROM hits ORDER BY score DESC, created DESC, id DESC LIMIT ${input.size} OFFSET ${(input.page - 1) * input.size}) AS page)`;
  const firstWords = [
    ...new Set(readings.flatMap(({ parts }) => parts[0] ?? []).flatMap((wording) => wording.words.slice(0, 1))),
  ].slice(0, EXCERPT_WORDS);
  const inFiles = sql<string>`(SELECT json_group_array(json_object('fileName', name, 'text', part)) FROM (
    SELECT file.file_name AS name, substr(file_text.text, max(1, ${firstPlace(sql`lower(file_text.text)`, firstWords)} - 200), 600) AS part
    FROM file JOIN file_text ON file_text.file_id = file.id
    WHERE file.item_id = ${boardItem.id} AND file.purpose = 'board' AND file.status = 'attached' AND ${INSIDE_FILES.has(input.target) ? 1 : 0}
    ORDER BY file.sort_order LIMIT ${FILES_LOOKED_INTO}))`;
  const inComments = sql<string>`(SELECT json_group_array(part) FROM (
    SELECT substr(board_item_comment.content, max(1, ${firstPlace(sql`lower(board_item_comment.content)`, firstWords)} - 100), 300) AS part
    FROM board_item_comment WHERE board_item_comment.item_id = ${boardItem.id} AND board_item_comment.deleted_date IS NULL AND ${WITH_COMMENTS.has(input.target) ? 1 : 0}
    ORDER BY board_item_comment.created_date LIMIT ${COMMENTS_LOOKED_INTO}))`;
  const names = sql`(SELECT file_name FROM ${file} WHERE ${file.itemId} = ${boardItem.id} AND ${file.purpose} = 'board' AND ${file.status} = 'attached' ORDER BY ${file.sortOrder})`;
  const statements = [
    db
      .select({
        item: ITEM_ROW_COLUMNS,
        content: excerptSource(firstWords, input.size),
        inFiles,
        fileNames: sql<string>`(SELECT json_group_array(file_name) FROM ${names})`,
        inComments,
        total: sql<number>`found.total`,
        score: sql<number>`found.score`,
        reading: sql<number>`found.reading`,
      })
      .from(sql`${found} AS found`)
      .leftJoin(boardItem, sql`found.id = ${boardItem.id}`)
      .orderBy(sql`found.score DESC`, sql`found.created DESC`, sql`${boardItem.id} DESC`),
  ] as const;
  const read = ([rows]: BatchRows<typeof statements>) => {
    const total = rows[0]?.total ?? 0;
    return {
      hits: rows.flatMap(({ item, content, fileNames, inFiles: texts, inComments: comments, score }) =>
        item === null
          ? []
          : {
              item,
              content,
              inFiles: JSON.parse(texts) as { fileName: string; text: string }[],
              fileNames: JSON.parse(fileNames) as string[],
              comments: JSON.parse(comments) as string[],
              score,
            },
      ),
      reading: total > 0 ? readings[rows[0]?.reading ?? 0] : undefined,
      total: Math.min(total, HIT_COUNT_MAX),
      more: total > HIT_COUNT_MAX,
    };
  };
  return { statements, read, widest: readings.at(-1)?.match ?? sql`''` };
}

function searchHitView(
  ctx: AppContext,
  row: BoardRow,
  {
    item,
    content,
    fileNames,
    inFiles,
    comments,
  }: ReturnType<ReturnType<typeof searchHitStatements>["read"]>["hits"][number],
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
    comment: row.useComment ? commentWith(comments, words) : "",
    highlight: {
      title: highlightHtml(view.title, words),
      content: highlightHtml(excerpt, words),
      fileNames: fileNames.map((name) => highlightHtml(name, words)),
    },
  };
}

/** The first comment with a word, around it. */
function commentWith(comments: readonly string[], words: readonly string[]): string {
  const isHit = (text: string) => splitAtHits(text, words).some(({ hit }) => hit);
  return comments.map((text) => excerptAroundHit(text, words)).find(isHit) ?? "";
}
