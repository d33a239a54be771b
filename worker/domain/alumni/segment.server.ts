import type { SQL } from "drizzle-orm";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { formatFieldFilter } from "#worker/contract/alumni/field-filter.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { columnLabel, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { alumniSettings, ownFields } from "./alumni-settings.server.ts";
import { type AlumniFilter, bookForCaller, fieldConditions } from "./filter.server.ts";
import { alumniSelectionWhere } from "./selection.server.ts";

/** Whom a segment means now: nobody from the bin. */
export const segmentWhere = (
  ctx: Pick<AppContext, "storedSettings">,
  segment: ParsedAlumniSelection,
  office: boolean,
): SQL | undefined => alumniSelectionWhere(bookForCaller(alumniSettings(ctx), ownFields(ctx), office), segment);

/** For the audit log: which view it was. The keyword stands there where a file was made alone, as somebody may be named in it. */
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
