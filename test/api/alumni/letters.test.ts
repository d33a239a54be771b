import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  letterCause,
  letterCauseSql,
  LETTER_MEANS,
  type LetterMeans,
  leftOutText,
  PERSON_STATES,
  REFUSABLE_MEANS,
} from "#worker/contract/mail/letters.ts";
import { needsAddress, PRINT_KINDS, printMeans } from "#worker/contract/alumni/paper.ts";
import { isNotifiable } from "#worker/domain/mail/message.server.ts";
import { downloadFile, exportListed } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";
import { createRepresentative, propose } from "./cohorts.ts";
import { everyone, startTestRound } from "../mailing/rounds.ts";
import { mailingCall } from "../mailing/people.ts";

const MEANS = Object.keys(LETTER_MEANS) as LetterMeans[];
const REFUSALS = ["", ...REFUSABLE_MEANS, REFUSABLE_MEANS.join(", ")];
const KINDS = PERSON_STATES.flatMap((state) => REFUSALS.map((refuses) => ({ state, refuses })));
const DEAD = 60;
const PEOPLE = [...KINDS, ...Array.from({ length: DEAD }, () => ({ state: "작고", refuses: "" }))].map((each, at) => ({
  ...each,
  id: `b1000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
}));
const ALL = { filter: { cohort: "12" } };
const idsFor = (means: LetterMeans) => PEOPLE.filter((person) => letterCause(person, means) === "").map(({ id }) => id);
const leftFor = (means: LetterMeans) => {
  const counts = new Map<string, number>();
  for (const person of PEOPLE) {
    const cause = letterCause(person, means);
    if (cause !== "") counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].map(([cause, count]) => ({ cause, count }));
};
const byCause = (list: { cause: string }[]) => list.toSorted((a, b) => a.cause.localeCompare(b.cause));

async function withPeople(): Promise<TestSession> {
  const admin = await createAdministratorSession();
  await env.DB.prepare(
    `INSERT INTO alumni (id, name, cohort, email, mobile, zip_code, address, state, refuses, created_date, modified_date)
     SELECT value ->> 'id', '동문' || key, 12, 'alumnus-' || key || '@pid.example.kr', printf('010-0000-%04d', key), '03080',
       '서울특별시 종로구 ' || key, value ->> 'state', value ->> 'refuses', 1, 1 FROM json_each(?)`,
  )
    .bind(JSON.stringify(PEOPLE))
    .run();
  return admin;
}

interface Reached {
  ids: string[];
  left?: { cause: string; count: number }[];
}

interface Surface {
  name: string;
  means: LetterMeans;
  reach: (admin: TestSession) => Promise<Reached>;
}

const mailingSurface = (name: string, channel: "email" | "sms"): Surface => ({
  name,
  means: channel,
  reach: async (admin) => {
    const fields = { channel, text: "{{이름}} 님, 총회를 엽니다." };
    const id = await createTestMailing(admin, { source: "alumni", target: ALL }, fields);
    const { data } = await mailingCall(admin, id, "preview");
    expect((await mailingCall(admin, id, "send", { version: 2, count: data.count, reason: "총회" })).code).toBe(
      "SUCCESS",
    );
    const rows = await readRows<{ id: string }>(
      "SELECT person_id AS id FROM mailing_recipient WHERE mailing_id = ? AND state = 'waiting'",
      id,
    );
    return { ids: rows.map((row) => row.id), left: data.leftOut };
  },
});

const exportSurface = (means: "email" | "sms" | "post" | null): Surface => ({
  name: `an export for ${means ?? "a file without the state"}`,
  means: means ?? "paper",
  reach: async (admin) => {
    const body = {
      filter: ALL.filter,
      columns: ["이름", "주소", "ID"],
      format: "csv",
      reason: "우편",
      ...(means && { means }),
    };
    const { data } = await exportListed(admin, body);
    const text = new TextDecoder().decode(await downloadFile(admin, data.url));
    return { ids: PEOPLE.map(({ id }) => id).filter((id) => text.includes(id)), left: data.excluded };
  },
});

/** By the module that reads people to write to; the walk below finds every such module. */
const SURFACES: Record<string, Surface[]> = {
  "mailing/people": [
    mailingSurface("a mailing", "email"),
    mailingSurface("a text message", "sms"),
    {
      name: "a round of confirmation",
      means: "email",
      reach: async (admin) => {
        const id = await startTestRound(admin, { target: everyone });
        const rows = await readRows<{ id: string }>(
          "SELECT person_id AS id FROM mailing_recipient JOIN mailing ON mailing.id = mailing_id WHERE round_id = ? AND state = 'waiting'",
          id,
        );
        return { ids: rows.map((row) => row.id) };
      },
    },
  ],
  "alumni/print": PRINT_KINDS.map((kind) => ({
    name: `a printed ${kind}`,
    means: printMeans(kind),
    reach: async (admin) => {
      const counted = await callAs(admin, "POST", "/api/alumni/print-count", { segment: ALL });
      const shown = needsAddress(kind) ? counted.data.withAddress : counted.data.total;
      const body = { segment: ALL, kind, count: shown, reason: "총회" };
      const { data } = await callAs(admin, "POST", "/api/alumni/print-data", body);
      expect(data.excluded).toEqual(counted.data.excluded[printMeans(kind)]);
      return { ids: data.people.map(({ id }: { id: string }) => id), left: data.excluded };
    },
  })),
  "alumni/export": [exportSurface("post"), exportSurface("email"), exportSurface("sms"), exportSurface(null)],
  "alumni/certificate": [
    {
      name: "a certificate",
      means: "paper",
      reach: async (admin) => {
        for (const { id } of PEOPLE)
          await callAs(admin, "PUT", "/api/certificate/issued", { alumniId: id, reason: "본인 요청" });
        const rows = await readRows<{ id: string }>("SELECT alumni_id AS id FROM alumni_certificate");
        return { ids: rows.map((row) => row.id) };
      },
    },
  ],
  "alumni/certificate-kind": [
    {
      name: "certificates for a view",
      means: "paper",
      reach: async (admin) => {
        const count = idsFor("paper").length;
        await callAs(admin, "PUT", "/api/certificate/issued", { segment: ALL, count, reason: "총회" });
        const rows = await readRows<{ id: string }>("SELECT alumni_id AS id FROM alumni_certificate");
        return { ids: rows.map((row) => row.id) };
      },
    },
  ],
  "alumni/correction": [
    {
      name: "the notice of an accepted correction",
      means: "email",
      reach: async (admin) => {
        const representative = await createRepresentative(admin, 12);
        for (const { id } of PEOPLE.slice(0, KINDS.length))
          expect((await propose(representative, id, { affiliation: "가람의원" })).code).toBe("SUCCESS");
        const { results } = await env.DB.prepare("SELECT id FROM alumni_correction").all<{ id: string }>();
        for (const { id } of results) await callAs(admin, "POST", `/api/admin/correction/${id}/accept`, { version: 1 });
        const rows = await readRows<{ id: string }>(
          "SELECT alumni.id FROM message JOIN alumni ON alumni.email = message.recipient WHERE alumni.cohort = 12",
        );
        return { ids: rows.map((row) => row.id) };
      },
    },
  ],
};

test.each(Object.values(SURFACES).flat())("$name reaches only people who may be written to", async (surface) => {
  const admin = await withPeople();
  const { ids, left } = await surface.reach(admin);
  expect(PEOPLE.slice(KINDS.length).filter(({ id }) => ids.includes(id))).toEqual([]);
  expect(ids.toSorted()).toEqual(idsFor(surface.means));
  if (left) expect(byCause(left)).toEqual(byCause(leftFor(surface.means)));
});

const sources = import.meta.glob<string>("../../../worker/domain/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
const modulesWith = (pattern: RegExp) =>
  Object.entries(sources)
    .filter(([, source]) => pattern.test(source))
    .map(([path]) => path.replace("../../../worker/domain/", "").replace(".server.ts", ""))
    .toSorted();

/** Lists, figures and changes of fields, which write to nobody, and the checks of a mailing's segment. */
const LOOKS_ONLY = ["alumni/change", "alumni/figures", "alumni/filter", "alumni/list"];
const CHECKS_ONLY = ["mailing/mailing", "mailing/round", "mailing/send-mailing"];
/** In dues.test.ts, voters.test.ts, held.test.ts, join.test.ts and question.test.ts. */
const OF_DUES = ["alumni/dues/charge", "alumni/dues/voters"];
const TRIED_ELSEWHERE = [...OF_DUES, "alumni/held-address", "alumni/join", "mailing/held", "mailing/question"];
const DEFINES = ["alumni/segment", "mail/message"];

test("every module that reads people writes by the rule", () => {
  const readers = modulesWith(/\b(?:requireSegment|alumniSelectionWhere|alumniWhere)\(/);
  const ruled = modulesWith(/\b(?:leftOutCause|mayBeSent|letterCause)\(/).filter((each) => !DEFINES.includes(each));
  expect(ruled).toEqual([...Object.keys(SURFACES), ...TRIED_ELSEWHERE].toSorted());
  expect(readers.filter((each) => ![...ruled, ...DEFINES].includes(each))).toEqual([...LOOKS_ONLY, ...CHECKS_ONLY]);
});

test("every notice to accounts leaves out the people who are gone", async () => {
  const notifies = modulesWith(/\bisNotifiable\(/).filter((each) => !DEFINES.includes(each));
  const reads = modulesWith(/\bisNotSuspended\(/).filter((each) => !DEFINES.includes(each));
  expect(notifies).toEqual([
    "board/notification",
    "content/agreement-announced",
    "event/event-letter",
    "mail/bulk-delivery",
    "member/consent-reminder",
  ]);
  expect(reads).toEqual(["alumni/correction", "mailing/confirmation", "mailing/people", "mailing/question"]);
  const member = await createMemberSession();
  const { db } = await contextFor(member);
  const { id: userId, email } = member.user;
  const isTold = async () =>
    (await db.all<{ told: number }>(sql`SELECT ${isNotifiable(sql`${userId}`)} AS told`))[0]?.told === 1;
  await runSql("UPDATE user_key SET verified_date = 1 WHERE user_id = ?", userId);
  await runSql(
    "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES ('one', '홍길동', ?, 1, 1)",
    email,
  );
  for (const state of PERSON_STATES) {
    await runSql("UPDATE alumni SET state = ?", state);
    expect([state, await isTold()]).toEqual([state, letterCause({ state, refuses: "" }, "paper") === ""]);
  }
  // Somebody else with the same address may still be written to.
  await runSql(
    "INSERT INTO alumni (id, name, email, created_date, modified_date) VALUES ('two', '가족', ?, 1, 1)",
    email,
  );
  expect(await isTold()).toBe(true);
});

test("a mailing to members leaves out refusals in the entry", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await runSql("UPDATE user_key SET verified_date = 1 WHERE user_id = ?", member.user.id);
  await runSql(
    "INSERT INTO alumni (id, name, email, created_date, modified_date) SELECT 'one', '홍길동', user_key_code, 1, 1 FROM user_key WHERE user_id = ? AND user_key_type = 'Email'",
    member.user.id,
  );
  const target = { ids: [member.user.id] };
  const id = await createTestMailing(admin, { source: "member", target });
  for (const { state, refuses } of KINDS) {
    await runSql("UPDATE alumni SET state = ?, refuses = ?", state, refuses);
    const { data } = await mailingCall(admin, id, "preview");
    const cause = letterCause({ state, refuses }, "email");
    expect([state, refuses, data.count, data.leftOut]).toEqual([
      state,
      refuses,
      cause === "" ? 1 : 0,
      cause === "" ? [] : [{ cause, count: 1 }],
    ]);
  }
});

test("a queued mail is dropped once its person is marked", async () => {
  const admin = await withPeople();
  const id = await createTestMailing(admin, { source: "alumni", target: ALL });
  const { data } = await mailingCall(admin, id, "preview");
  await mailingCall(admin, id, "send", { version: 2, count: data.count, reason: "총회" });
  await runSql("UPDATE alumni SET state = '작고'");
  await runScheduledJobs(env);
  expect(await readRow("SELECT count(*) AS n FROM message WHERE once_key LIKE 'mailing:%'")).toEqual({ n: 0 });
  expect(
    await readRows(
      "SELECT DISTINCT cause FROM mailing_recipient WHERE mailing_id = ? AND person_id = ?",
      id,
      PEOPLE[0]?.id,
    ),
  ).toEqual([{ cause: "deceased" }]);
});

test.each(MEANS)("the rule in SQL equals the function for %s", async (means) => {
  await withPeople();
  const rows = await readRows<{ id: string; cause: string }>(
    `SELECT id, ${letterCauseSql("alumni", means)} AS cause FROM alumni ORDER BY id`,
  );
  expect(rows).toEqual(PEOPLE.map((person) => ({ id: person.id, cause: letterCause(person, means) })));
});

test("the counts of people left out read as one sentence", () => {
  const left = [
    { cause: "deceased", count: 60 },
    { cause: "refused", count: 3 },
  ] as const;
  expect(leftOutText(left)).toBe("작고 60명, 수신 거부 3명은 제외했습니다.");
  expect(leftOutText([])).toBe("");
});

const change = (session: TestSession | null, body: object) => callAs(session, "POST", "/api/alumni/bulk", body);

test("a field of 187 people can be changed in one act", async () => {
  const admin = await createAdministratorSession();
  await env.DB.prepare(
    `INSERT INTO alumni (id, name, cohort, affiliation, email, state, open_fields, search_open, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 190)
     SELECT printf('b2000000-0000-4000-8000-%012d', i), '동문' || i, 12, '한빛병원', 'p' || i || '@pid.example.kr',
       iif(i > 187, '작고', '활동'), '["email"]', 'p' || i, 1, 1 FROM n`,
  ).run();
  const before = await readRows("SELECT * FROM alumni ORDER BY id");
  const body = { segment: ALL, set: { state: "작고", stateDate: "2026-03-02" } };
  const { data: plan } = await change(admin, body);
  expect(plan).toMatchObject({ count: 190, unchanged: 0, importId: null });
  const { data: narrow } = await change(admin, { segment: ALL, set: { state: "작고" } });
  expect(narrow).toMatchObject({ count: 187, unchanged: 3, importId: null });
  expect((await change(admin, { ...body, count: 189 })).code).toBe("CONFLICT");
  expect(await readRows("SELECT * FROM alumni ORDER BY id")).toEqual(before);
  const { data } = await change(admin, { segment: ALL, set: { state: "작고" }, count: 187 });
  expect(
    await readRow("SELECT count(*) AS n, count(DISTINCT state_date) AS days FROM alumni WHERE state = '작고'"),
  ).toEqual({
    n: 190,
    days: 2,
  });
  // The open address is no longer found by members.
  expect(await readRow("SELECT search_open AS text FROM alumni WHERE id LIKE '%0001'")).toEqual({
    text: "동문1\n한빛병원",
  });
  expect((await change(admin, { segment: ALL, set: { state: "작고" }, count: 187 })).code).toBe("CONFLICT");
  const log = await readRow<{ action: string; detail: string }>(
    "SELECT action, detail FROM audit_log WHERE target_id = ? ",
    data.importId,
  );
  expect([log?.action, JSON.parse(log?.detail ?? "{}")]).toEqual([
    "alumni.update",
    { fields: ["state"], updated: 187 },
  ]);
  const undone = await callAs(admin, "POST", `/api/alumni/import/${data.importId}/undo`, {});
  expect(undone.data).toMatchObject({ restored: 187, removed: 0, left: 0, kept: [] });
  const bare = (rows: Record<string, unknown>[]) => rows.map(({ version: _v, modified_date: _m, ...row }) => row);
  expect(bare(await readRows("SELECT * FROM alumni ORDER BY id"))).toEqual(bare(before));
});

test("only an editor changes fields of many people", async () => {
  const admin = await withPeople();
  const body = { segment: ALL, set: { state: "작고" } };
  const { data } = await change(admin, body);
  const importer = await createSessionWith(["Alumni_Read", "Alumni_Import", "ADMIN_Access"]);
  const refused = [null, await createMemberSession(), await createSessionWith(["ADMIN_Access"]), importer];
  const codes = [];
  for (const session of refused) codes.push((await change(session, { ...body, count: data.count })).code);
  expect(codes).toEqual(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  for (const set of [{ state: "이사" }, { refuses: "전보" }, { stateDate: "어제" }, {}])
    expect([set, (await change(admin, { segment: ALL, set })).code]).toEqual([set, "INVALID_INPUT"]);
  expect((await change(admin, { segment: ALL, set: { name: "가", email: "a@pid.example.kr" } })).code).toBe(
    "INVALID_INPUT",
  );
  const editor = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  const done = await change(editor, { ...body, count: data.count });
  expect(done.code).toBe("SUCCESS");
  const undo = (session: TestSession | null) =>
    callAs(session, "POST", `/api/alumni/import/${done.data.importId}/undo`, {});
  const undoCodes = [];
  for (const session of refused) undoCodes.push((await undo(session)).code);
  expect(undoCodes).toEqual(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  expect(await undo(editor)).toMatchObject({ code: "SUCCESS", data: { restored: data.count } });
});

test("an account whose entry is gone issues itself no certificate", async () => {
  const member = await createMemberSession();
  const { id, email } = member.user;
  await runSql("UPDATE user_key SET verified_date = 1 WHERE user_id = ?", id);
  await runSql(
    "INSERT INTO alumni (id, name, email, state, created_date, modified_date) VALUES ('one', '홍길동', ?, '탈퇴', 1, 1)",
    email,
  );
  const issue = () => callAs(member, "PUT", "/api/certificate", { purpose: "제출" });
  expect((await issue()).code).toBe("CONFLICT");
  await runSql("UPDATE alumni SET state = '연락 두절'");
  expect((await issue()).code).toBe("SUCCESS");
});

test("a caller without Alumni_Write gets no cause of an omission", async () => {
  await withPeople();
  const exporter = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
  const { data } = await callAs(exporter, "POST", "/api/alumni/print-count", { segment: ALL });
  const sum = (means: LetterMeans) => PEOPLE.length - idsFor(means).length;
  expect(data.excluded).toEqual({
    paper: [{ cause: "", count: sum("paper") }],
    post: [{ cause: "", count: sum("post") }],
  });
});
