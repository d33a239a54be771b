import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { testDatabase } from "../../support/test-database.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";

const DAY = 86_400_000;

test("the bin and the undo data of old imports are emptied after 30 days", async () => {
  const now = Date.now();
  const person = (id: string, deletedDate: number | null) =>
    env.DB.prepare(
      "INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES (?, ?, 1, 1, ?)",
    ).bind(id, id, deletedDate);
  const replaced = (id: string, createdDate: number) => [
    env.DB.prepare(
      "INSERT INTO alumni_import (id, file_id, file_name, user_id, mode, inserted, updated, created_date, is_current) VALUES (?, 'f', 'f', 'u', 'upsert', 0, 1, ?, 1)",
    ).bind(id, createdDate),
    env.DB.prepare(
      "INSERT INTO alumni_before (import_id, alumni_id, \"values\", version_after) VALUES (?, 'a', '{}', 2)",
    ).bind(id),
  ];
  await env.DB.batch([
    person("남음", null),
    person("어제", now - DAY),
    person("오래전", now - 31 * DAY),
    ...replaced("새것", now - DAY),
    ...replaced("옛것", now - 31 * DAY),
  ]);
  await runScheduledJobs(env);
  const ids = async (query: string) => (await env.DB.prepare(query).raw()).flat().toSorted();
  expect(await ids("SELECT id FROM alumni")).toEqual(["남음", "어제"]);
  expect(await ids("SELECT import_id FROM alumni_before")).toEqual(["새것"]);
});

test("an import that is not finished within a day is rolled back completely", async () => {
  const now = Date.now();
  const staging = (id: string, touchedDate: number) => [
    env.DB.prepare(
      "INSERT INTO alumni_staging (id, user_id, file_name, head, parts, created_date, touched_date) VALUES (?, 'u', 'f', '{}', 1, 1, ?)",
    ).bind(id, touchedDate),
    env.DB.prepare(
      "INSERT INTO alumni_staged (import_id, kind, plan_no, part_no, rows) VALUES (?, 'sent', 0, 1, '[]')",
    ).bind(id),
  ];
  await env.DB.batch([...staging("새것", now - DAY / 2), ...staging("옛것", now - DAY - 1)]);
  await cleanUpAlumni({ db: testDatabase(), now: () => new Date(now) });
  const ids = async (query: string) => (await env.DB.prepare(query).raw()).flat();
  expect(await ids("SELECT id FROM alumni_staging")).toEqual(["새것"]);
  expect(await ids("SELECT import_id FROM alumni_staged")).toEqual(["새것"]);
});
