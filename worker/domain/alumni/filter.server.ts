import { and, asc, desc, eq, gte, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { FieldFilters, ListAlumniQuery } from "#worker/contract/alumni/input.ts";
import {
  type AlumniSettings,
  isFieldSortable,
  isFieldUsed,
  type AlumniSortChoice,
  parseAlumniSort,
} from "#worker/contract/alumni/alumni-settings.ts";
import { isNumberField, PRIVATE_FIELDS, type PrivateField } from "#worker/contract/alumni/columns.ts";
import { FIELD_FILTER_KEYS, type FieldFilter, fieldFilterKey } from "#worker/contract/alumni/field-filter.ts";
import {
  type AlumniFieldCode,
  isOwnFieldCode,
  isOwnFieldSortable,
  type OwnField,
} from "#worker/contract/alumni/own-fields.ts";
import { matchesOwnCondition, matchesOwnWord, ownSortValue } from "./own-value.server.ts";
import { type AlumniSearchWord, alumniSearchWords } from "#worker/contract/alumni/search.ts";

type FieldConditions = FieldFilters;

export type AlumniFilter = Pick<ListAlumniQuery, "keyword" | "cohort" | "graduationYear" | "affiliation"> &
  FieldConditions;

export interface BookForCaller {
  settings: AlumniSettings;
  own: readonly OwnField[];
  office: boolean;
}

/** Members can filter by own fields only where every value is visible to all of them. */
export const bookForCaller = (settings: AlumniSettings, own: readonly OwnField[], office: boolean): BookForCaller => ({
  settings,
  own: own.filter(({ access }) => office || access === "members"),
  office,
});

export function usableFilter(
  { settings, own }: Pick<BookForCaller, "settings" | "own">,
  filter: AlumniFilter,
): AlumniFilter {
  const used = <K extends "cohort" | "graduationYear" | "affiliation">(field: K) =>
    isFieldUsed(settings, field) ? filter[field] : undefined;
  const [cohort, graduationYear, affiliation] = [used("cohort"), used("graduationYear"), used("affiliation")];
  const conditions = Object.fromEntries(
    fieldConditions(filter)
      .filter(({ field }) =>
        isOwnFieldCode(field) ? own.some(({ code }) => code === field) : isFieldUsed(settings, field),
      )
      .map((condition) => [fieldFilterKey(condition.field), condition]),
  ) as FieldConditions;
  return { keyword: filter.keyword, cohort, graduationYear, affiliation, ...conditions };
}

export const fieldConditions = (filter: FieldConditions): FieldFilter[] =>
  FIELD_FILTER_KEYS.flatMap((key) => filter[key] ?? []);

/** Members cannot filter by closable fields or the memo. */
export const isAskable = (field: AlumniFieldCode, office: boolean) =>
  office || (!isPrivateField(field) && field !== "memo");

function matchesCondition(own: readonly OwnField[], condition: FieldFilter): SQL | undefined {
  const { field, operator, values } = condition;
  if (isOwnFieldCode(field)) return matchesOwnCondition(own, condition);
  const column = alumni[field];
  const isNumber = isNumberField(field);
  if (operator === "empty") return isNumber ? isNull(column) : eq(column, "");
  if (operator === "filled") return isNumber ? isNotNull(column) : ne(column, "");
  if (operator === "has") return sql`instr(lower(${column}), ${(values[0] ?? "").toLowerCase()}) > 0`;
  if (operator === "in") {
    const wanted = JSON.stringify(isNumber ? values.map(Number) : values);
    return sql`${column} IN (SELECT value FROM json_each(${wanted}))`;
  }
  const [from = "", to = ""] = values;
  const bound = (value: string) => (isNumber ? Number(value) : value);
  return and(
    isNumber ? isNotNull(column) : ne(column, ""),
    from === "" ? undefined : gte(column, bound(from)),
    to === "" ? undefined : lte(column, bound(to)),
  );
}

export function usableSort({ settings, own }: BookForCaller, asked: AlumniSortChoice | undefined): AlumniSortChoice {
  const isUsable =
    asked &&
    (own.some((field) => field.code === asked.field && isOwnFieldSortable(field)) ||
      isFieldSortable(settings, asked.field));
  return isUsable ? asked : parseAlumniSort(settings.sort);
}

/** People outside the bin. Closed contact fields are not searched for members. */
export function alumniWhere(book: BookForCaller, filter: AlumniFilter): SQL | undefined {
  const { settings, own, office } = book;
  const { keyword, cohort, graduationYear, affiliation, ...conditions } = usableFilter(book, filter);
  return and(
    isNull(alumni.deletedDate),
    cohort === undefined ? undefined : eq(alumni.cohort, cohort),
    graduationYear === undefined ? undefined : eq(alumni.graduationYear, graduationYear),
    affiliation ? sql`instr(${alumni.affiliation}, ${affiliation}) > 0` : undefined,
    ...fieldConditions(conditions)
      .filter(({ field }) => isAskable(field, office))
      .map((condition) => matchesCondition(own, condition)),
    ...alumniSearchWords(keyword ?? "").map((word) => {
      const found = or(matchesWord(settings, word, office), matchesOwnWord(own, word));
      return word.isInitials ? or(sql`instr(${alumni.initials}, ${word.text}) > 0`, found) : found;
    }),
  );
}

const WORDS = ["name", "affiliation", "department", "major", "position"] as const;
const NUMBERS = ["mobile", "phone"] as const;
const CONTACTS = ["email", ...NUMBERS] as const;

export const searchesEverything = ({ settings, office }: BookForCaller): boolean =>
  office && [...WORDS, ...CONTACTS].every((field) => isFieldUsed(settings, field));

/** Narrows by the search text of all columns, then checks the used columns if some are disabled. */
function matchesWord(settings: AlumniSettings, { text }: AlumniSearchWord, office: boolean): SQL | undefined {
  const hit = sql`instr(${office ? alumni.searchAll : alumni.searchOpen}, ${text}) > 0`;
  const isSeen = (field: (typeof WORDS)[number] | (typeof CONTACTS)[number]) =>
    isFieldUsed(settings, field) && (office || !isPrivateField(field) || settings.openable.includes(field));
  if ([...WORDS, ...CONTACTS].every(isSeen)) return hit;
  const isOpen = (field: PrivateField) => (office ? undefined : sql`instr(${alumni.openFields}, ${`"${field}"`}) > 0`);
  return and(
    hit,
    or(
      ...WORDS.filter(isSeen).map((field) => sql`instr(lower(replace(${alumni[field]}, ' ', '')), ${text}) > 0`),
      ...(isSeen("email") ? [and(sql`instr(${alumni.email}, ${text}) > 0`, isOpen("email"))] : []),
      ...NUMBERS.filter(isSeen).map((field) =>
        and(sql`instr(replace(replace(${alumni[field]}, '-', ''), ' ', ''), ${text}) > 0`, isOpen(field)),
      ),
    ),
  );
}

const isPrivateField = (field: string): field is PrivateField => (PRIVATE_FIELDS as readonly string[]).includes(field);

export function alumniOrder({ field, descending }: AlumniSortChoice): SQL[] {
  const direction = descending ? desc : asc;
  // Sorts empty values last in both directions.
  if (isOwnFieldCode(field))
    return [
      asc(isNull(ownSortValue(field))),
      direction(ownSortValue(field)),
      direction(alumni.name),
      direction(alumni.id),
    ];
  const first = direction(alumni[field]);
  return field === "name" ? [first, direction(alumni.id)] : [first, direction(alumni.name), direction(alumni.id)];
}
