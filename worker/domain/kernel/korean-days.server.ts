import { and, gte, lt } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";

/** Midnight in Korea at the start of `from` and of the day after `to`. */
export function koreanDayRange(from: string | undefined, to: string | undefined) {
  return {
    since: from ? startOfKoreanDay(from) : undefined,
    before: to ? new Date(startOfKoreanDay(to).getTime() + DAY_MS) : undefined,
  };
}

export function onKoreanDays(
  column: AnySQLiteColumn,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) {
  const { since, before } = koreanDayRange(from, to);
  return and(since && gte(column, since), before && lt(column, before));
}
