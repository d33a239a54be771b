import { OWN_VALUES } from "./alumni.ts";
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Kept by triggers, so that no page scans `alumni`: count, search index (db/search.ts) and duplicate keys.

export const alumniCount = sqliteTable("alumni_count", {
  id: integer().primaryKey(),
  people: integer().notNull(),
});

/** Key shared by several people, by reason; `second` is empty where `first` is the whole key. */
export const alumniAlike = sqliteTable(
  "alumni_alike",
  {
    reason: text().notNull(),
    first: blob().$type<string | number>().notNull(),
    second: blob().$type<string>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reason, table.first, table.second] })],
);

export const alumniIndexTablesWithoutRowid = [alumniAlike];

interface AlikeKey {
  index: string;
  of: readonly string[];
  keys: (row: string) => [first: string, second: string];
  /** Further condition of the index, apart from people outside the bin. */
  filled?: string;
  differing?: "mobile" | "name";
}
const foldedName = (row: string) => `lower(replace(${row}.name, ' ', ''))`;
const lastDigits = (row: string) => `substr(${row}.mobile, -4)`;
const ALIKE_KEYS: Record<string, AlikeKey> = {
  mobile: { index: "alumni_mobile", of: ["mobile"], keys: (row) => [`${row}.mobile`, "''"], filled: "mobile" },
  email: { index: "alumni_email", of: ["email"], keys: (row) => [`${row}.email`, "''"], filled: "email" },
  nameTail: {
    index: "alumni_name_tail",
    of: ["name", "mobile"],
    keys: (row) => [`${row}.name`, lastDigits(row)],
    filled: "mobile",
    differing: "mobile",
  },
  nameCohort: { index: "alumni_cohort", of: ["name", "cohort"], keys: (row) => [`${row}.cohort`, `${row}.name`] },
  nameYear: {
    index: "alumni_year",
    of: ["name", "graduation_year"],
    keys: (row) => [`${row}.graduation_year`, `${row}.name`],
  },
  nameAffiliation: {
    index: "alumni_affiliation",
    of: ["name", "affiliation"],
    keys: (row) => [`${row}.affiliation`, `${row}.name`],
    filled: "affiliation",
  },
  nameAlike: { index: "alumni_name_alike", of: ["name"], keys: (row) => [foldedName(row), "''"], differing: "name" },
};

function isSharedSql({ index, keys, filled, differing }: AlikeKey, row: string): string {
  const [first, second] = keys("a");
  const [ownFirst, ownSecond] = keys(row);
  const same = second === "''" ? `${first} = ${ownFirst}` : `${first} = ${ownFirst} AND ${second} = ${ownSecond}`;
  const people = `FROM alumni a INDEXED BY ${index} WHERE ${same} AND a.deleted_date IS NULL${filled ? ` AND a.${filled} <> ''` : ""}`;
  return differing
    ? `(SELECT min(a.${differing}) ${people}) <> (SELECT max(a.${differing}) ${people})`
    : `(SELECT count(*) FROM (SELECT 1 ${people} LIMIT 2)) > 1`;
}
/** `UPDATE OF` also fires when the value stays the same. */
const differs = (columns: readonly string[]) =>
  `(${columns.map((name) => `OLD.${name}`).join(", ")}) IS NOT (${columns.map((name) => `NEW.${name}`).join(", ")})`;
const changed = ({ of }: AlikeKey) => `${differs([...of, "deleted_date"])} AND `;

// `OR IGNORE` yields to the outer statement's conflict policy when that is an upsert.
const enter = ([reason, key]: [string, AlikeKey], only = "") => {
  const [first, second] = key.keys("NEW");
  return `INSERT INTO alumni_alike (reason, first, second) SELECT '${reason}', ${first}, ${second} WHERE ${only}${isSharedSql(key, "NEW")} AND NOT EXISTS (SELECT 1 FROM alumni_alike WHERE reason = '${reason}' AND first = ${first} AND second = ${second});`;
};
const leave = ([reason, key]: [string, AlikeKey], only = "") => {
  const [first, second] = key.keys("OLD");
  return `DELETE FROM alumni_alike WHERE ${only}reason = '${reason}' AND first = ${first} AND second = ${second} AND coalesce(${isSharedSql(key, "OLD")}, 0) = 0;`;
};
const ALIKE = Object.entries(ALIKE_KEYS);
const ENTER_ALIKE = ALIKE.map((entry) => enter(entry)).join("\n  ");
const LEAVE_ALIKE = ALIKE.map((entry) => leave(entry)).join("\n  ");
const MOVE_ALIKE = [
  ...ALIKE.map((entry) => leave(entry, changed(entry[1]))),
  ...ALIKE.map((entry) => enter(entry, changed(entry[1]))),
].join("\n  ");

const COMPARED = [...new Set([...ALIKE.flatMap(([, { of }]) => of), "deleted_date"])];
const SEARCHED = ["search_all", "initials", "own", "deleted_date"];
/** Every text that a keyword can match; line ends let the last letters start a term. */
const SEARCHED_TEXT = `NEW.search_all || char(10) || NEW.initials || char(10) || coalesce((
    SELECT group_concat(lower(replace(CASE WHEN instr(v.value, '-') THEN v.value || char(10) || replace(v.value, '-', '') ELSE v.value END, ' ', '')), char(10))
    FROM json_each(CASE WHEN json_valid(NEW.own) THEN NEW.own ELSE '{}' END) AS f
    JOIN json_each(${OWN_VALUES}) AS v), '') || char(10) || char(10)`;
const COUNT = (by: string) =>
  `INSERT INTO alumni_count (id, people) VALUES (1, ${by}) ON CONFLICT (id) DO UPDATE SET people = people + excluded.people;`;

export const alumniIndexTriggers = [
  `CREATE TRIGGER alumni_index_new AFTER INSERT ON alumni WHEN NEW.deleted_date IS NULL BEGIN
  ${COUNT("1")}
  INSERT INTO alumni_gram (rowid, text) SELECT NEW.rowid, ${SEARCHED_TEXT};
  ${ENTER_ALIKE}
END`,
  `CREATE TRIGGER alumni_index_gone AFTER DELETE ON alumni WHEN OLD.deleted_date IS NULL BEGIN
  ${COUNT("-1")}
  DELETE FROM alumni_gram WHERE rowid = OLD.rowid;
  ${LEAVE_ALIKE}
END`,
  `CREATE TRIGGER alumni_index_moved AFTER UPDATE OF deleted_date ON alumni
WHEN (OLD.deleted_date IS NULL) <> (NEW.deleted_date IS NULL) BEGIN
  ${COUNT("CASE WHEN NEW.deleted_date IS NULL THEN 1 ELSE -1 END")}
END`,
  `CREATE TRIGGER alumni_index_text AFTER UPDATE OF ${SEARCHED.join(", ")} ON alumni WHEN ${differs(SEARCHED)} BEGIN
  DELETE FROM alumni_gram WHERE rowid = OLD.rowid;
  INSERT INTO alumni_gram (rowid, text) SELECT NEW.rowid, ${SEARCHED_TEXT} WHERE NEW.deleted_date IS NULL;
END`,
  `CREATE TRIGGER alumni_index_alike AFTER UPDATE OF ${COMPARED.join(", ")} ON alumni WHEN ${differs(COMPARED)} BEGIN
  ${MOVE_ALIKE}
END`,
];
