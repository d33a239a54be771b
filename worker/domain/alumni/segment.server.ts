import { and, isNull, not, type SQL, sql } from "drizzle-orm";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { type LeftOut, type LetterCause, letterCauseSql, type LetterMeans } from "#worker/contract/mail/letters.ts";
import {
  duesFilterWords,
  fieldFilterWords,
  formatDuesFilter,
  formatFieldFilter,
  SELECTION_LIMITS,
} from "#worker/contract/alumni/list.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { columnLabel, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { ownFields } from "./setting.server.ts";
import {
  type AlumniFilter,
  alumniOrder,
  alumniWhere,
  bookForCaller,
  type BookForCaller,
  fieldConditions,
  usableSort,
} from "./filter.server.ts";
import { alumni } from "#db/schema/alumni.ts";
import { idsIn } from "#db/sql.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, alumniRowView } from "./row.server.ts";

export const segmentWhere = (
  ctx: Pick<AppContext, "actor" | "storedSettings">,
  segment: ParsedAlumniSelection,
  office: boolean,
): SQL | undefined => alumniSelectionWhere(bookForCaller(ctx, office), segment);

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
  const { keyword, cohort, graduationYear, affiliation, dues } = segment.filter;
  const words = [
    ...(keyword ? [`검색어 ‘${keyword}’`] : []),
    ...(cohort === undefined ? [] : [`${ALUMNI_COLUMN_LABELS.cohort} ${cohort}`]),
    ...(graduationYear === undefined ? [] : [`${ALUMNI_COLUMN_LABELS.graduationYear} ${graduationYear}`]),
    ...(affiliation ? [`${ALUMNI_COLUMN_LABELS.affiliation} ‘${affiliation}’`] : []),
    ...fieldConditions(segment.filter).map(
      (each) => `${columnLabel(each.field, ownFields(ctx))} ${fieldFilterWords(each)}`,
    ),
    ...(dues ? [duesFilterWords(dues)] : []),
    ...(segment.except?.length ? [`고르지 않은 ${segment.except.length}명 빼고`] : []),
  ];
  return words.length === 0 ? ["모든 사람"] : words;
}

/** Describes the segment for the audit log, without the keyword, which may name a person. */
export function describeSegment(ctx: Pick<AppContext, "storedSettings">, segment: ParsedAlumniSelection) {
  if ("ids" in segment) return { chosen: segment.ids.length };
  const { keyword, cohort, graduationYear, affiliation } = segment.filter;
  return {
    withKeyword: keyword ? true : undefined,
    cohort,
    graduationYear,
    affiliation,
    unticked: segment.except?.length || undefined,
    conditions: describeConditions(ctx, segment.filter),
  };
}

export const describeConditions = (ctx: Pick<AppContext, "storedSettings">, filter: AlumniFilter): string[] => [
  ...fieldConditions(filter).map(
    (each) =>
      `${isOwnFieldCode(each.field) ? columnLabel(each.field, ownFields(ctx)) : each.field} ${formatFieldFilter(each)}`,
  ),
  ...(filter.dues ? [`dues ${formatDuesFilter(filter.dues)}`] : []),
];

/** Named people, or all matches except the deselected ones; never the bin. */
export function alumniSelectionWhere(book: BookForCaller, selection: ParsedAlumniSelection): SQL | undefined {
  if ("ids" in selection) return and(isNull(alumni.deletedDate), idsIn(alumni.id, selection.ids));
  const { filter, except } = selection;
  return and(alumniWhere(book, filter), except.length > 0 ? not(idsIn(alumni.id, except)) : undefined);
}

export async function listSelectedAlumni(ctx: AppContext, selection: ParsedAlumniSelection) {
  authorize(ctx, { action: "Alumni_Read" });
  const book = bookForCaller(ctx);
  const where = alumniSelectionWhere(book, selection);
  const [people, total] = await Promise.all([
    ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(where)
      .orderBy(...alumniOrder(usableSort(book, undefined)))
      .limit(SELECTION_LIMITS.people),
    ctx.db.$count(alumni, where),
  ]);
  await recordListing(ctx, people, { page: 1, isFiltered: true }, "call");
  return { total, people: people.map((person) => alumniRowView(ctx, person)) };
}
