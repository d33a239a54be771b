import { sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import type { Db } from "#db/client.ts";
import { ALUMNI_FIELDS, type AlumniValues, type PrivateField } from "#worker/contract/alumni-columns.ts";
import type { ReadRow } from "./import-row.server.ts";

export interface Known extends AlumniValues {
  id: string;
  openFields: PrivateField[];
}
export interface Found {
  byId: Known | null;
  /** Same name with the same mobile or e-mail; where the row has neither, those of the name that have neither as well. */
  byName: Known[];
  /** How many people have the name at all. */
  namesakes: number;
}

interface RawKnown {
  at: number;
  how: "id" | "name";
  id: string;
  name: string;
  cohort: number | null;
  graduation_year: number | null;
  zip_code: string;
  open_fields: string;
  [column: string]: unknown;
}

const SNAKE: Partial<Record<string, string>> = { graduationYear: "graduation_year", zipCode: "zip_code" };

function known(raw: RawKnown): Known {
  const values = Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, raw[SNAKE[field] ?? field]]));
  return { ...(values as unknown as AlumniValues), id: raw.id, openFields: JSON.parse(raw.open_fields) };
}

/** Who of the book a chunk of rows may mean, in one statement for all of them. */
export async function findPeople(db: Db, rows: readonly ReadRow[]): Promise<Found[]> {
  const keys = JSON.stringify(
    rows.map(({ id, values }) => [id, values.name ?? "", values.email ?? "", values.mobile ?? ""]),
  );
  const columns = sql.raw(
    ["id", "open_fields", ...ALUMNI_FIELDS.map((field) => SNAKE[field] ?? field)].map((name) => `a.${name}`).join(", "),
  );
  const [people, namesakes] = await runBatch(db, [
    db.all(sql`
      WITH k AS MATERIALIZED (
        SELECT key AS at, value ->> 0 AS id, value ->> 1 AS name, value ->> 2 AS email, value ->> 3 AS mobile
        FROM json_each(${keys})
      )
      SELECT k.at, 'id' AS how, ${columns} FROM k CROSS JOIN alumni a ON a.id = k.id
      WHERE k.id <> '' AND a.deleted_date IS NULL
      UNION ALL
      SELECT k.at, 'name' AS how, ${columns} FROM k CROSS JOIN alumni a INDEXED BY alumni_name ON a.name = k.name
      WHERE a.deleted_date IS NULL AND (
        (k.email <> '' AND a.email = k.email) OR (k.mobile <> '' AND a.mobile = k.mobile)
        OR (k.email = '' AND k.mobile = '' AND a.email = '' AND a.mobile = '')
      )`),
    db.all(sql`
      SELECT key AS at, (
        SELECT count(*) FROM alumni WHERE name = value ->> 1 AND deleted_date IS NULL
      ) AS count FROM json_each(${keys})`),
  ]);
  const found: Found[] = rows.map((_, at) => ({
    byId: null,
    byName: [],
    namesakes: Number(namesakes?.[at]?.count ?? 0),
  }));
  for (const raw of (people ?? []) as unknown as RawKnown[]) {
    const entry = found[raw.at];
    if (!entry) continue;
    if (raw.how === "id") entry.byId = known(raw);
    else entry.byName.push(known(raw));
  }
  return found;
}
