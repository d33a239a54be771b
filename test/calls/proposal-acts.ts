import { type Acts, day, type Given, versionOf } from "./writing-act.ts";

export const callSetting = (more: object = {}) => ({
  title: "정기 공모",
  kind: "project",
  text: "",
  openDate: day(-1),
  closeDate: day(30),
  approveFrom: 70,
  secondFrom: 60,
  hidesReviewers: true,
  checkDays: 10,
  reviewDays: 10,
  criteria: [{ name: "필요성", detail: "", points: 100 }],
  papers: [],
  checks: [{ name: "서명" }],
  questions: [],
  ...more,
});

/** Of the demo site, each on the state that the one before it left. */
const TITLE = "시험 공모";
const callId = ({ one }: Given) => one("SELECT id FROM proposal_call WHERE title = ?", TITLE);
const proposalId = ({ one }: Given) =>
  one(
    "SELECT id FROM proposal WHERE call_id = (SELECT id FROM proposal_call WHERE title = ?) ORDER BY rowid DESC LIMIT 1",
    TITLE,
  );
const at = async (given: Given, more: object = {}) => {
  const id = await proposalId(given);
  return { at: [id], body: { ...more, version: await versionOf(given, "proposal", `id = '${id}'`) } };
};
const review = async (given: Given, more: object = {}) => {
  const id = await proposalId(given);
  const version = await versionOf(given, "proposal_review", `proposal_id = '${id}'`);
  return { at: [id], body: { ...more, version }, who: "member03" };
};
const name = async (given: Given, who: string) =>
  given.send("POST /api/admin/proposal/:id/reviewer", { at: [await proposalId(given)], body: { who } });
const stateOf = async (given: Given, status: string) =>
  given.one("UPDATE proposal SET status = ? WHERE id = ? RETURNING id", status, await proposalId(given));

export const PROPOSAL_WRITES: Acts = [
  ["POST /api/admin/proposal-call", () => ({ body: callSetting({ title: TITLE }) })],
  [
    "PATCH /api/admin/proposal-call/:id",
    async (given) => ({
      at: [await callId(given)],
      body: callSetting({
        title: TITLE,
        criteria: [{ code: "c1", name: "필요성", detail: "", points: 100 }],
        version: 1,
      }),
    }),
  ],
  ["POST /api/proposal", async (given) => ({ body: { callId: await callId(given) }, who: "member01" })],
  [
    "PATCH /api/proposal/:id",
    async (given) => ({
      ...(await at(given, { title: "시험 제안", englishTitle: "", affiliation: "시험대학교", hasStatement: true })),
      who: "member01",
    }),
  ],
  ["POST /api/proposal/:id/submit", async (given) => ({ ...(await at(given, { callVersion: 2 })), who: "member01" })],
  ["POST /api/admin/proposal/:id/check", async (given) => at(given, { checked: ["c1"] })],
  ["POST /api/admin/proposal/:id/return", async (given) => at(given, { reason: "서명이 없습니다." })],
  [
    "POST /api/admin/proposal/:id/reviewer",
    async (given) => {
      await stateOf(given, "submitted");
      return { at: [await proposalId(given)], body: { who: "member02" } };
    },
  ],
  [
    "DELETE /api/admin/proposal/:id/reviewer/:reviewId",
    async (given) => {
      const id = await proposalId(given);
      return { at: [id, await given.one("SELECT id FROM proposal_review WHERE proposal_id = ?", id)] };
    },
  ],
  [
    "POST /api/admin/proposal/:id/review",
    async (given) => {
      await name(given, "member03");
      return at(given);
    },
  ],
  ["POST /api/proposal/:id/review/accept", async (given) => review(given)],
  [
    "PATCH /api/proposal/:id/review",
    async (given) => review(given, { scores: { c1: 80 }, opinion: "좋은 연구입니다." }),
  ],
  ["POST /api/proposal/:id/review/submit", async (given) => review(given)],
  [
    "POST /api/admin/proposal/:id/decision",
    async (given) => at(given, { decision: "approve", reason: "연구 계획이 뛰어납니다." }),
  ],
  [
    "POST /api/proposal/:id/review/recuse",
    async (given) => {
      await stateOf(given, "review");
      return review(given, { reason: "같은 과제를 합니다." });
    },
  ],
  ["POST /api/proposal/:id/withdraw", async (given) => ({ ...(await at(given)), who: "member01" })],
  [
    "DELETE /api/admin/proposal-call/:id",
    async (given) => {
      const id = await callId(given);
      await given.one("DELETE FROM proposal WHERE call_id = ? RETURNING id", id);
      return { at: [id], query: `?version=${await versionOf(given, "proposal_call", `id = '${id}'`)}` };
    },
  ],
];
