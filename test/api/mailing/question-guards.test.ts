import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { fillSecretToken } from "#worker/domain/mail/message.server.ts";
import { contextFor } from "../../support/request-scope.ts";
import { answer, answerToken, askThree, questionOf, QUESTION } from "./questions.ts";
import { alumnusId, everybody, mailingCall, sendTestMailing } from "./people.ts";

const stored = () => readRows("SELECT person_id, answer FROM mailing_answer ORDER BY person_id");
const remindAt = (admin: TestSession, id: string, version: number) =>
  callAs(admin, "PUT", `/api/admin/mailing/${id}/question/reminder`, { version });
const loggedTimes = (action: string) => readValue("SELECT count(*) FROM audit_log WHERE action = ?", action);
const endNow = (id: string) => runSql("UPDATE mailing SET answer_until = 1 WHERE id = ?", id);

/** A member is asked, with the token of their letter. */
async function askMember() {
  const [admin, member] = [await createAdministratorSession(), await createMemberSession()];
  const whom = { source: "member" as const, target: { ids: [member.user.id] } };
  const id = await sendTestMailing(admin, whom, { question: QUESTION });
  await runScheduledJobs(env);
  const letter = await readRow<{ body: string; onceKey: string }>(
    "SELECT body, once_key AS onceKey FROM message WHERE once_key = ?",
    `mailing:${id}:${member.user.id}`,
  );
  const text = fillSecretToken(await contextFor(admin), requirePresent(letter));
  return { admin, member, id, token: requirePresent(/\/answer\/([\w-]{43})\/1/.exec(text)?.[1]) };
}

test("an asked member answers without signing in", async () => {
  const { member, token } = await askMember();
  expect((await answer(token, 2)).code).toBe("SUCCESS");
  expect(await stored()).toEqual([{ person_id: member.user.id, answer: 2 }]);
});

test.each([
  ["blocked", "UPDATE user SET status = 'blocked' WHERE id = ?"],
  [
    "with a new address",
    "UPDATE user_key SET user_key_code = 'new@pid.example.kr' WHERE user_id = ? AND user_key_type = 'Email'",
  ],
  [
    "with an unproved address",
    "UPDATE user_key SET verified_date = NULL WHERE user_id = ? AND user_key_type = 'Email'",
  ],
  ["suspended", "INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)"],
])("a member %s does not answer", async (_name, change) => {
  const { member, token } = await askMember();
  await runSql(change, member.user.id);
  expect((await answer(token, 1)).code).toBe("NOT_FOUND");
  expect(await stored()).toEqual([]);
});

test("a suspended person of the address book does not answer", async () => {
  const { tokens } = await askThree();
  const { user } = await createMemberSession();
  await runSql("UPDATE user_key SET user_key_code = 'alumnus1@pid.example.kr' WHERE user_key_code = ?", user.email);
  await runSql("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)", user.id);
  expect((await answer(tokens[0], 1)).code).toBe("NOT_FOUND");
});

test("dead links count against the address that tries them", async () => {
  const { tokens } = await askThree();
  const [address, dead] = ["203.0.113.52", "x".repeat(43)];
  const path = (token: string) => `/api/mailing-answer/${token}/1`;
  expect((await callJson("POST", path(dead), { body: {}, address })).code).toBe("NOT_FOUND");
  await runSql("UPDATE rate_limit SET count = ? WHERE count > 0", RATE_LIMITS.confirmLinkAddress.max);
  expect((await callJson("POST", path(dead), { body: {}, address })).code).toBe("TOO_MANY_REQUESTS");
  expect((await callJson("POST", path(tokens[0]), { body: {}, address })).code).toBe("SUCCESS");
});

test("an answer sent while the question ends is not stored", async () => {
  const { id, tokens } = await askThree();
  const { DB } = faultyDatabase({ sql: /insert into "mailing_answer"/i, times: 1, when: () => endNow(id) });
  const late = await callApiWith({ ...env, DB }, "POST", `/api/mailing-answer/${tokens[0]}/1`, { body: {} });
  expect(late.code).toBe("NOT_FOUND");
  expect(await stored()).toEqual([]);
});

test("a reminder needs the version that the office saw", async () => {
  const { admin, id } = await askThree();
  const { version } = (await questionOf(admin, id)).data;
  expect((await remindAt(admin, id, version - 1)).code).toBe("CONFLICT");
  expect((await remindAt(admin, id, version)).code).toBe("SUCCESS");
  expect(await loggedTimes("mailing.remind")).toBe(1);
});

test("an ended question has no reminder", async () => {
  const { admin, id } = await askThree();
  await endNow(id);
  const { version, can } = (await questionOf(admin, id)).data;
  expect(can).toEqual({ close: false, remind: false });
  expect((await remindAt(admin, id, version)).code).toBe("CONFLICT");
});

test("a question closes at the version that the office saw", async () => {
  const { admin, id, tokens } = await askThree();
  const { version } = (await questionOf(admin, id)).data;
  expect((await mailingCall(admin, id, "question/close", { version: version - 1 })).code).toBe("CONFLICT");
  expect((await answer(tokens[0], 1)).code).toBe("SUCCESS");
  expect((await mailingCall(admin, id, "question/close", { version })).code).toBe("SUCCESS");
  expect(await loggedTimes("mailing.close")).toBe(1);
});

test("a draft offers neither closing nor a reminder", async () => {
  const { admin } = await askThree();
  const draft = await createTestMailing(admin, everybody, { question: QUESTION });
  expect((await questionOf(admin, draft)).data.can).toEqual({ close: false, remind: false });
});

test("nobody is left to remind after all answers", async () => {
  const { admin, id, tokens } = await askThree();
  for (const token of tokens) await answer(token, 1);
  expect((await questionOf(admin, id)).data).toMatchObject({ waiting: 0, can: { close: true, remind: false } });
});

test("a person who got no letter is not among the asked", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[1], 2);
  await runSql("UPDATE mailing_recipient SET state = 'left', cause = 'deceased' WHERE person_id = ?", alumnusId(1));
  await runSql("UPDATE mailing_recipient SET state = 'left', cause = 'deceased' WHERE person_id = ?", alumnusId(2));
  expect((await questionOf(admin, id)).data).toMatchObject({ asked: 2, counts: [0, 1, 0], waiting: 1 });
});

test("a person in the bin has no name among the answers", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  await runSql("UPDATE alumni SET deleted_date = 1 WHERE id = ?", alumnusId(1));
  const { content } = (await callAs(admin, "GET", `/api/admin/mailing/${id}/question/person?answer=1`)).data;
  expect(content).toMatchObject([{ personId: alumnusId(1), name: "", answer: 1 }]);
});

test("a look at the answers is logged with its people", async () => {
  const { admin, id } = await askThree();
  await callAs(admin, "GET", `/api/admin/mailing/${id}/question/person`);
  expect(await readRows("SELECT subject_count AS n FROM audit_log WHERE action = 'mailing.view'")).toEqual([{ n: 3 }]);
});

test("the log names who answered, never the answer", async () => {
  const { tokens } = await askThree();
  await answer(tokens[0], 3);
  const [entry] = await readRows("SELECT subject_count AS n, detail FROM audit_log WHERE action = 'mailing.answer'");
  expect(entry).toMatchObject({ n: 1 });
  expect(JSON.stringify(entry)).not.toContain("3");
});

test("a reminder's link answers the first question", async () => {
  const { admin, id } = await askThree();
  const { version } = (await questionOf(admin, id)).data;
  const { data } = await remindAt(admin, id, version);
  await mailingCall(admin, data.id, "preview");
  await mailingCall(admin, data.id, "send", { version: 1, count: 3, reason: "답 다시 묻기" });
  await runScheduledJobs(env);
  await answer(await answerToken(admin, data.id, 1), 2);
  expect(await readRows("SELECT mailing_id AS id FROM mailing_answer")).toEqual([{ id }]);
});
