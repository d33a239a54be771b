import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createSignupSettings, createTestMailing, openSignup, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";
import { createEntry, propose, versionOf, waitingCorrections } from "../alumni/cohorts.ts";
import { charge } from "../alumni/people-with-dues.ts";
import { mailingCall, sendTestMailing } from "./people.ts";
import { answerLink, linkOf, startTestRound } from "./rounds.ts";

const TRUSTED = "trusted@pid.example.kr";
const OFFICERS = "officer@pid.example.kr";

/** An officer who may import alone puts his address into another person's entry. */
async function attack() {
  const admin = await createAdministratorSession();
  const person = { name: "홍길동", cohort: 12, email: TRUSTED, mobile: "010-1234-5678", address: "비공개 주소" };
  const id: string = (await callAs(admin, "PUT", "/api/alumni", person)).data.id;
  const officer = await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Import"]);
  const file = `이름,이메일,ID\n홍길동,${OFFICERS},${id}`;
  expect(importCounts(await importAlumniFile(officer, "명단.csv", file))).toEqual([0, 1, 0, 0]);
  expect(await readRow("SELECT email, email_hold FROM alumni WHERE id = ?", id)).toEqual({
    email: OFFICERS,
    email_hold: TRUSTED,
  });
  return { admin, id };
}

const subjectsTo = async (address: string) => (await sentMessages(address)).map(({ subject }) => subject);
const QUESTION = [expect.stringContaining("정보가 맞습니까")];

const makeOther = (admin: TestSession) =>
  createEntry(admin, { name: "다른이", cohort: 12, email: "other@pid.example.kr" });

const SURFACES: [string, (admin: TestSession, id: string) => Promise<unknown>][] = [
  ["round", async (admin, id) => startTestRound(admin, { target: { ids: [id, await makeOther(admin)] } })],
  [
    "mailing",
    async (admin, id) => {
      await makeOther(admin);
      await sendTestMailing(admin, { source: "alumni", target: { filter: { cohort: 12 } } });
      expect(id).not.toBe("");
    },
  ],
  [
    "dues notice",
    async (admin, id) => {
      await charge(id, "2026");
      const other = await makeOther(admin);
      await charge(other, "2026");
      const whom = { source: "alumni" as const, target: { ids: [id, other] } };
      await sendTestMailing(admin, whom, { text: "{{이름}}님, {{회비 금액}}원을 내 주십시오." });
    },
  ],
  [
    "mailing to that person alone",
    async (admin, id) => {
      const mailing = await createTestMailing(admin, { source: "alumni", target: { ids: [id] } });
      expect((await mailingCall(admin, mailing, "preview")).data.leftOut).toEqual([{ cause: "unproven", count: 1 }]);
      expect((await mailingCall(admin, mailing, "send", { version: 2, count: 0, reason: "총회" })).code).toBe(
        "INVALID_INPUT",
      );
    },
  ],
  [
    "invitation",
    async (admin, id) => {
      for (const _time of [1, 2])
        expect((await callAs(admin, "POST", `/api/alumni/${id}/invite`, {})).code).toBe("CONFLICT");
    },
  ],
];

test.each(SURFACES)("an imported address gets nothing by %s", async (_name, send) => {
  const { admin, id } = await attack();
  await createSignupSettings();
  await openSignup();
  await send(admin, id);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect(await subjectsTo(OFFICERS)).toEqual([]);
  expect(await subjectsTo(TRUSTED)).toEqual(QUESTION);
});

test("a text message leaves out a person whose address is held", async () => {
  const { admin, id } = await attack();
  const mailing = await createTestMailing(
    admin,
    { source: "alumni", target: { ids: [id] } },
    { channel: "sms", text: "총회" },
  );
  expect((await mailingCall(admin, mailing, "preview")).data).toMatchObject({
    count: 0,
    leftOut: [{ cause: "unproven" }],
  });
});

test("a round confirms only the trusted address", async () => {
  const { admin, id } = await attack();
  await startTestRound(admin, { target: { ids: [id] } });
  await runScheduledJobs(env);
  const link = await linkOf(admin, id);
  const version = await readValue<number>("SELECT version FROM alumni WHERE id = ?", id);
  expect((await answerLink(link, `yes?version=${version}`)).code).toBe("SUCCESS");
  expect(await readRow("SELECT email, email_hold, version FROM alumni WHERE id = ?", id)).toEqual({
    email: TRUSTED,
    email_hold: null,
    version: Number(version) + 1,
  });
  expect(await readValue("SELECT search_all FROM alumni WHERE id = ?", id)).not.toContain(OFFICERS);
});

/** The attack on a person whom nobody can ask. */
async function attackWithoutTrusted(trusted = "") {
  const { admin, id } = await attack();
  await runSql("UPDATE alumni SET email_hold = ? WHERE id = ?", trusted, id);
  await createSignupSettings();
  await openSignup();
  return { admin, id };
}
const HELD = "/api/admin/correction/held";
const listed = async (admin: TestSession) => (await callAs(admin, "GET", HELD)).data.content;
const entryOf = (id: string) => readRow("SELECT email, email_hold FROM alumni WHERE id = ?", id);

test.each(SURFACES)("by %s an imported address without a trusted one gets nothing", async (_name, send) => {
  const { admin, id } = await attackWithoutTrusted();
  await send(admin, id);
  await runScheduledJobs(env);
  await runScheduledJobs(env);
  expect([await subjectsTo(OFFICERS), await subjectsTo(TRUSTED)]).toEqual([[], []]);
});

test("an accepted correction is announced at the trusted address", async () => {
  const { admin, id } = await attack();
  await propose(admin, id, { affiliation: "가람의원" });
  const [{ id: correction }] = await waitingCorrections(admin);
  const version = await versionOf(id);
  expect((await callAs(admin, "POST", `/api/admin/correction/${correction}/accept`, { version })).code).toBe("SUCCESS");
  expect([(await subjectsTo(TRUSTED)).length, await subjectsTo(OFFICERS)]).toEqual([1, []]);
});

test("a join asks the trusted address of a held entry", async () => {
  const { admin, id } = await attack();
  const { user } = await createSession({ userName: "홍길동" });
  const join = await callAs(admin, "POST", `/api/admin/member/${user.id}/join`, { alumniId: id });
  expect(join.code).toBe("SUCCESS");
  expect([(await subjectsTo(TRUSTED)).length, await subjectsTo(OFFICERS)]).toEqual([1, []]);
});

test("an undecided imported address joins no account", async () => {
  const { admin, id } = await attackWithoutTrusted();
  const { user } = await createSession({ userName: "홍길동" });
  await runSql("UPDATE user_key SET user_key_code = ? WHERE user_key_code = ?", OFFICERS, user.email);
  const join = () => callAs(admin, "POST", `/api/admin/member/${user.id}/join`, { alumniId: id });
  expect((await join()).code).toBe("CONFLICT");
  expect(await subjectsTo(OFFICERS)).toEqual([]);
});

test.each([
  ["without a trusted one", ""],
  ["with a trusted one that refuses mail", TRUSTED],
])("the office decides about an imported address %s", async (_what, trusted) => {
  const { admin, id } = await attackWithoutTrusted(trusted);
  await runSql("UPDATE alumni SET state = '연락 두절' WHERE id = ?", id);
  const version = await versionOf(id);
  expect(await listed(admin)).toEqual([expect.objectContaining({ id, email: OFFICERS, trusted, version })]);
  expect((await getDashboard(scopeFor(admin))).undecidedAddresses).toBe(1);
  const decide = (decision: string) => callAs(admin, "POST", `${HELD}/${id}`, { decision, version });
  expect((await decide("drop")).code).toBe("SUCCESS");
  expect(await entryOf(id)).toEqual({ email: trusted, email_hold: null });
  expect([(await decide("keep")).code, await listed(admin)]).toEqual(["CONFLICT", []]);
});

test("an imported address that the office keeps gets letters", async () => {
  const { admin, id } = await attackWithoutTrusted();
  const body = { decision: "keep", version: await versionOf(id) };
  expect((await callAs(admin, "POST", `${HELD}/${id}`, { ...body, version: 99 })).code).toBe("CONFLICT");
  expect((await callAs(admin, "POST", `${HELD}/${id}`, body)).code).toBe("SUCCESS");
  expect(await entryOf(id)).toEqual({ email: OFFICERS, email_hold: null });
  expect((await callAs(admin, "POST", `/api/alumni/${id}/invite`, {})).code).toBe("SUCCESS");
});

test("the office does not decide while the trusted address is asked", async () => {
  const { admin, id } = await attack();
  expect(await listed(admin)).toEqual([]);
  const body = { decision: "keep", version: await versionOf(id) };
  expect((await callAs(admin, "POST", `${HELD}/${id}`, body)).code).toBe("CONFLICT");
});

test("nobody decides about an address in the bin", async () => {
  const { admin, id } = await attackWithoutTrusted();
  const body = { decision: "keep", version: await versionOf(id) };
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", id);
  expect(await listed(admin)).toEqual([]);
  expect((await callAs(admin, "POST", `${HELD}/${id}`, body)).code).toBe("CONFLICT");
});

test("only the address book's office decides about imported addresses", async () => {
  const { admin, id } = await attackWithoutTrusted();
  const clerk = await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Import"]);
  const body = { decision: "keep", version: await versionOf(id) };
  for (const [by, code] of [
    [null, "UNAUTHORIZED"],
    [await createSession({}), "FORBIDDEN"],
    [clerk, "FORBIDDEN"],
  ] as const) {
    expect((await callAs(by, "GET", HELD)).code).toBe(code);
    expect((await callAs(by, "POST", `${HELD}/${id}`, body)).code).toBe(code);
  }
  expect((await getDashboard(scopeFor(clerk))).undecidedAddresses).toBe(0);
  expect(await listed(admin)).toHaveLength(1);
});
