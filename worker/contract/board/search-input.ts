import { z } from "zod";
import { startOfKoreanDay } from "../kernel/korea.ts";
import { DAY_MS, SIZE_LIMITS } from "../kernel/limits.ts";
import { dayField, isoDateField, requiredLineField, pageNumber, pageFields } from "../kernel/fields.ts";
import { SEARCH_ORDERS, SEARCH_TARGETS } from "./search-terms.ts";
import { boardCode } from "./input.ts";

/** A day in Korea or a moment; with `end` a day includes its last moment. */
const searchMoment = (end: boolean) =>
  z.union([
    dayField.transform((day) => new Date(startOfKoreanDay(day).getTime() + (end ? DAY_MS - 1 : 0))),
    isoDateField,
  ]);

const emptyAsUndefined = z.literal("").transform(() => undefined);

export const searchInput = z.object({
  keyword: requiredLineField(SIZE_LIMITS.keywordLength),
  target: z.enum(SEARCH_TARGETS).default("all"),
  from: z.union([emptyAsUndefined, searchMoment(false)]).nullish(),
  to: z.union([emptyAsUndefined, searchMoment(true)]).nullish(),
  boardCode: z.union([emptyAsUndefined, boardCode]).nullish(),
  order: z.enum(SEARCH_ORDERS).default("date"),
});

export const searchQuery = z.object({ ...pageFields(20), boardCode: boardCode.optional() });

export type SearchInput = z.output<typeof searchInput> & { page: number; size: number };

/** For a page address, where the keyword may be missing. */
export const searchPageQuery = z.object({
  /** Not limited here: the page reports a keyword that is too long. */
  keyword: z
    .string()
    .transform((value) => value.slice(0, 400))
    .default(""),
  target: z.enum(SEARCH_TARGETS).catch("all"),
  boardCode: boardCode.optional().catch(undefined),
  from: dayField.optional().catch(undefined),
  to: dayField.optional().catch(undefined),
  order: z.enum(SEARCH_ORDERS).catch("date"),
  page: pageNumber.catch(1),
});
