import { expect, test } from "vitest";
import { getDashboard } from "#worker/domain/operation/dashboard.server.ts";
import { callAs } from "../../support/api-client.ts";
import { sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { countRows, readRow, readRows, runSql } from "../../support/test-database.ts";
import { createEntry, createRepresentative, propose, versionOf, waitingCorrections } from "./cohorts.ts";

async function proposeCorrection() {
  const admin = await createAdministratorSession();
  const id = await createEntry(admin, {
    name: "김동문",
    cohort: 3,
    email: "old@pid.example.kr",
    mobile: "010-0000-1111",
    affiliation: "한빛병원",
  });
  const representative = await createRepresentative(admin, 3);
  const sent = await propose(representative, id, {
    email: "NEW@pid.example.kr",
    mobile: "010-0000-1111",
    affiliation: "가람의원",
  });
  expect(sent.code).toBe("SUCCESS");
  const [waiting] = await waitingCorrections(admin);
  return { admin, representative, id, waiting };
}

test("a proposed correction waits for the office", async () => {
  const { admin, representative, id, waiting } = await proposeCorrection();
  expect(await readRow("SELECT email, affiliation FROM alumni WHERE id = ?", id)).toEqual({
    email: "old@pid.example.kr",
    affiliation: "한빛병원",
  });
  expect((await propose(representative, id, { position: "교수" })).code).toBe("CONFLICT");
  const clerk = await createSessionWith(["ADMIN_Access"]);
  const told = async (session: TestSession) => (await getDashboard(scopeFor(session))).waitingCorrections;
  expect([await told(admin), await told(clerk)]).toEqual([1, 0]);
  expect(waiting).toMatchObject({
    personName: "김동문",
    userName: "이대표",
    note: "본인과 통화",
    accountName: "",
    version: 1,
  });
  expect(waiting.changes).toEqual([
    { field: "affiliation", before: "한빛병원", after: "가람의원" },
    { field: "mobile", before: "010-0000-1111", after: "010-0000-1111" },
    { field: "email", before: "old@pid.example.kr", after: "new@pid.example.kr" },
  ]);
});

test("an accepted correction is written", async () => {
  const { admin, representative, id, waiting } = await proposeCorrection();
  const accept = () => callAs(admin, "POST", `/api/admin/correction/${waiting.id}/accept`, { version: 1 });
  const answers = await Promise.all([accept(), accept()]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect(await readRow("SELECT email, affiliation, version FROM alumni WHERE id = ?", id)).toEqual({
    email: "new@pid.example.kr",
    affiliation: "가람의원",
    version: 2,
  });
  for (const address of ["old@pid.example.kr", "new@pid.example.kr"]) {
    const messages = await sentMessages(address);
    expect([address, messages.length]).toEqual([address, 1]);
    expect(messages[0]?.body).toContain("고친 항목: 소속, 이메일");
    expect(messages[0]?.body).not.toContain("가람의원");
  }
  expect(await readRow('SELECT state, fields, "values", note FROM alumni_correction')).toEqual({
    state: "accepted",
    fields: '["affiliation","mobile","email"]',
    values: "{}",
    note: "",
  });
  const log = await readRows<{ action: string; target_id: string; detail: string }>(
    "SELECT action, target_id, detail FROM audit_log WHERE action IN ('alumni.propose', 'alumni.update') ORDER BY id",
  );
  expect(log.map(({ action, target_id: target, detail }) => [action, target, JSON.parse(detail)])).toEqual([
    ["alumni.propose", id, { proposal: waiting.id, fields: ["affiliation", "mobile", "email"] }],
    [
      "alumni.update",
      id,
      { fields: ["affiliation", "email"], proposal: waiting.id, proposedBy: representative.user.id },
    ],
  ]);
});

async function createThreeEntries() {
  const admin = await createAdministratorSession();
  const representative = await createRepresentative(admin, 3);
  const [first, second, third] = await Promise.all(
    ["김하나", "이두리", "박세온"].map((name) => createEntry(admin, { name, cohort: 3 })),
  );
  const own = async () =>
    Object.fromEntries(
      (await callAs(representative, "GET", "/api/cohort")).data.content.map(
        (each: { name: string; correction: { state: string; answer: string } | null }) => [
          each.name,
          each.correction && [each.correction.state, each.correction.answer],
        ],
      ),
    );
  const idOf = async (personId = "", fields: object = { mobile: "010-1111-2222" }) =>
    (await propose(representative, personId, { ...fields })).data.id as string;
  const act = (id: string, what: string, body: object = {}) =>
    callAs(admin, "POST", `/api/admin/correction/${id}/${what}`, body);
  return { admin, representative, first, second, third, own, idOf, act };
}

test("a correction is refused once with a reason", { tags: "full" }, async () => {
  const { first, idOf, act } = await createThreeEntries();
  const refused = await idOf(first);
  expect((await act(refused, "refuse", { reason: " " })).code).toBe("INVALID_INPUT");
  expect((await act(refused, "refuse", { reason: "본인이 아니라고 함" })).code).toBe("SUCCESS");
  expect([
    (await act(refused, "accept", { version: 1 })).code,
    (await act(refused, "refuse", { reason: "x" })).code,
  ]).toEqual(["CONFLICT", "CONFLICT"]);
});

test("a correction can be withdrawn by its representative alone", { tags: "full" }, async () => {
  const { admin, representative, second, idOf, act } = await createThreeEntries();
  const taken = await idOf(second);
  const stranger = await createMemberSession();
  const withdraw = async (session: Parameters<typeof callAs>[0], id: string) =>
    (await callAs(session, "DELETE", `/api/cohort/correction/${id}`)).code;
  expect([await withdraw(null, taken), await withdraw(stranger, taken), await withdraw(admin, taken)]).toEqual([
    "UNAUTHORIZED",
    "NOT_FOUND",
    "NOT_FOUND",
  ]);
  expect([await withdraw(representative, taken), await withdraw(representative, taken)]).toEqual([
    "SUCCESS",
    "CONFLICT",
  ]);
  expect((await act(taken, "accept", { version: 1 })).code).toBe("CONFLICT");
});

test("a representative sees the state of each correction", { tags: "full" }, async () => {
  const { admin, representative, first, second, third, own, idOf, act } = await createThreeEntries();
  await act(await idOf(first), "refuse", { reason: "본인이 아니라고 함" });
  await callAs(representative, "DELETE", `/api/cohort/correction/${await idOf(second)}`);
  const overtaken = await idOf(third);
  await callAs(admin, "PATCH", `/api/alumni/${third}`, { position: "원장", version: 1 });
  expect((await act(overtaken, "accept", { version: 1 })).code).toBe("CONFLICT");
  expect(await own()).toEqual({
    김하나: ["refused", "본인이 아니라고 함"],
    이두리: ["withdrawn", ""],
    박세온: ["waiting", ""],
  });
  await callAs(admin, "DELETE", `/api/alumni/${third}`);
  const [gone] = await waitingCorrections(admin);
  expect([gone.personName, gone.changes]).toEqual(["", []]);
  expect((await act(overtaken, "accept", { version: await versionOf(third ?? "") })).code).toBe("CONFLICT");
  expect((await act(overtaken, "refuse", { reason: "주소록에 없음" })).code).toBe("SUCCESS");
  expect(await countRows("alumni WHERE mobile <> ''")).toBe(0);
  expect((await callAs(admin, "GET", "/api/admin/correction?state=decided")).data.totalElements).toBe(3);
});

test("a correction reveals no closed field", async () => {
  const admin = await createAdministratorSession();
  const representative = await createRepresentative(admin, 3);
  const closed = await createEntry(admin, { name: "김동문", cohort: 3, mobile: "010-0000-1111" });
  const other = await createEntry(admin, { name: "이동문", cohort: 3, mobile: "010-0000-2222" });
  const guessed = await propose(representative, closed, { mobile: "010-0000-1111" });
  const wrong = await propose(representative, other, { mobile: "010-0000-1111" });
  expect([guessed.code, Object.keys(guessed.data)]).toEqual([wrong.code, Object.keys(wrong.data)]);
  await runSql("UPDATE alumni_correction SET state = 'withdrawn'");
  const fields = async (sent: object) => (await propose(representative, closed, { ...sent })).fields;
  expect(Object.keys(await fields({ email: representative.user.email.toUpperCase() }))).toEqual(["email"]);
  expect(Object.keys(await fields({}))).toEqual(["affiliation"]);
  expect(Object.keys(await fields({ affiliation: "900101-1234567" }))).toEqual(["affiliation"]);
  expect(Object.keys(await fields({ affiliation: "가람", note: " " }))).toEqual(["note"]);
  const sneaky = {
    address: "<b>서울</b>",
    name: "이름",
    cohort: 4,
    memo: "메모",
    openFields: ["mobile"],
    own: { own1: "x" },
  };
  expect((await propose(representative, closed, sneaky)).code).toBe("SUCCESS");
  const [waiting] = await waitingCorrections(admin);
  expect(waiting.fields).toEqual(["address"]);
  const before = await callAs(admin, "GET", "/api/admin/setting/alumni");
  const value = { ...before.data.value, off: ["address"], version: before.data.version };
  expect((await callAs(admin, "PATCH", "/api/admin/setting/alumni", value)).code).toBe("SUCCESS");
  await callAs(admin, "POST", `/api/admin/correction/${waiting.id}/accept`, { version: 1 });
  expect(await readRow("SELECT name, cohort, address, memo FROM alumni WHERE id = ?", closed)).toEqual({
    name: "김동문",
    cohort: 3,
    address: "",
    memo: "",
  });
});

test("the office is warned when a proposed address belongs to an account", async () => {
  const admin = await createAdministratorSession();
  const representative = await createRepresentative(admin, 3);
  const id = await createEntry(admin, { name: "김동문", cohort: 3, email: "quiet@pid.example.kr" });
  await runSql("INSERT INTO mail_address (address, refused_date) VALUES ('quiet@pid.example.kr', 1)");
  const member = await createMemberSession();
  await propose(representative, id, { email: member.user.email });
  const [waiting] = await waitingCorrections(admin);
  expect(waiting.accountName).toBe("홍길동");
  await callAs(admin, "POST", `/api/admin/correction/${waiting.id}/accept`, { version: 1 });
  expect((await sentMessages("quiet@pid.example.kr")).length).toBe(0);
  expect((await sentMessages(member.user.email)).length).toBe(1);
});
