import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createSignupSettings, createTestMailing, openSignup, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";
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

const SURFACES: [string, (admin: TestSession, id: string) => Promise<unknown>][] = [
  ["round", async (admin, id) => startTestRound(admin, { target: { ids: [id] } })],
  [
    "mailing",
    async (admin, id) => {
      await callAs(admin, "PUT", "/api/alumni", { name: "다른이", cohort: 12, email: "other@pid.example.kr" });
      await sendTestMailing(admin, { source: "alumni", target: { filter: { cohort: 12 } } });
      expect(id).not.toBe("");
    },
  ],
  [
    "dues notice",
    async (admin, id) => {
      await charge(id, "2026");
      const other: string = (
        await callAs(admin, "PUT", "/api/alumni", { name: "다른이", email: "other@pid.example.kr" })
      ).data.id;
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
      await createSignupSettings();
      await openSignup();
      for (const _time of [1, 2])
        expect((await callAs(admin, "POST", `/api/alumni/${id}/invite`, {})).code).toBe("CONFLICT");
    },
  ],
];

test.each(SURFACES)("an imported address gets nothing by %s", async (_name, send) => {
  const { admin, id } = await attack();
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

test("a question without a trusted address is sent to nobody", async () => {
  const { admin, id } = await attack();
  await runSql("UPDATE alumni SET email_hold = '' WHERE id = ?", id);
  await createSignupSettings();
  await openSignup();
  expect((await callAs(admin, "POST", `/api/alumni/${id}/invite`, {})).code).toBe("CONFLICT");
  await runScheduledJobs(env);
  expect([await subjectsTo(OFFICERS), await subjectsTo(TRUSTED)]).toEqual([[], []]);
});
