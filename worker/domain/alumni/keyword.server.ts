import { type SQL, sql } from "drizzle-orm";
import { alumniGram, alumniTerm } from "#db/alumni-search.ts";
import type { Db } from "#db/client.ts";
import { alumniSearchWords } from "#worker/contract/alumni/search.ts";

/** So many people that may be meant are looked at one by one; of more, the order of the list is the shorter way. */
const NARROW_MAX = 1000;
/** The letters of a term. */
const GRAM = 3;
const LAST_SIGN = "\u{10FFFF}";

/** Where people stand who may be meant: under all terms of the long words, or in a stretch of terms for a short one. */
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
const beginning = (word: SQL | string) =>
  sql`SELECT doc FROM ${alumniTerm} WHERE term >= ${word} AND term < ${word} || ${LAST_SIGN}`;

/** How many may be meant by each of the places, counted as far as it matters. */
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

/**
 * The few rows of `alumni` among which all that a keyword finds stand; null where they are not few.
 * @param counted the answer of `keywordStatement`
 */
export function narrowedRows(keyword: string, counted: readonly { word: string | null; people: number }[]): SQL | null {
  const { match } = placesOf(keyword);
  const [fewest] = counted.toSorted((a, b) => a.people - b.people);
  if (!fewest || fewest.people > NARROW_MAX) return null;
  if (fewest.word !== null) return sql`alumni.rowid IN (${beginning(fewest.word)})`;
  return match === null ? null : sql`alumni.rowid IN (${matching(match)})`;
}

/**
 * How many a keyword finds, by the index alone: of one word that is no longer than a term, for whoever is shown all that
 * the index was made of. Null where each row has to be asked.
 * @param byRows the count to fall back on while there are values of fields that are closed, which the index holds as well
 */
export function countByIndex(keyword: string, byRows: SQL): SQL | null {
  const { match, short } = placesOf(keyword);
  const [word, ...others] = alumniSearchWords(keyword).map(({ text }) => [...text].length);
  if (!word || word > GRAM || others.length > 0) return null;
  const people =
    match === null
      ? sql`SELECT count(DISTINCT doc) FROM (${beginning(short[0] ?? "")})`
      : sql`SELECT count(*) FROM (${matching(match)})`;
  return sql`SELECT CASE WHEN EXISTS (SELECT 1 FROM alumni_field f WHERE f.is_closed = 1 AND EXISTS (SELECT 1 FROM alumni_value v WHERE v.field = f.code))
    THEN (${byRows}) ELSE (${people}) END`;
}
