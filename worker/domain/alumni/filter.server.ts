import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { alumni } from "#db/schema/alumni.ts";
import {
  type AlumniSettings,
  type AlumniSortChoice,
  isFieldSortable,
  isFieldUsed,
  parseAlumniSort,
} from "#worker/contract/alumni/alumni-settings.ts";
import { isNumberField, PRIVATE_FIELDS, type PrivateField } from "#worker/contract/alumni/columns.ts";
import type { DayFilter, FieldFilter } from "#worker/contract/alumni/list.ts";
import {
  type AlumniFilter,
  type ConditionBook,
  type ConditionEntry,
  type ConditionKind,
  type ConditionValues,
  conditionOf,
  setConditions,
  type UnusableCondition,
  unusableConditions,
} from "#worker/contract/alumni/conditions.ts";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { isOwnFieldCode, isOwnFieldSortable, type OwnField, ownFieldsFor } from "#worker/contract/alumni/own-fields.ts";
import { cleanLine } from "#worker/contract/kernel/text.ts";
import { matchesOwnCondition, matchesOwnWord, ownSortValue } from "./own-value.server.ts";
import { type AlumniSearchWord, alumniSearchWords } from "#worker/contract/alumni/search.ts";
import { alumniGram, alumniTerm } from "#db/search.ts";
import type { Db } from "#db/client.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can } from "../kernel/authorize.server.ts";
import { matchesDues, seesDues } from "./dues/person.server.ts";
import { alumniSettings, type OwnFieldName, ownFieldNames, ownFields } from "./setting.server.ts";

export interface BookForCaller extends ConditionBook {
  settings: AlumniSettings;
  now: Date;
  /** Of own fields, closed ones too, to name a condition that cannot be used. */
  names: readonly OwnFieldName[];
}

/**
 * Members can filter by own fields only where every value is visible to all of them. @param dues without a caller the
 * condition applies, which was checked when it was stored
 */
export const bookForCaller = (
  ctx: Pick<AppContext, "actor" | "storedSettings" | "now">,
  office = can(ctx.actor, { action: "Alumni_Write" }),
  dues = seesDues(ctx),
): BookForCaller => ({
  settings: alumniSettings(ctx),
  own: ownFields(ctx).filter(({ access }) => office || access === "members"),
  names: office ? ownFieldNames(ctx) : ownFieldsFor(ownFields(ctx), false),
  office,
  dues,
  now: ctx.now(),
});

export const unusableFor = (book: BookForCaller, filter: AlumniFilter): UnusableCondition[] =>
  unusableConditions(book, filter, book.names);

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

function matchesKeyword({ settings, own, office }: BookForCaller, keyword: string): SQL | undefined {
  const words = alumniSearchWords(keyword).map((word) => {
    const found = or(matchesWord(settings, word, office), matchesOwnWord(own, word));
    return word.isInitials ? or(sql`instr(${alumni.initials}, ${word.text}) > 0`, found) : found;
  });
  return and(...words);
}

function matchesDay({ now }: BookForCaller, filter: DayFilter, column: SQLiteColumn): SQL | undefined {
  if ("days" in filter) return gte(column, new Date(now.getTime() - filter.days * DAY_MS));
  const { from, to } = filter;
  return and(
    from === "" ? undefined : gte(column, startOfKoreanDay(from)),
    to === "" ? undefined : lt(column, new Date(startOfKoreanDay(to).getTime() + DAY_MS)),
  );
}

type KindSql = {
  [K in ConditionKind]: (book: BookForCaller, value: ConditionValues[K], entry: ConditionEntry<K>) => SQL | undefined;
};

const KIND_SQL: KindSql = {
  keyword: matchesKeyword,
  number: (_book, value, { column }) => eq(alumni[column], value),
  part: (_book, value, { column }) => sql`instr(${alumni[column]}, ${value}) > 0`,
  dues: (_book, value) => matchesDues(value),
  day: (book, value, { column }) => matchesDay(book, value, alumni[column]),
  field: ({ own }, value) => matchesCondition(own, value),
};

/** People outside the bin; nobody for an unusable condition. Closed contact fields are not searched for members. */
export function alumniWhere(book: BookForCaller, filter: AlumniFilter): SQL | undefined {
  if (unusableFor(book, filter).length > 0) return sql`0`;
  return and(
    isNull(alumni.deletedDate),
    ...setConditions(filter).map(({ key, value }) => {
      const { entry } = conditionOf(key);
      return (KIND_SQL[entry.kind] as KindSql["field"])(book, value as FieldFilter, entry as ConditionEntry<"field">);
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

/** People outside the bin with a part of their name or its initials, by the index; none for an empty text. */
export function namedLike(text: string): SQL {
  const key = cleanLine(text).toLowerCase().replaceAll(" ", "");
  const { match, short } = placesOf(key);
  const rows = match === null ? beginning(short[0] ?? "") : matching(match);
  return sql`SELECT alumni.id FROM alumni WHERE alumni.rowid IN (${rows}) AND alumni.deleted_date IS NULL AND ${key} <> ''
    AND (instr(lower(replace(alumni.name, ' ', '')), ${key}) OR instr(alumni.initials, ${key}))`;
}

/** Up to this many matches are checked one by one; above, reading in list order is faster. */
const NARROW_MAX = 1000;
const GRAM = 3;
const LAST_SIGN = sql.raw("char(0x10ffff)");
/** Up to this many terms, posting lists are counted; above, one pass is faster. */
const TERMS_MAX = 64;

/** Index entries of a keyword: an FTS match for long words, and term prefixes for short ones. */
interface KeywordPlaces {
  match: string | null;
  short: string[];
}

function placesOf(keyword: string): KeywordPlaces {
  const words = alumniSearchWords(keyword).map(({ text }) => [...text]);
  const grams = words.flatMap((signs) => signs.slice(GRAM - 1).map((_, at) => signs.slice(at, at + GRAM).join("")));
  const quoted = [...new Set(grams)].map((gram) => `"${gram.replaceAll('"', '""')}"`);
  const short = words.filter(({ length }) => length > 0 && length < GRAM).map((signs) => signs.join(""));
  return { match: quoted.length > 0 ? quoted.join(" AND ") : null, short: [...new Set(short)] };
}

const matching = (match: string) => sql`SELECT rowid FROM ${alumniGram} WHERE alumni_gram MATCH ${match}`;
const termsFrom = (least: SQL | string, word: SQL | string) =>
  sql`FROM ${alumniTerm} WHERE term >= ${least} AND term < ${word} || ${LAST_SIGN}`;
const beginning = (word: string) => sql`SELECT doc ${termsFrom(word, word)}`;

export function keywordStatement(db: Db, keyword: string) {
  const { match, short } = placesOf(keyword);
  const counted = (rows: SQL) => sql`(SELECT count(*) FROM (${rows} LIMIT ${NARROW_MAX + 1}))`;
  const parts = [
    ...(match === null ? [] : [sql`SELECT NULL AS word, ${counted(matching(match))} AS people`]),
    ...short.map((word) => sql`SELECT ${word} AS word, ${counted(beginning(word))} AS people`),
  ];
  const rows =
    parts.length === 0 ? sql`SELECT NULL AS word, ${NARROW_MAX + 1} AS people` : sql.join(parts, sql` UNION ALL `);
  return db.select({ word: sql<string | null>`word`, people: sql<number>`people` }).from(sql`(${rows})`);
}

export function narrowedRows(keyword: string, counted: readonly { word: string | null; people: number }[]): SQL | null {
  const { match } = placesOf(keyword);
  const [fewest] = counted.toSorted((a, b) => a.people - b.people);
  if (!fewest || fewest.people > NARROW_MAX) return null;
  if (fewest.word !== null) return sql`alumni.rowid IN (${beginning(fewest.word)})`;
  return match === null ? null : sql`alumni.rowid IN (${matching(match)})`;
}

function termsBeginning(word: string, name: SQL): SQL {
  const next = (least: SQL) => sql`(SELECT term ${termsFrom(least, sql`word`)} LIMIT 1)`;
  return sql`${name} (word, term) AS (SELECT word, ${next(sql`word`)} FROM (SELECT ${word} AS word)
    UNION ALL SELECT word, ${next(sql`${name}.term || char(1)`)} FROM ${name} WHERE ${name}.term IS NOT NULL LIMIT ${TERMS_MAX + 1})`;
}

/**
 * Counts by the index alone, for short words and callers who see every field; null when rows must be read. @param
 * byRows fallback for closed fields, or for several words with many terms
 */
export function countByIndex(keyword: string, byRows: SQL): SQL | null {
  const words = [...new Set(alumniSearchWords(keyword).map(({ text }) => text))];
  const [only, ...others] = words;
  if (only === undefined || words.some((word) => word === "" || [...word].length > GRAM)) return null;
  const lists = words.map((word, at) => ({ word, name: sql.raw(`terms_${at}`) }));
  const areMany = lists.map(({ name }) => sql`(SELECT count(term) FROM ${name}) > ${TERMS_MAX}`);
  const isOfMany = sql`(${sql.join(areMany, sql` OR `)})`;
  const isClosed = sql`EXISTS (SELECT 1 FROM alumni_field f WHERE f.is_closed = 1 AND EXISTS (SELECT 1 FROM alumni_value v WHERE v.field = f.code))`;
  const otherwise =
    others.length > 0
      ? sql`WHEN ${isClosed} OR ${isOfMany} THEN (${byRows})`
      : sql`WHEN ${isClosed} THEN (${byRows}) WHEN ${isOfMany} THEN (SELECT count(DISTINCT doc) FROM (${beginning(only)}))`;
  const choice = lists.map(
    ({ name }) => sql`(SELECT '(' || group_concat('"' || replace(term, '"', '""') || '"', ' OR ') || ')' FROM ${name})`,
  );
  return sql`WITH RECURSIVE ${sql.join(
    lists.map(({ word, name }) => termsBeginning(word, name)),
    sql`, `,
  )}
    SELECT CASE ${otherwise}
      ELSE (SELECT count(*) FROM ${alumniGram} WHERE alumni_gram MATCH coalesce(${sql.join(choice, sql` || ' AND ' || `)}, '""')) END`;
}
