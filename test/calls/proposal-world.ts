import { callSetting } from "./proposal-acts.ts";
import type { PrepareAct } from "./area-targets.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { ProposalStatus, ReviewStatus } from "#worker/contract/proposal/proposal.ts";
import { createMemberSession, type TestSession } from "../support/people.ts";
import { runSql } from "../support/test-database.ts";

export const CRITERIA = [
  { code: "c1", name: "필요성", detail: "", points: 30 },
  { code: "c2", name: "방법", detail: "", points: 30 },
  { code: "c3", name: "역량", detail: "", points: 20 },
  { code: "c4", name: "활용", detail: "", points: 20 },
];

const QUESTIONS = [
  { code: "q1", name: "연구 목적", inputType: "textarea", detail: [], required: true, hidden: false },
  { code: "q2", name: "연구비 내역", inputType: "text", detail: [], required: false, hidden: true },
];

export const SCORES = { c1: 25, c2: 25, c3: 15, c4: 15 };

/** Turns the desk on, as the console does. */
export const turnOnProposals = () =>
  runSql(
    `INSERT INTO site_setting (key, value, modified_date) VALUES ('identity', '{"hasProposals":true}', 1)
     ON CONFLICT (key) DO UPDATE SET value = json_set(value, '$.hasProposals', json('true'))`,
  );

interface TestCall {
  closeDate?: number | null;
  papers?: object[];
}

export async function openTestCall({ closeDate = Date.now() + DAY_MS, papers = [] }: TestCall = {}): Promise<string> {
  await turnOnProposals();
  const id = crypto.randomUUID();
  await runSql(
    `INSERT INTO proposal_call (id, title, kind, open_date, close_date, approve_from, second_from, hides_reviewers, check_days, review_days,
       criteria, papers, checks, questions, created_date, modified_date)
     VALUES (?, '정기 공모', 'project', 1, ?, 70, 60, 1, 10, 10, ?, ?, '[{"code":"k1","name":"서명"}]', ?, 1, 1)`,
    id,
    closeDate,
    JSON.stringify(CRITERIA),
    JSON.stringify(papers),
    JSON.stringify(QUESTIONS),
  );
  return id;
}

interface TestProposal extends TestCall {
  status?: ProposalStatus;
  /** Written into each text. */
  canary?: string;
  lead?: TestSession;
  callId?: string;
  id?: string;
}

let serial = 0;

/** A proposal in a state, without its calls. */
export async function createTestProposal({ status = "draft", canary = "", ...more }: TestProposal = {}) {
  const lead = more.lead ?? (await createMemberSession());
  const callId = more.callId ?? (await openTestCall(more));
  const id = more.id ?? crypto.randomUUID();
  await runSql(
    `INSERT INTO proposal (id, call_id, user_id, number, title, affiliation, status, answers, has_statement, submitted_date, reason, created_date, modified_date)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, 1, 1)`,
    id,
    callId,
    lead.user.id,
    status === "draft" ? "" : `2000-${100 + (serial += 1)}`,
    `뇌졸중 연구${canary}`,
    "하늘대학교",
    status,
    JSON.stringify({ q1: `목적${canary}`, q2: `예산${canary}` }),
    canary,
  );
  return { id, callId, lead, own: `/api/proposal/${id}`, office: `/api/admin/proposal/${id}` };
}

export async function addApplicant(proposalId: string, email: string, affiliation = "바다대학교") {
  await runSql(
    "INSERT INTO proposal_applicant (proposal_id, sort_order, name, email, affiliation) VALUES (?, (SELECT count(*) FROM proposal_applicant WHERE proposal_id = ?1), '김공동', ?, ?)",
    proposalId,
    email,
    affiliation,
  );
}

export async function addReview(
  proposalId: string,
  reviewer: TestSession,
  status: ReviewStatus = "accepted",
  { canary = "", scores = status === "submitted" ? SCORES : {} }: { canary?: string; scores?: object } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  await runSql(
    `INSERT INTO proposal_review (id, proposal_id, user_id, round, status, scores, opinion, created_date, modified_date)
     VALUES (?, ?, ?, 1, ?, ?, ?, 1, 1)`,
    id,
    proposalId,
    reviewer.user.id,
    status,
    JSON.stringify(scores),
    `의견${canary}`,
  );
  return id;
}

/** An entry of the address book with the person's address. */
export async function addEntry(email: string, affiliation: string): Promise<string> {
  const id = crypto.randomUUID();
  await runSql(
    "INSERT INTO alumni (id, name, email, affiliation, created_date, modified_date) VALUES (?, '김동문', ?, ?, 1, 1)",
    id,
    email,
    affiliation,
  );
  return id;
}

const body = (more: object = {}) => ({ version: 1, ...more });

/** By somebody of the office. */
export const PROPOSAL_AREA_ACTS: Record<string, PrepareAct> = {
  "POST /api/admin/proposal-call": async () => {
    await turnOnProposals();
    return { path: "/api/admin/proposal-call", body: callSetting() };
  },
  "PATCH /api/admin/proposal-call/:id": async () => ({
    path: `/api/admin/proposal-call/${await openTestCall()}`,
    body: callSetting(body({ criteria: CRITERIA })),
  }),
  "DELETE /api/admin/proposal-call/:id": async () => ({
    path: `/api/admin/proposal-call/${await openTestCall()}?version=1`,
  }),
  "POST /api/admin/proposal/:id/check": async () => ({
    path: `${(await createTestProposal({ status: "submitted" })).office}/check`,
    body: body({ checked: ["k1"] }),
  }),
  "POST /api/admin/proposal/:id/return": async () => ({
    path: `${(await createTestProposal({ status: "submitted" })).office}/return`,
    body: body({ reason: "서명이 없습니다." }),
  }),
  "POST /api/admin/proposal/:id/reviewer": async ({ member }) => ({
    path: `${(await createTestProposal({ status: "submitted" })).office}/reviewer`,
    body: { who: member.user.email },
  }),
  "DELETE /api/admin/proposal/:id/reviewer/:reviewId": async ({ member }) => {
    const { id, office } = await createTestProposal({ status: "submitted" });
    return { path: `${office}/reviewer/${await addReview(id, member, "asked")}` };
  },
  "POST /api/admin/proposal/:id/review": async ({ member }) => {
    const { id, office } = await createTestProposal({ status: "submitted" });
    await addReview(id, member, "asked");
    return { path: `${office}/review`, body: body() };
  },
  "POST /api/admin/proposal/:id/decision": async ({ member }) => {
    const { id, office } = await createTestProposal({ status: "review" });
    await addReview(id, member, "submitted");
    return { path: `${office}/decision`, body: body({ decision: "approve", reason: "좋습니다." }) };
  },
};
