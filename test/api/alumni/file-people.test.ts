import { expect, test } from "vitest";
import type { ImportPeople } from "#worker/contract/alumni/view.ts";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { type ApiAnswer, callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { countRows, readRows } from "../../support/test-database.ts";

type Row = [row: number, cells: string[]];

const HEADS = ["이름", "기수", "휴대전화", "이메일", "소속", "상태"];
const MOBILE = "010-7700-0001";
const EMAIL = "song@pid.example.kr";
const MISEONG: Row = [2, ["송미성", "3", MOBILE, EMAIL, "", ""]];
const JIWON: Row = [3, ["송지원", "", MOBILE, "jiwon@pid.example.kr", "새봄의원", ""]];

const send = (session: TestSession, method: string, path: string, body?: unknown) =>
  callAs(session, method, `/api/alumni/import/${path}`, body);

async function sent(session: TestSession, rows: Row[]) {
  const mapping = Object.fromEntries(HEADS.map((head) => [head, head]));
  const file = { fileName: "명부.xlsx", headRow: 1, heads: HEADS, mapping, parts: 1 };
  const { importId } = (await send(session, "POST", "open", file)).data;
  expect((await send(session, "PUT", `${importId}/part/1`, { rows })).code).toBe("SUCCESS");
  return importId as string;
}
const plan = (session: TestSession, importId: string, people: Record<string, string> = {}) =>
  send(session, "POST", `${importId}/plan`, { mode: "upsert", people });
const commit = (session: TestSession, importId: string) =>
  send(session, "POST", `${importId}/commit`, { skipInvalid: false });
const stored = () => readRows("SELECT name, mobile, email, affiliation, state FROM alumni ORDER BY name");
const questionsOf = ({ data }: ApiAnswer) => data.people.questions as ImportPeople["questions"];

/** Answers the only question of a file. */
async function answered(admin: TestSession, rows: Row[], choice?: string) {
  const importId = await sent(admin, rows);
  const asked = await plan(admin, importId);
  const [question] = questionsOf(asked);
  if (!question) throw new Error("no question");
  const answer = await plan(admin, importId, { [question.value]: choice ?? question.candidates[0]?.id ?? "" });
  return { importId, asked, question, answer };
}

test.each([
  ["mobile", ["송지원", "", MOBILE, "", "", ""]],
  ["email", ["송지원", "", "", EMAIL.toUpperCase(), "", ""]],
])("new rows with one %s but other names are a question", async (field, cells) => {
  const admin = await createAdministratorSession();
  const asked = await plan(admin, await sent(admin, [MISEONG, [3, cells]]));
  expect(importCounts(asked)).toEqual([1, 0, 0, 1]);
  expect(questionsOf(asked)).toMatchObject([
    { row: 3, name: "송지원", candidates: [{ row: 2, name: "송미성", cohort: 3, tail: "0001", shares: [field] }] },
  ]);
});

test("a file read in one call adds no question", async () => {
  const admin = await createAdministratorSession();
  const file = `이름,휴대전화\n송미성,${MOBILE}\n송지원,${MOBILE}\n`;
  const answer = await importAlumniFile(admin, "명부.csv", file, { skipInvalid: true });
  expect([importCounts(answer), await countRows("alumni")]).toEqual([[1, 0, 0, 1], 1]);
});

test("the person of an earlier row gets what that row lacks", async () => {
  const admin = await createAdministratorSession();
  const { importId, answer } = await answered(admin, [MISEONG, JIWON]);
  expect([importCounts(answer), answer.data.people]).toMatchObject([
    [1, 0, 0, 0],
    { asked: 0, answered: 1, answers: [{ row: 3, choice: "same", person: { row: 2, name: "송미성" } }] },
  ]);
  await commit(admin, importId);
  expect(await stored()).toEqual([
    { name: "송미성", mobile: MOBILE, email: EMAIL, affiliation: "새봄의원", state: "활동" },
  ]);
  expect(importCounts(await plan(admin, await sent(admin, [MISEONG, JIWON])))).toEqual([0, 0, 1, 0]);
});

test("the stronger state of two rows of one person counts", async () => {
  const admin = await createAdministratorSession();
  const dead: Row = [3, ["송지원", "", MOBILE, "", "", "작고"]];
  const { importId } = await answered(admin, [[2, ["송미성", "3", MOBILE, "", "", "활동"]], dead]);
  await commit(admin, importId);
  expect(await stored()).toMatchObject([{ name: "송미성", state: "작고" }]);
});

test("a second new value for one person is refused", async () => {
  const admin = await createAdministratorSession();
  const jiwon = (affiliation: string): Row => [3, ["송지원", "", MOBILE, "", affiliation, ""]];
  const { importId } = await answered(admin, [MISEONG, jiwon("")]);
  await commit(admin, importId);
  const next = await plan(admin, await sent(admin, [MISEONG, jiwon("새봄의원")]));
  expect([importCounts(next), next.data.errors[0].message]).toEqual([
    [0, 0, 1, 1],
    "2행과 같은 사람입니다. 한 행만 남겨 주십시오.",
  ]);
});

test("another person with the same contact is added once", async () => {
  const admin = await createAdministratorSession();
  const { importId, answer } = await answered(admin, [MISEONG, JIWON], "new");
  expect(importCounts(answer)).toEqual([2, 0, 0, 0]);
  await commit(admin, importId);
  const again = await plan(admin, await sent(admin, [MISEONG, JIWON]));
  expect([importCounts(again), await countRows("alumni")]).toEqual([[0, 0, 2, 0], 2]);
});

test("a skipped row with the contact of an earlier one adds nobody", async () => {
  const admin = await createAdministratorSession();
  const { importId, answer } = await answered(admin, [MISEONG, JIWON], "skip");
  expect([importCounts(answer), answer.data.people.skipped]).toEqual([[1, 0, 0, 0], 1]);
  await commit(admin, importId);
  expect(await stored()).toMatchObject([{ name: "송미성", affiliation: "" }]);
});

test("an answer about two rows can be asked again", async () => {
  const admin = await createAdministratorSession();
  const { importId, question } = await answered(admin, [MISEONG, JIWON]);
  expect(importCounts(await plan(admin, importId, { [question.value]: "ask" }))).toEqual([1, 0, 0, 1]);
});

test("three rows of one person join", async () => {
  const admin = await createAdministratorSession();
  const third: Row = [4, ["송하나", "", MOBILE, "", "강남의원", ""]];
  const importId = await sent(admin, [MISEONG, JIWON, third]);
  const asked = questionsOf(await plan(admin, importId));
  expect(asked.map(({ row, candidates }) => [row, candidates.map((each) => each.row)])).toEqual([
    [3, [2]],
    [4, [2]],
  ]);
  await plan(
    admin,
    importId,
    Object.fromEntries(asked.map(({ value, candidates }) => [value, candidates[0]?.id ?? ""])),
  );
  await commit(admin, importId);
  expect(await stored()).toMatchObject([{ name: "송미성", affiliation: "새봄의원" }]);
});

test("a row with an earlier row's contact is asked about", async () => {
  const admin = await createAdministratorSession();
  const id = (await callAs(admin, "PUT", "/api/alumni", { name: "송미성", cohort: 3, email: EMAIL })).data.id;
  const { question, answer } = await answered(admin, [MISEONG, [3, ["송지원", "", MOBILE, "", "", ""]]]);
  expect(question.candidates).toMatchObject([{ id, row: 2, name: "송미성" }]);
  expect(importCounts(answer)).toEqual([0, 1, 0, 1]);
});

test("names that differ only by spaces are one person in a file", async () => {
  const admin = await createAdministratorSession();
  const rows: Row[] = [
    [2, ["Song Miseong", "", MOBILE, "", "", ""]],
    [3, ["SongMiseong", "", MOBILE, "", "", ""]],
  ];
  const answer = await plan(admin, await sent(admin, rows));
  expect([importCounts(answer), answer.data.errors[0].message]).toEqual([
    [1, 0, 0, 1],
    "2행과 같은 사람입니다. 한 행만 남겨 주십시오.",
  ]);
});

test("a contact shared by more than five others identifies nobody", async () => {
  const admin = await createAdministratorSession();
  const rowsOf = (count: number): Row[] =>
    Array.from({ length: count }, (_, at) => [at + 2, [`가나${at}`, "", "", "office@pid.example.kr", "", ""]]);
  expect(importCounts(await plan(admin, await sent(admin, rowsOf(7))))).toEqual([7, 0, 0, 0]);
  expect(importCounts(await plan(admin, await sent(admin, rowsOf(6))))).toEqual([1, 0, 0, 5]);
});

test("an importer who sees no people decides only own rows", async () => {
  const importer = await createSessionWith(["Alumni_Import"]);
  const { question, answer } = await answered(importer, [MISEONG, JIWON]);
  expect([question.candidates, importCounts(answer)]).toMatchObject([[{ row: 2, name: "송미성" }], [1, 0, 0, 0]]);
});

test("the undo of an import with joined rows removes their person", async () => {
  const admin = await createAdministratorSession();
  const { importId } = await answered(admin, [MISEONG, JIWON]);
  await commit(admin, importId);
  expect((await send(admin, "POST", `${importId}/undo`, {})).data).toMatchObject({ removed: 1, kept: [] });
});
