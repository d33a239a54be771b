import { type SQL, sql } from "drizzle-orm";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { questionWords, type SearchQuestion } from "#worker/contract/board/search-parts.ts";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";
import type { BoardRow } from "../kernel/authorize.server.ts";
import { downloadableBoards, INSIDE_FILES } from "./search-match.server.ts";

export interface Reading extends SearchQuestion {
  missing: number;
  isCorrected: boolean;
}

export interface HitSearch {
  /** From the closest to the widest: the first with a hit counts. */
  readings: readonly (Reading & { match: SQL })[];
  boards: readonly BoardRow[];
  isFree: SQL;
}

/** Binds each value once, because D1 allows 100 parameters in a statement. */
export function askedWith(ctx: AppContext, { readings, boards }: HitSearch) {
  const codesOf = (rows: readonly BoardRow[]) => JSON.stringify(rows.map(({ boardCode }) => boardCode));
  const open = codesOf(downloadableBoards(ctx, boards));
  const commented = codesOf(boards.filter(({ useComment }) => useComment));
  const faq = codesOf(boards.filter(({ boardType }) => boardType === "faq"));
  const words = [...new Set(readings.flatMap((reading) => [...questionWords(reading), ...reading.asides.flat()]))];
  const columns = words.map((_, at) => sql.raw(`list ->> ${at} AS word${at}`));
  return {
    with: sql`WITH given AS (SELECT ${JSON.stringify(words)} AS list), asked AS MATERIALIZED (SELECT ${sql.join(
      [sql`${open} AS open_boards, ${commented} AS commented_boards, ${faq} AS faq_boards`, ...columns],
      sql`, `,
    )} FROM given)`,
    column: (word: string) => `(SELECT word${words.indexOf(word)} FROM asked)`,
  };
}

export type AskedWith = ReturnType<typeof askedWith>;

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
/** Whether a JSON array holds the board, without the row that a set costs for each hit. */
const isAmong = (column: string) =>
  `instr((SELECT ${column} FROM asked), json_quote(board_item_search.board_code)) > 0`;
/** Texts of files in downloadable boards. */
const INSIDE_FILE = (word: string) =>
  `(instr(board_item_search.attachment, ${word}) > 0 AND ${isAmong("open_boards")})`;
const IN_COMMENTS = (word: string) =>
  `(instr(board_item_search.comments, ${word}) > 0 AND ${isAmong("commented_boards")})`;
export const WITH_COMMENTS = new Set<SearchTarget>(["all", "content", "titleContent"]);

const anyOf = (conditions: readonly string[]) => `(${conditions.join(" OR ")})`;

/** Whether an item has the parts, in the searched texts. */
export function holdsParts({ parts, missing }: Reading, target: SearchTarget, asked: AskedWith): SQL {
  const holdsWord = (word: string) =>
    anyOf([
      ...SEARCHED_TEXTS[target].map((text) => `instr(${text}, ${word}) > 0`),
      ...(INSIDE_FILES.has(target) ? [INSIDE_FILE(word)] : []),
      ...(WITH_COMMENTS.has(target) ? [IN_COMMENTS(word)] : []),
    ]);
  const holds = parts.map((wordings) =>
    anyOf(wordings.map(({ words }) => `(${words.map((word) => holdsWord(asked.column(word))).join(" AND ")})`)),
  );
  // Names only: the words are bound in `asked`.
  return sql.raw(missing === 0 ? holds.join(" AND ") : `(${holds.join(" + ")}) >= ${holds.length - missing}`);
}

/** How much each place of a hit weighs; pages are scored by the same weights. */
export const SCORES = {
  title: 8,
  titleStart: 4,
  /** A word as it was asked, not in two halves. */
  whole: 2,
  /** A title of nothing but the words. */
  titleShare: 8,
  fileName: 2,
  text: 1,
  asideInTitle: 4,
  asideInText: 1,
  phraseInTitle: 4,
  phraseInText: 3,
  faq: 2,
  /** Halved after a year. */
  fresh: 3,
} as const;

const YEAR_MS = 365 * 86_400_000;

export function matchScore(ctx: AppContext, { parts, asides, phrase }: Reading, asked: AskedWith): SQL {
  const { title, file: names, content } = TEXTS;
  const holds = (text: string, word: string, place = "> 0") => `instr(${text}, ${asked.column(word)}) ${place}`;
  const scores = parts.map((wordings) => {
    const words = [...new Set(wordings.flatMap((wording) => wording.words))];
    const inTitle = wordings.map((wording) => wording.words.map((word) => holds(title, word)).join(" AND "));
    const own = wordings[0].words.join("");
    const share = words.map((word) => `WHEN ${holds(title, word)} THEN length(${asked.column(word)})`).join(" ");
    return `(${[
      `${SCORES.title} * ${anyOf(inTitle.map((each) => `(${each})`))}`,
      `${SCORES.titleStart} * ${anyOf(words.map((word) => holds(title, word, "= 1")))}`,
      `${SCORES.whole} * ${anyOf(wordings[0].words.map((word) => holds(title, word)))}`,
      `${SCORES.fileName} * ${anyOf(words.map((word) => holds(names, word)))}`,
      `${SCORES.text} * ${anyOf(words.map((word) => holds(content, word)))}`,
      `${SCORES.titleShare}.0 * (CASE ${share} ELSE 0 END) / max(length(${title}), ${own.length})`,
    ].join(" + ")})`;
  });
  const ordering = asides.map((words) => {
    const anyIn = (text: string) => anyOf(words.map((word) => holds(text, word)));
    return `(${SCORES.asideInTitle} * ${anyIn(title)} + ${SCORES.asideInText} * ${anyIn(content)})`;
  });
  const age = `max(0, ${ctx.now().getTime()} - board_item_search.created_date)`;
  const fixed = [`${SCORES.faq} * (${isAmong("faq_boards")})`, `${SCORES.fresh}.0 / (1 + ${age} / ${YEAR_MS}.0)`];
  const together = phrase
    ? [`${SCORES.phraseInTitle} * (${holds(title, phrase)})`, `${SCORES.phraseInText} * (${holds(content, phrase)})`]
    : [];
  return sql.raw([...scores, ...ordering, ...together, ...fixed].join(" + "));
}
