import { expect, test } from "vitest";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import {
  PROPOSAL_DESK,
  type ProposalCommand,
  type ProposalStatus,
  REVIEW_DESK,
  type ReviewCommand,
} from "#worker/contract/proposal/proposal.ts";
import { addApplicant, addReview, createTestProposal, openTestCall, SCORES } from "../../calls/proposal-world.ts";
import { callAs } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readRows } from "../../support/test-database.ts";
import { SAMPLE_NOTE, sample } from "../../support/sample.ts";

const OFFICE = ["ADMIN_Access", "Research_Manage"];
const DECIDER = ["ADMIN_Access", "Research_Decide"];

async function createCallers(lead: TestSession) {
  return {
    guest: null,
    lead,
    "co-applicant": await createMemberSession(),
    reviewer: await createMemberSession(),
    "asked reviewer": await createMemberSession(),
    "recused reviewer": await createMemberSession(),
    officer: await createSessionWith(OFFICE),
    decider: await createSessionWith(DECIDER),
    "conflicted officer": await createSessionWith([...OFFICE, "Research_Decide"]),
    "conflicted system administrator": await createAdministratorSession(),
    "system administrator": await createAdministratorSession(),
    "partial administrator": await createSessionWith(["ADMIN_Access", "Event_Manage", "Alumni_Write"]),
    "right without console": await createSessionWith(["Research_Manage", "Research_Decide"]),
    "other member": await createMemberSession(),
  };
}

type Callers = Awaited<ReturnType<typeof createCallers>>;
type Caller = keyof Callers;

async function createCase(status: ProposalStatus, lead: TestSession, callers: Callers, callId: string) {
  const made = await createTestProposal({ status, lead, callId });
  await addApplicant(made.id, callers["co-applicant"].user.email);
  const reviewId = await addReview(made.id, callers.reviewer, "submitted");
  const askedId = await addReview(made.id, callers["asked reviewer"], "asked");
  for (const name of ["recused reviewer", "conflicted officer", "conflicted system administrator"] as const)
    await addReview(made.id, callers[name], "recused");
  return { ...made, reviewId, askedId };
}

type Case = Awaited<ReturnType<typeof createCase>>;

const version = 1;
const saved = {
  title: "새 제목",
  englishTitle: "",
  affiliation: "하늘대학교",
  answers: { q1: "목적" },
  hasStatement: true,
};

const COMMANDS: Record<ProposalCommand, (made: Case, caller: Callers) => [string, string, unknown?]> = {
  save: ({ own }) => ["PATCH", own, { ...saved, version }],
  submit: ({ own }) => ["POST", `${own}/submit`, { version, callVersion: 1 }],
  withdraw: ({ own }) => ["POST", `${own}/withdraw`, { version }],
  check: ({ office }) => ["POST", `${office}/check`, { checked: ["k1"], version }],
  return: ({ office }) => ["POST", `${office}/return`, { reason: "서명이 없습니다.", version }],
  nameReviewer: ({ office }, callers) => ["POST", `${office}/reviewer`, { who: callers["other member"].user.email }],
  dropReviewer: ({ office, askedId }) => ["DELETE", `${office}/reviewer/${askedId}`],
  startReview: ({ office }) => ["POST", `${office}/review`, { version }],
  approve: ({ office }) => ["POST", `${office}/decision`, { decision: "approve", reason: "좋습니다.", version }],
  second: ({ office }) => ["POST", `${office}/decision`, { decision: "second", reason: "고쳐 주십시오.", version }],
  refuse: ({ office }) => ["POST", `${office}/decision`, { decision: "refuse", reason: "어렵습니다.", version }],
};

const CONSOLE: readonly Caller[] = [
  "officer",
  "decider",
  "conflicted officer",
  "conflicted system administrator",
  "system administrator",
];

/** Written by hand and independent of `decideAccess`. */
function expectedCode(command: ProposalCommand, status: ProposalStatus, caller: Caller): string {
  if (caller === "guest") return "UNAUTHORIZED";
  const done = hasCommand(PROPOSAL_DESK, command, status) ? "SUCCESS" : "CONFLICT";
  const { by } = PROPOSAL_DESK.commands[command];
  if (by === "person") return caller === "lead" ? done : "NOT_FOUND";
  if (!CONSOLE.includes(caller)) return "FORBIDDEN";
  if (caller === (by === "office" ? "decider" : "officer")) return "FORBIDDEN";
  if (status === "draft" || caller.startsWith("conflicted")) return "NOT_FOUND";
  return done;
}

const written = async () =>
  JSON.stringify([
    await readRows("SELECT * FROM proposal ORDER BY id"),
    await readRows("SELECT * FROM proposal_review ORDER BY id"),
    await readRow(
      "SELECT (SELECT count(*) FROM audit_log), (SELECT count(*) FROM message), (SELECT count(*) FROM proposal_event)",
    ),
  ]);

const PAIRS = (Object.keys(PROPOSAL_DESK.commands) as ProposalCommand[]).flatMap((command) =>
  PROPOSAL_DESK.names.map((status) => ({ command, status })),
);

test(`each command of a proposal keeps to its callers (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const lead = await createMemberSession();
  const [callers, callId] = [await createCallers(lead), await openTestCall()];
  const differences: unknown[] = [];
  for (const { command, status } of sample(
    PAIRS,
    (pair) => `${pair.command} ${pair.status}`,
    (pair) => pair.command,
  )) {
    let made = await createCase(status, lead, callers, callId);
    for (const caller of Object.keys(callers) as Caller[]) {
      const [expected, before] = [expectedCode(command, status, caller), await written()];
      const { code } = await callAs(callers[caller], ...COMMANDS[command](made, callers));
      const isUntouched = (await written()) === before;
      if (code !== expected || isUntouched !== (code !== "SUCCESS"))
        differences.push({ command, status, caller, expected, code, isUntouched });
      if (code === "SUCCESS") made = await createCase(status, lead, callers, callId);
    }
  }
  expect(differences).toEqual([]);
});

const REVIEWS: Record<ReviewCommand, (made: Case) => [string, string, unknown]> = {
  accept: ({ own }) => ["POST", `${own}/review/accept`, { version }],
  recuse: ({ own }) => ["POST", `${own}/review/recuse`, { version, reason: "같은 과제" }],
  score: ({ own }) => ["PATCH", `${own}/review`, { version, scores: SCORES, opinion: "의견" }],
  submit: ({ own }) => ["POST", `${own}/review/submit`, { version }],
};

const REVIEWABLE: Record<ReviewCommand, ProposalStatus[]> = {
  accept: ["submitted", "review"],
  recuse: ["submitted", "returned", "review"],
  score: ["review"],
  submit: ["review"],
};

function expectedReview(command: ReviewCommand, status: ProposalStatus, caller: Caller): string {
  if (caller === "guest") return "UNAUTHORIZED";
  const own = caller === "reviewer" ? "submitted" : caller === "asked reviewer" ? "asked" : null;
  if (own === null || status === "draft" || status === "withdrawn") return "NOT_FOUND";
  return hasCommand(REVIEW_DESK, command, own) && REVIEWABLE[command].includes(status) ? "SUCCESS" : "CONFLICT";
}

test(`each command of a review keeps to its reviewer (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const lead = await createMemberSession();
  const [callers, callId] = [await createCallers(lead), await openTestCall()];
  const differences: unknown[] = [];
  const pairs = (Object.keys(REVIEWS) as ReviewCommand[]).flatMap((command) =>
    PROPOSAL_DESK.names.map((status) => ({ command, status })),
  );
  for (const { command, status } of sample(
    pairs,
    (pair) => `${pair.command} ${pair.status}`,
    (pair) => pair.command,
  )) {
    for (const caller of Object.keys(callers) as Caller[]) {
      const made = await createCase(status, lead, callers, callId);
      const expected = expectedReview(command, status, caller);
      const { code } = await callAs(callers[caller], ...REVIEWS[command](made));
      if (code !== expected) differences.push({ command, status, caller, expected, code });
    }
  }
  expect(differences).toEqual([]);
});

type View = "GET own" | "GET draft" | "GET review" | "GET office";

function expectedView(view: View, status: ProposalStatus, caller: Caller): string {
  if (caller === "guest") return "UNAUTHORIZED";
  if (view === "GET draft") return caller === "lead" ? "SUCCESS" : "NOT_FOUND";
  if (view === "GET own") return caller === "lead" || caller === "co-applicant" ? "SUCCESS" : "NOT_FOUND";
  const isShown = status !== "draft";
  if (view === "GET review") {
    const isReviewer = caller === "reviewer" || caller === "asked reviewer";
    return isReviewer && isShown && status !== "withdrawn" ? "SUCCESS" : "NOT_FOUND";
  }
  if (!CONSOLE.includes(caller)) return "FORBIDDEN";
  return isShown && !caller.startsWith("conflicted") ? "SUCCESS" : "NOT_FOUND";
}

test(`each view names only what is then allowed (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const lead = await createMemberSession();
  const [callers, callId] = [await createCallers(lead), await openTestCall()];
  const differences: unknown[] = [];
  for (const status of sample(PROPOSAL_DESK.names, (name) => name)) {
    const made = await createCase(status, lead, callers, callId);
    const paths = { "GET own": "", "GET draft": "/draft", "GET review": "/review", "GET office": null };
    for (const caller of Object.keys(callers) as Caller[])
      for (const [view, path] of Object.entries(paths) as [View, string | null][]) {
        const { code, data } = await callAs(callers[caller], "GET", path === null ? made.office : made.own + path);
        const expected = expectedView(view, status, caller);
        if (code !== expected) differences.push({ view, status, caller, expected, code });
        if (code !== "SUCCESS") continue;
        const isReview = view === "GET review";
        const named = (
          isReview
            ? (Object.keys(REVIEWS) as ReviewCommand[]).filter(
                (each) => expectedReview(each, status, caller) === "SUCCESS",
              )
            : (Object.keys(COMMANDS) as ProposalCommand[]).filter(
                (each) => expectedCode(each, status, caller) === "SUCCESS",
              )
        ).toSorted();
        if (JSON.stringify(data.commands.toSorted()) !== JSON.stringify(named))
          differences.push({ view, status, caller, named, commands: data.commands });
      }
  }
  expect(differences).toEqual([]);
});
