import { afterEach, beforeEach, expect, test } from "vitest";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { addDuePerson, chargeAll, expectDuesCounted, makeDueKind } from "./dues.ts";

afterEach(expectDuesCounted);

const DEPOSIT = "/api/admin/due/deposit";
let admin: TestSession;
beforeEach(async () => {
  admin = await createAdministratorSession();
});

const post = async (path: string, body: object = {}) => {
  const { code, data, message } = await callAs(admin, "POST", path, body);
  expect([code, message]).toEqual(["SUCCESS", ""]);
  return data;
};

const pay = async (alumniId: string, amount: number) =>
  (await callAs(admin, "PUT", DEPOSIT, { alumniId, amount, day: "2026-01-05" })).code;

const dues = () =>
  readRows("SELECT alumni_id, period, amount, paid, is_exempt, reason, due_day FROM due ORDER BY alumni_id, period");
const money = () => readRows("SELECT deposit_id, due_id, amount FROM due_allocation ORDER BY id");
const deposits = () => readRows("SELECT payer, amount, allocated, is_closed, note FROM deposit ORDER BY payer, amount");
const book = () =>
  readRows("SELECT name, affiliation, position, memo, own, search_all, modified_date FROM alumni ORDER BY name");

const versionOf = async (id: string) => (await readValue<number>("SELECT version FROM alumni WHERE id = ?", id)) ?? 0;

async function merge(keepId: string, lost: string) {
  const people = await Promise.all([keepId, lost].map(async (id) => ({ id, version: await versionOf(id) })));
  return (await post("/api/alumni/merge", { keepId, people, source: {} })).mergeId as string;
}

async function twoWhoOwe(owed = 50_000) {
  const kindId = await makeDueKind(admin, { amount: owed });
  const [a, b] = [await addDuePerson(admin), await addDuePerson(admin)];
  await chargeAll(admin, kindId, [a, b]);
  return { a, b };
}

const PAID = [
  ["nothing", [0, 0], 0],
  ["a payment of the absorbed person", [0, 50_000], 50_000],
  ["two halves", [20_000, 30_000], 50_000],
  ["more than is owed", [50_000, 30_000], 50_000],
] as const;

test.each(PAID)("the undo of a merge parts the payments: %s", async (_, paid, joined) => {
  const { a, b } = await twoWhoOwe();
  for (const [id, amount] of [
    [a, paid[0]],
    [b, paid[1]],
  ] as const)
    if (amount > 0) expect(await pay(id, amount)).toBe("SUCCESS");
  const before = [await dues(), await money(), await deposits(), await book()];
  const mergeId = await merge(a, b);
  expect(await dues()).toMatchObject([{ alumni_id: a, amount: 50_000, paid: joined }]);
  expect(await readValue("SELECT coalesce(sum(allocated), 0) FROM deposit")).toBe(joined);
  expect(await post(`/api/alumni/merge/${mergeId}/undo`)).toMatchObject({ restored: 2, kept: [] });
  expect([await dues(), await money(), await deposits(), await book()]).toEqual(before);
});

test("an exemption wins at a merge", async () => {
  const { a, b } = await twoWhoOwe();
  await pay(a, 20_000);
  const due = await readValue<string>("SELECT id FROM due WHERE alumni_id = ?", b);
  const before = [await dues(), await money()];
  await callAs(admin, "PATCH", `/api/admin/due/${due}`, { version: 1, isExempt: true, reason: "원로", amount: 50_000 });
  const exempt = await readValue("SELECT is_exempt FROM due WHERE alumni_id = ?", b);
  expect(exempt).toBe(1);
  const mergeId = await merge(a, b);
  expect(await dues()).toMatchObject([{ alumni_id: a, is_exempt: 1, paid: 0, reason: "원로" }]);
  expect(await readValue("SELECT allocated FROM deposit")).toBe(0);
  await post(`/api/alumni/merge/${mergeId}/undo`);
  expect((await money()).length).toBe(before[1]?.length);
  expect(await readValue("SELECT paid FROM due WHERE alumni_id = ?", a)).toBe(20_000);
});

test("the undo of a bank file leaves deposits that were touched", async () => {
  await twoWhoOwe();
  const other = await addDuePerson(admin, { name: "이바다" });
  const row = (payer: string, minute: number, amount: number) => ({
    when: `2026-03-02T10:0${minute}:00+09:00`,
    payer,
    amount,
    balance: null,
  });
  await chargeAll(admin, (await readValue<string>("SELECT id FROM due_kind")) ?? "", [other]);
  const rows = [row("한빛병원", 0, 50_000), row("이자", 1, 7), row("이바다", 2, 50_000), row("모름", 3, 9)];
  const { fingerprint } = await post(`${DEPOSIT}/plan`, { rows, withdrawals: [] });
  const { workId } = await post(`${DEPOSIT}/commit`, { rows, withdrawals: [], fileName: "x.xlsx", fingerprint });
  const idOf = async (payer: string) =>
    (await readValue<string>("SELECT id FROM deposit WHERE payer = ?", payer)) ?? "";
  const [hospital, interest] = [await idOf("한빛병원"), await idOf("이자")];
  const person = await readValue<string>("SELECT alumni_id FROM due WHERE paid = 0 LIMIT 1");
  await post(`${DEPOSIT}/${hospital}/allocate`, { people: [person], version: 1, remember: false });
  await post(`${DEPOSIT}/${interest}/state`, { version: 1, isClosed: true, note: "예금 이자" });
  expect(await readValue("SELECT note FROM deposit WHERE id = ?", interest)).toBe("예금 이자");
  const undone = await post(`/api/admin/due/work/${workId}/undo`);
  expect(undone.removed).toBe(2);
  expect(undone.kept.map(({ name, reason }: Record<string, string>) => [name, reason]).toSorted()).toEqual([
    ["이자", "그 뒤에 달라졌습니다."],
    ["한빛병원", "손으로 회비와 맞추었습니다."],
  ]);
  expect(await deposits()).toMatchObject([
    { payer: "이자", is_closed: 1 },
    { payer: "한빛병원", allocated: 50_000 },
  ]);
  const { version } =
    (await readRows<{ version: number }>("SELECT version FROM deposit WHERE id = ?", hospital))[0] ?? {};
  await post(`${DEPOSIT}/${hospital}/release`, { version });
  expect(await post(`/api/admin/due/work/${workId}/undo`)).toMatchObject({ removed: 1, kept: [{ name: "이자" }] });
});

test("deeds undone in sequence come out at the start", async () => {
  const file = (hospital: string) =>
    `이름,소속,이메일\n${[1, 2, 3].map((at) => `사람${at},${hospital},p${at}@pid.example.kr\n`).join("")}`;
  await importAlumniFile(admin, "처음.csv", file("가병원"));
  const states = [await book()];
  const deeds: string[] = [];
  for (const hospital of ["나병원", "다병원"]) {
    deeds.push((await importAlumniFile(admin, `${hospital}.csv`, file(hospital))).data.importId);
    states.push(await book());
  }
  for (const affiliation of ["라병원", "마병원"]) {
    const ids = (await readRows<{ id: string }>("SELECT id FROM alumni")).map(({ id }) => id);
    const body = { segment: { ids }, set: { affiliation }, own: {}, count: 3 };
    deeds.push((await post("/api/alumni/bulk", body)).importId);
    states.push(await book());
  }
  for (const deed of deeds.toReversed()) {
    states.pop();
    expect(await post(`/api/alumni/import/${deed}/undo`)).toEqual({ removed: 0, restored: 3, kept: [], left: 0 });
    expect(await book()).toEqual(states.at(-1));
  }
});

test("an undo keeps an edit of another field", async () => {
  const id = await addDuePerson(admin, { affiliation: "가병원" });
  const body = { segment: { ids: [id] }, set: { affiliation: "나병원" }, own: {}, count: 1 };
  const { importId } = await post("/api/alumni/bulk", body);
  await callAs(admin, "PATCH", `/api/alumni/${id}`, { position: "원장", version: 2 });
  expect(await post(`/api/alumni/import/${importId}/undo`)).toMatchObject({ restored: 1, kept: [] });
  expect(await book()).toMatchObject([{ affiliation: "가병원", position: "원장" }]);
});

test("the undo of an earlier deed never restores an erased value", async () => {
  const file = (hospital: string) => `이름,소속,이메일\n김하늘,${hospital},a@pid.example.kr\n`;
  await importAlumniFile(admin, "처음.csv", file("가병원"));
  const { importId } = (await importAlumniFile(admin, "다음.csv", file("나병원"))).data;
  const id = await readValue<string>("SELECT id FROM alumni");
  const erasure = { segment: { ids: [id] }, set: { affiliation: "" }, own: {}, count: 1 };
  const erased = (await post("/api/alumni/bulk", erasure)).importId;
  const { restored, kept } = await post(`/api/alumni/import/${importId}/undo`);
  expect([restored, kept]).toMatchObject([0, [{ id, name: "김하늘", reason: expect.stringContaining("다시") }]]);
  expect(await book()).toMatchObject([{ affiliation: "" }]);
  expect(await post(`/api/alumni/import/${erased}/undo`)).toMatchObject({ restored: 1, kept: [] });
  expect(await book()).toMatchObject([{ affiliation: "나병원" }]);
  expect(await post(`/api/alumni/import/${importId}/undo`)).toMatchObject({ restored: 1, kept: [] });
  expect(await book()).toMatchObject([{ affiliation: "가병원" }]);
});

test("the undo of a merge never restores an erased value", async () => {
  const [a, b] = [await addDuePerson(admin), await addDuePerson(admin, { affiliation: "나병원", position: "원장" })];
  const mergeId = await merge(a, b);
  const erasure = { segment: { ids: [a] }, set: { affiliation: "" }, own: {}, count: 1 };
  const { importId } = await post("/api/alumni/bulk", erasure);
  expect(await post(`/api/alumni/merge/${mergeId}/undo`)).toMatchObject({ restored: 2, kept: [] });
  const values = () => readRows("SELECT id, affiliation, position FROM alumni WHERE id = ?", b);
  expect(await values()).toEqual([{ id: b, affiliation: "", position: "원장" }]);
  await post(`/api/alumni/import/${importId}/undo`);
  expect(await values()).toEqual([{ id: b, affiliation: "나병원", position: "원장" }]);
});

test("the plan of an erasure counts the merged rows that it empties", async () => {
  const a = await addDuePerson(admin, { affiliation: "가병원" });
  const b = await addDuePerson(admin, { affiliation: "나병원" });
  await merge(a, b);
  const plan = (affiliation: string) =>
    post("/api/alumni/bulk", { segment: { ids: [a] }, set: { affiliation }, own: {} });
  expect([await plan(""), await plan("다병원")]).toMatchObject([
    { count: 1, empties: true, absorbed: 1 },
    { count: 1, empties: false, absorbed: 0 },
  ]);
});

test("a merge keeps the stronger state", async () => {
  const a = await addDuePerson(admin, { state: "작고", stateDate: "2020-01-02", refuses: "우편" });
  const b = await addDuePerson(admin, { state: "활동", refuses: "문자" });
  await merge(b, a);
  const kept = "SELECT state, state_date, refuses FROM alumni WHERE id = ?";
  expect(await readRows(kept, b)).toEqual([{ state: "작고", state_date: "2020-01-02", refuses: "문자, 우편" }]);
});

test("the undo of an earlier code's merge restores its stored values", async () => {
  const [a, b] = [await addDuePerson(admin), await addDuePerson(admin, { affiliation: "가병원" })];
  const issue = { segment: { ids: [b] }, count: 1, reason: "시험" };
  expect((await callAs(admin, "PUT", "/api/certificate/issued", issue)).code).toBe("SUCCESS");
  const before = await book();
  const mergeId = await merge(a, b);
  await runSql("DELETE FROM deed_row");
  await runSql(`UPDATE alumni_before SET after = NULL, "values" = json_set(
    json_remove("values", '$.deleted_date', '$.merged_into'), '$.corrections', json('[]'), '$.certificates',
    json(iif(alumni_id = '${b}', (SELECT json_group_array(id) FROM alumni_certificate), '[]')))`);
  expect(await post(`/api/alumni/merge/${mergeId}/undo`)).toMatchObject({ restored: 2, kept: [] });
  expect(await book()).toEqual(before);
  expect(await readValue("SELECT count(*) FROM alumni WHERE deleted_date IS NULL")).toBe(2);
  expect(await readValue("SELECT alumni_id FROM alumni_certificate")).toBe(b);
});

test("the undo of a merge names the payment that it leaves", async () => {
  const { a, b } = await twoWhoOwe();
  const c = await addDuePerson(admin, { name: "이바다" });
  await chargeAll(admin, (await readValue<string>("SELECT id FROM due_kind")) ?? "", [c]);
  expect(await pay(a, 50_000)).toBe("SUCCESS");
  const before = [await dues(), await money()];
  const exempt = { version: 1, isExempt: true, reason: "원로", amount: 50_000 };
  await callAs(
    admin,
    "PATCH",
    `/api/admin/due/${await readValue("SELECT id FROM due WHERE alumni_id = ?", b)}`,
    exempt,
  );
  const mergeId = await merge(a, b);
  const [deposit] = await readRows<{ id: string; version: number }>("SELECT id, version FROM deposit");
  await post(`${DEPOSIT}/${deposit?.id}/allocate`, { people: [c], version: deposit?.version, remember: false });
  const { kept } = await post(`/api/alumni/merge/${mergeId}/undo`);
  expect(kept).toEqual([{ kind: "person", id: a, name: "김하늘", reason: expect.stringContaining("다른 회비") }]);
  expect(await readValue("SELECT paid FROM due WHERE alumni_id = ?", a)).toBe(0);
  expect((await callAs(admin, "GET", "/api/alumni/merge")).data[0].undoneDate).toBeNull();
  const version = await readValue("SELECT version FROM deposit");
  await post(`${DEPOSIT}/${deposit?.id}/release`, { version });
  expect((await post(`/api/alumni/merge/${mergeId}/undo`)).kept).toEqual([]);
  expect(await money()).toEqual(before[1]);
  expect(await readValue("SELECT paid FROM due WHERE alumni_id = ?", a)).toBe(50_000);
});

test("the undo of a bank file keeps what a destroyed person paid", async () => {
  const { a } = await twoWhoOwe();
  const c = await addDuePerson(admin, { name: "이바다" });
  await chargeAll(admin, (await readValue<string>("SELECT id FROM due_kind")) ?? "", [c]);
  const rows = [{ when: "2026-03-02T10:00:00+09:00", payer: "이바다", amount: 50_000, balance: null }];
  const { fingerprint } = await post(`${DEPOSIT}/plan`, { rows, withdrawals: [] });
  const { workId } = await post(`${DEPOSIT}/commit`, { rows, withdrawals: [], fileName: "x.xlsx", fingerprint });
  await post("/api/alumni/delete-data", { ids: [c, a] });
  await post("/api/alumni/destroy-data", { ids: [c, a] });
  const { removed, kept } = await post(`/api/admin/due/work/${workId}/undo`);
  expect([removed, kept]).toMatchObject([0, [{ kind: "deposit", reason: "회비를 낸 사람이 파기되었습니다." }]]);
  expect(await readValue("SELECT paid FROM due WHERE alumni_id = ?", c)).toBe(50_000);
});
