import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connectDatabase, type Db } from "#db/client.ts";
import { type Place, prepareOnce } from "#db/prepared.ts";
import { ageClock } from "#db/schema/audit.ts";
import { alumniField } from "#db/schema/alumni.ts";
import type { OwnFieldCode } from "#worker/contract/alumni/own-fields.ts";

// `prepareOnce` depends on private members of Drizzle: an upgrade that changes them fails here.

const insertFields = () =>
  env.DB.exec(
    `INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '구분', 'choice', '["가","나"]', 'members'), ('own2', '회비', 'number', '[]', 'office')`,
  );
const byCode = (db: Db, code: Place<OwnFieldCode>) => db.select().from(alumniField).where(eq(alumniField.code, code));
const prepared = prepareOnce((db) => byCode(db, sql.placeholder("code")));

test("a prepared read answers as the same read without preparation", async () => {
  await insertFields();
  const db = connectDatabase(env.DB);
  for (const code of ["own1", "own2", "own3"] as const)
    expect(await prepared(db, { code }).all()).toEqual(await byCode(db, code));
});

test("prepared reads of one batch keep their own values", async () => {
  await insertFields();
  const db = connectDatabase(env.DB);
  const [second, plain, first] = await db.batch([
    prepared(db, { code: "own2" }),
    byCode(db, "own1"),
    prepared(db, { code: "own1" }),
  ]);
  expect(first).toEqual(plain);
  expect(second).toEqual(await byCode(db, "own2"));
  expect(first).not.toEqual(second);
});

test("a prepared read maps dates", async () => {
  await env.DB.exec("INSERT INTO age_clock (id, trusted_date) VALUES (9, 86400000)");
  const clock = prepareOnce((db) => db.select().from(ageClock).where(eq(ageClock.id, 9)));
  expect(await clock(connectDatabase(env.DB), {}).all()).toEqual([
    { id: 9, trustedDate: new Date(86_400_000), jumpedDate: null, lastDate: null },
  ]);
});
