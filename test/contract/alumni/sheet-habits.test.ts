import { expect, test } from "vitest";
import { DROPPED_FILE_LIMITS } from "#app/features/alumni/import/read-dropped-file.ts";
import { formKey } from "#worker/contract/alumni/import/header.ts";
import { findPeople, type PeopleBook, peopleTableSentences } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import { encode, makeFile, makeOpenDocument, openDocumentTable, sheetFile } from "./sheet-files.ts";
import { BODY_HABITS } from "./body-habits.ts";
import { CELL_HABITS } from "./cell-habits.ts";
import { HEADER_HABITS } from "./header-habits.ts";

type FileBytes = Uint8Array<ArrayBuffer>;
const LIMITS = { ...DROPPED_FILE_LIMITS, rows: 5000 };
const read = async (bytes: FileBytes, fileName = "명부.xlsx") =>
  findPeople(await readFileSheets(bytes, LIMITS), fileName);

const peopleOf = ({ tables }: PeopleBook, fields: string[]) =>
  tables.flatMap(({ rows, columns }) =>
    rows.map(({ cells }) => fields.map((field) => cells[columns.indexOf(field as (typeof columns)[number])] ?? "")),
  );
const sentencesOf = ({ tables, passed }: PeopleBook) => [
  ...tables.flatMap((table) => [
    ...(table.isHidden ? [`숨긴 시트 ‘${table.sheet}’`] : []),
    ...peopleTableSentences(table),
  ]),
  ...passed.map(({ sheet, reason }) => `지나간 시트 ‘${sheet}’: ${reason}`),
];

const HONG_ROW = ["홍길동", "010-0000-0001"];
const SHEET_HABITS = [...HEADER_HABITS, ...BODY_HABITS, ...CELL_HABITS];

test("at least 60 distinct habits are tested", () => {
  expect(SHEET_HABITS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(SHEET_HABITS.map(({ habit }) => habit)).size).toBe(SHEET_HABITS.length);
});

test.each(SHEET_HABITS)("$habit", async ({ fileName, bytes, people: [fields, ...people], says }) => {
  const book = await read(bytes(), fileName);
  const codes = fields.split(" ");
  expect(peopleOf(book, codes)).toEqual(people.map((row) => row.map(String)));
  expect(sentencesOf(book)).toEqual(says);
  // No other field is filled.
  for (const { columns } of book.tables) expect(codes).toEqual(expect.arrayContaining(columns.filter(Boolean)));
});

test("at least 95 percent of the habits map every field column automatically", async () => {
  let mapped = 0;
  for (const { bytes, fileName, people } of SHEET_HABITS) {
    const columns = (await read(bytes(), fileName)).tables.flatMap((table) => table.columns);
    if ((people[0] as string).split(" ").every((field) => columns.some((column) => column === field))) mapped += 1;
  }
  expect(mapped / SHEET_HABITS.length).toBeGreaterThanOrEqual(0.95);
});

const repeated = (attributes: string) =>
  openDocumentTable([["이름"]]).replace(
    "</table:table>",
    () =>
      `<table:table-row ${attributes}><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>가</text:p></table:table-cell></table:table-row></table:table>`,
  );
const BAD: [what: string, bytes: () => FileBytes, message: RegExp][] = [
  ["0 bytes", () => new Uint8Array(), /빈 파일입니다\(0바이트\)/],
  ["spaces alone", () => encode(" \n \n"), /비어 있는 파일/],
  ["a page without a table", () => encode("<html><body>로그인해 주십시오.</body></html>"), /표가 없습니다/],
  ["a page that never ends", () => encode(`<table><tr>${"<td>".repeat(50_000)}`), /표가 없습니다/],
  ["a page of open brackets", () => encode(`<table>${"<".repeat(500_000)}`), /표가 없습니다/],
  [
    "300 sheets",
    () =>
      makeFile(
        Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`시트${at}`, { rows: [["이름"], ["홍길동"]] }])),
      ),
    /시트가 너무 많습니다/,
  ],
  ["a cell of 20 MB", () => encode(`이름,메모\n홍길동,${"가".repeat(7_000_000)}\n`), /지나치게 긴 칸/],
  [
    "16,384 columns",
    () => sheetFile([["이름", ...Array.from({ length: 16_383 }, (_, at) => `열${at}`)], ["홍길동"]]),
    /열이 너무 많습니다/,
  ],
  ["a cell that repeats to the last column", () => makeOpenDocument(repeated("")), /열이 너무 많습니다/],
  [
    "rows that repeat to the last",
    () => makeOpenDocument(repeated('table:number-rows-repeated="1000000"').replace("16384", "2")),
    /행이 너무 많습니다/,
  ],
  ["an encrypted OpenDocument", () => makeOpenDocument("", "", "<manifest:encryption-data/>"), /암호가 걸린/],
  ["a PDF", () => encode("%PDF-1.7\n"), /엑셀 파일이 아닙니다/],
  [
    "hidden sheets alone",
    () => makeFile({ 명부: { rows: [["이름"], ["홍길동"]], isHidden: true } }),
    /보이는 시트가 없습니다/,
  ],
];

test.each(BAD)("%s: refused at once, with the reason", async (_what, bytes, message) => {
  await expect(read(bytes())).rejects.toThrow(message);
});

test.each([
  ["2025 탈퇴자", [], "명부.xlsx", "탈퇴"],
  ["명부", ["작고 회원 명단"], "명부.xlsx", "작고"],
  ["명부", [], "삭제 대상.xlsx", "삭제"],
  ["회원 (사망)", [], "명부.xlsx", "사망"],
  ["제명", [], "명부.xlsx", "제명"],
  ["Deleted", [], "명부.xlsx", "Deleted"],
  ["명부", ["2025 회원 명부 (탈퇴자 제외)"], "명부.xlsx", null],
  ["작고·탈퇴 제외", [], "명부.xlsx", null],
  ["최고인기상", ["3기 동문 명부"], "명부.xlsx", null],
])("the sheet %s below %j in %s says %s", async (sheet, titles, fileName, word) => {
  const rows = [...titles.map((title) => [title]), ["이름", "기수"], ["홍길동", 3]];
  expect((await read(makeFile({ [sheet]: { rows } }), fileName)).tables[0]?.leaving).toBe(word);
});

const bankRows = [
  ["거래내역조회"],
  ["계좌번호: 000-00-0000"],
  [],
  ["No", "거래일시", "보낸분/받는분", "입금액"],
  [1, "2026-03-01", "김하늘 회비", 50_000],
  [2, "2026-03-02", "10기강성은", 50_000],
];
const choose = async (rows: unknown[][], choices: Parameters<typeof findPeople>[2]) =>
  findPeople(await readFileSheets(sheetFile(rows), LIMITS), "거래.xlsx", choices);

test("a sheet without a known header is read where pointed at", async () => {
  await expect(choose(bankRows, {})).rejects.toThrow("머리글 행을 찾지 못했습니다");
  const { tables, passed } = await choose(bankRows, { keepsUnread: true });
  const [unread] = passed;
  expect([tables, unread?.top.map(({ row }) => row)]).toEqual([[], [1, 2, 4, 5, 6]]);
  const sheet = unread?.sheet ?? "";
  const pointed = (await choose(bankRows, { headRows: { [sheet]: 4 } })).tables[0];
  expect([pointed?.headerRows, pointed?.heads, pointed?.rows.length]).toEqual([
    [4, 4],
    ["No", "거래일시", "보낸분/받는분", "입금액"],
    2,
  ]);
  const known = new Set([formKey(pointed?.heads ?? [])]);
  const next = (await choose([["새 제목"], ...bankRows], { known })).tables[0];
  expect([next?.headerRows, next?.rows.length]).toEqual([[5, 5], 2]);
  await expect(choose(bankRows, { headRows: { [sheet]: 3 } })).rejects.toThrow("파일에 없거나 비어 있는 행입니다");
});

test("a row that the guess passed over can be pointed at", async () => {
  const notes = Array.from({ length: 300 }, (_, at) => [`안내 ${at + 1}`]);
  const rows = [["이름", "휴대전화"], HONG_ROW, ...notes, ["성함", "기수"], ["김하나", 4]];
  const [table] = (await choose(rows, { headRows: { 명부: 303 } })).tables;
  expect([table?.headerRows, table?.columns, table?.rows.map(({ cells }) => cells)]).toEqual([
    [303, 303],
    ["name", "cohort"],
    [["김하나", "4"]],
  ]);
});

test("elements nested deeper than a browser allows are refused", async () => {
  const nested = (depth: number) => encode(`<table><tr><td>이름<tr><td>${"<b>".repeat(depth)}홍길동</table>`);
  expect(peopleOf(await read(nested(500)), ["name"])).toEqual([["홍길동"]]);
  await expect(read(nested(520))).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("a table inside a cell is text of that cell", async () => {
  const page = "<table><tr><td>이름<td>메모<tr><td>홍길동<td>앞<table><tr><td>가<td>나</table>뒤</table>";
  expect(peopleOf(await read(encode(page)), ["name", "memo"])).toEqual([["홍길동", "앞\n가나뒤"]]);
});
