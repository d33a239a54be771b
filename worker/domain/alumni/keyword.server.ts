import { type SQL, sql } from "drizzle-orm";
import { alumniGram, alumniTerm } from "#db/alumni-search.ts";
import type { Db } from "#db/client.ts";
import { alumniSearchWords } from "#worker/contract/alumni/search.ts";

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
  const oneOf = lists.map(
    ({ name }) => sql`(SELECT '(' || group_concat('"' || replace(term, '"', '""') || '"', ' OR ') || ')' FROM ${name})`,
  );
  return sql`WITH RECURSIVE ${sql.join(
    lists.map(({ word, name }) => termsBeginning(word, name)),
    sql`, `,
  )}
    SELECT CASE ${otherwise}
      ELSE (SELECT count(*) FROM ${alumniGram} WHERE alumni_gram MATCH coalesce(${sql.join(oneOf, sql` || ' AND ' || `)}, '""')) END`;
}
