import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { backUpDatabaseNightly, dumpDatabaseLines, storeDatabaseDump } from "#worker/domain/operation/backup.server.ts";
import { dumpLoadStatements, readDump } from "#worker/local/load-dump.ts";
import { callJson } from "../../api-client.ts";
import {
  createAdministratorSession,
  createTestItem,
  createSignupSettings,
  createUser,
  testDatabase,
} from "../../factories.ts";
import { requirePresent } from "../../require-present.ts";

const ctx = (now: string) => ({ db: testDatabase(), files: env.FILES, now: () => new Date(now) });
const KEY = "backup/test.ndjson.gz";

async function dumped(): Promise<Uint8Array> {
  await storeDatabaseDump(ctx("2026-11-21T00:00:00Z"), KEY);
  return new Uint8Array(await requirePresent(await env.FILES.get(KEY)).arrayBuffer());
}

async function sums(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dumpDatabaseLines(env.DB, new Date(0))) if (line.startsWith("{")) lines.push(line);
  return lines;
}

test("a dump restored into an empty database gives the same counts and checksums, and the site works on it", async () => {
  const admin = await createAdministratorSession();
  await createSignupSettings();
  await createUser({ userName: "남궁'민" });
  const content = `<p>${"가나'다\\라\n마😀".repeat(20_000)}</p>`;
  await createTestItem(admin, "free", { title: "아주 긴 글", content });
  await createTestItem(admin, "notice", { title: "심포지엄 안내" });
  const before = await sums();
  const bytes = await dumped();

  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const triggers = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all<{
    name: string;
    sql: string;
  }>();
  const statements = dumpLoadStatements(readDump(bytes), { triggers: triggers.results });
  expect(Math.max(...statements.map((statement) => Buffer.byteLength(statement)))).toBeLessThan(100_000);
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));

  const stale = (line: string) => line.replace(/"sha256":"[^"]*"/, "");
  const after = await sums();
  const search = before.findIndex((line) => line.includes('"board_item_search"')) + 1;
  // The search index is made anew, which its own table knows; all else is equal to the last byte.
  expect(after.map((line, at) => (at === search ? stale(line) : line))).toEqual(
    before.map((line, at) => (at === search ? stale(line) : line)),
  );
  expect((await callJson("GET", "/api/board-item?boardCode=notice")).data.content[0].title).toBe("심포지엄 안내");
  const again = await callJson("GET", "/api/board-item/free/1", { token: admin.accessToken });
  expect(again.status).toBe(200);
  expect(await createTestItem(admin, "notice")).toBe(2);
});

test("a dump that was cut off or changed is refused", async () => {
  await createAdministratorSession();
  const bytes = await dumped();
  expect(() => readDump(bytes.slice(0, bytes.byteLength - 40))).toThrow("손상");
  expect(() => readDump(new TextEncoder().encode("abc"))).toThrow("손상");
});

test("the job makes one dump a night after three in Korea, and no second", async () => {
  const keys = async () => (await env.FILES.list({ prefix: "backup/" })).objects.map(({ key }) => key);
  await backUpDatabaseNightly(ctx("2026-11-21T17:59:00Z"));
  expect(await keys()).toEqual([]);
  await backUpDatabaseNightly(ctx("2026-11-21T18:01:00Z"));
  await backUpDatabaseNightly(ctx("2026-11-21T18:11:00Z"));
  expect(await keys()).toEqual(["backup/2026-11-22.ndjson.gz"]);
});
