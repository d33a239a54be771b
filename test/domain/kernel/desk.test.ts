import { expect, test } from "vitest";
import { INQUIRY_DESK } from "#worker/contract/inquiry/inquiry.ts";
import { type DeskRules, hasCommand, isEnded } from "#worker/contract/kernel/desk.ts";
import { REQUEST_DESK } from "#worker/contract/privacy/privacy.ts";
import { CORRECTION_DESK } from "#worker/contract/alumni/representative.ts";
import { REPORT_DESK } from "#worker/contract/board/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import * as corrections from "#worker/domain/alumni/correction.server.ts";
import { decideBoardReport } from "#worker/domain/board/report.server.ts";
import { type AttendanceMark, EVENT_DESK } from "#worker/contract/event/event.ts";
import * as decisions from "#worker/domain/event/decide.server.ts";
import { cancelRegistration, changeAnswers } from "#worker/domain/event/registration.server.ts";
import { type Decision, PROPOSAL_DESK } from "#worker/contract/proposal/proposal.ts";
import * as proposalOffice from "#worker/domain/proposal/office.server.ts";
import * as proposalWrites from "#worker/domain/proposal/write.server.ts";
import * as inquiries from "#worker/domain/inquiry/inquiry.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import * as requests from "#worker/domain/privacy/request.server.ts";
import { addReview, createTestProposal } from "../../calls/proposal-world.ts";
import { openTestEvent, QUESTIONS } from "../../calls/event-world.ts";
import { createTestItem } from "../../support/factories.ts";
import { createMemberSession, createSessionWith, createUser, type TestSession } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { SAMPLE_NOTE, isFull, sample } from "../../support/sample.ts";

interface TestedDesk {
  rules: DeskRules & { letters: Partial<Record<string, string>> };
  table: string;
  state: "status" | "state";
  /** The office's permissions, and those of an administrator of other areas. */
  right: string[];
  without: string[];
  /** The error of a command in another state; a conflict by default. */
  ended?: string;
  /** States in which no other person finds a case. */
  unseen?: string[];
  create(id: string, person: TestSession): Promise<unknown>;
  commands: Record<string, (ctx: AppContext, id: string) => Promise<unknown>>;
}

const version = 1;

async function decide(ctx: AppContext, id: string, decision: "dismiss" | "hide") {
  const itemNo = await readValue<number>(
    "SELECT item_no FROM board_item WHERE id = (SELECT item_id FROM item_report WHERE id = ?)",
    id,
  );
  return decideBoardReport(ctx, { boardCode: "free", itemNo: requirePresent(itemNo) }, { decision });
}

/** A repeated mark does nothing. */
async function mark(ctx: AppContext, id: string, to: AttendanceMark) {
  const { already } = await decisions.markAttendance(ctx, id, { mark: to });
  if (already) throw new AppError("CONFLICT");
}

const decision = (which: Decision) => ({ decision: which, reason: "까닭", version });

/** Of each proposal, somebody who is no reviewer yet. */
const candidates = new Map<string, string>();

const SAVED = {
  title: "새 제목",
  englishTitle: "",
  affiliation: "하늘대학교",
  answers: { q1: "목적" },
  applicants: [],
  files: [],
  hasStatement: true,
  version,
};

const DESKS: Record<string, TestedDesk> = {
  inquiries: {
    rules: INQUIRY_DESK,
    table: "inquiry",
    state: "status",
    right: ["Inquiry_Answer"],
    without: ["ADMIN_Access"],
    create: (id, { user }) =>
      runSql("INSERT INTO inquiry VALUES (?, ?, 'other', '이수증', 'waiting', 1, 1, ?)", id, user.id, version),
    commands: {
      add: (ctx, id) => inquiries.addInquiryMessage(ctx, id, { content: "더 묻습니다.", fileIds: [] }),
      close: (ctx, id) => inquiries.closeOwnInquiry(ctx, id, version),
      answer: (ctx, id) => inquiries.answerInquiry(ctx, id, { content: "답입니다.", fileIds: [], version }),
      closeByOffice: (ctx, id) => inquiries.closeInquiry(ctx, id, version),
    },
  },
  "privacy requests": {
    rules: REQUEST_DESK,
    table: "privacy_request",
    state: "status",
    right: ["ADMIN_Access"],
    without: ["Inquiry_Answer", "Alumni_Write"],
    create: (id, { user }) =>
      runSql(
        `INSERT INTO privacy_request (id, kind, status, user_id, requester_name, contact, content, received_date, due_date, modified_date)
         VALUES (?, 'erasure', 'received', ?, '홍길동', ?, '지워 주십시오.', 1, 1, 1)`,
        id,
        user.id,
        user.email,
      ),
    commands: {
      start: (ctx, id) => requests.startPrivacyRequest(ctx, id, version),
      extend: (ctx, id) => requests.extendPrivacyRequest(ctx, id, { days: 1, reason: "자료가 많습니다.", version }),
      accept: (ctx, id) => requests.answerPrivacyRequest(ctx, id, { result: "done", answer: "답입니다.", version }),
      refuse: (ctx, id) => requests.answerPrivacyRequest(ctx, id, { result: "refused", answer: "답입니다.", version }),
      erase: (ctx, id) => requests.eraseForPrivacyRequest(ctx, id, { answer: "답입니다.", version }),
    },
  },
  "proposed corrections": {
    rules: CORRECTION_DESK,
    table: "alumni_correction",
    state: "state",
    right: ["ADMIN_Access", "Alumni_Write"],
    without: ["ADMIN_Access"],
    create: async (id, { user }) => {
      await runSql(
        "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES (?, '김동문', ?, 1, 1)",
        id,
        `${id}@pid.example.kr`,
      );
      await runSql(
        `INSERT INTO alumni_correction (id, alumni_id, user_id, cohort, fields, "values", state, created_date)
         VALUES (?, ?, ?, 1, '["affiliation"]', '{"affiliation":"가람의원"}', 'waiting', 1)`,
        id,
        id,
        user.id,
      );
    },
    commands: {
      withdraw: (ctx, id) => corrections.withdrawCorrection(ctx, id),
      accept: (ctx, id) => corrections.acceptCorrection(ctx, id, version),
      refuse: (ctx, id) => corrections.refuseCorrection(ctx, id, "본인이 아니라고 함"),
    },
  },
  "registrations at an event": {
    rules: EVENT_DESK,
    table: "event_registration",
    state: "status",
    right: ["ADMIN_Access", "Event_Manage", "Board_free_Manage"],
    without: ["ADMIN_Access", "Board_free_Manage"],
    create: async (id, person) => {
      const event = await openTestEvent(person, { questions: QUESTIONS });
      await runSql(
        `INSERT INTO event_registration (id, item_id, user_id, status, turn, answers, created_date, modified_date)
         VALUES (?, ?, ?, 'confirmed', 1, '{}', 1, 1)`,
        id,
        event.id,
        person.user.id,
      );
    },
    commands: {
      change: (ctx, id) => changeAnswers(ctx, id, { questionsVersion: 1, answers: { q1: "채식" }, version }),
      cancel: (ctx, id) => cancelRegistration(ctx, id, { version }),
      moveUp: (ctx, id) => decisions.moveUpRegistration(ctx, id, { reason: "연자", version }),
      cancelByOffice: (ctx, id) => decisions.cancelByOffice(ctx, id, { reason: "중복", version }),
      present: (ctx, id) => mark(ctx, id, "present"),
      absent: (ctx, id) => mark(ctx, id, "absent"),
      unmark: (ctx, id) => mark(ctx, id, "unmark"),
      leave: (ctx, id) => mark(ctx, id, "leave"),
    },
  },
  proposals: {
    rules: PROPOSAL_DESK,
    table: "proposal",
    state: "status",
    right: ["ADMIN_Access", "Research_Manage", "Research_Decide"],
    without: ["ADMIN_Access", "Event_Manage"],
    unseen: ["draft"],
    create: async (id, lead) => {
      await createTestProposal({ id, lead, status: "submitted" });
      await addReview(id, await createMemberSession(), "submitted");
      candidates.set(id, (await createUser()).email);
    },
    commands: {
      save: (ctx, id) => proposalWrites.saveProposal(ctx, id, SAVED),
      submit: (ctx, id) => proposalWrites.submitProposal(ctx, id, { version, callVersion: 1 }),
      withdraw: (ctx, id) => proposalWrites.withdrawProposal(ctx, id, { version }),
      check: (ctx, id) => proposalOffice.checkProposal(ctx, id, { checked: [], version }),
      return: (ctx, id) => proposalOffice.returnProposal(ctx, id, { reason: "서명이 없습니다.", version }),
      nameReviewer: (ctx, id) => proposalOffice.nameReviewer(ctx, id, { who: candidates.get(id) ?? "" }),
      dropReviewer: async (ctx, id) => {
        await runSql("UPDATE proposal_review SET status = 'asked' WHERE proposal_id = ?", id);
        const reviewId = await readValue<string>("SELECT id FROM proposal_review WHERE proposal_id = ?", id);
        return proposalOffice.dropReviewer(ctx, { id, reviewId: reviewId ?? "" });
      },
      startReview: (ctx, id) => proposalOffice.startReview(ctx, id, { version }),
      approve: (ctx, id) => proposalOffice.decideProposal(ctx, id, decision("approve")),
      second: (ctx, id) => proposalOffice.decideProposal(ctx, id, decision("second")),
      refuse: (ctx, id) => proposalOffice.decideProposal(ctx, id, decision("refuse")),
    },
  },
  reports: {
    rules: REPORT_DESK,
    table: "item_report",
    state: "status",
    right: ["Board_free_Manage"],
    without: ["ADMIN_Access", "Board_notice_Manage"],
    ended: "NOT_FOUND",
    create: async (id, person) => {
      const itemNo = await createTestItem(person, "free");
      await runSql(
        `INSERT INTO item_report (id, item_id, reporter_user_id, reason, created_date)
         SELECT ?, id, ?, 'abuse', 1 FROM board_item WHERE board_code = 'free' AND item_no = ?`,
        id,
        person.user.id,
        itemNo,
      );
    },
    commands: { dismiss: (ctx, id) => decide(ctx, id, "dismiss"), hide: (ctx, id) => decide(ctx, id, "hide") },
  },
};

type Caller = "guest" | "other member" | "person" | "other administrator" | "office";

function expectedCode(
  { rules, ended = "CONFLICT", unseen = [] }: TestedDesk,
  state: string,
  command: string,
  caller: Caller,
): string {
  if (caller === "guest") return "UNAUTHORIZED";
  const { by } = requirePresent(rules.commands[command]);
  if (by !== "person" && caller !== "office") return "FORBIDDEN";
  if (by === "person" && caller !== "person") return "NOT_FOUND";
  if (by !== "person" && unseen.includes(state)) return "NOT_FOUND";
  return hasCommand(rules, command, state) ? "SUCCESS" : ended;
}

async function run({ commands }: TestedDesk, command: string, ctx: AppContext, id: string) {
  try {
    await commands[command]?.(ctx, id);
    return "SUCCESS";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function createCase({ table, state: column, create }: TestedDesk, state: string) {
  const person = await createMemberSession();
  const id = crypto.randomUUID();
  await create(id, person);
  await runSql(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, state, id);
  return { id, person };
}

const letters = async () => (await readValue<number>("SELECT count(*) FROM message")) ?? 0;
const written = async ({ table }: TestedDesk) =>
  JSON.stringify([
    await readRows(`SELECT * FROM ${table} ORDER BY id`),
    await readRow(`SELECT (SELECT count(*) FROM audit_log), (SELECT count(*) FROM message), (SELECT total(version) FROM alumni),
      (SELECT count(*) FROM board_item WHERE deleted_date IS NULL), (SELECT count(*) FROM user WHERE status = 'active')`),
  ]);

const createOthers = async ({ right, without }: TestedDesk) => ({
  guest: null,
  "other member": await createMemberSession(),
  "other administrator": await createSessionWith(without),
  office: await createSessionWith(right),
});

const seen: Record<string, string[]> = {};

test.for(Object.entries(DESKS))(
  `the desk of %s keeps to its states (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (named) => {
    const [name, desk] = named;
    const { rules, table, state: column } = desk;
    expect(Object.keys(desk.commands)).toEqual(Object.keys(rules.commands));
    const others = await createOthers(desk);
    const rows: string[] = [];
    const pairs = Object.keys(rules.commands).flatMap((command) =>
      Object.keys(rules.states).map((state) => ({ command, state })),
    );
    for (const { command, state } of sample(
      pairs,
      (pair) => `${name} ${pair.command} ${pair.state}`,
      (pair) => pair.command,
    )) {
      const { id, person } = await createCase(desk, state);
      const callers = Object.entries({ ...others, person }) as [Caller, TestSession | null][];
      const expected = (caller: Caller) => expectedCode(desk, state, command, caller);
      const allowed: Caller[] = [];
      for (const [caller, session] of callers.toSorted(([a]) => (expected(a) === "SUCCESS" ? 1 : -1))) {
        const [before, lettersBefore] = [await written(desk), await letters()];
        const label = `${command} of a ${state} case by ${caller}`;
        const code = await run(desk, command, await contextFor(session), id);
        expect([label, code]).toEqual([label, expected(caller)]);
        if (code !== "SUCCESS") {
          expect([label, await written(desk)]).toEqual([label, before]);
          continue;
        }
        allowed.push(caller);
        const now = await readValue(`SELECT ${column} FROM ${table} WHERE id = ?`, id);
        expect([label, now]).toEqual([label, rules.commands[command]?.to ?? state]);
        expect([label, (await letters()) - lettersBefore]).toEqual([label, rules.letters[command] ? 1 : 0]);
      }
      rows.push(`| ${command} | ${state} | ${allowed.join(", ")} |`);
    }
    seen[name] = rows;
  },
);

test.for(Object.entries(DESKS))(
  `commands at the desk of %s exclude each other (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (named) => {
    const [name, desk] = named;
    const { rules } = desk;
    const { office } = await createOthers(desk);
    const names = Object.keys(rules.commands);
    const ends = (command: string) => {
      const to = rules.commands[command]?.to;
      return to !== undefined && isEnded(rules, to);
    };
    const rows = Object.keys(rules.states).flatMap((state) => {
      const open = names.filter((command) => hasCommand(rules, command, state));
      return open.filter(ends).flatMap((ending) => open.map((other) => ({ state, ending, other })));
    });
    for (const { state, ending, other } of sample(
      rows,
      (row) => `${name} ${Object.values(row).join(" ")}`,
      (row) => row.ending,
    )) {
      const { id, person } = await createCase(desk, state);
      // Open contexts first, so that both commands read the case before one of them writes.
      const callers = [ending, other].map(async (command) => ({
        command,
        ctx: await contextFor(rules.commands[command]?.by === "person" ? person : office),
      }));
      const codes = await Promise.all(
        (await Promise.all(callers)).map(({ command, ctx }) => run(desk, command, ctx, id)),
      );
      const label = `${ending} and ${other} of a ${state} case`;
      expect([label, codes.toSorted()]).toEqual([label, [desk.ended ?? "CONFLICT", "SUCCESS"]]);
    }
  },
);

const published = () =>
  [
    "# Who may do what at which desk",
    "",
    "Written by `test/domain/kernel/desk.test.ts` from its results; it fails when this page differs",
    "(`npx vitest run -u --project worker test/domain/kernel/desk.test.ts` writes it again). The rules are the tables of",
    "`defineDesk`.",
    ...Object.entries(seen).flatMap(([name, rows]) => [
      "",
      `## ${name}`,
      "",
      "| command | state | allowed to |",
      "| --- | --- | --- |",
      ...rows,
    ]),
    "",
  ].join("\n");

test.runIf(isFull)("the published table matches the results", { tags: "sampled" }, async () => {
  expect(Object.keys(seen)).toEqual(Object.keys(DESKS));
  await expect(published()).toMatchFileSnapshot("../../desks.md");
});
