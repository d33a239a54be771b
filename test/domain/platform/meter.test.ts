import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { role } from "#db/schema/access.ts";
import { runBatch } from "#db/batch.ts";
import { sql } from "drizzle-orm";
import { createMemberSession } from "../../support/people.ts";
import { testDatabase } from "../../support/test-database.ts";
import { runInvocation, estimateMs, Invocation, readStaleValues, takeRefusals } from "../../support/platform-meter.ts";
import { contextFor } from "../../support/request-scope.ts";
import { stubFetch } from "../../hosts/stub-fetch.ts";

const statement = () => env.DB.prepare("SELECT 1 AS one");
const list = <T>(length: number, make: () => T) => Array.from({ length }, make);
const refused = async (work: () => unknown): Promise<string> => {
  await expect((async () => work())()).rejects.toThrow();
  return takeRefusals().join();
};

test("an invocation sends at most 1,000 statements to D1", async () => {
  const invocation = new Invocation();
  await runInvocation(() => env.DB.batch(list(999, statement)), invocation);
  await runInvocation(() => statement().first(), invocation);
  expect(await refused(() => runInvocation(() => statement().all(), invocation))).toMatch(/Too many API requests/);
  // A test that calls a domain function uses the allowance of its own context.
  const ctx = await contextFor(await createMemberSession());
  const ask = (count: number) =>
    runBatch(
      ctx.db,
      list(count, () => ctx.db.select().from(role)),
    );
  await ask(900);
  expect(await refused(() => ask(100))).toMatch(/Too many API requests/);
});

test("an invocation makes at most 10,000 requests to other services", async () => {
  stubFetch(() => Promise.resolve(new Response("ok")));
  const invocation = new Invocation();
  invocation.subrequests = 9_996;
  await runInvocation(async () => {
    await fetch("https://other.test");
    await env.KV.get("key");
    await env.FILES.head("key");
    await statement().all();
  }, invocation);
  expect(await refused(() => runInvocation(() => fetch("https://other.test"), invocation))).toMatch(/subrequests/);
});

test("100 parameters or 100 kB of SQL are accepted, no more", async () => {
  const marks = (count: number) => `SELECT ${list(count, () => "?").join(" + ")} AS sum`;
  await env.DB.prepare(marks(100))
    .bind(...list(100, () => 1))
    .all();
  expect(await refused(() => env.DB.prepare(marks(101)).bind(...list(101, () => 1)))).toMatch(/SQL variables/);
  const text = (bytes: number) => `SELECT '${"가".repeat(Math.floor((bytes - 9) / 3))}${"a".repeat((bytes - 9) % 3)}'`;
  await env.DB.prepare(text(100_000)).all();
  expect(await refused(() => env.DB.prepare(text(100_001)))).toMatch(/statement too long/);
  const length = (value: string) => env.DB.prepare("SELECT length(?) AS length").bind(value);
  await length("가".repeat(666_666)).all();
  expect(await refused(() => length("가".repeat(666_667)))).toMatch(/too big/);
  expect(await refused(() => testDatabase().run(sql`SELECT length(${"a".repeat(2_000_001)})`))).toMatch(/too big/);
  expect(
    await refused(() => env.DB.prepare("SELECT replace(hex(zeroblob(1000001)), '0', 'a') AS value").all()),
  ).toMatch(/too big/);
});

test("a batch that would keep D1 busy is refused", { tags: "full" }, async () => {
  expect(estimateMs([{ rows_read: 2_000_000, rows_written: 100_000 }])).toBeLessThan(30_000);
  const rows = "FROM sqlite_master AS a, sqlite_master AS b, sqlite_master AS c, (SELECT 1 FROM sqlite_master LIMIT 3)";
  await env.DB.prepare("SELECT count(*) AS count FROM sqlite_master AS a, sqlite_master AS b").all();
  expect(await refused(() => env.DB.prepare(`SELECT count(*) AS count ${rows}`).all())).toMatch(/CPU time limit/);
});

test("KV or R2 writes a key once a second", async () => {
  await env.KV.put("key", "1");
  await expect(env.KV.put("key", "2")).rejects.toThrow(/429/);
  await env.KV.put("other", "1");
  readStaleValues();
  expect(await env.KV.get("key")).toBe("1");
  await env.KV.delete("key");
  expect(await env.KV.get("key")).toBe("1");
  await env.FILES.put("object", "1");
  await expect((async () => env.FILES.put("object", "2"))()).rejects.toThrow(/429/);
  expect(await refused(() => env.FILES.delete(list(1001, () => "a")))).toMatch(/1000/);
});
