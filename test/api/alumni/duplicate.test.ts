import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importCounts, importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { createRepresentative, propose } from "./cohorts.ts";
import { readRow, runSql } from "../../support/test-database.ts";

const HONG = { name: "홍길동", cohort: 3, affiliation: "한빛병원", mobile: "010-0000-1234" };
const add = async (admin: TestSession, fields: Record<string, unknown>): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", { ...HONG, ...fields })).data.id;
const post = (session: TestSession, path: string, body: object = {}) =>
  callAs(session, "POST", `/api/alumni/${path}`, body);
const listDuplicateGroups = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/alumni/duplicate${query}`)).data;
const row = (id: string) => readRow("SELECT * FROM alumni WHERE id = ?", id);
const merge = (session: TestSession, keepId: string, ids: string[], more: object = {}) =>
  post(session, "merge", { keepId, people: ids.map((id) => ({ id, version: 1 })), ...more });
type DuplicateGroupAnswer = { people: { id: string }[]; reasons: string[]; count: number };
const idsOf = (groups: DuplicateGroupAnswer[]) =>
  groups.map((group) => group.people.map((person) => person.id).toSorted());

test("the duplicate search needs Alumni_Write", async () => {
  const admin = await createAdministratorSession();
  const ids = [await add(admin, {}), await add(admin, {})];
  const writer = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  const { mergeId } = (await merge(admin, ids[0] ?? "", [await add(admin, {}), ids[0] ?? ""])).data;
  const calls = [
    ["GET", "duplicate", undefined, "Alumni_Write"],
    ["GET", "merge", undefined, "Alumni_Write"],
    ["POST", "distinct", { ids, distinct: true }, "Alumni_Write"],
    ["POST", "merge", { keepId: ids[0], people: ids.map((id) => ({ id, version: 1 })) }, "Alumni_Delete"],
    ["POST", `merge/${mergeId}/undo`, {}, "Alumni_Delete"],
    ["GET", "bin", undefined, "Alumni_Delete"],
    ["POST", "restore-data", { ids }, "Alumni_Delete"],
    ["POST", "destroy-data", { ids }, "Alumni_Delete"],
  ] as const;
  const person = await createMemberSession();
  for (const [method, path, body, needed] of calls) {
    const send = (token?: string) => callJson(method, `/api/alumni/${path}`, { token, body });
    expect([path, (await send()).code]).toEqual([path, "UNAUTHORIZED"]);
    expect([path, (await send(person.accessToken)).code]).toEqual([path, "FORBIDDEN"]);
    const code = needed === "Alumni_Write" ? "SUCCESS" : "FORBIDDEN";
    expect([path, (await send(writer.accessToken)).code]).toEqual([path, code]);
  }
});

test("each duplicate has its reason", async () => {
  const admin = await createAdministratorSession();
  const plain = { cohort: "", affiliation: "", mobile: "" };
  const pair = async (a: object, b: object) => [
    await add(admin, { ...plain, ...a }),
    await add(admin, { ...plain, ...b }),
  ];
  const made = {
    mobile: await pair({ name: "가가", mobile: "010-0000-0001" }, { name: "가기", mobile: "+82 10 0000 0001" }),
    email: await pair({ name: "나나", email: "Same@pid.example.kr" }, { name: "나니", email: "same@PID.example.kr" }),
    nameTail: await pair({ name: "다다", mobile: "010-1111-0002" }, { name: "다다", mobile: "011-111-0002" }),
    nameCohort: await pair({ name: "라라", cohort: 7 }, { name: "라라", cohort: "제7기" }),
    nameYear: await pair({ name: "마마", graduationYear: 2004 }, { name: "마마", graduationYear: "2004-02-20" }),
    nameAffiliation: await pair({ name: "바바", affiliation: "새봄병원" }, { name: "바바", affiliation: "새봄병원" }),
  };
  await pair({ name: "사사" }, { name: "사사" });
  await pair({ name: "아아" }, { name: "아 아" });
  const first = await listDuplicateGroups(admin);
  expect(first.reason).toBe("mobile");
  expect(Object.values(first.counts)).toEqual([1, 1, 1, 1, 1, 1, 0]);
  for (const [reason, ids] of Object.entries(made)) {
    const { groups, next } = await listDuplicateGroups(admin, `?reason=${reason}`);
    expect([reason, idsOf(groups), groups[0].reasons, next]).toEqual([reason, [ids.toSorted()], [reason], null]);
  }
  await callAs(admin, "DELETE", `/api/alumni/${made.email[0]}`);
  expect((await listDuplicateGroups(admin)).counts).toMatchObject({ email: 0, mobile: 1 });
});

test("plain namesakes are no duplicates", async () => {
  const admin = await createAdministratorSession();
  const plain = { cohort: "", affiliation: "", mobile: "" };
  const make = (fields: object) => add(admin, { ...plain, ...fields });
  const spaced = [
    await make({ name: "김철수", affiliation: "한빛병원" }),
    await make({ name: "김 철수", affiliation: "한빛 병원" }),
  ];
  const wide = [await make({ name: "ＫＩＭ Minsu", cohort: 3 }), await make({ name: "Kim minsu", cohort: "3기" })];
  const tail = [
    await make({ name: "남궁 민", mobile: "010-0000-7777" }),
    await make({ name: "남궁민", mobile: "011-000-7777" }),
  ];
  await make({ name: "김철수", cohort: 7 });
  await make({ name: "김철 수", graduationYear: 2004 });
  const page = await listDuplicateGroups(admin);
  expect([page.reason, page.counts.nameAlike]).toEqual(["nameAlike", 3]);
  expect(idsOf(page.groups).toSorted()).toEqual([spaced, wide, tail].map((ids) => ids.toSorted()).toSorted());
  expect(page.groups.every((group: DuplicateGroupAnswer) => group.reasons.join() === "nameAlike")).toBe(true);
  await post(admin, "distinct", { ids: spaced, distinct: true });
  expect((await listDuplicateGroups(admin)).counts.nameAlike).toBe(2);
});

test("a pair marked as two persons stays hidden until a third appears", async () => {
  const admin = await createAdministratorSession();
  const ids = [await add(admin, {}), await add(admin, {})];
  expect((await post(admin, "distinct", { ids, distinct: true })).data).toEqual({ pairs: 1 });
  expect((await post(admin, "distinct", { ids, distinct: true })).data).toEqual({ pairs: 0 });
  expect(Object.values((await listDuplicateGroups(admin)).counts)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  const third = await add(admin, {});
  expect(idsOf((await listDuplicateGroups(admin)).groups)).toEqual([[...ids, third].toSorted()]);
  await callAs(admin, "DELETE", `/api/alumni/${third}`);
  expect((await listDuplicateGroups(admin)).groups).toEqual([]);
  await post(admin, "distinct", { ids, distinct: false });
  expect(idsOf((await listDuplicateGroups(admin)).groups)).toEqual([ids.toSorted()]);
  expect((await post(admin, "distinct", { ids: [ids[0], ids[0]], distinct: true })).code).toBe("INVALID_INPUT");
});

test("many groups are paged, each appearing once", async () => {
  const admin = await createAdministratorSession();
  const values = Array.from({ length: 90 }, (_, at) => {
    const key = String(Math.floor(at / 2)).padStart(4, "0");
    return `('${crypto.randomUUID()}', '사람${key}', 1, 1, 1, '010-0000-${key}')`;
  });
  await env.DB.exec(
    `INSERT INTO alumni (id, name, cohort, created_date, modified_date, mobile) VALUES ${values.join(",")}`,
  );
  for (const reason of ["mobile", "nameCohort"]) {
    const seen: string[] = [];
    let after: string | null = "";
    for (let at = 0; after !== null && at < 5; at++) {
      const query: string = after && `&after=${encodeURIComponent(after)}`;
      const page = await listDuplicateGroups(admin, `?reason=${reason}${query}`);
      seen.push(...idsOf(page.groups).flat());
      after = page.next;
    }
    expect([seen.length, new Set(seen).size], JSON.stringify(reason)).toEqual([90, 90]);
  }
});

test("a merge keeps the newer filled or chosen value", async () => {
  const admin = await createAdministratorSession();
  const old = await add(admin, { affiliation: "옛병원", email: "old@pid.example.kr", memo: "처음", position: "교수" });
  const newer = await add(admin, { affiliation: "새병원", email: "", memo: "나중", position: "원장" });
  const answer = await merge(admin, old, [old, newer], { source: { position: old } });
  expect(answer.data).toEqual({ mergeId: expect.any(String), id: old, version: 2 });
  expect(await row(old)).toMatchObject({
    affiliation: "새병원",
    email: "old@pid.example.kr",
    position: "교수",
    memo: "처음\n나중",
    deleted_date: null,
  });
  expect(await row(newer)).toMatchObject({ merged_into: old, deleted_date: expect.any(Number) });
  const bin = (await callAs(admin, "GET", "/api/alumni/bin")).data;
  expect(bin.content).toMatchObject([{ id: newer, mergedInto: { id: old, name: "홍길동" } }]);
  const found = await callAs(admin, "GET", `/api/alumni?keyword=${encodeURIComponent("새병원")}`);
  expect(found.data.content).toMatchObject([{ id: old }]);
  const logged = await readRow("SELECT * FROM audit_log WHERE action = 'alumni.merge'");
  expect(logged).toMatchObject({ target_id: old, subject_count: 2, actor_user_id: admin.user.id });
  expect(JSON.parse(String(logged?.detail)).ids).toEqual([old, newer]);
});

test("only one of two simultaneous merges succeeds", async () => {
  const admin = await createAdministratorSession();
  const [a, b, c] = [await add(admin, {}), await add(admin, {}), await add(admin, {})];
  await callAs(admin, "PATCH", `/api/alumni/${b}`, { memo: "고침", version: 1 });
  expect((await merge(admin, a, [a, b])).code).toBe("CONFLICT");
  await callAs(admin, "DELETE", `/api/alumni/${c}`);
  expect((await merge(admin, a, [a, c])).code).toBe("CONFLICT");
  expect(await row(a)).toMatchObject({ version: 1, deleted_date: null });
  const d = await add(admin, {});
  const answers = await Promise.all([merge(admin, a, [a, d]), merge(admin, d, [a, d])]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  const { results } = await env.DB.prepare("SELECT action FROM audit_log WHERE action = 'alumni.merge'").all();
  expect(results).toHaveLength(1);
});

test.each([
  ["the same row twice", (a: string) => ({ keepId: a, people: [a, a].map((id) => ({ id, version: 1 })) }), "people"],
  [
    "a kept row that is none of them",
    (a: string, b: string) => ({ keepId: crypto.randomUUID(), people: [a, b].map((id) => ({ id, version: 1 })) }),
    "keepId",
  ],
  [
    "a value of a third row",
    (a: string, b: string) => ({
      keepId: a,
      people: [a, b].map((id) => ({ id, version: 1 })),
      source: { name: crypto.randomUUID() },
    }),
    "source",
  ],
])("a merge with %s is refused", async (_what, body, field) => {
  const admin = await createAdministratorSession();
  const answer = await post(admin, "merge", body(await add(admin, {}), await add(admin, {})));
  expect([answer.status, Object.keys(answer.fields)]).toEqual([400, [field]]);
});

test("a merge never opens a closed field", async () => {
  const admin = await createAdministratorSession();
  const open = await add(admin, { openFields: ["mobile", "email"], email: "open@pid.example.kr" });
  const half = await add(admin, { openFields: ["mobile"] });
  const closed = await add(admin, {});
  await merge(admin, open, [open, half]);
  expect(JSON.parse(String((await row(open))?.open_fields))).toEqual(["mobile"]);
  const people = [
    { id: open, version: 2 },
    { id: closed, version: 1 },
  ];
  await post(admin, "merge", { keepId: open, people });
  expect(JSON.parse(String((await row(open))?.open_fields))).toEqual([]);
  const seen = (await callJson("GET", "/api/alumni", { token: (await createMemberSession()).accessToken })).data
    .content;
  expect(seen).toMatchObject([{ mobile: "010-****-1234", email: "op***@pid.example.kr" }]);
});

test("rows of two members cannot be merged", async () => {
  const admin = await createAdministratorSession();
  const [one, two] = [await createMemberSession(), await createMemberSession()];
  const own = await add(admin, { email: one.user.email });
  const other = await add(admin, { email: "newer@pid.example.kr", affiliation: "새병원" });
  const refused = await merge(admin, other, [own, other], { source: { email: other } });
  expect([refused.status, Object.keys(refused.fields)]).toEqual([400, ["email"]]);
  expect((await merge(admin, other, [own, other])).status).toBe(200);
  const [mine] = (await callAs(one, "GET", "/api/alumni")).data.content;
  expect(mine).toMatchObject({ id: other, mine: true, email: one.user.email, affiliation: "새병원" });
  const second = await add(admin, { email: two.user.email });
  const people = [
    { id: other, version: 2 },
    { id: second, version: 1 },
  ];
  expect((await post(admin, "merge", { keepId: other, people })).fields).toHaveProperty("people");
});

test("a member keeps the entry after a merge with an unconfirmed address", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const [held, own] = [
    await add(admin, { email: "old@pid.example.kr" }),
    await add(admin, { email: member.user.email }),
  ];
  await runSql("UPDATE alumni SET email = ?, email_hold = email WHERE id = ?", member.user.email, held);
  expect((await merge(admin, held, [held, own])).code).toBe("SUCCESS");
  const [mine] = (await callAs(member, "GET", "/api/alumni")).data.content;
  expect(mine).toMatchObject({ id: held, mine: true });
});

test("a merge can be undone once within 30 days", async () => {
  const admin = await createAdministratorSession();
  const a = await add(admin, { openFields: ["mobile"], memo: "가" });
  const b = await add(admin, { affiliation: "새병원", openFields: ["mobile", "email"], email: "b@pid.example.kr" });
  const same = async (id: string) => ({ ...(await row(id)), version: 0 });
  const before = [await same(a), await same(b)];
  const { mergeId } = (await merge(admin, a, [a, b])).data;
  expect((await callAs(admin, "GET", "/api/alumni/merge")).data).toMatchObject([
    { mergeId, keptId: a, name: "홍길동", people: 2, undoneDate: null },
  ]);
  const undo = () => post(admin, `merge/${mergeId}/undo`);
  const answers = await Promise.all([undo(), undo()]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
  expect(answers.find((answer) => answer.status === 200)?.data).toEqual({ restored: 2, removed: 0, kept: [] });
  expect([await same(a), await same(b)]).toEqual(before);
  expect((await undo()).code).toBe("CONFLICT");
  const logged = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'alumni.undoMerge'").all();
  expect(logged.results.map((entry) => JSON.parse(String(entry.detail)).ids.toSorted())).toEqual([[a, b].toSorted()]);

  const late = (await post(admin, "merge", { keepId: a, people: [a, b].map((id) => ({ id, version: 3 })) })).data;
  await env.DB.exec("UPDATE alumni_merge SET created_date = created_date - 31 * 86400000");
  expect((await post(admin, `merge/${late.mergeId}/undo`)).code).toBe("CONFLICT");
});

test("certificates follow a merge or its undo", async () => {
  const admin = await createAdministratorSession();
  const [a, b] = [await add(admin, { email: "a@pid.example.kr" }), await add(admin, {})];
  await callAs(admin, "PUT", "/api/certificate/issued", { segment: { ids: [b] }, count: 1, reason: "시험" });
  const stateNow = async () => (await callAs(admin, "GET", "/api/certificate/issued")).data.content[0].state;
  const ownerNow = async () => (await readRow<{ id: string }>("SELECT alumni_id AS id FROM alumni_certificate"))?.id;
  const { mergeId } = (await merge(admin, a, [a, b])).data;
  expect([await stateNow(), await ownerNow()]).toEqual(["valid", a]);
  await post(admin, `merge/${mergeId}/undo`);
  expect([await stateNow(), await ownerNow()]).toEqual(["valid", b]);
  await merge(admin, a, [a, b], { people: [a, b].map((id) => ({ id, version: 3 })) });
  expect((await post(admin, "destroy-data", { ids: [b] })).data).toEqual({ destroyed: 1 });
  expect([await stateNow(), await ownerNow()]).toEqual(["valid", a]);
});

test("a person's confirmations follow a merge or its undo", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const a = await add(admin, { email: "", mobile: "010-9999-9999", affiliation: "" });
  const b = await add(admin, { email: member.user.email, affiliation: "옛병원", mobile: "010-1111-1111" });
  const corrected = { version: 1, affiliation: "새병원" };
  expect((await callAs(member, "PATCH", `/api/alumni/${b}`, corrected)).code).toBe("SUCCESS");
  const changedSince = async () => {
    const { content } = (await callAs(admin, "GET", "/api/alumni?sort=name,ASC")).data;
    const rows = content as { id: string; confirmation: { changedSince: string[] } | null }[];
    return Object.fromEntries(rows.map(({ id, confirmation }) => [id, confirmation && confirmation.changedSince]));
  };
  expect(await changedSince()).toEqual({ [a]: null, [b]: [] });
  const people = [
    { id: a, version: 1 },
    { id: b, version: 2 },
  ];
  const { mergeId } = (await merge(admin, a, [a, b], { people, source: { mobile: a } })).data;
  expect(await changedSince()).toEqual({ [a]: ["mobile"] });
  await post(admin, `merge/${mergeId}/undo`);
  expect(await changedSince()).toEqual({ [a]: null, [b]: [] });
});

test("a representative's proposals follow a merge or its undo", async () => {
  const admin = await createAdministratorSession();
  const [representative, other] = [await createRepresentative(admin, 3), await createRepresentative(admin, 3)];
  const [a, b] = [await add(admin, {}), await add(admin, {})];
  for (const [session, person] of [
    [representative, a],
    [representative, b],
    [other, b],
  ] as const)
    expect((await propose(session, person, { affiliation: "새병원" })).code).toBe("SUCCESS");
  await runSql("UPDATE alumni_correction SET state = 'accepted' WHERE user_id = ?", other.user.id);
  const owners = async () =>
    (await env.DB.prepare("SELECT alumni_id AS id, state FROM alumni_correction ORDER BY rowid").all()).results.map(
      ({ id, state }) => [id, state],
    );
  const before = await owners();
  const { mergeId } = (await merge(admin, a, [a, b])).data;
  const waitsForBoth = [
    [a, "waiting"],
    [b, "waiting"],
  ];
  expect(await owners()).toEqual([...waitsForBoth, [a, "accepted"]]);
  await post(admin, `merge/${mergeId}/undo`);
  expect(await owners()).toEqual(before);
});

test("the undo of a merge leaves later changes", async () => {
  const admin = await createAdministratorSession();
  const [a, b] = [await add(admin, { memo: "가" }), await add(admin, { name: "홍길둥", memo: "나" })];
  const { mergeId } = (await merge(admin, a, [a, b])).data;
  await callAs(admin, "PATCH", `/api/alumni/${a}`, { position: "원장", memo: "고침", version: 2 });
  const undo = async () => (await post(admin, `merge/${mergeId}/undo`)).data;
  const kept = [{ kind: "person", id: a, name: expect.any(String), reason: "바뀐 값이 그 뒤에 다시 달라졌습니다." }];
  expect(await undo()).toEqual({ restored: 1, removed: 0, kept });
  expect(await row(a)).toMatchObject({ position: "원장" });
  expect(await row(b)).toMatchObject({ deleted_date: null, merged_into: null, memo: "나" });
  await callAs(admin, "PATCH", `/api/alumni/${a}`, { memo: "가", version: 3 });
  expect(await undo()).toEqual({ restored: 1, removed: 0, kept: [] });
  expect(await row(a)).toMatchObject({ position: "원장", memo: "가" });
});

test("the undo of an import keeps rows merged since", async () => {
  const admin = await createAdministratorSession();
  const file = "이름,기수,휴대전화\n홍길동,3,010-0000-9999\n김하나,4,010-0000-0002\n";
  const answer = await importAlumniFile(admin, "동문.csv", file);
  expect(importCounts(answer)).toEqual([2, 0, 0, 0]);
  const { importId } = answer.data;
  const a = await add(admin, {});
  const { groups } = await listDuplicateGroups(admin, `?importId=${importId}`);
  expect(groups).toMatchObject([{ count: 2, reasons: ["nameCohort"] }]);
  const [imported] = groups[0].people.map((each: { id: string }) => each.id).filter((id: string) => id !== a);
  await merge(admin, imported, [a, imported]);
  const undone = await post(admin, `import/${importId}/undo`);
  const kept = [{ kind: "person", id: imported, name: "홍길동", reason: "그 뒤에 고쳤습니다." }];
  expect(undone.data).toEqual({ removed: 1, restored: 0, kept, left: 0 });
});

test("an import reports only those new people who resemble existing ones", async () => {
  const admin = await createAdministratorSession();
  await add(admin, { name: "박하나", mobile: "010-0000-0001" });
  await add(admin, { name: "박하나", mobile: "010-0000-0001" });
  const { importId } = (await importAlumniFile(admin, "동문.csv", "이름,기수\n최하나,4\n")).data;
  expect(Object.values((await listDuplicateGroups(admin, `?importId=${importId}`)).counts)).toEqual([
    0, 0, 0, 0, 0, 0, 0,
  ]);
  expect((await listDuplicateGroups(admin)).counts.mobile).toBe(1);
});

test("destroying people destroys the copies that deeds kept", async () => {
  const admin = await createAdministratorSession();
  const ids = [await add(admin, {}), await add(admin, { name: "김하나" }), await add(admin, { name: "박두리" })];
  expect((await post(admin, "destroy-data", { ids })).code).toBe("NOT_FOUND");
  await merge(admin, ids[0] ?? "", ids.slice(0, 2));
  await post(admin, "delete-data", { ids: [ids[2]] });
  await post(admin, "distinct", { ids: ids.slice(1), distinct: true });
  expect((await post(admin, "restore-data", { ids: [ids[2]] })).data).toEqual({ restored: 1 });
  expect((await post(admin, "destroy-data", { ids })).data).toEqual({ destroyed: 1 });
  const left = async (query: string) => (await env.DB.prepare(query).raw()).flat().toSorted();
  expect(await left("SELECT id FROM alumni")).toEqual([ids[0], ids[2]].toSorted());
  expect(await left("SELECT alumni_id FROM alumni_before")).toEqual([ids[0]]);
  expect(await left("SELECT low_id FROM alumni_distinct")).toEqual([]);
  const logged = await env.DB.prepare(
    "SELECT subject_count, detail FROM audit_log WHERE action = 'alumni.destroy'",
  ).all();
  expect(logged.results).toEqual([{ subject_count: 1, detail: JSON.stringify({ ids: [ids[1]] }) }]);
});
