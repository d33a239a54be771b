import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { read, utils } from "@e965/xlsx";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { advanceClock, createTestMailing } from "../../support/factories.ts";
import { createMemberSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { countRows, readRows, runSql } from "../../support/test-database.ts";
import { answer, answerToken, askThree, questionOf, QUESTION } from "./questions.ts";
import { alumnusId, everybody, mailingCall, outcomesOf, sendTestMailing } from "./people.ts";
import { startTestRound, linkOf } from "./rounds.ts";

const DAY_MS = 86_400_000;
const stored = () => readRows("SELECT person_id, answer FROM mailing_answer ORDER BY person_id");

const remind = async (admin: TestSession, id: string) => {
  const { version } = (await questionOf(admin, id)).data;
  return callAs(admin, "PUT", `/api/admin/mailing/${id}/question/reminder`, { version });
};

test("a press answers, where a look stores nothing", async () => {
  const { tokens } = await askThree();
  expect((await fetchApi("GET", `/api/mailing-answer/${tokens[0]}/1`)).status).toBe(405);
  expect((await fetchApi("HEAD", `/api/mailing-answer/${tokens[0]}/1`)).status).toBe(405);
  expect(await stored()).toEqual([]);
  expect((await answer(tokens[0], 1)).code).toBe("SUCCESS");
  expect(await stored()).toEqual([{ person_id: alumnusId(1), answer: 1 }]);
});

test("an answer changes until the question ends", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  await answer(tokens[0], 3);
  expect(await stored()).toEqual([{ person_id: alumnusId(1), answer: 3 }]);
  const { version } = (await questionOf(admin, id)).data;
  expect((await mailingCall(admin, id, "question/close", { version })).code).toBe("SUCCESS");
  expect((await answer(tokens[0], 2)).code).toBe("NOT_FOUND");
  expect((await answer(tokens[1], 2)).code).toBe("NOT_FOUND");
  expect(await stored()).toEqual([{ person_id: alumnusId(1), answer: 3 }]);
  expect((await mailingCall(admin, id, "question/close", { version: version + 1 })).code).toBe("CONFLICT");
});

test("a question ends with its last day in Korea", async () => {
  const endDay = new Date(Date.now() + 9 * 3_600_000 + 2 * DAY_MS).toISOString().slice(0, 10);
  const { admin, id, tokens } = await askThree({ endDay });
  const end = Date.parse(`${endDay}T23:59:59.999+09:00`);
  expect((await questionOf(admin, id)).data.answerUntil).toBe(new Date(end).toISOString());
  advanceClock(end - Date.now() - 1000);
  expect((await answer(tokens[0], 1)).code).toBe("SUCCESS");
  advanceClock(2000);
  expect((await answer(tokens[0], 2)).code).toBe("NOT_FOUND");
});

test("a form without JavaScript returns to the question", async () => {
  const { tokens } = await askThree();
  const response = await fetchApi("POST", `/api/mailing-answer/${tokens[0]}/2`, {
    headers: { Accept: "text/html" },
    body: {},
  });
  expect([response.status, response.headers.get("Location")]).toEqual([303, `/answer/${tokens[0]}/2`]);
});

test("a forged link or place answers nothing", async () => {
  const { tokens } = await askThree();
  const forged = [...tokens[0]].toReversed().join("");
  expect((await answer(forged, 1)).code).toBe("NOT_FOUND");
  expect((await answer(tokens[0], 4)).code).toBe("NOT_FOUND");
  expect((await answer(tokens[0], 0)).status).not.toBe(200);
  expect(await stored()).toEqual([]);
});

test("a link answers the question of its own mailing alone", async () => {
  const { admin, id, tokens } = await askThree();
  const other = await sendTestMailing(admin, everybody, { question: { ...QUESTION, text: "만찬에 오십니까?" } });
  const plain = await startTestRound(admin);
  await runScheduledJobs(env);
  await answer(await answerToken(admin, other, 1), 2);
  expect(await readRows("SELECT mailing_id AS id FROM mailing_answer")).toEqual([{ id: other }]);
  expect((await answer(await linkOf(admin, alumnusId(1)), 1)).code).toBe("NOT_FOUND");
  expect(plain).not.toBe(id);
  expect((await callAs(null, "POST", `/api/confirmation/${tokens[0]}/yes?version=1`, {})).status).toBe(404);
});

test.each([
  ["deceased", "UPDATE alumni SET state = '작고'"],
  ["who left", "UPDATE alumni SET state = '탈퇴'"],
  ["who refuses mail", "UPDATE alumni SET refuses = '이메일'"],
  ["in the bin", "UPDATE alumni SET deleted_date = 1"],
  ["with a new address", "UPDATE alumni SET email = 'new@pid.example.kr'"],
])("a person %s does not answer", async (_name, change) => {
  const { tokens } = await askThree();
  await runSql(`${change} WHERE id = ?`, alumnusId(1));
  expect((await answer(tokens[0], 1)).code).toBe("NOT_FOUND");
  expect((await answer(tokens[1], 1)).code).toBe("SUCCESS");
});

test("the office sees each answer with those who have none", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  await answer(tokens[1], 3);
  expect((await questionOf(admin, id)).data).toMatchObject({
    question: { text: QUESTION.text, answers: QUESTION.answers },
    counts: [1, 0, 1],
    asked: 3,
    waiting: 1,
    can: { close: true, remind: true },
  });
  const list = async (query: string) =>
    (await callAs(admin, "GET", `/api/admin/mailing/${id}/question/person?${query}`)).data.content.map(
      ({ name, answer: place }: { name: string; answer: number | null }) => [name, place],
    );
  expect(await list("")).toEqual([
    ["동문1", 1],
    ["동문2", 3],
    ["동문3", null],
  ]);
  expect(await list("answer=3")).toEqual([["동문2", 3]]);
  expect(await list("answer=none")).toEqual([["동문3", null]]);
});

test("an export of answers has its reason in the log", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  const path = `/api/admin/mailing/${id}/question/export`;
  expect((await callAs(admin, "POST", path, {})).fields).toHaveProperty("reason");
  const body = { format: "xlsx", reason: "총회 정족수 확인" };
  const response = await fetchApi("POST", path, { token: admin.accessToken, body });
  const book = read(new Uint8Array(await response.arrayBuffer()));
  const rows = utils.sheet_to_json<Record<string, string>>(book.Sheets[book.SheetNames[0] ?? ""] ?? {});
  expect(rows.map((row) => [row["이름"], row["답"]])).toEqual([
    ["동문1", "참석"],
    ["동문2", "답 없음"],
    ["동문3", "답 없음"],
  ]);
  expect(await readRows("SELECT reason, subject_count AS n FROM audit_log WHERE action = 'mailing.export'")).toEqual([
    { reason: "총회 정족수 확인", n: 3 },
  ]);
});

test("a reminder goes to those without an answer", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  await runSql("UPDATE alumni SET state = '작고' WHERE id = ?", alumnusId(3));
  const { data } = await remind(admin, id);
  const draft = (await callAs(admin, "GET", `/api/admin/mailing/${data.id}`)).data;
  expect(draft).toMatchObject({ isReminder: true, segment: ["질문에 답하지 않은 사람"], text: "총회를 엽니다." });
  const preview = (await mailingCall(admin, data.id, "preview")).data;
  expect(preview).toMatchObject({ count: 1, leftOut: [{ cause: "deceased", count: 1 }] });
  await mailingCall(admin, data.id, "send", { version: 1, count: 1, reason: "답 다시 묻기" });
  await runScheduledJobs(env);
  await answer(await answerToken(admin, data.id, 2), 2);
  expect((await questionOf(admin, id)).data.counts).toEqual([1, 1, 0]);
});

test("a reminder leaves out a person who answered since", async () => {
  const { admin, id, tokens } = await askThree();
  const { data } = await remind(admin, id);
  await mailingCall(admin, data.id, "preview");
  const body = { version: 1, count: 3, reason: "답 다시 묻기" };
  expect((await mailingCall(admin, data.id, "send", body)).code).toBe("SUCCESS");
  await answer(tokens[1], 1);
  await runScheduledJobs(env);
  expect(await outcomesOf(data.id)).toMatchObject({ replied: 1 });
});

test("nobody without the mailing's rights reaches its answers", async () => {
  const { admin, id, tokens } = await askThree();
  await answer(tokens[0], 1);
  const strangers = [
    [null, "UNAUTHORIZED"],
    [await createMemberSession(), "FORBIDDEN"],
    [await createSessionWith(["ADMIN_Access"]), "FORBIDDEN"],
    [await createSessionWith(["Alumni_Read", "Alumni_Write"]), "FORBIDDEN"],
  ] as const;
  const { version } = (await questionOf(admin, id)).data;
  const before = await countRows("mailing");
  for (const [who, code] of strangers) {
    const answers = [
      await questionOf(who, id),
      await callAs(who, "GET", `/api/admin/mailing/${id}/question/person`),
      await callAs(who, "POST", `/api/admin/mailing/${id}/question/export`, { reason: "확인" }),
      await callAs(who, "PUT", `/api/admin/mailing/${id}/question/reminder`, { version }),
      await mailingCall(who, id, "question/close", { version }),
    ];
    expect(answers.map((each) => each.code)).toEqual(answers.map(() => code));
  }
  expect(await countRows("mailing")).toBe(before);
});

test("a mailing that is not sent has nobody to remind", async () => {
  const { admin } = await askThree();
  const draft = await createTestMailing(admin, everybody, { question: QUESTION });
  const plain = await createTestMailing(admin, everybody);
  expect((await remind(admin, draft)).code).toBe("CONFLICT");
  expect((await mailingCall(admin, draft, "question/close", { version: 2 })).code).toBe("CONFLICT");
  expect((await questionOf(admin, plain)).code).toBe("NOT_FOUND");
});

test("a question has two to five different answers", async () => {
  const { admin } = await askThree();
  const draft = await createTestMailing(admin, everybody);
  const patch = (question: object, more: object = {}) =>
    callAs(admin, "PATCH", `/api/admin/mailing/${draft}`, {
      kind: "informational",
      subject: "제목",
      text: "글",
      version: 2,
      question: { ...QUESTION, ...question },
      ...more,
    });
  expect((await patch({ answers: ["참석"] })).fields).toHaveProperty(["question.answers"]);
  expect((await patch({ answers: ["가", "나", "다", "라", "마", "바"] })).fields).toHaveProperty(["question.answers"]);
  expect((await patch({ answers: ["참석", "참석"] })).fields).toHaveProperty(["question.answers"]);
  expect((await patch({ text: "" })).fields).toHaveProperty(["question.text"]);
  expect((await patch({ endDay: "2020-01-01" })).fields).toHaveProperty(["question.endDay"]);
  expect((await patch({})).code).toBe("SUCCESS");
});

test("a person's own data shows the answer", async () => {
  const { tokens } = await askThree();
  const member = await createMemberSession();
  await answer(tokens[0], 3);
  await runSql(
    "UPDATE user_key SET user_key_code = 'alumnus1@pid.example.kr', verified_date = 1 WHERE user_key_code = ?",
    member.user.email,
  );
  const { data } = await callAs(member, "GET", `/api/user/${member.user.id}/export`);
  expect(data.mailingAnswers).toMatchObject([{ question: QUESTION.text, answer: "위임" }]);
});
