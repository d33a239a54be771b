/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { expectLog } from "../../support/expected-log.ts";
import { advanceToMorning } from "../../support/factories.ts";
import { type MailHostRequest, RESEND_VARS, runJobsWith } from "../../hosts/mail-host.ts";
import { createAdministratorSession } from "../../support/people.ts";
import type { HostFailure } from "../../hosts/message-hosts.ts";
import { runDueJobs } from "../../support/scheduled-jobs.ts";
import { stubFetch } from "../../hosts/stub-fetch.ts";
import { readRow, readRows } from "../../support/test-database.ts";
import { everybody, killRuns, laterBy, mailingCall, manyAlumni, outcomesOf, sendTestMailing } from "./people.ts";
import { isFull } from "../../support/sample.ts";

type Failure = HostFailure | "refuses the key";

const EIGHT_WAYS: readonly Failure[] = [
  "down",
  "too many",
  "lost answer",
  "reset",
  "half accepted",
  "rubbish",
  "redirect",
  "refuses the key",
];

/** Mocks Resend, which accepts an idempotency key once. @returns the mails each person got */
function stubForgetfulHost(
  failures: Failure[],
  afterwards: (request: number) => void = () => {},
): { got: Map<string, number>; requests: () => number } {
  const got = new Map<string, number>();
  const answered = new Map<string, object>();
  let requests = 0;
  const accept = (key: string, mails: MailHostRequest["mails"], refuseHalf = false) => {
    const known = answered.get(key);
    if (known) return known;
    const errors = refuseHalf ? mails.flatMap((_, index) => (index % 2 ? { index, message: "Invalid to" } : [])) : [];
    const refused = new Set(errors.map(({ index }) => index));
    for (const [index, mail] of mails.entries())
      if (!refused.has(index)) got.set(mail.to[0] ?? "", (got.get(mail.to[0] ?? "") ?? 0) + 1);
    const answer = {
      data: mails.filter((_, index) => !refused.has(index)).map((_, at) => ({ id: `${key}-${at}` })),
      errors,
    };
    answered.set(key, answer);
    return answer;
  };
  stubFetch(async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    if (!request.url.endsWith("/batch")) return Response.json({ id: "single" });
    requests += 1;
    const mails = (await request.json()) as MailHostRequest["mails"];
    const key = request.headers.get("Idempotency-Key") ?? "";
    switch (failures.shift()) {
      case "down":
        return Response.json({ name: "internal_server_error", message: "x", statusCode: 500 }, { status: 500 });
      case "too many":
        return Response.json({ name: "rate_limit_exceeded", message: "x", statusCode: 429 }, { status: 429 });
      case "reset":
        throw new TypeError("connection reset");
      case "lost answer":
        accept(key, mails);
        throw new TypeError("connection reset");
      case "rubbish":
        accept(key, mails);
        return new Response("<html>", { status: 502 });
      case "redirect":
        return new Response(null, { status: 302, headers: { Location: "https://elsewhere.test/" } });
      case "half accepted":
        return Response.json(accept(key, mails, true));
      case "refuses the key":
        accept(key, mails);
        return Response.json({ name: "invalid_idempotent_request", message: "x", statusCode: 409 }, { status: 409 });
      default: {
        const answer = accept(key, mails);
        afterwards(requests);
        return Response.json(answer);
      }
    }
  });
  return { got, requests: () => requests };
}

test("each person gets one mail although the host fails", async () => {
  expectLog(/messages.failed/);
  advanceToMorning(0);
  let admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(1000)]);
  const { got } = stubForgetfulHost([...EIGHT_WAYS]);
  const id = await sendTestMailing(admin);
  for (let turn = 0; turn < 12; turn += 1) {
    await runJobsWith(RESEND_VARS);
    laterBy(31);
  }
  const outcomes = await outcomesOf(id);
  expect(outcomes).toEqual({ failed: 50, sent: 950 });
  expect([got.size, Math.max(...got.values())]).toEqual([950, 1]);
  admin = await createAdministratorSession();
  const again = await mailingCall(admin, id, "resend", { version: 4, reason: "실패한 사람" });
  expect(again.data).toEqual({ count: 50 });
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ sent: 1000 });
  expect([got.size, Math.max(...got.values())]).toEqual([1000, 1]);
  expect(await readRows("SELECT subject_count AS n, reason FROM audit_log WHERE action = 'mailing.resend'")).toEqual([
    { n: 50, reason: "실패한 사람" },
  ]);
});

test("each person gets exactly one mail after a long outage", async () => {
  expectLog(/messages.failed/);
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(250)]);
  const { got, requests } = stubForgetfulHost(Array.from({ length: 100 }, () => "down" as const));
  const id = await sendTestMailing(admin);
  for (let minute = 0; minute <= 60; minute += 10) {
    await runJobsWith(RESEND_VARS);
    laterBy(10);
  }
  expect([got.size, await outcomesOf(id)]).toEqual([0, { queued: 250 }]);
  // After a refused batch the host gets no request until the next run.
  expect(requests()).toBeLessThan(10);
  const { got: reached } = stubForgetfulHost([]);
  for (let turn = 0; turn < 3; turn += 1) {
    laterBy(125);
    await runJobsWith(RESEND_VARS);
  }
  expect(await outcomesOf(id)).toEqual({ sent: 250 });
  expect([reached.size, Math.max(...reached.values())]).toEqual([250, 1]);
});

/** `KILLS=20` runs it in full: 10,000 letters. */
const POINTS = Number(process.env.KILLS || 8);
const LETTERS = process.env.KILLS ? 10_000 : 1500;

test(`${POINTS} kills of ${LETTERS} letters leave nobody without a result`, async () => {
  // The request was answered, but the run died before recording it.
  expectLog(/messages.failed/);
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(LETTERS)]);
  let kill = () => {};
  const { got } = stubForgetfulHost([...EIGHT_WAYS], (request) => {
    if (request === 12) kill();
  });
  const id = await sendTestMailing(admin);
  const killed = await killRuns(POINTS, RESEND_VARS, (dying) => (kill = dying));
  const isDone = () => readRow("SELECT 1 FROM mailing WHERE id = ? AND status = 'done'", id);
  for (let turn = 0; turn < 30 && !(await isDone()); turn += 1) {
    await runJobsWith(RESEND_VARS);
    laterBy(6);
  }
  expect(killed).toBeGreaterThan(POINTS / 2);
  const { sent = 0, failed = 0, ...others } = await outcomesOf(id);
  expect([sent + failed, failed, others]).toEqual([LETTERS, 50, {}]);
  expect([got.size, Math.max(...got.values())]).toEqual([sent, 1]);
  const row = await readRow<{ version: number }>("SELECT version FROM mailing WHERE id = ?", id);
  const again = { version: row?.version, reason: "실패한 사람" };
  expect((await mailingCall(await createAdministratorSession(), id, "resend", again)).data).toEqual({ count: failed });
  await runJobsWith(RESEND_VARS);
  expect(await outcomesOf(id)).toEqual({ sent: LETTERS });
  expect([got.size, Math.max(...got.values())]).toEqual([LETTERS, 1]);
});

/** More than one run sends: 4,000 each. */
const PEOPLE = isFull ? 10_000 : 4500;
const SHARED = 300;

test(`mails to ${PEOPLE} people, ${SHARED} at one address, stay within limits`, async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(PEOPLE, SHARED)]);
  const { got, requests } = stubForgetfulHost([]);
  const id = await sendTestMailing(admin, everybody);
  const sent = PEOPLE - SHARED + 1;
  let outcomes: Record<string, number> = { queued: PEOPLE };
  for (let minute = 0; minute < 60 && outcomes.sent !== sent; minute += 1) {
    await runDueJobs({ ...env, ...RESEND_VARS });
    laterBy(1);
    outcomes = await outcomesOf(id);
  }
  expect(outcomes).toEqual({ sent, "shared-address": SHARED - 1 });
  expect([got.size, Math.max(...got.values()), requests()]).toEqual([sent, 1, Math.ceil(sent / 100)]);
});
