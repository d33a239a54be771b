import { CONFIRMED_COLUMNS } from "../confirmation.server.ts";
import { columnOf } from "../own-value.server.ts";
import { alumniSettings } from "../setting.server.ts";
import { sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import type { OwnValues } from "#worker/contract/alumni/own-fields.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
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
}

/** Namesakes without contact that are compared, because a file may repeat one name on every line. */
const CROWD_SIZE = 1000;

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

const CONTACTS = ["email", "mobile"] as const;

export async function matchImportRows(
  ctx: Pick<AppContext, "db" | "storedSettings">,
  rows: readonly ImportRow[],
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
  const [people, names] = await runBatch(db, [
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
  const byName = new Map((names ?? []).map((row) => [row.name, row]));
  return rows.map((row, at) => {
    const { namesakes = 0, alone: crowd = 0 } = byName.get(row.values.name ?? "") ?? {};
    return {
      byId: byId.get(at) ?? null,
      byName: byKey.get(matchKeyOf(row)) ?? [],
      namesakes: Number(namesakes),
      isCrowd: Number(crowd) > CROWD_SIZE,
    };
  });
}

const matchKeyOf = (row: ImportRow | undefined) =>
  JSON.stringify([row?.values.name ?? "", row?.values.email ?? "", row?.values.mobile ?? ""]);
