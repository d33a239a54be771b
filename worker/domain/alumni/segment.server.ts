import type { SQL } from "drizzle-orm";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { fieldFilterWords, formatFieldFilter } from "#worker/contract/alumni/field-filter.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { columnLabel, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { alumniSettings, ownFields } from "./alumni-settings.server.ts";
import { type AlumniFilter, bookForCaller, fieldConditions } from "./filter.server.ts";
import { alumniSelectionWhere } from "./selection.server.ts";

export const segmentWhere = (
  ctx: Pick<AppContext, "storedSettings">,
  segment: ParsedAlumniSelection,
  office: boolean,
): SQL | undefined => alumniSelectionWhere(bookForCaller(alumniSettings(ctx), ownFields(ctx), office), segment);

export function segmentWords(ctx: Pick<AppContext, "storedSettings">, segment: ParsedAlumniSelection): string[] {
  if ("ids" in segment) return [];
  const { keyword, cohort, graduationYear, affiliation } = segment.filter;
  const words = [
    ...(keyword ? [`검색어 ‘${keyword}’`] : []),
    ...(cohort === undefined ? [] : [`${ALUMNI_COLUMN_LABELS.cohort} ${cohort}`]),
    ...(graduationYear === undefined ? [] : [`${ALUMNI_COLUMN_LABELS.graduationYear} ${graduationYear}`]),
    ...(affiliation ? [`${ALUMNI_COLUMN_LABELS.affiliation} ‘${affiliation}’`] : []),
    ...fieldConditions(segment.filter).map(
      (each) => `${columnLabel(each.field, ownFields(ctx))} ${fieldFilterWords(each)}`,
    ),
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

export const describeConditions = (ctx: Pick<AppContext, "storedSettings">, filter: AlumniFilter): string[] =>
  fieldConditions(filter).map(
    (each) =>
      `${isOwnFieldCode(each.field) ? columnLabel(each.field, ownFields(ctx)) : each.field} ${formatFieldFilter(each)}`,
  );
