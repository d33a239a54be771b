import { expect, test } from "vitest";
import { listCorrections } from "#worker/domain/alumni/correction.server.ts";
import { listCohort, listRepresentatives } from "#worker/domain/alumni/cohort.server.ts";
import { getMailing, listMailingRecipients, listMailings } from "#worker/domain/mailing/mailing.server.ts";
import { getRound, listRoundPeople, listRounds } from "#worker/domain/mailing/round-figures.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { getCertificates, listCertificates } from "#worker/domain/alumni/certificate.server.ts";
import { getAlumniFigures } from "#worker/domain/alumni/figures.server.ts";
import type { ListCohortQuery } from "#worker/contract/alumni/representative-input.ts";
import { createRepresentative } from "../alumni/cohorts.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { measureRead } from "../../support/measured-read.ts";
import { runSql } from "../../support/test-database.ts";

const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
const paging = { page: 1, size: 20 };

const PAGES: [string, (scope: RequestScope) => Promise<unknown>][] = [
  ["mailings", (scope) => listMailings(scope, paging)],
  ["rounds", (scope) => listRounds(scope, paging)],
  [
    "representatives",
    (scope) => Promise.all([listCorrections(scope, { state: "waiting", ...paging }), listRepresentatives(scope)]),
  ],
];

const SINGLE_PAGES: [string, (scope: RequestScope) => Promise<unknown>][] = [
  ["a mailing", (scope) => Promise.all([getMailing(scope, "m1"), listMailingRecipients(scope, "m1", paging)])],
  ["a round", (scope) => Promise.all([getRound(scope, "r1"), listRoundPeople(scope, "r1", paging)])],
  ["figures", (scope) => getAlumniFigures(scope)],
  ["certificates", (scope) => Promise.all([listCertificates(scope, paging), getCertificates(scope, "z1")])],
];
/** The second batch counts the viewed rows; viewing the same rows again is not counted. */
const COHORT_PAGES: [string, batches: number, ListCohortQuery][] = [
  ["the first cohort", 2, { shown: "all", ...paging }],
  ["a named cohort", 1, { cohort: 7, shown: "unreached", ...paging }],
];

test("lists of mailings load in one round trip for 50,000 people", async () => {
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
  const few = new Map<string, number>();
  for (const [name, read] of PAGES) few.set(name, (await measureRead(admin.accessToken, read)).rows);
  await runSql(
    `INSERT INTO mailing_recipient (mailing_id, person_id, address, state, cause, state_date)
     ${numbers(50_000)} SELECT 'm' || (i % 20 + 1), 'p' || i, 'p' || i || '@pid.example.kr', 'sent', '', 1 FROM n`,
  );
  for (const [name, read] of PAGES) {
    const { batches, rows } = await measureRead(admin.accessToken, read);
    expect([name, batches, rows]).toEqual([name, 1, few.get(name)]);
    expect([name, rows < 600]).toEqual([name, true]);
  }
});

test("a single mailing or round loads in one round trip", async () => {
  const admin = await createAdministratorSession();
  const representative = await createRepresentative(admin, 7);
  await runSql(
    `INSERT INTO alumni (id, name, cohort, email, created_date, modified_date)
     ${numbers(30)} SELECT 'p' || i, '사람' || i, iif(i % 2, 7, 8), '', 1, 1 FROM n`,
  );
  await runSql(
    `INSERT INTO mailing (id, source, target, kind, subject, body, status, people, created_user_id, created_date, modified_date, round_id, file_ids)
     VALUES ('m1', 'alumni', '{}', 'informational', '총회', '안내', 'done', 30, ?, 1, 1, 'r1', '["f"]')`,
    admin.user.userId,
  );
  await runSql(
    `INSERT INTO mailing_recipient (mailing_id, person_id, address, state, cause, state_date)
     ${numbers(30)} SELECT 'm1', 'p' || i, 'p' || i || '@pid.example.kr', 'sent', '', 1 FROM n`,
  );
  await runSql(
    `INSERT INTO confirmation_round (id, target, status, reminder_days, created_user_id, created_date, modified_date)
     VALUES ('r1', '{"filter":{}}', 'closed', 14, ?, 1, 1)`,
    admin.user.userId,
  );
  await runSql(
    `INSERT INTO alumni_certificate (id, number, alumni_id, created_user_id, created_date, expires_date)
     VALUES ('z1', '2026-0001', 'p1', 'x', 1, 4102444800000)`,
  );
  for (const [name, read] of SINGLE_PAGES)
    expect([name, (await measureRead(admin.accessToken, read)).batches]).toEqual([name, 1]);
  for (const [name, expected, query] of COHORT_PAGES) {
    const { batches, answer } = await measureRead(representative.accessToken, (scope) =>
      listCohort(scope, query, "page"),
    );
    expect([name, batches, answer]).toMatchObject([name, expected, { cohort: 7, cohorts: [7], totalElements: 15 }]);
  }
});
