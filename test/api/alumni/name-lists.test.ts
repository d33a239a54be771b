import { expect, test } from "vitest";
import bank from "../../fixtures/alumni/bank.xlsx?inline";
import dues from "../../fixtures/alumni/dues.csv?raw";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { type ApiAnswer, callAs } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { countRows, readRow, readRows, readValue } from "../../support/test-database.ts";
import { fixture } from "./workbooks.ts";

const add = async (admin: TestSession, values: object) =>
  (await callAs(admin, "PUT", "/api/alumni", values)).data.id as string;
const send = (session: TestSession | null, method: string, path: string, body?: unknown) =>
  callAs(session, method, `/api/alumni/import/${path}`, body);

const LABELS: Record<string, string> = {
  이름: "name",
  기수: "cohort",
  졸업연도: "graduationYear",
  소속: "affiliation",
  휴대전화: "mobile",
  이메일: "email",
};

/** Sends rows under their headers, as the workbench does. */
async function sent(session: TestSession, heads: string, ...lines: string[]) {
  const texts = heads.split(",");
  const mapping = Object.fromEntries(texts.map((head) => [head, LABELS[head] ?? "mobile"]));
  const file = { fileName: "명단.xlsx", headRow: 1, heads: texts, mapping, parts: 1 };
  const { importId } = (await send(session, "POST", "open", file)).data;
  const rows = lines.map((line, at) => [at + 2, line.split(",")]);
  expect((await send(session, "PUT", `${importId}/part/1`, { rows })).code).toBe("SUCCESS");
  return importId as string;
}
const plan = (session: TestSession, importId: string, more: object = {}) =>
  send(session, "POST", `${importId}/plan`, { mode: "upsert", ...more });
const look = async (session: TestSession, heads: string, ...lines: string[]) =>
  plan(session, await sent(session, heads, ...lines));
const commit = async (session: TestSession, importId: string): Promise<ApiAnswer> => {
  const answer = await send(session, "POST", `${importId}/commit`, { skipInvalid: false });
  return answer.data?.left > 0 ? commit(session, importId) : answer;
};
const asked = ({ data }: ApiAnswer) =>
  data.people.questions.map((each: { row: number; candidates: { id: string }[] }) => [
    each.row,
    ...each.candidates.map(({ id }) => id).toSorted(),
  ]);
const answered = ({ data }: ApiAnswer) =>
  data.people.answers.map((each: { row: number; choice: string }) => [each.row, each.choice]);

test("dues.csv finds its three people without adding one", async () => {
  const admin = await createAdministratorSession();
  for (const [name, cohort] of [
    ["강나율", 10],
    ["강다석", 3],
    ["강성은", 6],
    ["강성은", 7],
  ] as const)
    await add(admin, {
      name,
      cohort,
      affiliation: "한빛병원",
      mobile: `010-7700-00${String(cohort).padStart(2, "0")}`,
    });
  const answer = await importAlumniFile(admin, "회비.csv", dues);
  expect(importCounts(answer)).toEqual([0, 0, 3, 0]);
  expect(answer.data.people).toEqual({ asked: 0, questions: [], answered: 0, answers: [], skipped: 0 });
  expect(await countRows("alumni")).toBe(4);
});

test("a file without a header is read after pointing at one", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const bytes = fixture(bank);
  expect((await importAlumniFile(admin, "거래내역.xlsx", bytes)).code).toBe("INVALID_INPUT");
  const mapping = { "보낸분/받는분": "name", 적요: "memo" };
  for (const headRow of [1, 3, 12, 99])
    expect([headRow, (await importAlumniFile(admin, "거래내역.xlsx", bytes, { headRow, mapping })).code]).toEqual([
      headRow,
      "INVALID_INPUT",
    ]);
  const read = await importAlumniFile(admin, "거래내역.xlsx", bytes, { headRow: 4, mapping, dryRun: true });
  expect([read.data.total, ...importCounts(read)]).toEqual([7, 7, 0, 0, 0]);
  expect(read.data.notes).toEqual(
    expect.arrayContaining(["머리글은 4행입니다.", "합계 1행을 뺐습니다: 13행 ‘합계 0 430000’"]),
  );
  expect((await importAlumniFile(admin, "거래내역.xlsx", bytes, { headRow: 4 })).code).toBe("INVALID_INPUT");
});

test("a row finds the only person with its values", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const one = await add(admin, { name: "가나다", cohort: 3, graduationYear: 2004, mobile: "010-7700-0001" });
  const other = await add(admin, { name: "가나다", cohort: 4, mobile: "010-7700-0002" });
  const twin = await add(admin, { name: "라마바", cohort: 5, mobile: "010-7700-0003" });
  const twins = [twin, await add(admin, { name: "라마바", cohort: 5, mobile: "010-7700-1003" })].toSorted();
  const unknown = await add(admin, { name: "사아자", mobile: "010-7700-0004" });
  const spaced = await add(admin, { name: "차 카타", cohort: 6 });
  const cases: [heads: string, line: string, found: string | string[] | null][] = [
    ["이름,기수,소속", "가나다,3,새봄의원", one],
    ["이름,기수,소속", "가나다,4,새봄의원", other],
    ["이름,휴대폰 뒷자리,소속", "가나다,0002,새봄의원", other],
    ["이름,휴대폰 뒷자리,소속", "가나다,2,새봄의원", other],
    ["이름,휴대전화,소속", "가나다,010-****-0001,새봄의원", one],
    ["이름,기수,휴대폰 뒷자리,소속", "라마바,5,1003,새봄의원", twins.find((id) => id !== twin) ?? ""],
    // Another cohort is another person; no candidate is left.
    ["이름,기수,소속", "가나다,9,새봄의원", null],
    ["이름,기수,소속", "없는이,3,새봄의원", null],
    // A complete number of their own, and no cohort: a namesake.
    ["이름,휴대전화,소속", "가나다,010-8800-0009,새봄의원", null],
    ["이름,기수,소속", "라마바,5,새봄의원", twins],
    ["이름,기수,소속", "사아자,3,새봄의원", [unknown]],
    ["이름,기수,소속", "차카타,6,새봄의원", [spaced]],
    ["이름,소속", "가나다,새봄의원", [one, other].toSorted()],
    ["이름,휴대폰 뒷자리,소속", "사아자,9999,새봄의원", [unknown]],
    ["이름,기수,졸업연도", "가나다,3,1999", [one]],
    ["이름,기수,휴대폰 뒷자리", "가나다,3,0002", [one, other].toSorted()],
    ["이름,기수,휴대전화", "가나다,3,010-8800-0009", [one]],
    ["이름,휴대전화", "가나다,011-770-0001", [one]],
  ];
  for (const [heads, line, found] of cases) {
    const answer = await look(admin, heads, line);
    const { data } = answer;
    const got = Array.isArray(found)
      ? [data.people.asked, data.rejected, asked(answer)]
      : [data.inserted, data.updated, data.people.asked];
    expect([heads, line, ...got]).toEqual([
      heads,
      line,
      ...(Array.isArray(found) ? [1, 1, [[2, ...found]]] : [found === null ? 1 : 0, found === null ? 0 : 1, 0]),
    ]);
  }
  expect(await countRows("alumni")).toBe(6);
  const importId = await sent(admin, "이름,휴대폰 뒷자리,소속", "가나다,0002,새봄의원");
  await plan(admin, importId);
  expect(importCounts(await commit(admin, importId))).toEqual([0, 1, 0, 0]);
  expect(await readRow("SELECT mobile, affiliation, memo FROM alumni WHERE id = ?", other)).toEqual({
    mobile: "010-7700-0002",
    affiliation: "새봄의원",
    memo: "",
  });
});

test("answers about persons apply to the next file", async () => {
  const admin = await createAdministratorSession();
  const first = await add(admin, { name: "가나다", cohort: 3, mobile: "010-7700-0001" });
  await add(admin, { name: "라마바", cohort: 4, mobile: "010-7700-0002" });
  await add(admin, { name: "사아자", cohort: 5, mobile: "010-7700-0003" });
  const heads = "이름,소속,휴대폰 뒷자리";
  const lines = ["가나다,새봄의원,", "라마바,가람의원,7777", "사아자,누리의원,"];
  const importId = await sent(admin, heads, ...lines);
  const open = await plan(admin, importId);
  expect([importCounts(open), asked(open).map(([row]: [number]) => row)]).toEqual([
    [0, 0, 0, 3],
    [2, 3, 4],
  ]);
  const [a, b, c] = open.data.people.questions.map(({ value }: { value: string }) => value);
  const decided = await plan(admin, importId, { people: { [a]: first, [b]: "new", [c]: "skip" } });
  expect([importCounts(decided), decided.data.people.skipped, answered(decided)]).toEqual([
    [1, 1, 0, 0],
    1,
    [
      [2, "same"],
      [3, "new"],
      [4, "skip"],
    ],
  ]);
  expect(importCounts(await commit(admin, importId))).toEqual([1, 1, 0, 0]);
  expect(await readRows("SELECT name, affiliation, memo FROM alumni ORDER BY name, cohort")).toEqual([
    { name: "가나다", affiliation: "새봄의원", memo: "" },
    { name: "라마바", affiliation: "가람의원", memo: "" },
    { name: "라마바", affiliation: "", memo: "" },
    { name: "사아자", affiliation: "", memo: "" },
  ]);
  const again = await look(admin, heads, ...lines.toReversed());
  expect([importCounts(again), again.data.people.asked, again.data.people.skipped]).toEqual([[0, 0, 2, 0], 0, 1]);
  // Another form asks; an answer can be taken back.
  expect((await look(admin, "이름,소속", "가나다,새봄의원")).data.people.asked).toBe(1);
  const back = await plan(admin, await sent(admin, heads, ...lines), { people: { [a]: "ask" } });
  expect(asked(back)).toEqual([[2, first]]);
  // The digits are no value; the preview lists them.
  expect(open.data.rules).toMatchObject([{ rule: "tail", field: "mobile", count: 1, samples: [{ before: "7777" }] }]);
});

test("an answer ends with its person", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin, { name: "가나다", cohort: 3 });
  const other = await add(admin, { name: "가나다", cohort: 4 });
  const heads = "이름,소속";
  const decide = async (choice: string) => {
    const importId = await sent(admin, heads, "가나다,새봄의원");
    const { value } = (await plan(admin, importId)).data.people.questions[0];
    expect((await plan(admin, importId, { people: { [value]: choice } })).data.people.asked).toBe(0);
    return importId;
  };
  const asks = async () => (await look(admin, heads, "가나다,새봄의원")).data.people.asked;
  const rename = async (name: string, version: number) =>
    expect((await callAs(admin, "PATCH", `/api/alumni/${id}`, { name, version })).code).toBe("SUCCESS");
  await decide(id);
  await rename("다른이", 1);
  expect(await asks()).toBe(1);
  await rename("가나다", 2);
  expect(await asks()).toBe(0);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [id] });
  expect([await asks(), await countRows("alumni_import_choice")]).toEqual([1, 1]);
  await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [id] });
  expect(await countRows("alumni_import_choice")).toBe(0);
  // An id that is no person, or one of another name, decides nothing.
  const importId = await sent(admin, heads, "가나다,새봄의원");
  const { value } = (await plan(admin, importId)).data.people.questions[0];
  const stranger = await add(admin, { name: "라마바" });
  for (const choice of [crypto.randomUUID(), stranger])
    expect((await plan(admin, importId, { people: { [value]: choice } })).data.people.asked).toBe(1);
  const added = await decide("new");
  await commit(admin, added);
  expect([await asks(), await countRows("alumni")]).toEqual([0, 3]);
  expect((await send(admin, "POST", `${added}/undo`, {})).data.removed).toBe(1);
  expect([await asks(), await countRows("alumni_import_choice")]).toEqual([1, 0]);
  expect(await readValue("SELECT count(*) FROM alumni WHERE id = ?", other)).toBe(1);
});

test("an importer finds no one by a hidden number", async () => {
  const admin = await createAdministratorSession();
  await add(admin, { name: "가나다", cohort: 3, affiliation: "한빛병원", mobile: "010-7700-0001" });
  await add(admin, { name: "가나다", cohort: 4, affiliation: "한빛병원", mobile: "010-7700-0002" });
  const reader = await createSessionWith(["Alumni_Import", "Alumni_Read"]);
  const blind = await createSessionWith(["Alumni_Import"]);
  const tell = async (session: TestSession, tail: string) =>
    (await look(session, "이름,휴대폰 뒷자리,소속", `가나다,${tail},새봄의원`)).data;
  const [right, wrong] = [await tell(reader, "0001"), await tell(reader, "0009")];
  expect([right.people.asked, wrong.people.asked]).toEqual([1, 1]);
  expect(right.people.questions[0].candidates).toEqual(wrong.people.questions[0].candidates);
  expect(JSON.stringify([right, wrong])).not.toContain("7700");
  expect(right.people.questions[0].candidates.map(({ tail }: { tail: string }) => tail)).toEqual(["", ""]);
  expect((await look(reader, "이름,기수,소속", "가나다,3,새봄의원")).data.updated).toBe(1);
  expect((await tell(blind, "0001")).people.asked).toBe(0);
  expect((await look(blind, "이름,기수,소속", "가나다,3,새봄의원")).data.inserted).toBe(1);
});

test("cells with two values are taken apart only by decision", async () => {
  const admin = await createAdministratorSession();
  const importId = await sent(
    admin,
    "이름,기수,졸업연도,휴대전화,이메일",
    "가나다,12기(2004),,010-7700-0001 (배우자),a@pid.example.kr (회사)",
    "라마바,제13기 2005년,2005,배우자 010-7700-0002,",
    "사아자,14기(2006),2007,010-7700-0003,",
    "차카타,,2008(15기),010-7700-0004,",
  );
  const first = await plan(admin, importId);
  expect(importCounts(first)).toEqual([0, 0, 0, 4]);
  const faults = first.data.faults as { kind: string; samples: { parts: string }[]; choices: string[] }[];
  expect(faults.map(({ kind, samples, choices }) => [kind, choices, samples.map(({ parts }) => parts)])).toEqual([
    [
      "cohort.mixed",
      ["split", "memo", "blank"],
      ["기수 12, 졸업연도 2004", "기수 13, 졸업연도 2005", "기수 14, 졸업연도 2006"],
    ],
    [
      "mobile.mixed",
      ["split", "memo", "blank"],
      ["휴대전화 010-7700-0001, 메모 배우자", "휴대전화 010-7700-0002, 메모 배우자"],
    ],
    ["email.mixed", ["split", "memo", "blank"], ["이메일 a@pid.example.kr, 메모 회사"]],
    ["graduationYear.mixed", ["split", "memo", "blank"], ["졸업연도 2008, 기수 15"]],
  ]);
  const decisions = Object.fromEntries(faults.map(({ kind }) => [kind, "split"]));
  expect(importCounts(await plan(admin, importId, { decisions }))).toEqual([4, 0, 0, 0]);
  await commit(admin, importId);
  expect(
    await readRows("SELECT name, cohort, graduation_year AS year, mobile, email, memo FROM alumni ORDER BY name"),
  ).toEqual([
    {
      name: "가나다",
      cohort: 12,
      year: 2004,
      mobile: "010-7700-0001",
      email: "a@pid.example.kr",
      memo: "휴대전화: 배우자\n이메일: 회사",
    },
    { name: "라마바", cohort: 13, year: 2005, mobile: "010-7700-0002", email: "", memo: "휴대전화: 배우자" },
    { name: "사아자", cohort: 14, year: 2007, mobile: "010-7700-0003", email: "", memo: "기수: 14기(2006)" },
    { name: "차카타", cohort: 15, year: 2008, mobile: "010-7700-0004", email: "", memo: "" },
  ]);
});

test("only importers use the remembered forms of files", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const importId = await sent(admin, "이름,기수", "가나다,3");
  const form = {
    heads: ["2026 명단", "성함", "기수"],
    columns: [null, "name", "cohort"],
    sheets: { 탈퇴자: true },
    hidden: { rows: "leave", columns: null },
    emptied: "keep",
    decisions: { "mobile.mixed": "split", "name.title": "tidy" },
  };
  await plan(admin, importId, { forms: [{ ...form, columns: [null, "name", null] }] });
  // The year is no part of the form.
  await plan(admin, importId, { forms: [{ ...form, heads: ["2027 명단", "성함", "기수"] }] });
  for (const session of [admin, await createSessionWith(["Alumni_Import"])]) {
    const { heads: _heads, columns, ...answers } = form;
    expect((await send(session, "GET", "form")).data).toEqual([
      { heads: ["2027 명단", "성함", "기수"], columns, answers, usedDate: expect.any(String) },
    ]);
  }
  // Release 1.0.0 reads these decisions and knows no marks.
  expect(await readValue("SELECT answers ->> '$.decisions' FROM alumni_import_form")).toBe('{"mobile.mixed":"split"}');
  const partial = await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write", "Alumni_Export"]);
  const choices = { people: { value: "new" }, forms: [form] };
  expect((await send(null, "GET", "form")).code).toBe("UNAUTHORIZED");
  expect((await plan(null as never, importId, choices)).code).toBe("UNAUTHORIZED");
  for (const session of [await createMemberSession(), partial]) {
    expect((await send(session, "GET", "form")).code).toBe("FORBIDDEN");
    expect((await plan(session, importId, choices)).code).toBe("FORBIDDEN");
  }
  expect([await countRows("alumni_import_form"), await countRows("alumni_import_choice")]).toEqual([1, 0]);
  const many = Array.from({ length: 60 }, (_, at) => ({ ...form, heads: ["이름", `열${at}`] }));
  for (let at = 0; at < 60; at += 20) await plan(admin, importId, { forms: many.slice(at, at + 20) });
  expect(await countRows("alumni_import_form")).toBe(50);
  for (const bad of [{ columns: ["password"] }, { heads: [] }, { decisions: { "mobile.mixed": "guess" } }])
    expect((await plan(admin, importId, { forms: [{ ...form, ...bad }] })).code).toBe("INVALID_INPUT");
});

test("a namesake without a cohort is asked about", async () => {
  const admin = await createAdministratorSession();
  const third = await add(admin, { name: "가나다", cohort: 3, mobile: "010-7700-0003" });
  const unknown = await add(admin, { name: "가나다", mobile: "010-7700-0009" });
  expect(asked(await look(admin, "이름,기수", "가나다,3"))).toEqual([[2, ...[third, unknown].toSorted()]]);
  const decided = await look(admin, "이름,기수,휴대폰 뒷자리", "가나다,3,0003");
  expect(asked(decided)).toEqual([]);
  expect(importCounts(decided)).toEqual([0, 0, 1, 0]);
});
