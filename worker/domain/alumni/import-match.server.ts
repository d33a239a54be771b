import { alumniSettings } from "./alumni-settings.server.ts";
import { sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS, type AlumniValues, type PrivateField } from "#worker/contract/alumni/columns.ts";
import type { ReadRow } from "./import-row.server.ts";

export interface Known extends AlumniValues {
  id: string;
  openFields: PrivateField[];
}
export interface Found {
  byId: Known | null;
  /** Same name with the same mobile or e-mail; where the row has neither, those of the name that have neither as well. */
  byName: Known[];
  /** How many people have the name at all, as far as they are counted. */
  namesakes: number;
  /** So many have the name and no contact that they are not compared. */
  isCrowd: boolean;
}

/** A file of one name on every line would be compared with each person of that name, line by line. */
const CROWD = 1000;

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

/** By which a row is known beside its name, as long as the book uses them. */
const CONTACTS = ["email", "mobile"] as const;

/** Who of the book a chunk of rows may mean, in one statement for all of them. */
export async function findPeople(
  ctx: Pick<AppContext, "db" | "storedSettings">,
  rows: readonly ReadRow[],
): Promise<Found[]> {
  const { db } = ctx;
  const book = alumniSettings(ctx);
  const keys = JSON.stringify(
    rows.map(({ id, values }) => [id, values.name ?? "", values.email ?? "", values.mobile ?? ""]),
  );
  const columns = sql.raw(
    ["id", "open_fields", ...ALUMNI_FIELDS.map((field) => SNAKE[field] ?? field)].map((name) => `a.${name}`).join(", "),
  );
  const counted = (condition: string) =>
    sql.raw(`(SELECT count(*) FROM (SELECT 1 FROM alumni a INDEXED BY alumni_name
      WHERE a.name = n.name AND a.deleted_date IS NULL ${condition} LIMIT ${CROWD + 1}))`);
  const alone = CONTACTS.filter((field) => isUsed(book, field))
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
      SELECT k.at, 'id' AS how, ${columns} FROM k CROSS JOIN alumni a ON a.id = k.id
      WHERE k.id <> '' AND a.deleted_date IS NULL
      UNION ALL
      SELECT m.at, 'name' AS how, ${columns} FROM m CROSS JOIN alumni a INDEXED BY alumni_name ON a.name = m.name
      WHERE a.deleted_date IS NULL AND (
        (m.email <> '' AND a.email = m.email) OR (m.mobile <> '' AND a.mobile = m.mobile)
        OR (m.alone <= ${CROWD} ${sql.raw(alone)})
      )`),
    db.all(sql`
      SELECT n.name, ${counted("")} AS namesakes, ${counted(alone)} AS alone
      FROM (SELECT DISTINCT value ->> 1 AS name FROM json_each(${keys})) n`),
  ]);
  const byKey = new Map<string, Known[]>();
  const byId = new Map<number, Known>();
  for (const raw of (people ?? []) as unknown as RawKnown[]) {
    if (raw.how === "id") byId.set(raw.at, known(raw));
    else {
      const key = keyOf(rows[raw.at]);
      const same = byKey.get(key);
      if (same) same.push(known(raw));
      else byKey.set(key, [known(raw)]);
    }
  }
  const byName = new Map((names ?? []).map((row) => [row.name, row]));
  return rows.map((row, at) => {
    const { namesakes = 0, alone: crowd = 0 } = byName.get(row.values.name ?? "") ?? {};
    return {
      byId: byId.get(at) ?? null,
      byName: byKey.get(keyOf(row)) ?? [],
      namesakes: Number(namesakes),
      isCrowd: Number(crowd) > CROWD,
    };
  });
}

const keyOf = (row: ReadRow | undefined) =>
  JSON.stringify([row?.values.name ?? "", row?.values.email ?? "", row?.values.mobile ?? ""]);
