/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { expectLog } from "../../support/expected-log.ts";
import { advanceToMorning } from "../../support/factories.ts";
import { runJobsWith } from "../../hosts/mail-host.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { runDueJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { type PlannedFailure, stubTextHost, TEXT_HOST } from "../../hosts/text-host.ts";
import {
  alumnusId,
  alumnusNumber,
  everybody,
  killRuns,
  laterBy,
  mailingCall,
  manyAlumni,
  outcomesOf,
  sendTestTexts,
} from "./people.ts";

const TEN_WAYS: readonly PlannedFailure[] = [
  ["create", "down"],
  ["send", "lost answer"],
  ["add", "too many"],
  ["send", "reset"],
  ["create", "lost answer"],
  ["send", "rubbish"],
  ["add", "lost answer"],
  ["send", "redirect"],
  ["drop", "lost answer"],
  ["add", "half accepted"],
];

async function prepareMorning(people: number) {
  expectLog(/messages.failed/);
  advanceToMorning(0);
  await env.DB.batch([manyAlumni(people)]);
  return createAdministratorSession();
}

async function resend(id: string, more: object = {}) {
  const admin = await createAdministratorSession();
  const row = await readRow<{ version: number }>("SELECT version FROM mailing WHERE id = ?", id);
  const body = { version: row?.version, reason: "실패한 사람", ...more };
  return mailingCall(admin, id, "resend", body);
}

async function runTurns(id: string, most = 30): Promise<void> {
  const isDone = () => readRow("SELECT 1 FROM mailing WHERE id = ? AND status = 'done'", id);
  for (let turn = 0; turn < most && !(await isDone()); turn += 1) {
    await runJobsWith(TEXT_HOST);
    laterBy(31);
  }
}

test("each person gets one text although the host fails", async () => {
  const admin = await prepareMorning(400);
  const planned = [...TEN_WAYS];
  const host = stubTextHost(planned);
  const id = await sendTestTexts(admin);
  await runTurns(id);
  expect(planned).toEqual([]);
  expect(await outcomesOf(id)).toEqual({ failed: 50, sent: 350 });
  expect([host.got().size, Math.max(...host.got().values())]).toEqual([350, 1]);
  expect((await resend(id)).data).toEqual({ count: 50 });
  await runTurns(id);
  expect(await outcomesOf(id)).toEqual({ sent: 400 });
  expect([host.got().size, Math.max(...host.got().values())]).toEqual([400, 1]);
});

test("nothing is resent automatically once the host forgets the group", async () => {
  const admin = await prepareMorning(3);
  const host = stubTextHost([
    ["send", "lost answer"],
    ["read", "forgets the group"],
  ]);
  const id = await sendTestTexts(admin);
  await runTurns(id);
  expect(await outcomesOf(id)).toEqual({ unknown: 3 });
  expect(host.texts).toHaveLength(3);
  expect((await resend(id)).status).toBe(409);
  expect((await resend(id, { isUnknownToo: true })).data).toEqual({ count: 3 });
  await runTurns(id);
  expect([await outcomesOf(id), host.texts.length]).toEqual([{ sent: 3 }, 6]);
  expect(await readRows("SELECT detail FROM audit_log WHERE action = 'mailing.resend'")).toEqual([
    { detail: expect.stringContaining("isUnknownToo") },
  ]);
});

test("texts with a lost answer are marked unknown", async () => {
  const admin = await prepareMorning(2);
  const host = stubTextHost([
    ["send", "lost answer"],
    ...Array.from({ length: 9 }, (): PlannedFailure => ["read", "down"]),
  ]);
  const id = await sendTestTexts(admin);
  for (let turn = 0; turn < 8; turn += 1) {
    await runJobsWith(TEXT_HOST);
    laterBy(721);
  }
  expect([await outcomesOf(id), host.texts.length]).toEqual([{ unknown: 2 }, 2]);
});

test("people who leave are removed from the waiting group", async () => {
  const admin = await prepareMorning(4);
  const host = stubTextHost([["send", "down"]]);
  const id = await sendTestTexts(admin);
  await runJobsWith(TEXT_HOST);
  expect([host.texts.length, await outcomesOf(id)]).toEqual([0, { queued: 4 }]);
  await runSql("UPDATE alumni SET deleted_date = ? WHERE id = ?", Date.now(), alumnusId(1));
  await runSql("UPDATE alumni SET mobile = '010-9999-9999' WHERE id = ?", alumnusId(2));
  await runSql("INSERT INTO mail_address (address, refused_date) VALUES ('010-0001-0003', 1)");
  laterBy(2);
  await runJobsWith(TEXT_HOST);
  expect(host.texts.map(({ to }) => to)).toEqual([alumnusNumber(4)]);
  expect(await outcomesOf(id)).toEqual({ changed: 1, inactive: 1, refused: 1, sent: 1 });
  expect([...host.groups.values()].map(({ status }) => status)).toEqual(["DELETED", "COMPLETE"]);
});

/** `KILLS=20` runs it in full: 10,000 texts. */
const POINTS = Number(process.env.KILLS || 8);
const TEXTS = process.env.KILLS ? 10_000 : 600;

test(`${POINTS} kills of ${TEXTS} texts leave nobody without a result`, async () => {
  const admin = await prepareMorning(TEXTS);
  let kill = () => {};
  let sends = 0;
  const planned = [...TEN_WAYS];
  const host = stubTextHost(planned, {
    // The group was sent, but the run died before recording it.
    afterwards: (step) => {
      if (step === "send" && (sends += 1) === 2) kill();
    },
  });
  const id = await sendTestTexts(admin);
  const killed = await killRuns(POINTS, TEXT_HOST, (dying) => (kill = dying));
  await runTurns(id, 60);
  expect(killed).toBeGreaterThan(POINTS / 2);
  const { sent = 0, failed = 0, unknown = 0, ...others } = await outcomesOf(id);
  expect([sent + failed + unknown, others]).toEqual([TEXTS, {}]);
  expect(failed).toBeGreaterThanOrEqual(50);
  // At most one group of a hundred, killed at its last attempt.
  expect(unknown).toBeLessThanOrEqual(100);
  expect([host.got().size >= sent, Math.max(...host.got().values())]).toEqual([true, 1]);
  expect((await resend(id)).data).toEqual({ count: failed });
  // The host works again; kills may have left failures unplayed.
  planned.length = 0;
  await runTurns(id);
  expect([(await outcomesOf(id)).sent, Math.max(...host.got().values())]).toEqual([TEXTS - unknown, 1]);
});

test("texts to 2,000 people stay within platform limits", async () => {
  advanceToMorning(0);
  const admin = await createAdministratorSession();
  await env.DB.batch([manyAlumni(2000, 300)]);
  const host = stubTextHost();
  const id = await sendTestTexts(admin, everybody);
  await runDueJobs({ ...env, ...TEXT_HOST } as unknown as Env);
  expect(await outcomesOf(id)).toEqual({ sent: 1701, "shared-address": 299 });
  expect([host.got().size, Math.max(...host.got().values())]).toEqual([1701, 1]);
});
