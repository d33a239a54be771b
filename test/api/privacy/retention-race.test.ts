import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import { sentMessages } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession, createUser, retireUser } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";

const DAY_MS = 86_400_000;
const BASE = "/api/admin/privacy/retention";
const ago = (days: number) => Date.now() - days * DAY_MS;

async function switchOnInactive(): Promise<string> {
  const { accessToken: token } = await createAdministratorSession();
  const { rules, requestDays, version } = (await callJson("GET", BASE, { token })).data;
  const given = Object.fromEntries(
    rules.map(({ rule, on, days }: { rule: string; on: boolean; days: number }) => [
      rule,
      rule === "inactive" ? { on: true, days: 365 } : { on, days },
    ]),
  );
  const body = { requestDays, rules: given, version };
  expect((await callJson("PATCH", BASE, { token, body })).code).toBe("SUCCESS");
  return token;
}

async function createIdleUser(days: number, warnedDays?: number) {
  const person = await createUser();
  await runSql(
    "UPDATE user SET created_date = ?, last_signin_date = ? WHERE id = ?",
    ago(days + 900),
    ago(days),
    person.id,
  );
  if (warnedDays !== undefined)
    await runSql("INSERT INTO retention_notice (user_id, created_date) VALUES (?, ?)", person.id, ago(warnedDays));
  return person;
}

test("a member who signs in before the run is not destroyed", async () => {
  const token = await switchOnInactive();
  const person = await createIdleUser(800, 31);
  const { fingerprint, rows } = (await callJson("GET", `${BASE}/inactive`, { token })).data;
  expect(rows).toHaveLength(1);
  const { DB, broke } = faultyDatabase({
    sql: /into "destruction"/i,
    when: () => runSql("UPDATE user SET last_signin_date = ? WHERE id = ?", Date.now(), person.id),
  });
  const body = { fingerprint, reason: "정기 파기" };
  const answer = await callApiWith({ DB }, "POST", `${BASE}/inactive/run`, { token, body });
  expect([answer.status, answer.code, broke()]).toEqual([409, "CONFLICT", 1]);
  expect(await readValue("SELECT status FROM user WHERE id = ?", person.id)).toBe("active");
});

test("the warning is sent thirty days before the period ends", async () => {
  await switchOnInactive();
  const [due, early] = [await createIdleUser(336), await createIdleUser(334)];
  await runScheduledJobs(env);
  expect(await sentMessages(due.email)).toHaveLength(1);
  expect(await sentMessages(early.email)).toEqual([]);
});

test("a warning from before a return does not count", async () => {
  const token = await switchOnInactive();
  const person = await createIdleUser(600, 700);
  expect((await callJson("GET", `${BASE}/inactive`, { token })).data.rows).toEqual([]);
  await runScheduledJobs(env);
  expect(await readValue("SELECT status FROM user WHERE id = ?", person.id)).toBe("active");
  expect(await sentMessages(person.email)).toHaveLength(1);
});

test("old mailings lose the address of a retired member", async () => {
  const person = await createMemberSession();
  await runSql(
    "INSERT INTO mailing_recipient (mailing_id, person_id, address, state, state_date) VALUES ('old', 'entry', ?, 'sent', 1), ('old', 'other', 'other@pid.example.kr', 'sent', 1)",
    person.user.email,
  );
  await retireUser(person);
  expect(await readRows("SELECT address FROM mailing_recipient")).toEqual([{ address: "other@pid.example.kr" }]);
});
