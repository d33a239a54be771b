import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listCorrections } from "#worker/domain/alumni/correction.server.ts";
import { listRepresentatives } from "#worker/domain/alumni/representative.server.ts";
import { listMailings } from "#worker/domain/mailing/mailing.server.ts";
import { listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { createAdministratorSession } from "../../people.ts";
import { openRequestScope } from "../../open-scope.ts";
import { countRowsReadDatabase } from "../../rows-read.ts";
import { runSql } from "../../test-database.ts";

const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
const paging = { page: 1, size: 20 };

/** What stands on each page of the office, as its loader reads it. */
const PAGES: [string, (scope: RequestScope) => Promise<unknown>][] = [
  ["mailings", (scope) => listMailings(scope, paging)],
  ["rounds", (scope) => listRounds(scope, paging)],
  [
    "representatives",
    (scope) => Promise.all([listCorrections(scope, { state: "waiting", ...paging }), listRepresentatives(scope)]),
  ],
];

test("the office's lists of mailings, rounds and representatives read as little for 50,000 people as for five, in one round trip", async () => {
  const admin = await createAdministratorSession();
  await runSql(
    `INSERT INTO mailing (id, source, target, kind, subject, status, people, created_user_id, created_date, modified_date, round_id)
     ${numbers(20)} SELECT 'm' || i, 'alumni', '{}', 'informational', '총회', 'done', 2500, 'x', i, i, 'r' || i FROM n`,
  );
  await runSql(
    `INSERT INTO confirmation_round (id, target, status, reminder_days, created_user_id, created_date, modified_date)
     ${numbers(20)} SELECT 'r' || i, '{"filter":{}}', 'closed', 14, 'x', i, i FROM n`,
  );
  await runSql(
    `INSERT INTO alumni_correction (id, alumni_id, user_id, cohort, fields, "values", state, created_date)
     ${numbers(200)} SELECT 'c' || i, 'p' || i, 'u', 1, '[]', '{}', 'waiting', i FROM n`,
  );
  const measure = async (read: (scope: RequestScope) => Promise<unknown>) => {
    const counted = countRowsReadDatabase(env.DB);
    let trips = 0;
    const { batch } = counted.DB;
    counted.DB.batch = (async (statements: D1PreparedStatement[]) => {
      trips += 1;
      return batch(statements);
    }) as typeof batch;
    const request = new Request("http://localhost/");
    const scope = openRequestScope({
      request,
      env: { ...env, DB: counted.DB },
      credential: { token: admin.accessToken },
      requestId: "test",
      defer: () => {},
    });
    await read(scope);
    return { trips, rows: counted.rows() };
  };
  const few = new Map<string, number>();
  for (const [name, read] of PAGES) few.set(name, (await measure(read)).rows);
  await runSql(
    `INSERT INTO mailing_recipient (mailing_id, person_id, address, state, cause, state_date)
     ${numbers(50_000)} SELECT 'm' || (i % 20 + 1), 'p' || i, 'p' || i || '@pid.example.kr', 'sent', '', 1 FROM n`,
  );
  for (const [name, read] of PAGES) {
    const { trips, rows } = await measure(read);
    expect([name, trips, rows]).toEqual([name, 1, few.get(name)]);
    expect([name, rows < 600]).toEqual([name, true]);
  }
});
