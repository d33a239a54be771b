import { expect, test } from "vitest";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { callSetting } from "../../calls/proposal-acts.ts";
import { addReview, createTestProposal, openTestCall, SCORES } from "../../calls/proposal-world.ts";
import { callAs } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, retireUser, type TestSession } from "../../support/people.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";

const MINUTE_MS = 60_000;
const PAPERS = [{ code: "p1", name: "연구계획서", required: true }];

const start = async (lead: TestSession, callId: string) => {
  const { data } = await callAs(lead, "POST", "/api/proposal", { callId });
  return `/api/proposal/${data.id}`;
};
const save = (lead: TestSession, own: string, more: object = {}) =>
  callAs(lead, "PATCH", own, {
    title: "뇌졸중 연구",
    englishTitle: "",
    affiliation: "하늘대학교",
    answers: { q1: "목적" },
    hasStatement: true,
    version: 1,
    ...more,
  });
const submit = (lead: TestSession, own: string, version: number, callVersion = 1) =>
  callAs(lead, "POST", `${own}/submit`, { version, callVersion });

test("a submission names each missing part by its field", async () => {
  const lead = await createMemberSession();
  const own = await start(lead, await openTestCall({ papers: PAPERS }));
  const applicants = [{ name: "", email: "아님", affiliation: "바다대학교" }];
  const saved = await save(lead, own, { title: "", affiliation: "", answers: {}, applicants, hasStatement: false });
  expect(saved.code).toBe("SUCCESS");
  const { code, fields } = await submit(lead, own, 2);
  expect([code, Object.keys(fields).toSorted()]).toEqual([
    "INVALID_INPUT",
    ["affiliation", "applicants.0.email", "applicants.0.name", "hasStatement", "papers.p1", "profile.q1", "title"],
  ]);
  const { data } = await callAs(lead, "GET", `${own}/draft`);
  expect(data.missing.map(({ field }: { field: string }) => field).toSorted()).toEqual(Object.keys(fields).toSorted());
  expect(saved.data.missing).toEqual(data.missing);
});

test("a resident number in an answer is refused by its field", async () => {
  const lead = await createMemberSession();
  const own = await start(lead, await openTestCall());
  const { code, fields } = await save(lead, own, { answers: { q1: "900101-1234568" } });
  expect([code, Object.keys(fields)]).toEqual(["INVALID_INPUT", ["answers.q1"]]);
});

test("the minute of the close still counts", async () => {
  const lead = await createMemberSession();
  const own = await start(lead, await openTestCall({ closeDate: Date.now() + 2 * MINUTE_MS }));
  await save(lead, own);
  advanceClock(2 * MINUTE_MS + 50_000);
  expect((await submit(lead, own, 2)).code).toBe("SUCCESS");
});

test("a late submission names the close while its draft stays", async () => {
  const lead = await createMemberSession();
  const own = await start(lead, await openTestCall({ closeDate: Date.now() + 2 * MINUTE_MS }));
  await save(lead, own);
  advanceClock(3 * MINUTE_MS);
  const { code, message } = await submit(lead, own, 2);
  expect(code).toBe("CONFLICT");
  expect(message).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}에 접수가 마감되어/);
  expect((await callAs(lead, "GET", `${own}/draft`)).data.title).toBe("뇌졸중 연구");
});

test("a form that changed meanwhile is not submitted", async () => {
  const lead = await createMemberSession();
  const callId = await openTestCall();
  const own = await start(lead, callId);
  await save(lead, own);
  await runSql("UPDATE proposal_call SET version = 2 WHERE id = ?", callId);
  const { code, message } = await submit(lead, own, 2);
  expect([code, message]).toEqual(["CONFLICT", expect.stringContaining("양식이 바뀌었습니다")]);
  expect((await submit(lead, own, 2, 2)).code).toBe("SUCCESS");
});

test("submissions at once are numbered without a gap", async () => {
  const callId = await openTestCall();
  const leads = await Promise.all([1, 2, 3, 4].map(() => createMemberSession()));
  const made = [];
  for (const lead of leads) {
    const own = await start(lead, callId);
    await save(lead, own);
    made.push({ lead, own });
  }
  await Promise.all(made.map(({ lead, own }) => submit(lead, own, 2)));
  const numbers = await readValue<string>(
    "SELECT group_concat(substr(number, 6)) FROM (SELECT number FROM proposal ORDER BY number)",
  );
  expect(numbers).toBe("001,002,003,004");
});

test("a save of an older version is refused", async () => {
  const lead = await createMemberSession();
  const own = await start(lead, await openTestCall());
  await save(lead, own, { title: "첫째" });
  expect((await save(lead, own, { title: "둘째" })).code).toBe("CONFLICT");
  expect((await callAs(lead, "GET", `${own}/draft`)).data.title).toBe("첫째");
});

test("a returned proposal marks the fields changed since", async () => {
  const { own, office, lead } = await createTestProposal({ status: "submitted" });
  const clerk = await createAdministratorSession();
  await callAs(clerk, "POST", `${office}/return`, { reason: "목적을 고쳐 주십시오.", version: 1 });
  await save(lead, own, { answers: { q1: "새 목적", q2: "예산" }, version: 2 });
  expect((await submit(lead, own, 3)).code).toBe("SUCCESS");
  const { data } = await callAs(clerk, "GET", office);
  expect(data.changed).toEqual(["profile.q1"]);
  const [letter] = await sentMessages(lead.user.email);
  expect(letter?.body).toContain("목적을 고쳐 주십시오.");
  expect(letter?.body).not.toContain("뇌졸중");
});

test("a second round asks its reviewers again", async () => {
  const { id, own, office, lead } = await createTestProposal({ status: "review" });
  const [clerk, reviewer] = [await createAdministratorSession(), await createMemberSession()];
  await addReview(id, reviewer, "submitted");
  await addReview(id, await createMemberSession(), "recused");
  await callAs(clerk, "POST", `${office}/decision`, { decision: "second", reason: "보완", version: 1 });
  expect((await submit(lead, own, 2)).code).toBe("SUCCESS");
  expect(await readRow("SELECT count(*) AS asked, max(status) AS status FROM proposal_review WHERE round = 2")).toEqual(
    {
      asked: 1,
      status: "asked",
    },
  );
  expect((await callAs(reviewer, "GET", `${own}/review`)).data.proposal).toBe(null);
});

test("a reviewer of the first round has no command later", async () => {
  const { id, own } = await createTestProposal({ status: "review" });
  const reviewer = await createMemberSession();
  await addReview(id, reviewer, "submitted");
  await runSql("UPDATE proposal SET round = 2 WHERE id = ?", id);
  expect((await callAs(reviewer, "GET", `${own}/review`)).data.commands).toEqual([]);
});

test("a score outside its points is refused by its criterion", async () => {
  const { id, own } = await createTestProposal({ status: "review" });
  const reviewer = await createMemberSession();
  await addReview(id, reviewer);
  const score = (scores: object) => callAs(reviewer, "PATCH", `${own}/review`, { scores, opinion: "", version: 1 });
  expect(Object.keys((await score({ c3: 21 })).fields)).toEqual(["scores.c3"]);
  expect(Object.keys((await score({ c1: 2.5 })).fields)).toEqual(["scores.c1"]);
  expect(Object.keys((await score({ c9: 1 })).fields)).toEqual(["scores.c9"]);
  expect((await score({ c1: 30 })).code).toBe("SUCCESS");
});

test("a review is submitted whole with an opinion", async () => {
  const { id, own } = await createTestProposal({ status: "review" });
  const reviewer = await createMemberSession();
  await addReview(id, reviewer);
  await callAs(reviewer, "PATCH", `${own}/review`, { scores: { c1: 30 }, opinion: " ", version: 1 });
  const { fields } = await callAs(reviewer, "POST", `${own}/review/submit`, { version: 2 });
  expect(Object.keys(fields).toSorted()).toEqual(["opinion", "scores.c2", "scores.c3", "scores.c4"]);
  await callAs(reviewer, "PATCH", `${own}/review`, { scores: SCORES, opinion: "좋습니다.", version: 2 });
  expect((await callAs(reviewer, "POST", `${own}/review/submit`, { version: 3 })).code).toBe("SUCCESS");
});

test("a reviewer sees no field that is hidden from reviewers", async () => {
  const { id, own } = await createTestProposal({ status: "review" });
  const reviewer = await createMemberSession();
  await addReview(id, reviewer);
  const { data } = await callAs(reviewer, "GET", `${own}/review`);
  expect(Object.keys(data.proposal.answers)).toEqual(["q1"]);
  expect(data.proposal.questions.map(({ code }: { code: string }) => code)).toEqual(["q1"]);
});

test("a reviewer reads nothing of the papers before the answer", async () => {
  const { id, own } = await createTestProposal({ status: "review", canary: "노란부엉이" });
  const reviewer = await createMemberSession();
  await addReview(id, reviewer, "asked");
  const { data } = await callAs(reviewer, "GET", `${own}/review`);
  expect([data.proposal, data.commands]).toEqual([null, ["accept", "recuse"]]);
  expect(data.applicants).toHaveLength(1);
});

test("the proposer reads opinions without names after the decision", async () => {
  const { id, own, office, lead } = await createTestProposal({ status: "review" });
  const clerk = await createAdministratorSession();
  await addReview(id, await createMemberSession(), "submitted");
  const opinions = async () => (await callAs(lead, "GET", own)).data.opinions;
  expect(await opinions()).toEqual([]);
  await callAs(clerk, "POST", `${office}/decision`, { decision: "approve", reason: "좋습니다.", version: 1 });
  expect(await opinions()).toEqual([{ reviewer: "", round: 1, total: 80, opinion: "의견" }]);
});

test("two deciders at once decide once", async () => {
  const { id, office } = await createTestProposal({ status: "review" });
  await addReview(id, await createMemberSession(), "submitted");
  const clerks = [await createAdministratorSession(), await createAdministratorSession()];
  const answers = await Promise.all(
    clerks.map((clerk, at) =>
      callAs(clerk, "POST", `${office}/decision`, {
        decision: at === 0 ? "approve" : "refuse",
        reason: "까닭",
        version: 1,
      }),
    ),
  );
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect(await readValue("SELECT count(*) FROM message WHERE once_key LIKE 'proposal:%'")).toBe(1);
});

test("a step past its working days is overdue", async () => {
  const { office } = await createTestProposal({ status: "submitted" });
  const clerk = await createAdministratorSession();
  await runSql("UPDATE proposal SET due_day = '2026-01-02'");
  expect((await callAs(clerk, "GET", office)).data.isOverdue).toBe(true);
  expect((await callAs(clerk, "GET", "/api/admin/proposal?overdue=yes")).data.totalElements).toBe(1);
  await runSql("UPDATE proposal SET due_day = '2999-01-02'");
  expect((await callAs(clerk, "GET", "/api/admin/proposal?overdue=yes")).data.totalElements).toBe(0);
});

test("a call that nobody used is deleted", async () => {
  const clerk = await createAdministratorSession();
  const { callId } = await createTestProposal();
  const unused = await openTestCall();
  const remove = (id: string) => callAs(clerk, "DELETE", `/api/admin/proposal-call/${id}?version=1`);
  expect((await remove(callId)).code).toBe("CONFLICT");
  expect((await remove(unused)).code).toBe("SUCCESS");
});

test("criteria stay as they are once somebody scored by them", async () => {
  const clerk = await createAdministratorSession();
  const { id, callId } = await createTestProposal({ status: "review" });
  await addReview(id, await createMemberSession(), "submitted");
  const { code, fields } = await callAs(
    clerk,
    "PATCH",
    `/api/admin/proposal-call/${callId}`,
    callSetting({ version: 1 }),
  );
  expect([code, Object.keys(fields)]).toEqual(["INVALID_INPUT", ["criteria"]]);
});

test("a call names each wrong rule by its field", async () => {
  const clerk = await createAdministratorSession();
  await openTestCall();
  const wrong = {
    closeDate: new Date(Date.now() - 2 * DAY_MS).toISOString(),
    secondFrom: 80,
    criteria: [{ name: "하나", detail: "", points: 50 }],
  };
  const { fields } = await callAs(clerk, "POST", "/api/admin/proposal-call", callSetting(wrong));
  expect(Object.keys(fields).toSorted()).toEqual(["closeDate", "criteria", "secondFrom"]);
});

test("the public list holds approved proposals alone", async () => {
  const { callId } = await createTestProposal({ status: "approved" });
  await createTestProposal({ status: "refused", callId });
  const { data } = await callAs(null, "GET", "/api/project");
  expect(data.content.map((row: object) => Object.keys(row))).toEqual([
    ["number", "title", "englishTitle", "affiliation", "userName", "callTitle", "approvedDay"],
  ]);
});

test("a proposer who leaves takes the proposals along", async () => {
  const { id, lead } = await createTestProposal({ status: "submitted" });
  await addReview(id, await createMemberSession(), "submitted");
  await retireUser(lead);
  expect(
    await readRow("SELECT (SELECT count(*) FROM proposal) + (SELECT count(*) FROM proposal_review) AS left"),
  ).toEqual({
    left: 0,
  });
});
