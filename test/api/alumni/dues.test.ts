import { afterEach, expect, test } from "vitest";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { dueKindRow } from "#worker/contract/alumni/rows.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { addDuePerson, chargeAll, expectDuesCounted, makeDueKind, payDue } from "./dues.ts";
import { isFull } from "../../support/sample.ts";

afterEach(expectDuesCounted);

const KINDS = "/api/admin/due-kind";
const DUES = "/api/admin/due";

const listOf = async (admin: TestSession, query = "") => (await callAs(admin, "GET", `${DUES}?${query}`)).data;

/** Guest, member, administrator without the right, right without the console. */
const strangers = async () =>
  [
    [null, "UNAUTHORIZED"],
    [await createMemberSession(), "FORBIDDEN"],
    [await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"]), "FORBIDDEN"],
    [await createSessionWith(["Dues_Manage", "Alumni_Write"]), "FORBIDDEN"],
  ] as const;

test("every call on dues needs ADMIN_Access with Dues_Manage", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const person = await addDuePerson(admin);
  const { workId } = await chargeAll(admin, kindId, [person]);
  const id = await readValue<string>("SELECT id FROM due");
  const before = await readRows("SELECT * FROM due, due_kind, due_work");
  for (const [who, code] of await strangers()) {
    const answers = [
      await callAs(who, "GET", KINDS),
      await callAs(who, "PUT", KINDS, dueKindRow.example),
      await callAs(who, "PATCH", `${KINDS}/${kindId}`, { name: "다른", version: 1 }),
      await callAs(who, "DELETE", `${KINDS}/${kindId}?version=1`),
      await callAs(who, "POST", `${KINDS}/order`, { codes: [kindId] }),
      await callAs(who, "GET", DUES),
      await callAs(who, "POST", `${DUES}/charge`, { segment: { ids: [person] }, kindId, period: "2027", count: 1 }),
      await callAs(who, "GET", `${DUES}/figures`),
      await callAs(who, "GET", `${DUES}/paid-by`),
      await callAs(who, "POST", `${DUES}/export`, { period: "2026", reason: "총회" }),
      await callAs(who, "POST", `${DUES}/work/${workId}/undo`, {}),
      await callAs(who, "PATCH", `${DUES}/${id}`, { amount: 1, isExempt: false, version: 1 }),
      await callAs(who, "DELETE", `${DUES}/${id}?version=1`),
    ].map((answer) => answer.code);
    expect([code, ...new Set(answers)]).toEqual([code, code]);
  }
  expect(await readRows("SELECT * FROM due, due_kind, due_work")).toEqual(before);
});

test("a kind of dues takes only readable grades", async () => {
  const admin = await createAdministratorSession();
  await callAs(admin, "PUT", "/api/admin/setting/alumni/field", { name: "회원 등급", kind: "text", access: "office" });
  await callAs(admin, "PUT", "/api/admin/setting/alumni/field", { name: "입회일", kind: "date", access: "office" });
  const fieldsOf = async (more: object) => (await callAs(admin, "PUT", KINDS, { name: "연회비", ...more })).fields;
  const grades = ["정회원 50,000원", "평생회원 0"];
  expect(await fieldsOf({ gradeField: "회원 등급", grades })).toEqual({});
  expect(await fieldsOf({ gradeField: "회원등급", grades })).toEqual({});
  expect(await fieldsOf({ gradeField: "직위", grades })).toEqual({});
  expect(await fieldsOf({ gradeField: "입회일", grades })).toHaveProperty("gradeField");
  expect(await fieldsOf({ gradeField: "없는 항목", grades })).toHaveProperty("gradeField");
  expect(await fieldsOf({ grades })).toHaveProperty("gradeField");
  expect(await fieldsOf({ gradeField: "직위" })).toHaveProperty("grades");
  expect(await fieldsOf({ gradeField: "직위", grades: ["정회원"] })).toEqual({
    grades: expect.stringContaining("정회원"),
  });
  expect(await fieldsOf({ gradeField: "직위", grades: ["정회원 1", "정 회원 2"] })).toHaveProperty("grades");
  expect(await fieldsOf({ amount: -1 })).toHaveProperty("amount");
  expect(await fieldsOf({ amount: 1.5 })).toHaveProperty("amount");
});

test("a kind with dues is closed instead of deleted", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const person = await addDuePerson(admin);
  await chargeAll(admin, kindId, [person]);
  expect((await callAs(admin, "DELETE", `${KINDS}/${kindId}?version=1`)).code).toBe("CONFLICT");
  const closed = { name: "연회비", amount: 30_000, isClosed: true, version: 1 };
  expect((await callAs(admin, "PATCH", `${KINDS}/${kindId}`, closed)).code).toBe("SUCCESS");
  const asked = { segment: { ids: [person] }, kindId, period: "2027" };
  expect((await callAs(admin, "POST", `${DUES}/charge`, asked)).code).toBe("CONFLICT");
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, kindId: "nothing" })).code).toBe("NOT_FOUND");
  const unused = await makeDueKind(admin);
  expect((await callAs(admin, "DELETE", `${KINDS}/${unused}?version=1`)).code).toBe("SUCCESS");
});

async function makeGraded(admin: TestSession) {
  const field = { name: "회원 등급", kind: "choice", choices: ["정회원", "준회원", "평생회원"], access: "office" };
  const { code } = (await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field)).data;
  const grades = ["정회원 50000", "평생회원 0"];
  const kindId = await makeDueKind(admin, { amount: 0, gradeField: "회원 등급", grades });
  const person = (name: string, grade: string, more: object = {}) =>
    addDuePerson(admin, { name, own: grade ? { [code]: grade } : {}, ...more });
  const ids = [
    await person("강정회", "정회원"),
    await person("나준회", "준회원"),
    await person("다평생", "평생회원"),
    await person("라작고", "정회원", { state: "작고" }),
    await person("마탈퇴", "정회원", { state: "탈퇴" }),
    await person("바빈칸", ""),
    await person("사휴면", "정회원", { state: "휴면" }),
  ];
  return { kindId, ids };
}

test("a preview of a charge changes nothing", async () => {
  const admin = await createAdministratorSession();
  const { kindId, ids } = await makeGraded(admin);
  const asked = { segment: { ids }, kindId, period: "2026" };
  const { data } = await callAs(admin, "POST", `${DUES}/charge`, asked);
  expect(data).toMatchObject({ count: 2, total: 100_000, names: ["강정회", "사휴면"], workId: null });
  expect(data.leftOut).toEqual([
    { cause: "금액을 정하지 않은 등급", count: 2, names: ["나준회 ‘준회원’", "바빈칸"] },
    { cause: "면제 등급", count: 1, names: ["다평생"] },
    { cause: "작고", count: 1, names: ["라작고"] },
    { cause: "탈퇴", count: 1, names: ["마탈퇴"] },
  ]);
  expect(await countRows("due")).toBe(0);
  await callAs(admin, "PATCH", `${KINDS}/${kindId}`, {
    name: "연회비",
    amount: 30_000,
    gradeField: "회원 등급",
    grades: ["정회원 50000", "평생회원 0"],
    version: 1,
  });
  const { data: based } = await callAs(admin, "POST", `${DUES}/charge`, asked);
  expect([based.count, based.total]).toEqual([3, 130_000]);
  await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 3, dueDay: "2026-12-31" });
  const { data: again } = await callAs(admin, "POST", `${DUES}/charge`, asked);
  expect(again).toMatchObject({ count: 0, total: 0 });
  expect(again.leftOut).toContainEqual({
    cause: "이미 청구함",
    count: 3,
    names: ["강정회", "바빈칸", "사휴면"],
  });
  expect(await readRows("SELECT amount, paid, due_day FROM due ORDER BY amount")).toEqual([
    { amount: 30_000, paid: 0, due_day: "2026-12-31" },
    { amount: 50_000, paid: 0, due_day: "2026-12-31" },
    { amount: 50_000, paid: 0, due_day: "2026-12-31" },
  ]);
});

test("a charge that differs from its preview is refused", async () => {
  const admin = await createAdministratorSession();
  const { kindId, ids } = await makeGraded(admin);
  const asked = { segment: { ids }, kindId, period: "2026" };
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 3 })).code).toBe("CONFLICT");
  for (const period of ["26", "2026-", "2026 상반기", "3026"])
    expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, period })).fields).toHaveProperty("period");
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, dueDay: "어제" })).fields).toHaveProperty("dueDay");
  await runSql("UPDATE alumni_field SET is_closed = 1");
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 2 })).code).toBe("CONFLICT");
  expect(await countRows("due")).toBe(0);
});

test("two charges at once charge each person once", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const ids = [await addDuePerson(admin), await addDuePerson(admin, { name: "이바다" })];
  const body = { segment: { ids }, kindId, period: "2026", count: 2 };
  const codes = await Promise.all(
    [0, 1, 2].map(async () => (await callAs(admin, "POST", `${DUES}/charge`, body)).code),
  );
  expect(codes.toSorted()).toEqual(["CONFLICT", "CONFLICT", "SUCCESS"]);
  expect([await countRows("due"), await countRows("due_work")]).toEqual([2, 1]);
  for (const period of ["2026-1", "2026-상반기"])
    expect((await callAs(admin, "POST", `${DUES}/charge`, { ...body, period })).code).toBe("SUCCESS");
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...body, kindId: await makeDueKind(admin) })).code).toBe(
    "SUCCESS",
  );
  expect(await countRows("due")).toBe(8);
});

test.each([
  ["its kind changes", "UPDATE due_kind SET amount = 1, version = version + 1"],
  ["a person leaves the book", "UPDATE alumni SET deleted_date = 1"],
])("a run charges nobody if %s right before it writes", async (_case, change) => {
  const admin = await createAdministratorSession();
  const body = {
    segment: { ids: [await addDuePerson(admin)] },
    kindId: await makeDueKind(admin),
    period: "2026",
    count: 1,
  };
  const { DB, broke } = faultyDatabase({ sql: /insert into "due_work"/, when: () => runSql(change), times: 1 });
  const answer = await callApiWith({ DB }, "POST", `${DUES}/charge`, { token: admin.accessToken, body });
  expect([answer.code, broke(), await countRows("due"), await countRows("due_work")]).toEqual(["CONFLICT", 1, 0, 0]);
});

test("the undo of a whole charge leaves paid or changed dues", { tags: "sampled" }, async () => {
  const count = isFull ? 4500 : 300;
  const admin = await createAdministratorSession();
  await runSql(
    `INSERT INTO alumni (id, name, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     SELECT 'p' || i, '김동문' || i, 1, 1 FROM n`,
  );
  const kindId = await makeDueKind(admin);
  const body = { segment: { filter: {} }, kindId, period: "2026", count };
  const { data } = await callAs(admin, "POST", `${DUES}/charge`, body);
  expect([data.count, data.total]).toEqual([count, count * 30_000]);
  expect(await readRow("SELECT kind, name, added FROM due_work")).toEqual({
    kind: "charge",
    name: "2026 연회비",
    added: count,
  });
  await payDue("p1", 30_000);
  const changed = await readValue<string>("SELECT id FROM due WHERE alumni_id = 'p2'");
  await callAs(admin, "PATCH", `${DUES}/${changed}`, { amount: 10_000, isExempt: false, version: 1 });
  const undo = () => callAs(admin, "POST", `${DUES}/work/${data.workId}/undo`, {});
  const paid = { kind: "person", id: "p1", name: "김동문1", reason: "회비를 냈습니다." };
  const kept = [paid, { kind: "person", id: "p2", name: "김동문2", reason: "그 뒤에 달라졌습니다." }];
  expect((await undo()).data).toEqual({ restored: 0, removed: count - 2, kept });
  expect(await readRows("SELECT alumni_id FROM due ORDER BY 1")).toEqual([{ alumni_id: "p1" }, { alumni_id: "p2" }]);
  expect((await listOf(admin)).works).toMatchObject([{ undoable: true, undoneDate: null }]);
  await callAs(admin, "PATCH", `${DUES}/${changed}`, { amount: 30_000, isExempt: false, version: 2 });
  expect((await undo()).data).toEqual({ restored: 0, removed: 1, kept: [paid] });
  await runSql("DELETE FROM due_allocation");
  await runSql("UPDATE due SET paid = 0");
  await runSql("UPDATE deposit SET allocated = 0");
  expect((await undo()).data).toEqual({ restored: 0, removed: 1, kept: [] });
  expect((await undo()).code).toBe("CONFLICT");
  expect((await listOf(admin)).works).toMatchObject([{ undoable: false, undoneDate: expect.any(String) }]);
});

test("the list of dues sums the dues that it finds", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [a, b, c, d] = [
    await addDuePerson(admin, { name: "강하나", cohort: 3 }),
    await addDuePerson(admin, { name: "나두리" }),
    await addDuePerson(admin, { name: "다세나" }),
    await addDuePerson(admin, { name: "라네나" }),
  ];
  await chargeAll(admin, kindId, [a, b, c, d], "2025");
  await chargeAll(admin, kindId, [a, b, c, d], "2026");
  await payDue(a, 30_000);
  await payDue(b, 10_000);
  const exempt = await readRow<{ id: string; version: number }>(
    "SELECT id, version FROM due WHERE alumni_id = ? AND period = '2026'",
    c,
  );
  await callAs(admin, "PATCH", `${DUES}/${exempt?.id}`, { amount: 30_000, isExempt: true, reason: "명예", version: 1 });
  const list = await listOf(admin);
  expect(list.content.map(({ name, state, digits }: Record<string, string>) => [name, state, digits])).toEqual([
    ["강하나", "paid", payDigits(a)],
    ["나두리", "partial", payDigits(b)],
    ["다세나", "exempt", payDigits(c)],
    ["라네나", "unpaid", payDigits(d)],
  ]);
  expect(list).toMatchObject({
    totalElements: 4,
    sums: { count: 4, owed: 90_000, paid: 40_000, open: 50_000, exempt: 1 },
    kinds: [{ id: kindId, name: "연회비", isClosed: false }],
  });
  const names = async (query: string) => (await listOf(admin, query)).content.map((row: { name: string }) => row.name);
  expect(await names("state=unpaid")).toEqual(["라네나"]);
  expect(await names("state=exempt")).toEqual(["다세나"]);
  expect(await names(`period=2025&state=unpaid&kindId=${kindId}`)).toEqual(["강하나", "나두리", "다세나", "라네나"]);
  expect(await names("kindId=nothing")).toEqual([]);
  expect((await listOf(admin, "keyword=강 하나")).content).toMatchObject([{ period: "2026" }, { period: "2025" }]);
  expect((await listOf(admin, "keyword=ㄱㅎㄴ")).content).toHaveLength(2);
  expect((await callAs(admin, "GET", `${DUES}?state=gone`)).fields).toHaveProperty("state");
});

async function openPartlyPaidDue() {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const person = await addDuePerson(admin);
  await chargeAll(admin, kindId, [person]);
  await payDue(person, 10_000);
  const id = await readValue<string>("SELECT id FROM due");
  const patch = (body: object) =>
    callAs(admin, "PATCH", `${DUES}/${id}`, { amount: 30_000, isExempt: false, version: 1, ...body });
  return { admin, id, patch };
}

test("a due is never below the payment", async () => {
  const { admin, id, patch } = await openPartlyPaidDue();
  expect((await patch({ isExempt: true })).fields).toHaveProperty("reason");
  expect((await patch({ amount: 9999 })).fields).toHaveProperty("amount");
  expect((await patch({ amount: 0 })).fields).toHaveProperty("amount");
  expect((await patch({ dueDay: "내일" })).fields).toHaveProperty("dueDay");
  expect((await patch({ amount: 20_000, dueDay: "2026-12-31", reason: "까닭" })).data).toEqual({ version: 2 });
  expect((await patch({ amount: 25_000 })).code).toBe("CONFLICT");
  expect((await callAs(admin, "DELETE", `${DUES}/${id}?version=2`)).code).toBe("CONFLICT");
});

test("an exemption takes the payment off its due", async () => {
  const { admin, id, patch } = await openPartlyPaidDue();
  await patch({ amount: 20_000, dueDay: "2026-12-31", reason: "까닭" });
  const exemption = { isExempt: true, reason: "재난 지역", version: 2, paid: 10_000 };
  expect((await patch(exemption)).data).toEqual({ version: 3 });
  expect(await readRow("SELECT amount, paid, is_exempt, reason, due_day, version FROM due")).toEqual({
    amount: 30_000,
    paid: 0,
    is_exempt: 1,
    reason: "재난 지역",
    due_day: "",
    version: 3,
  });
  expect(
    (await callAs(admin, "PATCH", `${DUES}/${crypto.randomUUID()}`, { amount: 1, isExempt: false, version: 1 })).code,
  ).toBe("NOT_FOUND");
  expect((await callAs(admin, "DELETE", `${DUES}/${id}?version=2`)).code).toBe("CONFLICT");
  expect((await callAs(admin, "DELETE", `${DUES}/${id}?version=3`)).code).toBe("SUCCESS");
  expect(await countRows("due")).toBe(0);
});

test("an audit entry on dues counts people without naming them", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin, { name: "연회비", amount: 31_234 });
  const person = await addDuePerson(admin, { name: "강별이" });
  await chargeAll(admin, kindId, [person]);
  const id = await readValue<string>("SELECT id FROM due");
  await callAs(admin, "PATCH", `${DUES}/${id}`, {
    amount: 41_234,
    isExempt: true,
    reason: "강별이의 사정",
    version: 1,
  });
  const exported = { token: admin.accessToken, body: { period: "2026", reason: "감사" } };
  expect((await fetchApi("POST", `${DUES}/export`, exported)).status).toBe(200);
  const rows = await readRows<{ action: string; detail: string; subject_count: number }>(
    "SELECT action, detail, subject_count FROM audit_log WHERE action LIKE 'due.%' AND action <> 'due.list' ORDER BY id",
  );
  expect(rows.map(({ action, subject_count }) => [action, subject_count])).toEqual([
    ["due.charge", 1],
    ["due.change", 1],
    ["due.export", 1],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/31.?234|41.?234|강별이/);
  const searched = await callAs(admin, "GET", `/api/admin/audit?keyword=&targetId=${id}`);
  expect(searched.code).toBe("SUCCESS");
});
