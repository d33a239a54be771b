import { CONFIRMED_COLUMNS } from "../confirmation.server.ts";
import { columnOf } from "../own-value.server.ts";
import { alumniSettings } from "../setting.server.ts";
import { type SQL, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import type { OwnValues } from "#worker/contract/alumni/own-fields.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
import { type ChoiceRow, choiceStatements, rememberedChoice } from "./memory.server.ts";
import type { ImportRow } from "./row.server.ts";

export interface KnownPerson extends AlumniValues {
  id: string;
  own: OwnValues;
  openFields: OpenField[];
  confirmation: string | null;
  corrections: string;
}
export interface MatchedPeople {
  byId: KnownPerson | null;
  /** Same name and same mobile or e-mail; for a row without contact, namesakes without contact. */
  byName: KnownPerson[];
  namesakes: number;
  isCrowd: boolean;
  /** People who may be the one that the row names. */
  alike: KnownPerson[];
  /** People of another name with the row's mobile or e-mail. */
  holders: KnownPerson[];
  choice: RememberedPerson | null;
}

export type RememberedPerson = ReturnType<typeof rememberedChoice> & { person: KnownPerson | null };

/** The values of a row that name a person, in any list. */
export interface NamedPerson {
  name: string;
  cohort: number | null;
  graduationYear: number | null;
  tail: string;
  /** A complete address or number, which alone decides. */
  hasContact: boolean;
}

/** More candidates than fit one question. */
export const CANDIDATES_MAX = 5;

const lastFour = (mobile: string) => mobile.slice(-4);

/**
 * Decides among people of the same name. @returns the only person whose cohort or last four digits fit, people to ask
 * about, or none
 */
export function decideAmong<P extends Omit<NamedPerson, "tail" | "hasContact"> & { mobile: string }>(
  { name, cohort, graduationYear, tail, hasContact }: NamedPerson,
  people: readonly P[],
): { person: P | null; ask: P[] } {
  const hasTail = (each: P) => tail !== "" && each.mobile !== "" && lastFour(each.mobile) === tail;
  const differs = (a: number | null, b: number | null) => a !== null && b !== null && a !== b;
  const hasCohort = (each: P) => cohort !== null && each.cohort === cohort;
  const possible = people.filter((each) => hasTail(each) || !differs(each.cohort, cohort));
  if (hasContact) return { person: null, ask: possible.filter((each) => hasTail(each) || hasCohort(each)) };
  const fits = possible.filter(
    (each) =>
      each.name === name &&
      (hasTail(each) || hasCohort(each)) &&
      !differs(each.cohort, cohort) &&
      !differs(each.graduationYear, graduationYear) &&
      (tail === "" || each.mobile === "" || hasTail(each)),
  );
  const rivals = possible.filter((each) => fits.length !== 1 || !hasTail(fits[0] as P) || hasTail(each));
  return fits.length === 1 && rivals.length === 1 ? { person: fits[0] as P, ask: [] } : { person: null, ask: possible };
}

/** Namesakes without contact that are compared, because a file may repeat one name on every line. */
const CROWD_SIZE = 1000;

export const CONTACTS = ["mobile", "email"] as const;

export type ContactField = (typeof CONTACTS)[number];

interface KnownPersonRow {
  at: number;
  how: "id" | "name";
  id: string;
  name: string;
  cohort: number | null;
  graduation_year: number | null;
  zip_code: string;
  own: string;
  open_fields: string;
  confirmation: string | null;
  corrections: string;
  [column: string]: unknown;
}

const FOLDED = "lower(replace(a.name, ' ', ''))";

/** People of a name by its indexes, a few a key, however many share it. */
function alikeSql(columns: SQL, people: readonly NamedPerson[]) {
  const keys = JSON.stringify(
    people.map(({ name, cohort, tail, hasContact }) => [name, cohort, tail, hasContact ? 0 : 1]),
  );
  const some = (index: string, condition: string) =>
    `SELECT id FROM (SELECT a.id FROM alumni a INDEXED BY ${index} WHERE a.deleted_date IS NULL AND ${condition} LIMIT ${CANDIDATES_MAX + 1})`;
  const found = [
    some("alumni_cohort", "a.cohort = k.cohort AND a.name = k.name"),
    some("alumni_name_tail", "a.mobile <> '' AND a.name = k.name AND substr(a.mobile, -4) = k.tail"),
    some("alumni_cohort", "k.loose AND k.cohort IS NOT NULL AND a.cohort IS NULL AND a.name = k.name"),
    some("alumni_name", "k.loose AND k.cohort IS NULL AND a.name = k.name"),
    some("alumni_name_alike", `k.loose AND ${FOLDED} = k.folded AND a.name < k.name`),
    some("alumni_name_alike", `k.loose AND ${FOLDED} = k.folded AND a.name > k.name`),
  ];
  // D1 allows five terms in one compound.
  const some3 = (from: number) => `SELECT id FROM (${found.slice(from, from + 3).join(" UNION ")})`;
  return sql`WITH k AS MATERIALIZED (
      SELECT key AS at, value ->> 0 AS name, lower(replace(value ->> 0, ' ', '')) AS folded, value ->> 1 AS cohort,
        value ->> 2 AS tail, value ->> 3 AS loose FROM json_each(${keys}) WHERE value ->> 0 <> ''
    ) SELECT k.at, ${columns}, ${CONFIRMED_COLUMNS} FROM k CROSS JOIN alumni a ON a.id IN (${sql.raw(`${some3(0)} UNION ${some3(3)}`)})
    ORDER BY k.at, a.state <> '활동', a.cohort, a.graduation_year, a.affiliation, a.created_date, a.id`;
}

/** People who share a mobile or an e-mail with a row but not its name. */
function holdersSql(keys: string, columns: SQL, shown: readonly ContactField[]) {
  const some = (field: ContactField) => `SELECT id FROM (SELECT a.id FROM alumni a INDEXED BY alumni_${field}
    WHERE a.deleted_date IS NULL AND a.${field} <> '' AND a.${field} = k.${field} AND a.name <> k.name LIMIT ${CANDIDATES_MAX + 1})`;
  const found = shown.map(some).join(" UNION ") || "SELECT NULL";
  return sql`WITH k AS MATERIALIZED (
      SELECT key AS at, value ->> 1 AS name, value ->> 2 AS email, value ->> 3 AS mobile
      FROM json_each(${keys}) WHERE value ->> 0 = '' AND value ->> 1 <> '' AND (value ->> 2 <> '' OR value ->> 3 <> '')
    ) SELECT k.at, ${columns}, ${CONFIRMED_COLUMNS} FROM k CROSS JOIN alumni a ON a.id IN (${sql.raw(found)})
    ORDER BY k.at, a.state <> '활동', a.created_date, a.id`;
}

/** A contact that many share is nobody's own. */
function ownHolders({ values }: ImportRow, people: readonly KnownPerson[]): KnownPerson[] {
  const own = CONTACTS.filter(
    (field) => people.filter((each) => each[field] === values[field]).length <= CANDIDATES_MAX,
  );
  return people.filter((each) => own.some((field) => each[field] !== "" && each[field] === values[field]));
}

function toKnownPerson(raw: KnownPersonRow): KnownPerson {
  const values = Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, raw[columnOf(field)]]));
  return {
    ...(values as unknown as AlumniValues),
    id: raw.id,
    own: JSON.parse(raw.own),
    openFields: JSON.parse(raw.open_fields),
    confirmation: raw.confirmation,
    corrections: raw.corrections,
  };
}

/**
 * @param named per row; null finds no person by name. @param shown contacts that the importer sees, which alone find a
 * person of another name
 */
export async function matchImportRows(
  ctx: Pick<AppContext, "db" | "storedSettings" | "now">,
  rows: readonly ImportRow[],
  named: readonly (NamedPerson | null)[],
  remembered: { form: string; values: readonly string[] },
  shown: readonly ContactField[],
): Promise<MatchedPeople[]> {
  const { db } = ctx;
  const settings = alumniSettings(ctx);
  const keys = JSON.stringify(
    rows.map(({ id, values }) => [id, values.name ?? "", values.email ?? "", values.mobile ?? ""]),
  );
  const columns = sql.raw(
    ["id", "own", "open_fields", ...ALUMNI_FIELDS.map(columnOf)].map((name) => `a.${name}`).join(", "),
  );
  const counted = (condition: string) =>
    sql.raw(`(SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_name
      WHERE a.name = n.name AND a.deleted_date IS NULL ${condition} LIMIT ${CROWD_SIZE + 1}))`);
  const alone = CONTACTS.filter((field) => isFieldUsed(settings, field))
    .map((field) => ` AND a.${field} = ''`)
    .join("");
  const [people, names, alike, holders, choices] = await runBatch(db, [
    db.all(sql`
      WITH k AS MATERIALIZED (
        SELECT key AS at, value ->> 0 AS id, value ->> 1 AS name, value ->> 2 AS email, value ->> 3 AS mobile
        FROM json_each(${keys})
      ), n AS MATERIALIZED (
        SELECT min(at) AS at, name, email, mobile FROM k GROUP BY name, email, mobile
      ), m AS MATERIALIZED (
        SELECT n.*, CASE WHEN email = '' AND mobile = '' THEN ${counted(alone)} END AS alone FROM n
      )
      SELECT k.at, 'id' AS how, ${columns}, ${CONFIRMED_COLUMNS} FROM k CROSS JOIN alumni a ON a.id = k.id
      WHERE k.id <> '' AND a.deleted_date IS NULL
      UNION ALL
      SELECT m.at, 'name' AS how, ${columns}, ${CONFIRMED_COLUMNS} FROM m CROSS JOIN alumni a INDEXED BY alumni_name ON a.name = m.name
      WHERE a.deleted_date IS NULL AND (
        (m.email <> '' AND a.email = m.email) OR (m.mobile <> '' AND a.mobile = m.mobile)
        OR (m.alone <= ${CROWD_SIZE} ${sql.raw(alone)})
      )`),
    db.all(sql`
      SELECT n.name, ${counted("")} AS namesakes, ${counted(alone)} AS alone
      FROM (SELECT DISTINCT value ->> 1 AS name FROM json_each(${keys})) n`),
    db.all(
      alikeSql(
        columns,
        named.map((each) => each ?? { name: "", cohort: null, graduationYear: null, tail: "", hasContact: true }),
      ),
    ),
    db.all(holdersSql(keys, columns, shown)),
    ...choiceStatements(ctx, remembered, sql`${columns}, ${CONFIRMED_COLUMNS}`),
  ]);
  const byKey = new Map<string, KnownPerson[]>();
  const byId = new Map<number, KnownPerson>();
  for (const raw of (people ?? []) as unknown as KnownPersonRow[]) {
    if (raw.how === "id") byId.set(raw.at, toKnownPerson(raw));
    else {
      const key = matchKeyOf(rows[raw.at]);
      const same = byKey.get(key);
      if (same) same.push(toKnownPerson(raw));
      else byKey.set(key, [toKnownPerson(raw)]);
    }
  }
  const [alikeAt, holdersAt] = [alike, holders].map((found) => {
    const at = new Map<number, KnownPerson[]>();
    for (const raw of (found ?? []) as unknown as KnownPersonRow[])
      at.set(raw.at, [...(at.get(raw.at) ?? []), toKnownPerson(raw)]);
    return at;
  });
  const choiceAt = new Map(
    ((choices ?? []) as unknown as ChoiceRow[]).map((raw) => [
      raw.at,
      { ...rememberedChoice(raw), person: raw.id === null ? null : toKnownPerson(raw as unknown as KnownPersonRow) },
    ]),
  );
  const byName = new Map((names ?? []).map((row) => [row.name, row]));
  return rows.map((row, at) => {
    const { namesakes = 0, alone: crowd = 0 } = byName.get(row.values.name ?? "") ?? {};
    return {
      byId: byId.get(at) ?? null,
      byName: byKey.get(matchKeyOf(row)) ?? [],
      namesakes: Number(namesakes),
      isCrowd: Number(crowd) > CROWD_SIZE,
      alike: alikeAt?.get(at) ?? [],
      holders: ownHolders(row, holdersAt?.get(at) ?? []),
      choice: choiceAt.get(at) ?? null,
    };
  });
}

const matchKeyOf = (row: ImportRow | undefined) =>
  JSON.stringify([row?.values.name ?? "", row?.values.email ?? "", row?.values.mobile ?? ""]);
