import { type SQL, sql } from "drizzle-orm";
import type { SearchInput } from "#worker/contract/board/input.ts";
import type { PartWording, SearchPart } from "#worker/contract/board/search-parts.ts";
import { queryTerms, type SearchTarget, STARTS_WITH_CJK } from "#worker/contract/board/search-terms.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type BoardRow, can } from "../kernel/authorize.server.ts";
import {
  DATED_TERM,
  koreanMonthOf,
  monthTerm,
  ownerTerm,
  publicTerm,
  secretTerm,
  yearTerm,
} from "./search-index.server.ts";

const TAGS: Record<SearchTarget, readonly string[]> = {
  all: ["a", "t", "w", "f", "c"],
  title: ["t"],
  content: ["a", "c"],
  titleContent: ["a", "t", "c"],
  writer: ["w"],
  file: ["f"],
};

const FIRST_YEAR = 1970;

export const INSIDE_FILES = new Set<SearchTarget>(["all", "file"]);

export const downloadableBoards = (ctx: AppContext, boards: readonly BoardRow[]) =>
  boards.filter((row) => can(ctx.actor, { action: "Board.Download", board: row }));

/** A term in one item of so many, and at most so often, is looked up alone: the lists of common ones are long. */
const NARROW_SHARE = 500;
const NARROW_MAX = 2000;
const NARROW_TRIED = 8;

const SIMILAR_LETTERS = 12;

const anyOf = (list: readonly string[]) => `(${[...new Set(list)].map((each) => `"${each}"`).join(" OR ")})`;
const tagged = (tags: readonly string[], terms: readonly string[]) =>
  anyOf(terms.flatMap((term) => tags.map((tag) => tag + term)));

/**
 * FTS5 expression of the parts and the access terms, or of a rare term alone, whose hits must be checked. @param
 * missing how many parts may be missing
 */
export function matchExpression(
  ctx: AppContext,
  boards: BoardRow[],
  input: SearchInput,
  parts: readonly SearchPart[],
  missing: number,
): SQL | null {
  // Skips a part with a wording without terms, which the index cannot narrow.
  const asked = parts.filter((wordings) => wordings.every(({ terms }) => terms.length > 0));
  if (asked.length === 0 || boards.length === 0) return null;
  const readers = readersOf(ctx, boards);
  const wanted = without(parts, missing).map((list) => list.filter((each) => asked.includes(each)));
  if (wanted.some((list) => list.length === 0)) return null;
  const holds = (tags: readonly string[], who: readonly string[]) => {
    const every = ({ terms }: PartWording) => terms.map((term) => tagged(tags, [term])).join(" AND ");
    const oneOf = (wordings: SearchPart) => `(${wordings.map((each) => `(${every(each)})`).join(" OR ")})`;
    return `(${wanted.map((list) => `(${list.map(oneOf).join(" AND ")})`).join(" OR ")}) AND ${anyOf(who)}`;
  };
  const tags = TAGS[input.target];
  const open = INSIDE_FILES.has(input.target) ? downloadableBoards(ctx, boards) : [];
  const allTags = open.length > 0 ? [...tags, "x"] : tags;
  const matches = [
    // Not needed if the files of every board are searched.
    ...(open.length < boards.length ? [holds(tags, readers)] : []),
    ...(open.length > 0 ? [holds(allTags, readersOf(ctx, open))] : []),
  ];
  const match = `(${matches.map((each) => `(${each})`).join(" OR ")})`;
  const narrow = missing === 0 ? narrowTerms(asked).map((terms) => tagged(allTags, terms)) : [];
  if (!input.from && !input.to) return narrowed(narrow, match);
  const months = monthTermsOf(input.from, input.to ?? ctx.now(), ctx.now());
  if (months.length === 0) return null;
  return narrowed(narrow, `(${match} AND ${anyOf(months)}) OR (${match} NOT "${DATED_TERM}")`);
}

const readersOf = (ctx: AppContext, rows: readonly BoardRow[]) =>
  rows.flatMap((row) => {
    if (can(ctx.actor, { action: "Board.Manage", board: row }))
      return [publicTerm(row.boardCode), secretTerm(row.boardCode)];
    if (ctx.actor.kind === "guest") return [publicTerm(row.boardCode)];
    return [publicTerm(row.boardCode), ownerTerm(ctx.actor.userId)];
  });

/** Every choice of parts with so many left out. */
function without(parts: readonly SearchPart[], missing: number): (readonly SearchPart[])[] {
  if (missing === 0) return [parts];
  return parts.flatMap((_, at) =>
    without(parts.slice(at + 1), missing - 1).map((rest) => [...parts.slice(0, at), ...rest]),
  );
}

/** Titles with all syllable pairs of a word but those of one syllable. */
export function similarTitlesExpression(
  ctx: AppContext,
  boards: readonly BoardRow[],
  words: readonly string[],
): string | null {
  const alike = words
    .filter((word) => STARTS_WITH_CJK.test(word))
    .flatMap(termsWithoutOne)
    .filter((terms) => terms.length > 0);
  if (alike.length === 0 || boards.length === 0) return null;
  const titles = alike.map((terms) => `(${terms.map((term) => `"t${term}"`).join(" AND ")})`);
  return `(${titles.join(" OR ")}) AND ${anyOf(readersOf(ctx, boards))}`;
}

function termsWithoutOne(word: string): string[][] {
  const signs = [...word].slice(0, SIMILAR_LETTERS);
  return signs.map((_, left) => {
    const runs = [signs.slice(0, left), signs.slice(left + 1)];
    const pairs = runs.flatMap((run) => queryTerms(run.join("")).filter((term) => term.length > 1));
    return pairs.length > 0 ? pairs : runs.flat().slice(0, 1);
  });
}

/** Terms of which every hit has one: one of a part, or of each of its wordings. */
const narrowTerms = (parts: readonly SearchPart[]) =>
  parts.flatMap((wordings) =>
    Array.from({ length: Math.max(...wordings.map(({ terms }) => terms.length)) }, (_, at) =>
      wordings.map(({ terms }) => terms[at] ?? terms[0] ?? ""),
    ),
  );

/** Reads the first of these expressions that is rare, or else the given one. */
function narrowed(expressions: readonly string[], match: string): SQL {
  const most = sql.raw(`min(${NARROW_MAX}, (SELECT coalesce(max(id), 0) FROM board_item) / ${NARROW_SHARE})`);
  return sql`coalesce((SELECT value FROM json_each(${JSON.stringify(expressions.slice(0, NARROW_TRIED))})
    WHERE (SELECT count(*) FROM (SELECT 1 FROM board_search WHERE board_search MATCH value LIMIT ${most} + 1)) <= ${most} LIMIT 1), ${match})`;
}

function monthTermsOf(from: Date | null | undefined, to: Date, now: Date): string[] {
  const first = from ? koreanMonthOf(from) : { year: FIRST_YEAR, month: 0 };
  const last = koreanMonthOf(to < now ? to : now);
  const words: string[] = [];
  for (let year = Math.max(first.year, FIRST_YEAR); year <= last.year; year += 1) {
    const begin = year === first.year ? first.month : 0;
    const end = year === last.year ? last.month : 11;
    if (begin === 0 && end === 11) words.push(yearTerm(year));
    else for (let month = begin; month <= end; month += 1) words.push(monthTerm(year, month));
  }
  return words;
}
