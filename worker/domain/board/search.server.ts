import { asc, eq, type SQL, sql } from "drizzle-orm";
import { board } from "#db/schema/board.ts";
import type { Db } from "#db/client.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import type { SearchPage } from "#worker/contract/board/view.ts";
import type { SearchInput } from "#worker/contract/board/input.ts";
import { makePage } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import {
  bareWords,
  otherLabels,
  type PartWording,
  partWords,
  type SearchPart,
  searchParts,
} from "#worker/contract/board/search-parts.ts";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";
import { synonymGroups } from "#worker/contract/kernel/synonyms.ts";
import { authorize, type BoardRow, can, itemResource } from "../kernel/authorize.server.ts";
import { identityOf } from "../kernel/identity.server.ts";
import { countWithin } from "../kernel/limit.server.ts";
import {
  DATED_TERM,
  koreanMonthOf,
  monthTerm,
  ownerTerm,
  publicTerm,
  secretTerm,
  yearTerm,
} from "./search-index.server.ts";
import {
  downloadableBoards,
  HIT_COUNT_MAX,
  INSIDE_FILES,
  searchHitStatements,
  searchHitView,
} from "./search-hit.server.ts";

const TAGS: Record<SearchTarget, readonly string[]> = {
  all: ["a", "t", "w", "f"],
  title: ["t"],
  content: ["a"],
  titleContent: ["a", "t"],
  writer: ["w"],
  file: ["f"],
};

const FIRST_YEAR = 1970;

const NO_HITS = { hits: [], total: 0, more: false };

export async function searchItems(ctx: AppContext, input: SearchInput): Promise<SearchPage> {
  const boardCode = input.boardCode ?? undefined;
  const boards = searchableBoards(ctx, await searchedBoardsStatement(ctx.db, boardCode), boardCode);
  return (await searchAmong(ctx, boards, input, () => [])).page;
}

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
): Promise<{ page: SearchPage; rows: unknown[] }> {
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

/** FTS5 expression of the keyword and the access terms. @param missing how many parts may be missing */
function matchExpression(
  ctx: AppContext,
  boards: BoardRow[],
  input: SearchInput,
  parts: readonly SearchPart[],
  missing: 0 | 1,
): string | null {
  // Skips a part with a wording without terms, which the index cannot narrow.
  const asked = parts.filter((wordings) => wordings.every(({ terms }) => terms.length > 0));
  if (asked.length === 0 || boards.length === 0) return null;
  const readersOf = (rows: readonly BoardRow[]) =>
    rows.flatMap((row) => {
      if (can(ctx.actor, { action: "Board.Manage", board: row }))
        return [publicTerm(row.boardCode), secretTerm(row.boardCode)];
      if (ctx.actor.kind === "guest") return [publicTerm(row.boardCode)];
      return [publicTerm(row.boardCode), ownerTerm(ctx.actor.userId)];
    });
  const readers = readersOf(boards);
  const anyOf = (list: readonly string[]) => `(${[...new Set(list)].map((each) => `"${each}"`).join(" OR ")})`;
  const wanted = missing === 0 ? [asked] : parts.map((each) => asked.filter((other) => other !== each));
  if (wanted.some((list) => list.length === 0)) return null;
  const holds = (tags: readonly string[], who: readonly string[]) => {
    const every = ({ terms }: PartWording) => terms.map((term) => anyOf(tags.map((tag) => tag + term))).join(" AND ");
    const oneOf = (wordings: SearchPart) => `(${wordings.map((each) => `(${every(each)})`).join(" OR ")})`;
    return `(${wanted.map((list) => `(${list.map(oneOf).join(" AND ")})`).join(" OR ")}) AND ${anyOf(who)}`;
  };
  const plain = holds(TAGS[input.target], readers);
  const open = downloadableBoards(ctx, boards);
  const match =
    INSIDE_FILES.has(input.target) && open.length > 0
      ? `((${plain}) OR (${holds([...TAGS[input.target], "x"], readersOf(open))}))`
      : plain;
  if (!input.from && !input.to) return match;
  const months = monthTermsOf(input.from, input.to ?? ctx.now(), ctx.now());
  return months.length === 0 ? null : `(${match} AND ${anyOf(months)}) OR (${match} NOT "${DATED_TERM}")`;
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
