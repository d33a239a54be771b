import { afterEach, expect, test } from "vitest";
import { begunState } from "#worker/contract/alumni/dues/past-file.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { addDuePerson, chargeAll, expectDuesCounted, makeDueKind, payDue } from "./dues.ts";

afterEach(expectDuesCounted);

const DUES = "/api/admin/due";

const listOf = async (admin: TestSession, query = "") => (await callAs(admin, "GET", `${DUES}?${query}`)).data;

test("only known words of an own field say paid or exempt", () => {
  const words = { paid: "납부 완납 O o ○ 예", unpaid: "미납 X x × 아니요", exempt: "면제" };
  for (const [state, all] of Object.entries(words))
    for (const word of all.split(" ")) expect([word, begunState(word)]).toEqual([word, state]);
  for (const word of ["30,000", "30000원", "₩30,000"]) expect(begunState(word)).toBe(30_000);
  for (const word of ["", "일부", "2만원", "?"]) expect([word, begunState(word)]).toEqual([word, undefined]);
});

test("a word of a field is quoted only to its readers", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const field = { name: "2025 회비", kind: "text", access: "office" };
  const { code } = (await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field)).data;
  await addDuePerson(admin, { name: "마절반", own: { [code]: "절반" } });
  const asked = { fieldCode: code, kindId, period: "2025" };
  const leftOutFor = async (session: TestSession) =>
    (await callAs(session, "POST", `${DUES}/charge`, asked)).data.leftOut;
  expect(await leftOutFor(admin)).toMatchObject([{ names: ["마절반 ‘절반’"] }]);
  const treasurer = await createSessionWith(["ADMIN_Access", "Dues_Manage"]);
  expect(await leftOutFor(treasurer)).toMatchObject([{ names: ["마절반"] }]);
});

test("an own field makes dues only once", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const field = { name: "2025 회비", kind: "text", access: "office" };
  const { code } = (await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field)).data;
  const person = (name: string, word: string) => addDuePerson(admin, { name, own: word ? { [code]: word } : {} });
  const paid = await person("강납부", "완납");
  for (const [name, word] of [
    ["나미납", "X"],
    ["다면제", "면제"],
    ["라빈칸", ""],
    ["마절반", "절반"],
  ] as const)
    await person(name, word);
  const asked = { fieldCode: code, kindId, period: "2025" };
  const { data } = await callAs(admin, "POST", `${DUES}/charge`, asked);
  expect(data).toMatchObject({ count: 3, total: 60_000, paid: 1, exempt: 1, workId: null });
  expect(data.leftOut).toEqual([
    { cause: "값이 비어 있음", count: 1, names: ["라빈칸"] },
    { cause: "읽을 수 없는 값", count: 1, names: ["마절반 ‘절반’"] },
  ]);
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 4 })).code).toBe("CONFLICT");
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, fieldCode: "own9" })).fields).toHaveProperty(
    "fieldCode",
  );
  expect(await countRows("due")).toBe(0);
  const { data: begun } = await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 3 });
  expect((await callAs(admin, "POST", `${DUES}/charge`, { ...asked, count: 3 })).code).toBe("CONFLICT");
  expect((await listOf(admin, "period=2025")).content.map((row: { state: string }) => row.state)).toEqual([
    "paid",
    "unpaid",
    "exempt",
  ]);
  expect(await readRows("SELECT source, amount, allocated, payer, balance FROM deposit")).toEqual([
    { source: "begin", amount: 30_000, allocated: 30_000, payer: "", balance: null },
  ]);
  expect(
    await readRow("SELECT a.cause, a.amount, d.alumni_id FROM due_allocation a JOIN due d ON d.id = a.due_id"),
  ).toEqual({
    cause: "person",
    amount: 30_000,
    alumni_id: paid,
  });
  expect((await callAs(admin, "POST", `${DUES}/work/${begun.workId}/undo`, {})).data).toMatchObject({ kept: [] });
  expect([await countRows("due"), await countRows("deposit"), await countRows("due_allocation")]).toEqual([0, 0, 0]);
});

test("a row becomes past dues where it means one person", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const book = [
    ["강하나", 3],
    ["나두리", null],
    ["다세나", 1],
    ["다세나", 2],
    ["라네나", 5],
    ["마다섯", 6],
  ] as const;
  for (const [name, cohort] of book) await addDuePerson(admin, { name, cohort });
  const words = [
    { name: "강 하나", cohort: 3, word: "납부" },
    { name: "나두리", word: "10,000원" },
    { name: "다세나", word: "납부" },
    { name: "다세나", cohort: 2, word: "" },
    { name: "라네나", cohort: 4, word: "납부" },
    { name: "바없음", word: "면제" },
    { name: "마다섯", word: "40,000" },
    { name: "사둘", word: "미납" },
    { name: "사둘", word: "납부" },
  ];
  await addDuePerson(admin, { name: "사둘" });
  const asked = { kindId, period: "2024", words, isBlankUnpaid: true };
  const charge = (more: object) => callAs(admin, "POST", `${DUES}/charge`, { ...asked, ...more });
  const { data } = await charge({});
  expect(data).toMatchObject({ count: 3, total: 90_000, paid: 1, partial: 1, exempt: 0 });
  const causes = data.leftOut.map(({ cause, names }: { cause: string; names: string[] }) => [cause, ...names]);
  expect(causes).toEqual([
    ["파일에 두 번 있음", "사둘", "사둘"],
    ["같은 이름이 여럿", "다세나"],
    ["기수가 주소록과 다름", "라네나 (4기)"],
    ["주소록에 없음", "바없음"],
    ["회비보다 많은 금액", "마다섯 ‘40,000’"],
  ]);
  expect((await charge({ isBlankUnpaid: false })).data).toMatchObject({ count: 2 });
  expect((await charge({ words: [] })).code).toBe("INVALID_INPUT");
  const { data: begun } = await charge({ count: 3 });
  expect(await readRows("SELECT name, cohort, amount, paid FROM due ORDER BY name")).toEqual([
    { name: "강하나", cohort: 3, amount: 30_000, paid: 30_000 },
    { name: "나두리", cohort: null, amount: 30_000, paid: 10_000 },
    { name: "다세나", cohort: 2, amount: 30_000, paid: 0 },
  ]);
  expect(JSON.parse(String(await readValue("SELECT detail FROM audit_log WHERE action = 'due.begin'")))).toEqual({
    kind: "연회비",
    period: "2024",
  });
  expect((await charge({})).data.leftOut).toContainEqual({
    cause: "이미 청구함",
    count: 3,
    names: ["강 하나 (3기)", "나두리", "다세나 (2기)"],
  });
  expect((await listOf(admin, "period=2024")).works).toMatchObject([{ kind: "begin", name: "2024 연회비", added: 3 }]);
  expect((await callAs(admin, "POST", `${DUES}/work/${begun.workId}/undo`, {})).data).toMatchObject({ kept: [] });
  expect([await countRows("due"), await countRows("deposit")]).toEqual([0, 0]);
});

test("destroying a person keeps the dues that were paid", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const person = await addDuePerson(admin);
  await chargeAll(admin, kindId, [person], "2025");
  await chargeAll(admin, kindId, [person], "2026");
  await payDue(person, 30_000);
  await runSql("INSERT INTO due_payer (payer, alumni_id, used_date) VALUES ('hash', ?, 1)", person);
  await runSql("INSERT INTO due_list_person (work_id, alumni_id, state) VALUES ('w', ?, 'paid')", person);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [person] });
  expect(await countRows("due")).toBe(2);
  expect((await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [person] })).data).toEqual({ destroyed: 1 });
  expect(await readRows("SELECT period, paid FROM due")).toEqual([{ period: "2026", paid: 30_000 }]);
  expect(await countRows("due_payer")).toBe(0);
  expect(await countRows("due_list_person")).toBe(0);
  expect((await listOf(admin)).content).toMatchObject([{ name: "주소록에 없음" }]);
});

test("a merge joins dues of one period", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [keep, lost, third] = [await addDuePerson(admin), await addDuePerson(admin), await addDuePerson(admin)];
  await chargeAll(admin, kindId, [keep, lost, third], "2024");
  await chargeAll(admin, kindId, [keep, lost, third], "2025");
  await chargeAll(admin, kindId, [lost], "2026");
  await payDue(lost, 30_000, { period: "2024" });
  await payDue(keep, 30_000, { period: "2025" });
  await payDue(lost, 10_000, { period: "2025" });
  for (const [payer, id] of [
    ["a", keep],
    ["a", lost],
    ["b", third],
  ]) {
    await runSql("INSERT INTO due_payer (payer, alumni_id, used_date) VALUES (?, ?, 1)", payer, id);
    await runSql("INSERT INTO due_list_person (work_id, alumni_id, state) VALUES (?, ?, 'paid')", payer, id);
  }
  const people = [keep, lost, third].map((id) => ({ id, version: 1 }));
  expect((await callAs(admin, "POST", "/api/alumni/merge", { keepId: keep, people, source: {} })).code).toBe("SUCCESS");
  expect(
    await readRows("SELECT alumni_id = ? AS kept, period, paid FROM due ORDER BY period, kept DESC", keep),
  ).toEqual([
    { kept: 1, period: "2024", paid: 30_000 },
    { kept: 1, period: "2025", paid: 30_000 },
    { kept: 1, period: "2026", paid: 0 },
  ]);
  expect(await readRows("SELECT payer, alumni_id = ? AS kept FROM due_payer ORDER BY payer", keep)).toEqual([
    { payer: "a", kept: 1 },
    { payer: "b", kept: 1 },
  ]);
  expect(await readRows("SELECT work_id, alumni_id = ? AS kept FROM due_list_person ORDER BY work_id", keep)).toEqual([
    { work_id: "a", kept: 1 },
    { work_id: "b", kept: 1 },
  ]);
});

test("the retention rule destroys dues after five years", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [person, other] = [await addDuePerson(admin), await addDuePerson(admin, { name: "이바다" })];
  await chargeAll(admin, kindId, [person], "2019");
  await chargeAll(admin, kindId, [person], "2020", "2026-12-31");
  await chargeAll(admin, kindId, [other], "2019");
  await runSql("UPDATE due SET created_date = 1 WHERE alumni_id = ?", person);
  await payDue(person, 30_000, { period: "2019", paidDate: 1 });
  const shared = await payDue(other, 30_000, { paidDate: 1, amount: 60_000 });
  await runSql(
    "INSERT INTO deposit (id, source, paid_date, amount, hash, work_id, created_date) VALUES ('old', 'bank', 1, 5, 'x', 'w', 1), ('new', 'bank', ?, 5, 'y', 'w', 1)",
    Date.now(),
  );
  const path = "/api/admin/privacy/retention/dues";
  const { data } = await callAs(admin, "GET", path);
  expect(data.rows.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    "김하늘 · 2019 회비",
    "회비와 맞추지 않은 입금",
  ]);
  const answer = await callAs(admin, "POST", `${path}/run`, { fingerprint: data.fingerprint, reason: "정기 파기" });
  expect(answer.code).toBe("SUCCESS");
  expect(await readRows("SELECT period FROM due ORDER BY period")).toEqual([{ period: "2019" }, { period: "2020" }]);
  expect((await readRows("SELECT id FROM deposit")).map(({ id }) => id).toSorted()).toEqual(["new", shared].toSorted());
  expect(await countRows("due_allocation")).toBe(1);
  expect(await readRow("SELECT kind, rule, count FROM destruction")).toEqual({
    kind: "회비 기록",
    rule: "dues",
    count: 2,
  });
  const partial = await createSessionWith(["ADMIN_Access", "Alumni_Write"]);
  expect((await callAs(partial, "GET", path)).code).toBe("FORBIDDEN");
});

test("sums follow each write", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const [a, b] = [await addDuePerson(admin, { cohort: 3 }), await addDuePerson(admin, { name: "이바다" })];
  const runs: { workId: string }[] = [];
  for (const period of ["2024", "2025-1", "2025-2", "2026"]) runs.push(await chargeAll(admin, kindId, [a, b], period));
  const release = async () => {
    const id = await payDue(a, 30_000, { period: "2025-1" });
    return callAs(admin, "POST", `${DUES}/deposit/${id}/release`, { version: 1 });
  };
  const dueId = String((await readRow<{ id: string }>("SELECT id FROM due WHERE period = '2024'"))?.id);
  const steps = {
    payment: () => callAs(admin, "PUT", `${DUES}/deposit`, { alumniId: a, amount: 40_000, day: "2026-01-02" }),
    release,
    exemption: () =>
      callAs(admin, "PATCH", `${DUES}/${dueId}`, {
        amount: 30_000,
        isExempt: true,
        reason: "명예",
        version: 1,
        paid: 30_000,
      }),
    correction: () => runSql("UPDATE alumni SET name = '김바뀜', cohort = 4 WHERE id = ?", a),
    bin: () => callAs(admin, "POST", "/api/alumni/delete-data", { ids: [a] }),
    restored: () => callAs(admin, "POST", "/api/alumni/restore-data", { ids: [a] }),
    undo: () => callAs(admin, "POST", `${DUES}/work/${runs[3]?.workId}/undo`, {}),
    destroyed: () => runSql("DELETE FROM alumni WHERE id = ?", b),
    back: () => runSql("INSERT INTO alumni (id, name, created_date, modified_date) VALUES (?, '이바다', 1, 1)", b),
  };
  for (const [step, write] of Object.entries(steps)) {
    const answer = await write();
    expect([step, "code" in answer ? answer.code : "SUCCESS"]).toEqual([step, "SUCCESS"]);
    await expectDuesCounted();
  }
  expect(await countRows("due_sum")).toBeGreaterThan(3);
});

test("a released payment by hand keeps no name of a destroyed person", async () => {
  const admin = await createAdministratorSession();
  const person = await addDuePerson(admin, { name: "나이름" });
  await chargeAll(admin, await makeDueKind(admin), [person]);
  const payment = { alumniId: person, amount: 30_000, day: "2026-01-05", note: "나이름 현금" };
  const { id } = (await callAs(admin, "PUT", "/api/admin/due/deposit", payment)).data;
  await callAs(admin, "POST", `/api/admin/due/deposit/${id}/release`, { version: 1 });
  for (const act of ["delete-data", "destroy-data"])
    expect((await callAs(admin, "POST", `/api/alumni/${act}`, { ids: [person] })).code).toBe("SUCCESS");
  expect(await readRow("SELECT payer, note FROM deposit WHERE id = ?", id)).toEqual({ payer: "", note: "" });
});

const HANDS = {
  release: (admin: TestSession, deposit: string) =>
    callAs(admin, "POST", `${DUES}/deposit/${deposit}/release`, { version: 1 }),
  exemption: async (admin: TestSession) => {
    const due = await readRow<{ id: string; version: number }>("SELECT id, version FROM due");
    const body = { version: due?.version, amount: 30_000, isExempt: true, reason: "원로", paid: 30_000 };
    return callAs(admin, "PATCH", `${DUES}/${due?.id}`, body);
  },
};

test.each(Object.entries(HANDS))("a destroyed person's due is deleted once unpaid: %s", async (_, act) => {
  const admin = await createAdministratorSession();
  const person = await addDuePerson(admin);
  await chargeAll(admin, await makeDueKind(admin), [person]);
  const deposit = await payDue(person, 30_000);
  for (const each of ["delete-data", "destroy-data"])
    await callAs(admin, "POST", `/api/alumni/${each}`, { ids: [person] });
  expect(await countRows("due")).toBe(1);
  expect((await act(admin, deposit)).code).toBe("SUCCESS");
  expect(await readRows("SELECT allocated FROM deposit")).toEqual([{ allocated: 0 }]);
  expect(await countRows("due")).toBe(0);
});
