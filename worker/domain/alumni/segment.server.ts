import { and, isNull, type SQL } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { formatFieldFilter } from "#worker/contract/alumni/field-filter.ts";
import { columnLabel, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniSegment } from "#worker/contract/alumni/segment-input.ts";
import { alumniSettings, ownFields } from "./alumni-settings.server.ts";
import { type AlumniFilter, alumniWhere, bookForCaller, fieldConditions } from "./filter.server.ts";

/** Whom a segment means now: nobody from the bin. */
export function segmentWhere(
  ctx: Pick<AppContext, "storedSettings">,
  segment: AlumniSegment,
  office: boolean,
): SQL | undefined {
  if ("ids" in segment) return and(isNull(alumni.deletedDate), idsIn(alumni.id, segment.ids));
  return alumniWhere(bookForCaller(alumniSettings(ctx), ownFields(ctx), office), segment.filter);
}

/** For the audit log: which view it was. The keyword stands there where a file was made alone, as somebody may be named in it. */
export function describeSegment(ctx: Pick<AppContext, "storedSettings">, segment: AlumniSegment) {
  if ("ids" in segment) return { chosen: segment.ids.length };
  const { keyword, cohort, graduationYear, affiliation } = segment.filter;
  return {
    withKeyword: keyword ? true : undefined,
    cohort,
    graduationYear,
    affiliation,
    conditions: describeConditions(ctx, segment.filter),
  };
}

export const describeConditions = (ctx: Pick<AppContext, "storedSettings">, filter: AlumniFilter): string[] =>
  fieldConditions(filter).map(
    (each) =>
      `${isOwnFieldCode(each.field) ? columnLabel(each.field, ownFields(ctx)) : each.field} ${formatFieldFilter(each)}`,
  );
