import { expect, test } from "vitest";
import { DROPPED_FILE_LIMITS } from "#app/features/alumni/import/read-dropped-file.ts";
import { findPeople, type PeopleBook, peopleTableSentences } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import { LIBREOFFICE_FILES } from "../../api/alumni/workbooks.ts";
import { requirePresent } from "../../support/require-present.ts";
import { BOTH_1_2, HEAD_1, HEAD_2, HONG, KIM, TWO } from "./habit-words.ts";

const LIMITS = { ...DROPPED_FILE_LIMITS, rows: 5000 };

const peopleOf = ({ tables }: PeopleBook, fields: string[]) =>
  tables.flatMap(({ rows, columns }) =>
    rows.map(({ cells }) => fields.map((field) => cells[columns.indexOf(field as (typeof columns)[number])] ?? "")),
  );

const PHONES = ["name mobile zipCode", ["홍길동", "010-0000-0001", "03080"], ["김하나", "010-0000-0002", "63001"]];
const DATES = ["name graduationYear", ["홍길동", "2004년 2월 25일"], ["김하나", "1999년 8월 20일"]];
const FORMULAS = ["name mobile email", ["홍길동", "010-0000-0001", "a@b.kr"]];
const SHEETS_SAY = [
  HEAD_1,
  "시트 이름 ‘3기’에서 찾은 값: 기수 3",
  HEAD_1,
  "시트 이름 ‘4기’에서 찾은 값: 기수 4",
  HEAD_1,
];
const SHEETS = ["name mobile", HONG, KIM, ["박두리", ""]];

const HABITS: [file: string, people: unknown[], says: string[]][] = [
  [
    "merged-cohort.ods",
    ["cohort name mobile", ["3기", ...HONG], ["3기", ...KIM], ["4기", "박두리", "010-0000-0003"]],
    [HEAD_2, "제목 1행을 뺐습니다: 1행 ‘총동문회 명부’", "병합된 칸의 값을 아래 1칸에 채웠습니다."],
  ],
  ["two-row-header.xlsx", ["name mobile email affiliation", [...HONG, "a@b.kr", "한빛병원"]], [BOTH_1_2]],
  ["hidden-rows.ods", TWO, [HEAD_1, "숨긴 행이 1행 있습니다: 3행"]],
  ["hidden-column.xlsx", TWO, [HEAD_1, "숨긴 열이 있습니다: ‘휴대전화’"]],
  ["dates.ods", DATES, [HEAD_1]],
  ["dates.xlsx", DATES, [HEAD_1]],
  ["numbers-as-phones.ods", PHONES, [HEAD_1]],
  ["numbers-as-phones.xlsx", PHONES, [HEAD_1]],
  ["formulas.ods", FORMULAS, [HEAD_1]],
  ["formulas.xls", FORMULAS, [HEAD_1]],
  ["notes.ods", TWO, [HEAD_1]],
  ["several-sheets.ods", SHEETS, SHEETS_SAY],
  ["several-sheets.xlsx", SHEETS, SHEETS_SAY],
  ["subtotals.xls", TWO, [HEAD_1, "합계 1행을 뺐습니다: 4행 ‘합계 2명’"]],
  ["line-breaks.ods", ["name address", ["홍길동", "서울특별시 종로구\n가상로 1"]], [HEAD_1]],
  ["rich-text.xlsx", ["name affiliation", ["홍길동", "한빛대학교병원"]], [HEAD_1]],
  ["page.html.xls", TWO, [HEAD_1]],
  ["euc-kr.csv", TWO, [HEAD_1]],
];

test("every sheet of the archive has a test", () => {
  const ofRoundTrip = ["exported.xlsx", "edited.xlsx", "edited.ods"];
  expect([...LIBREOFFICE_FILES.keys()].toSorted()).toEqual(
    [...HABITS.map(([file]) => file), ...ofRoundTrip].toSorted(),
  );
});

test.each(HABITS)("as LibreOffice saved it: %s", async (file, [fields, ...people], says) => {
  const book = findPeople(await readFileSheets(requirePresent(LIBREOFFICE_FILES.get(file))(), LIMITS), "명부");
  const codes = String(fields).split(" ");
  expect(peopleOf(book, codes)).toEqual(people);
  expect(book.tables.flatMap((table) => peopleTableSentences(table))).toEqual(says);
  for (const { columns } of book.tables) expect(codes).toEqual(expect.arrayContaining(columns.filter(Boolean)));
});
