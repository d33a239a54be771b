import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { type ApiAnswer, callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { countRows, readRow, readRows } from "../../support/test-database.ts";
import { HABIT_HEADS, habitRows, listedPeople } from "./people-habits.ts";

const send = (session: TestSession, method: string, path: string, body?: unknown) =>
  callAs(session, method, `/api/alumni/import/${path}`, body);

async function sent(session: TestSession, rows: [row: number, cells: string[]][], heads = HABIT_HEADS) {
  const mapping = Object.fromEntries(heads.map((head) => [head, head]));
  const file = { fileName: "명부.xlsx", headRow: 1, heads, mapping, parts: 1 };
  const { importId } = (await send(session, "POST", "open", file)).data;
  expect((await send(session, "PUT", `${importId}/part/1`, { rows })).code).toBe("SUCCESS");
  return importId as string;
}
const plan = (session: TestSession, importId: string, more: object = {}) =>
  send(session, "POST", `${importId}/plan`, { mode: "upsert", ...more });
const commit = async (session: TestSession, importId: string): Promise<ApiAnswer> => {
  const answer = await send(session, "POST", `${importId}/commit`, { skipInvalid: false });
  return answer.data?.left > 0 ? commit(session, importId) : answer;
};
const kindsOf = ({ data }: ApiAnswer) =>
  Object.fromEntries(
    data.faults.map((each: { kind: string; choices: string[]; count: number }) => [each.kind, each.choices]),
  );
const DECISIONS = {
  "name.death": "deceased",
  "name.title": "tidy",
  "name.sex": "tidy",
  "name.inner": "tidy",
  "mobile.several": "first",
};

test("300 people in the habits of lists come in once", async () => {
  const admin = await createAdministratorSession();
  const importId = await sent(admin, habitRows(listedPeople));
  const first = await plan(admin, importId);
  expect(kindsOf(first)).toEqual({
    "name.title": ["tidy", "asIs"],
    "name.death": ["deceased", "asIs"],
    "name.sex": ["tidy", "asIs"],
    "name.inner": ["tidy", "asIs"],
    "mobile.several": ["first", "memo", "blank"],
  });
  expect([first.data.rejected > 0, first.data.proposed > 0, (await commit(admin, importId)).data.applied]).toEqual([
    true,
    true,
    false,
  ]);
  const decided = await plan(admin, importId, { decisions: DECISIONS });
  expect([importCounts(decided), decided.data.people.asked]).toEqual([[300, 0, 0, 0], 0]);
  expect((await commit(admin, importId)).data.applied).toBe(true);
  const stored = await readRows("SELECT name, state FROM alumni ORDER BY name");
  expect(stored).toEqual(
    listedPeople
      .map(({ name, isDead }) => ({ name, state: isDead ? "작고" : "활동" }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  const again = await plan(admin, await sent(admin, habitRows(listedPeople)), { decisions: DECISIONS });
  expect([importCounts(again), again.data.people.asked]).toEqual([[0, 0, 300, 0], 0]);
});

test("marks in names are kept where the office says so", async () => {
  const admin = await createAdministratorSession();
  const file = "이름,기수\n문재지 교수,3\n故 정민희,4\n";
  const undecided = await importAlumniFile(admin, "명부.csv", file);
  expect([importCounts(undecided), undecided.data.proposed]).toEqual([[0, 0, 0, 2], 2]);
  expect(undecided.data.errors).toMatchObject([
    { row: 2, value: "문재지 교수", isProposal: true },
    { row: 3, value: "故 정민희", isProposal: true },
  ]);
  expect(undecided.data.faults.map(({ samples }: { samples: object[] }) => samples)).toEqual([
    [{ row: 2, value: "문재지 교수", parts: "문재지" }],
    [{ row: 3, value: "故 정민희", parts: "정민희, 상태 작고" }],
  ]);
  const decisions = { "name.title": "asIs", "name.death": "deceased" };
  const answer = await importAlumniFile(admin, "명부.csv", file, { decisions });
  expect(answer.data.rules).toMatchObject([
    { rule: "death", field: "name", samples: [{ before: "故 정민희", after: "정민희" }] },
    { rule: "death", field: "state", samples: [{ before: "", after: "작고" }] },
  ]);
  expect(await readRows("SELECT name, state FROM alumni ORDER BY cohort")).toEqual([
    { name: "문재지 교수", state: "활동" },
    { name: "정민희", state: "작고" },
  ]);
});

test("a decision that its kind does not allow decides nothing", async () => {
  const admin = await createAdministratorSession();
  const decisions = { "name.death": "tidy", "name.title": "deceased" };
  const answer = await importAlumniFile(admin, "명부.csv", "이름\n故 정민희\n문재지 교수\n", { decisions });
  expect(importCounts(answer)).toEqual([0, 0, 0, 2]);
});

test("a mark of death makes a stored person 작고", async () => {
  const admin = await createAdministratorSession();
  await importAlumniFile(admin, "처음.csv", "이름,기수,상태\n정민희,4,탈퇴\n손은지,5,활동\n");
  const file = "이름,기수,상태\n정민희(2019 작고),4,활동\n손은지†,5,\n";
  const answer = await importAlumniFile(admin, "명부.csv", file, { decisions: { "name.death": "deceased" } });
  expect(importCounts(answer)).toEqual([0, 2, 0, 0]);
  expect(await readRows("SELECT name, state, memo FROM alumni ORDER BY cohort")).toEqual([
    { name: "정민희", state: "작고", memo: "이름: 2019 작고" },
    { name: "손은지", state: "작고", memo: "" },
  ]);
});

test("removing a mark of death needs the right to states", async () => {
  const importer = await createSessionWith(["Alumni_Import", "Alumni_Read"]);
  const decisions = { "name.death": "deceased" };
  const answer = await importAlumniFile(importer, "명부.csv", "이름,기수\n故 정민희,4\n", { decisions });
  expect(importCounts(answer)).toEqual([0, 0, 0, 1]);
  expect(await countRows("alumni")).toBe(0);
});

const HEADS = ["이름", "기수", "휴대전화", "이메일", "소속"];
const HOLDER = { name: "송미성", cohort: 3, mobile: "010-7700-0001", email: "song@pid.example.kr" };
const add = async (admin: TestSession, values: object = HOLDER) =>
  (await callAs(admin, "PUT", "/api/alumni", values)).data.id as string;

test.each([
  ["mobile", ["송지원", "", "010-7700-0001", "", "새봄의원"]],
  ["email", ["송지원", "", "", "SONG@pid.example.kr", "새봄의원"]],
])("the same %s with another name is a question with three answers", async (field, cells) => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  const importId = await sent(admin, [[2, cells]], HEADS);
  const asked = await plan(admin, importId);
  expect(importCounts(asked)).toEqual([0, 0, 0, 1]);
  const [question] = asked.data.people.questions;
  expect(question.candidates).toMatchObject([{ id, name: "송미성", shares: [field] }]);
  const answered = (choice: string) => plan(admin, importId, { people: { [question.value]: choice } });
  expect([importCounts(await answered("skip")), (await answered("ask")).data.people.asked]).toEqual([[0, 0, 0, 0], 1]);
  expect(importCounts(await answered("new"))).toEqual([1, 0, 0, 0]);
  expect(importCounts(await answered(id))).toEqual([0, 1, 0, 0]);
  expect((await commit(admin, importId)).data.applied).toBe(true);
  expect(await readRow("SELECT name, affiliation FROM alumni WHERE id = ?", id)).toEqual({
    name: "송지원",
    affiliation: "새봄의원",
  });
  expect(importCounts(await plan(admin, await sent(admin, [[2, cells]], HEADS)))).toEqual([0, 0, 1, 0]);
  expect(await countRows("alumni")).toBe(1);
});

test("an answer to the same contact counts while the person has it", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  const cells = ["송지원", "", "010-7700-0001", "", ""];
  const importId = await sent(admin, [[2, cells]], HEADS);
  const { value } = (await plan(admin, importId)).data.people.questions[0];
  expect((await plan(admin, importId, { people: { [value]: id } })).data.updated).toBe(1);
  const other = await add(admin, { name: "박다른" });
  expect((await plan(admin, importId, { people: { [value]: other } })).data.people.asked).toBe(1);
  await plan(admin, importId, { people: { [value]: id } });
  await callAs(admin, "PATCH", `/api/alumni/${id}`, { mobile: "010-7700-0009", version: 1 });
  expect(importCounts(await plan(admin, importId))).toEqual([1, 0, 0, 0]);
});

test("a name that differs only by spaces is the same person", async () => {
  const admin = await createAdministratorSession();
  await add(admin, { ...HOLDER, name: "송 미성" });
  const answer = await plan(admin, await sent(admin, [[2, ["송미성", "", "010-7700-0001", "", ""]]], HEADS));
  expect([importCounts(answer), answer.data.preview[0].changes]).toEqual([
    [0, 1, 0, 0],
    [{ field: "name", before: "송 미성", after: "송미성" }],
  ]);
});

test("a contact that more than five people share is nobody's own", async () => {
  const admin = await createAdministratorSession();
  for (let at = 0; at < 6; at += 1) await add(admin, { name: `가나${at}`, email: "office@pid.example.kr" });
  const rows: [number, string[]][] = [[2, ["송지원", "", "", "office@pid.example.kr", ""]]];
  expect(importCounts(await plan(admin, await sent(admin, rows, HEADS)))).toEqual([1, 0, 0, 0]);
});

test("an importer who sees no numbers learns nothing of their holders", async () => {
  const admin = await createAdministratorSession();
  await add(admin);
  const importer = await createSessionWith(["Alumni_Import", "Alumni_Read"]);
  const look = async (mobile: string) => {
    const answer = await plan(importer, await sent(importer, [[2, ["송지원", "", mobile, "", ""]]], HEADS));
    return [importCounts(answer), answer.data.people];
  };
  expect(await look("010-7700-0001")).toEqual(await look("010-7700-0002"));
});

test("a cell with two lines adds its memo once", async () => {
  const admin = await createAdministratorSession();
  const rows: [number, string[]][] = [
    [2, ["가나다", "3", "모름\n나중에 확인", "a@pid.example.kr\nb@pid.example.kr", ""]],
    [3, ["라마바", "4", "02-740-1234 010-7700-0002", "", ""]],
  ];
  const decisions = { "mobile.format": "memo", "email.several": "first", "mobile.several": "first" };
  const importId = await sent(admin, rows, HEADS);
  expect(kindsOf(await plan(admin, importId))["mobile.several"]).toEqual(["first", "memo", "blank"]);
  await plan(admin, importId, { decisions });
  await commit(admin, importId);
  expect(await readRows("SELECT name, mobile, email, memo FROM alumni ORDER BY name")).toEqual([
    {
      name: "가나다",
      mobile: "",
      email: "a@pid.example.kr",
      memo: "휴대전화: 모름\n나중에 확인\n이메일: b@pid.example.kr",
    },
    { name: "라마바", mobile: "010-7700-0002", email: "", memo: "휴대전화: 02-740-1234" },
  ]);
  expect(importCounts(await plan(admin, await sent(admin, rows, HEADS), { decisions }))).toEqual([0, 0, 2, 0]);
});

test("the undo of an import brings tidied values back", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  const before = await readRow("SELECT name, state, memo, affiliation FROM alumni WHERE id = ?", id);
  const rows: [number, string[]][] = [
    [2, ["송지원(작고)", "", "010-7700-0001", "", "새봄의원"]],
    [3, ["문재지 교수", "4", "", "", ""]],
  ];
  const importId = await sent(admin, rows, HEADS);
  const { value } = (await plan(admin, importId, { decisions: DECISIONS })).data.people.questions[0];
  await plan(admin, importId, { decisions: DECISIONS, people: { [value]: id } });
  expect(importCounts(await commit(admin, importId))).toEqual([1, 1, 0, 0]);
  expect((await send(admin, "POST", `${importId}/undo`, {})).data).toMatchObject({ removed: 1, restored: 1, kept: [] });
  expect(await readRow("SELECT name, state, memo, affiliation FROM alumni WHERE id = ?", id)).toEqual(before);
  expect(await countRows("alumni")).toBe(1);
});

const LISTED = ["이름", "기수"];
const named = (...names: string[]): [number, string[]][] => names.map((name, at) => [at + 2, [name, String(at + 1)]]);
const take = async (session: TestSession, names: string[], more: object = {}) => {
  const importId = await sent(session, named(...names), LISTED);
  const planned = await plan(session, importId, more);
  return { importId, planned, committed: await commit(session, importId) };
};
const missingIn = ({ data }: ApiAnswer) =>
  data.missing?.people.map(({ name, chosen }: { name: string; chosen: string | null }) => [name, chosen]) ?? null;
const statesOf = async () =>
  Object.fromEntries((await readRows("SELECT name, state FROM alumni")).map(({ name, state }) => [name, state]));

test("people missing from the last file are named", async () => {
  const admin = await createAdministratorSession();
  const first = await take(admin, ["가나다", "라마바", "사아자", "차카타"]);
  expect(missingIn(first.planned)).toBeNull();
  const importId = await sent(admin, named("가나다", "라마바"), LISTED);
  const open = await plan(admin, importId);
  expect([missingIn(open), importCounts(open)]).toEqual([
    [
      ["사아자", null],
      ["차카타", null],
    ],
    [0, 0, 2, 0],
  ]);
  expect(open.data.missing).toMatchObject({ fileName: "명부.xlsx", count: 2 });
  const [{ id }] = open.data.missing.people;
  const chosen = await plan(admin, importId, { missing: { [id]: "연락 두절" } });
  expect([missingIn(chosen), importCounts(chosen)]).toEqual([
    [
      ["사아자", "연락 두절"],
      ["차카타", null],
    ],
    [0, 1, 2, 0],
  ]);
  await commit(admin, importId);
  expect(await statesOf()).toEqual({ 가나다: "활동", 라마바: "활동", 사아자: "연락 두절", 차카타: "활동" });
  expect((await send(admin, "POST", `${importId}/undo`, {})).data).toMatchObject({ restored: 1, kept: [] });
  expect(await statesOf()).toMatchObject({ 사아자: "활동" });
  // After the undo the file before is the last one.
  expect(missingIn(await plan(admin, await sent(admin, named("가나다"), LISTED)))?.length).toBe(3);
});

test("nobody who is gone or asked about is missing", async () => {
  const admin = await createAdministratorSession();
  await take(admin, ["가나다", "라마바", "사아자", "차카타", "파하가", "나다라"]);
  const idOf = async (name: string) => String((await readRow("SELECT id FROM alumni WHERE name = ?", name))?.id);
  await callAs(admin, "PATCH", `/api/alumni/${await idOf("라마바")}`, { state: "작고", version: 1 });
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [await idOf("사아자")] });
  const rows: [number, string[]][] = [
    [2, ["가나다", "1"]],
    [3, ["차카타 교수", "4"]],
    [4, ["파하가", "삼기"]],
    [5, ["나다라", ""]],
  ];
  const answer = await plan(admin, await sent(admin, rows, LISTED));
  expect([answer.data.rejected, answer.data.people.asked, missingIn(answer)]).toEqual([3, 1, null]);
});

test("a file of other people or of another form misses nobody", async () => {
  const admin = await createAdministratorSession();
  await take(admin, ["가나다", "라마바"]);
  expect(missingIn((await take(admin, ["사아자", "차카타"])).planned)).toBeNull();
  expect(missingIn(await plan(admin, await sent(admin, [[2, ["가나다", "1"]]], ["이름", "졸업연도"])))).toBeNull();
  // The file that shares people is the last one of these people.
  expect(missingIn(await plan(admin, await sent(admin, named("가나다"), LISTED)))).toEqual([["라마바", null]]);
});

test("missing people are named only to editors of states", async () => {
  const admin = await createAdministratorSession();
  await take(admin, ["가나다", "라마바"]);
  const importer = await createSessionWith(["Alumni_Import", "Alumni_Read"]);
  const id = String((await readRow("SELECT id FROM alumni WHERE name = '라마바'"))?.id);
  const importId = await sent(importer, named("가나다"), LISTED);
  const answer = await plan(importer, importId, { missing: { [id]: "휴면" } });
  expect([missingIn(answer), importCounts(answer)]).toEqual([null, [0, 0, 1, 0]]);
  for (const missing of [{ [id]: "활동" }, { [id]: "없는 상태" }, { 가: "휴면" }])
    expect((await plan(admin, await sent(admin, named("가나다"), LISTED), { missing })).code).toBe("INVALID_INPUT");
});
