import { and, isNull, not, type SQL, sql } from "drizzle-orm";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { type LeftOut, type LetterCause, letterCauseSql, type LetterMeans } from "#worker/contract/mail/letters.ts";
import {
  type AlumniFilter,
  type ConditionKey,
  conditionOf,
  setConditions,
  type UnusableCondition,
} from "#worker/contract/alumni/conditions.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/list.ts";
import type { listSelectedInput, ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { columnLabel, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import { ownFieldNames, ownFields } from "./setting.server.ts";
import {
  alumniOrder,
  alumniWhere,
  bookForCaller,
  type BookForCaller,
  unusableFor,
  usableSort,
} from "./filter.server.ts";
import { alumni } from "#db/schema/alumni.ts";
import { idsIn } from "#db/sql.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, alumniRowView } from "./row.server.ts";

declare const usable: unique symbol;

/** Made by `requireSegment` alone, so that no act skips the check. */
export interface UsableSegment {
  readonly [usable]: true;
  where: SQL | undefined;
}

/** @throws AppError INVALID_INPUT naming the conditions that the caller cannot use now */
export function requireUsableFilter(book: BookForCaller, filter: AlumniFilter, path: string): void {
  const [first, ...others] = unusableFor(book, filter);
  if (!first) return;
  const textOf = ({ label, reason }: UnusableCondition) =>
    `‘${label}’ 조건을 쓸 수 없습니다. ${reason} 이 조건을 지우고 다시 해 주십시오.`;
  throw invalidInput(
    Object.fromEntries([first, ...others].map((each) => [[path, each.key].filter(Boolean).join("."), textOf(each)])),
  );
}

/** @throws AppError INVALID_INPUT for an unusable condition */
export function requireSegment(
  ctx: Pick<AppContext, "actor" | "storedSettings" | "now">,
  segment: ParsedAlumniSelection,
  { office, path = "segment" }: { office?: boolean; path?: string } = {},
): UsableSegment {
  const book = bookForCaller(ctx, office);
  if ("filter" in segment) requireUsableFilter(book, segment.filter, [path, "filter"].filter(Boolean).join("."));
  return { where: alumniSelectionWhere(book, segment) } as UsableSegment;
}

/**
 * Compares with the number that the caller saw; named people cannot become more. @throws AppError INVALID_INPUT
 * without a number, CONFLICT for another one
 */
export function requireSeenCount(segment: ParsedAlumniSelection, seen: number | undefined, found: number): void {
  if ("ids" in segment || found === seen) return;
  if (seen === undefined) throw invalidInput({ count: "화면에 보인 사람 수를 함께 보내 주십시오." });
  throw conflict(
    `화면에 보인 ${formatCount(seen)}명이 그사이 ${formatCount(found)}명이 되었습니다. 누구인지 다시 확인해 주십시오.`,
  );
}

/** The reason to leave out a row of `alumni`, by the one rule of who may be written to. */
export const leftOutCause = (means: LetterMeans) => sql<LetterCause>`${sql.raw(letterCauseSql("alumni", means))}`;

export const mayBeSent = (means: LetterMeans) => sql`${leftOutCause(means)} = ''`;

/** People left out by cause, without the cause for callers who do not see states. */
export async function countLeftOut(ctx: AppContext, where: SQL | undefined, means: LetterMeans): Promise<LeftOut[]> {
  const isShown = can(ctx.actor, { action: "Alumni_Write" });
  const cause = isShown ? leftOutCause(means) : sql<LetterCause>`''`;
  return ctx.db
    .select({ cause: cause.as("cause"), count: sql<number>`count(*)`.as("people") })
    .from(alumni)
    .where(and(where, sql`NOT (${mayBeSent(means)})`))
    .groupBy(sql`1`)
    .orderBy(sql`2 DESC, 1`);
}

export function segmentWords(ctx: Pick<AppContext, "storedSettings">, segment: ParsedAlumniSelection): string[] {
  if ("ids" in segment) return [];
  const words = [
    ...setConditions(segment.filter).map(({ key, value }) => conditionOf(key).words(value, ownFieldNames(ctx))),
    ...(segment.except?.length ? [`고르지 않은 ${segment.except.length}명 빼고`] : []),
  ];
  return words.length === 0 ? ["모든 사람"] : words;
}

/** Describes the segment for the audit log, without the keyword, which may name a person. */
export function describeSegment(ctx: Pick<AppContext, "storedSettings">, segment: ParsedAlumniSelection) {
  if ("ids" in segment) return { chosen: segment.ids.length };
  return { unticked: segment.except?.length || undefined, ...describeFilter(ctx, segment.filter) };
}

/** Simple values under their names; conditions of operators as texts. */
export function describeFilter(ctx: Pick<AppContext, "storedSettings">, filter: AlumniFilter) {
  const set = setConditions(filter);
  const nameOf = (key: ConditionKey) => {
    const field = key.replace(/^f_/, "");
    return isOwnFieldCode(field) ? columnLabel(field, ownFields(ctx)) : field;
  };
  const simple = set.filter(({ value }) => typeof value !== "object");
  return {
    ...Object.fromEntries(
      simple.map(({ key, value }) => (conditionOf(key).isPersonal ? ["withKeyword", true] : [key, value])),
    ),
    conditions: set
      .filter(({ value }) => typeof value === "object")
      .map(({ key, value }) => `${nameOf(key)} ${conditionOf(key).text(value)}`),
  };
}

/** Named people, or all matches except the deselected ones; never the bin. */
export function alumniSelectionWhere(book: BookForCaller, selection: ParsedAlumniSelection): SQL | undefined {
  if ("ids" in selection) return and(isNull(alumni.deletedDate), idsIn(alumni.id, selection.ids));
  const { filter, except } = selection;
  return and(alumniWhere(book, filter), except.length > 0 ? not(idsIn(alumni.id, except)) : undefined);
}

export async function listSelectedAlumni(ctx: AppContext, selection: Parsed<typeof listSelectedInput>) {
  authorize(ctx, { action: "Alumni_Read" });
  const book = bookForCaller(ctx);
  const { where } = requireSegment(ctx, selection, { path: "" });
  const [people, total] = await Promise.all([
    ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(where)
      .orderBy(...alumniOrder(usableSort(book, undefined)))
      .limit(SELECTION_LIMITS.people),
    ctx.db.$count(alumni, where),
  ]);
  requireSeenCount(selection, "filter" in selection ? selection.count : undefined, total);
  await recordListing(ctx, people, { page: 1, isFiltered: true }, "call");
  return { total, people: people.map((person) => alumniRowView(ctx, person)) };
}
