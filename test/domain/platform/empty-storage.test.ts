/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { emptyStorage, takeRealDatabase } from "../../support/empty-storage.ts";
import { readValue } from "../../support/test-database.ts";

takeRealDatabase();

/** workerd unloads an object that had no request for ten seconds, and offers no other way to it. */
const UNLOADED_AFTER_MS = 11_000;

test("a test begins with an empty storage, even after its objects slept", async () => {
  await env.DB.prepare("CREATE TABLE leftover (a)").run();
  await env.SCRATCH.prepare("CREATE TABLE leftover (a)").run();
  await env.KV.put("leftover", "1");
  await env.FILES.put("leftover", "1");
  await env.BACKUPS.put("kept", "1");
  await new Promise((done) => setTimeout(done, UNLOADED_AFTER_MS));

  await emptyStorage();

  const tables = "SELECT count(*) FROM sqlite_master WHERE name = 'leftover'";
  expect([
    await readValue(tables),
    await env.SCRATCH.prepare(tables).first("count(*)"),
    await env.KV.get("leftover"),
    await env.FILES.head("leftover"),
    await env.BACKUPS.head("kept"),
  ]).toEqual([0, 0, null, null, null]);
});
