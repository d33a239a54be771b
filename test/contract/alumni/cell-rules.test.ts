import { describe, expect, test } from "vitest";
import { cellRuleOf } from "#worker/contract/alumni/import/cell-changes.ts";
import {
  cleanCell,
  cleanForeignZipCode,
  holdsResidentNumber,
  isForeignAddress,
  maskedCell,
} from "#worker/contract/alumni/cell-rules.ts";
import { type AlumniField, dialableNumber } from "#worker/contract/alumni/columns.ts";
import { SSF } from "@e965/xlsx";
import { readDroppedFile } from "#app/features/alumni/import/read-dropped-file.ts";
import { combineSources } from "#app/features/alumni/import/import-table.ts";
import { type DroppedSource } from "#app/features/alumni/import/dropped-files.ts";
import { type BookColumn, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { CellFormats } from "#worker/adapters/spreadsheet/cell-formats.ts";
import formats from "../../fixtures/alumni/formats.xlsx?inline";
import { encode, makeOpenDocument, sheetFile } from "./sheet-files.ts";

const kept = (field: AlumniField, raw: string) => {
  const cell = cleanCell(field, raw);
  return "error" in cell ? cell.fault : cell.value;
};

describe("an ambiguous phone number is kept as typed or reported", () => {
  test.each([
    ["02-740-1234 (내선 5)", "02-740-1234 (내선 5)"],
    ["053-200-5114~6", "053-200-5114~6"],
    ["02-740-1234, 02-740-1235", "02-740-1234, 02-740-1235"],
    ["02-740-1234 ext. 5", "02-740-1234 ext. 5"],
    ["02-740-1234/5", "02-740-1234/5"],
    // Grouped unlike any phone number.
    ["053-200-51146", "format"],
    ["0532005114 6", "format"],
    ["02-740-1234 (교환 1번, 내과 외래)", "02-740-1234 (교환 1번, 내과 외래)"],
    ["02-740-1234 (교환 1번, 내과 외래 간호사실 김 선생님)", "length"],
    ["내선 5", "format"],
  ])("phone %s", (raw, value) => expect(kept("phone", raw)).toBe(value));

  test.each([
    ["010-0000-0001, 010-0000-0002", "several"],
    ["010-0000-0001 / 02-740-1234", "several"],
    ["010-0000-00012", "format"],
    ["010-0000-0001 (배우자)", "format"],
  ])("mobile %s", (raw, fault) => expect(kept("mobile", raw)).toBe(fault));

  test.each([
    ["99", "shortYear"],
    ["'04", "shortYear"],
    ["04년", "shortYear"],
    ["05.03.02", "twoWays"],
    ["03/04/2005", 2005],
    ["2004학년도", 2004],
    ["200402", 2004],
    ["2001~2004", "format"],
  ])("graduation year %s", (raw, value) => expect(kept("graduationYear", raw)).toBe(value));

  test("two mail addresses", () => {
    expect(kept("email", "a@pid.example.kr; b@pid.example.kr")).toBe("several");
    expect(kept("email", "a@pid.example.kr b")).toBe("format");
    expect(kept("email", "A @pid. example.kr")).toBe("a@pid.example.kr");
  });
});

describe("an unambiguous phone number is formatted", () => {
  test.each([
    ["01000000001", "010-0000-0001", "hyphen"],
    ["1000000001", "010-0000-0001", "zero"],
    ["+82 10 0000 0001", "010-0000-0001", "country"],
    ["+82-(0)10-0000-0001", "010-0000-0001", "country"],
    ["010.0000.0001", "010-0000-0001", "hyphen"],
    ["010–0000–0001", "010-0000-0001", "hyphen"],
    ["HP) 010-0000-0001", "010-0000-0001", "label"],
    ["０１０-0000-0001", "010-0000-0001", "width"],
    [" 010-0000-0001 ", "010-0000-0001", "space"],
    ["010-0000-0001", "010-0000-0001", null],
  ] as const)("%s", (raw, value, rule) => {
    expect([kept("mobile", raw), cellRuleOf("mobile", raw, value)]).toEqual([value, rule]);
  });

  test.each([
    ["02)740-1234", "02-740-1234"],
    ["(02) 740-1234", "02-740-1234"],
    ["1588-1234", "1588-1234"],
    ["+1 617 555 0100", "+1 617 555 0100"],
  ])("phone %s", (raw, value) => expect(kept("phone", raw)).toBe(value));

  test.each([
    ["+1 617 555 0100", "+1 617 555 0100"],
    ["+1 (617) 555-0100", "+1 617 555-0100"],
    ["+1.617.555.0100", "+1 617 555 0100"],
    ["+81-90-1234-5678", "+81-90-1234-5678"],
    ["+82 2 740 1234", "format"],
    ["+82 10 1234", "format"],
    ["0082 10 0000 0001", "010-0000-0001"],
    ["(+82) 10-0000-0001", "010-0000-0001"],
    ["+1", "format"],
    ["+1 617 555 0100 0100 0100", "format"],
  ])("mobile %s", (raw, value) => expect(kept("mobile", raw)).toBe(value));
});

test.each([
  ["03080", "03080"],
  ["3080", "03080"],
  ["110744", "110-744"],
  ["SW1A 1AA", "SW1A 1AA"],
  ["AT-1090", "AT-1090"],
  ["1012 AB", "1012 AB"],
  ["100-0001", "100-0001"],
  ["01310-100", "01310-100"],
  ["12", "format"],
  ["0308000", "format"],
  ["서울 03080", "format"],
  ["Vienna", "format"],
  ["SW1A 1AA London", "format"],
])("postal code %s", (raw, value) => expect(kept("zipCode", raw)).toBe(value));

test.each([
  ["1090", "1090"],
  ["75001", "75001"],
  ["K1A 0B1", "K1A 0B1"],
  ["not one", "format"],
  ["?", "format"],
])("postal code %s next to an address abroad", (raw, value) => {
  const cell = cleanForeignZipCode(raw);
  expect("value" in cell ? cell.value : cell.fault).toBe(value);
});

test.each([
  ["Währinger Gürtel 18-20, Vienna", true],
  ["10 Downing Street, London", true],
  ["103 Daehak-ro, Jongno-gu, Seoul", false],
  ["Daehak-ro 103, Republic of Korea", false],
  ["서울 종로구 대학로 103", false],
  ["12-03", false],
  ["", false],
])("the address %s is abroad: %s", (address, isAbroad) => expect(isForeignAddress(address)).toBe(isAbroad));

test("every change of a cell has a name", () => {
  const changes: [AlumniField, string, string | null][] = [
    ["email", "Hong@PID.example.kr", "case"],
    ["graduationYear", "2004-02-25", "year"],
    ["cohort", "제3기", "unit"],
    ["zipCode", "3080", "zero"],
    ["name", "홍길동".normalize("NFD"), "letters"],
    ["name", "홍\u200b길동", "removed"],
    ["affiliation", "ＡＢＣ병원", "width"],
    ["affiliation", "한빛  병원", "space"],
    ["affiliation", "한빛병원", null],
    ["memo", "한 줄\n두 줄", null],
    ["cohort", "3", null],
    ["refuses", "없음", "choice"],
    ["state", "사망", "choice"],
    ["stateDate", "2020.3.1", "date"],
  ];
  for (const [field, raw, rule] of changes) {
    const cell = cleanCell(field, raw);
    expect([raw, "value" in cell && cellRuleOf(field, raw, cell.value)]).toEqual([raw, rule]);
  }
});

describe("a resident registration number with a masked second half", () => {
  test.each([
    "900101-1******",
    "900101-2*******",
    "900101-8******",
    "900101-*******",
    "900101-1●●●●●●",
    "900101-1○○○○○○",
    "900101-1xxxxxx",
    "900101-1XXXXXX",
    "900101-1＊＊＊＊＊＊",
    "900101-1ＸＸＸＸＸＸ",
    "９００１０１-１******",
    "900101 - 1******",
    "900101–1******",
    "900101−1******",
    "메모 900101-1****** 참고",
  ])("%s is known", (text) => {
    expect(holdsResidentNumber(text)).toBe(true);
    expect(kept("memo", text)).toBe("resident");
  });

  test.each([
    "900101-9******",
    "900101-1*****",
    "9900101-1******",
    "900101 1******",
    "010-0000-0001",
    "2004-02-25",
    "123456",
  ])("%s is no masked resident number", (text) => expect(holdsResidentNumber(text)).toBe(false));
});

test("a resident registration number is masked even with invisible characters in it", () => {
  expect(maskedCell("연락 900101-1234567 로, 9001012234567")).toBe("연락 900101-1****** 로, 900101-2******");
  expect(maskedCell("９００１０１－１２３４５６７ 끝")).toBe("900101-1****** 끝");
  expect(maskedCell("900101-123\u200b4567")).toBe("900101-1******");
  expect(kept("memo", "900101-123\u200b4567")).toBe("resident");
  expect(maskedCell("123456-1234")).toBe("123456-1234");
  expect(maskedCell("가 \u200b나다라마바사아자차카타")).toBe("가 \u200b나다라마바사아자차카타");
});

test("the number to dial is the first complete one", () => {
  expect(dialableNumber("02-740-1234 (내선 5)")).toBe("02-740-1234");
  expect(dialableNumber("053-200-5114~6")).toBe("053-200-5114");
});

const bytesOf = (url: string) => Uint8Array.from(atob(url.split(",")[1] ?? ""), (each) => each.charCodeAt(0));

async function readTable(
  fileName: string,
  bytes: Uint8Array<ArrayBuffer>,
  columns?: (BookColumn | null)[],
  own: OwnField[] = [],
) {
  const answer = await readDroppedFile({ file: new File([bytes], fileName) });
  if ("error" in answer) throw new Error(answer.error);
  const [table] = answer.tables;
  if (!table) throw new Error("no table");
  const source: DroppedSource = { key: "", fileName, name: "", table, isUsed: true, fixed: {} };
  const mappings = { [table.heads.join("\n")]: columns ?? table.columns };
  const combined = combineSources([source], mappings, { rows: "take", columns: "take" }, own);
  if (!combined) throw new Error("nothing combined");
  return combined;
}

test("every cell of formats.xlsx is read as Excel shows it", async () => {
  const { rows, sentences } = await readTable("명부.xlsx", bytesOf(formats));
  expect(rows.map(({ cells }) => cells.slice(1, 10))).toEqual([
    ["41", "010-7500-0001", "(002) 740-1234", "06236", "12월 3일", "가상대", "3/3", "교수", "15%"],
    ["42", "821075000002", "2740-1234", "6236", "12-03", "가상대", "3-1병동", "교수", "1,234,567.5"],
    ["43", "010-7500-0003", "02)740-1234", "06236", "서울", "1/2", "2팀", "TRUE", "2025-12-09 12:00"],
    ["44", "010-7500-0004", "1588-1234", "6236", "부산", "가상대", "", "", "1000000000000000"],
    ["45", "1075000005", "311234567", "00123", "강원", "가상대", "", "", "△3"],
  ]);
  expect(sentences).toEqual([
    "날짜로 저장된 칸 4개를 보이는 대로 읽었습니다. 번지나 호수를 엑셀이 날짜로 바꾸었는지 확인해 주십시오: F2 ‘12월 3일’(2025-12-03), H2 ‘3/3’(2025-03-03), F3 ‘12-03’(2025-12-03), J4 ‘2025-12-09 12:00’(2025-12-09)",
  ]);
});

/** Text shown by Korean Excel; null means the stored value is read and reported. */
const FORMATS: [format: string, value: number, shown: string | null][] = [
  ["General", 12, "12"],
  ["General", 0.1, "0.1"],
  ["General", 821_075_000_002, null],
  ["0", 821_075_000_002, "821075000002"],
  ["0.00E+00", 1_075_000_005, null],
  ["00000", 6236, "06236"],
  ["000-000", 135_080, "135-080"],
  ["000-0000-0000", 1_075_000_001, "010-7500-0001"],
  ["[<=9999999]###-####;(0##) ###-####", 27_401_234, "(002) 740-1234"],
  ['"("000") "000-0000', 27_401_234, "(002) 740-1234"],
  ["[<=999999]##-####;(0##) ##-####", 31_123_456, "(031) 12-3456"],
  ['0"팀"', 2, "2팀"],
  ["0팀", 2, "2팀"],
  ['"제"0"기"', 12, "제12기"],
  ["#,##0", 1_234_567, "1,234,567"],
  ["#,##0;[Red]△#,##0", -3, "△3"],
  ["#,##0;[Red]▲#,##0", -3, "▲3"],
  ["₩#,##0", 15_000, "₩15,000"],
  ["[$₩-412]#,##0", 15_000, "₩15,000"],
  ["[$-412]#,##0", 15_000, "15,000"],
  ["[$$-409]#,##0.00", 12.5, "$12.50"],
  ['#,##0"원"', 15_000, "15,000원"],
  ["0%", 0.15, "15%"],
  ["0.0%", 0.155, "15.5%"],
  ["# ?/?", 0.5, "1/2"],
  ["# ??/??", 3.25, "3 1/4"],
  ["0;-0;;@", 0, ""],
  ["m/d/yy", 45_994, "2025-12-03"],
  ["m/d/yy h:mm", 45_994.5, "2025-12-03 12:00"],
  ["yyyy-mm-dd hh:mm", 46_000.5, "2025-12-09 12:00"],
  ['yyyy"년" m"월" d"일"', 45_994, "2025년 12월 3일"],
  ["yyyy년 m월 d일", 45_994, "2025년 12월 3일"],
  ['m"월" d"일"', 45_994, "12월 3일"],
  ["mm-dd", 45_994, "12-03"],
  ["m/d", 45_719, "3/3"],
  ["d-mmm", 45_994, "3-Dec"],
  ["[$-412]mmmm", 45_994, "12월"],
  ["aaaa", 45_994, "수요일"],
  ["yyyy-mm-dd(aaa)", 45_994, "2025-12-03(수)"],
  ["[$-412]dddd", 45_994, "수요일"],
  ["[$-ko-KR]dddd", 45_994, "수요일"],
  ["[$-F800]dddd, mmmm dd, yyyy", 45_994, "2025년 12월 3일 수요일"],
  ["h:mm", 0.4375, "10:30"],
  ['h"시" mm"분"', 0.4375, "10시 30분"],
  ["[$-412]AM/PM h:mm", 0.6, "오후 2:24"],
  ["h:mm AM/PM", 0.6, "2:24 PM"],
  ["[h]:mm", 1.5, "36:00"],
  ["[DBNum1]General", 12, null],
  ["yyyy-mm-dd", -5, null],
];

test("a number is read as Korean Excel shows it in each format", () => {
  const cells = new CellFormats({ SSF }, false);
  for (const [format, value, shown] of FORMATS) {
    const { text, stored } = cells.number(format, value);
    expect([format, text]).toEqual([format, shown ?? String(value)]);
    if (shown === null) expect([format, stored?.stored]).toEqual([format, String(value)]);
  }
});

const field = (code: "own1" | "own2" | "own3", name: string, kind: OwnField["kind"]): OwnField =>
  ({ code, name, kind, choices: [], required: false, access: "office", personEdits: false, inList: false }) as OwnField;
const OWN = [field("own1", "생일", "date"), field("own2", "회비", "number"), field("own3", "회비율", "number")];

test("a date or number column takes the stored value", async () => {
  const heads = ["이름", "졸업연도", "기수", "휴대전화", "생일", "회비", "회비율"];
  const bytes = sheetFile([heads, ["홍길동"]], {
    cells: {
      B2: { t: "n", v: 38_042, z: "m/d" },
      C2: { t: "n", v: 3, z: '0"기"' },
      D2: { t: "n", v: 1_075_000_001, z: "#,##0" },
      E2: { t: "n", v: 29_222.5, z: "mm-dd" },
      F2: { t: "n", v: 15_000, z: "₩#,##0" },
      G2: { t: "n", v: 0.15, z: "0%" },
    },
  });
  const columns = ["name", "graduationYear", "cohort", "mobile", "own1", "own2", "own3"] as const;
  const { rows, sentences } = await readTable("명부.xlsx", bytes, [...columns], OWN);
  expect(rows[0]?.cells).toEqual(["홍길동", "2004-02-25", "3", "1075000001", "1980-01-02", "15000", "0.15"]);
  expect(sentences).toEqual([
    "보이는 글자와 저장된 값이 다른 칸 6개는 저장된 값으로 읽었습니다: B2 ‘2/25’ → 2004-02-25, C2 ‘3기’ → 3, D2 ‘1,075,000,001’ → 1075000001, E2 ‘01-02’ → 1980-01-02, F2 ‘₩15,000’ → 15000 외 1",
  ]);
});

test("an OpenDocument or Excel 2003 file is read as shown", async () => {
  const content = `<table:table table:name="명부"><table:table-row>${["이름", "주소", "부서", "메모"]
    .map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`)
    .join("")}</table:table-row><table:table-row>
    <table:table-cell office:value-type="string"><text:p>홍길동</text:p></table:table-cell>
    <table:table-cell office:value-type="date" office:date-value="2025-12-03"><text:p>12월 3일</text:p></table:table-cell>
    <table:table-cell office:value-type="float" office:value="2"><text:p>2팀</text:p></table:table-cell>
    <table:table-cell office:value-type="percentage" office:value="0.15"><text:p>15%</text:p></table:table-cell>
    </table:table-row></table:table>`;
  const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles>
    <Style ss:ID="d"><NumberFormat ss:Format="m&quot;월&quot;\\ d&quot;일&quot;"/></Style><Style ss:ID="t"><NumberFormat ss:Format="0&quot;팀&quot;"/></Style><Style ss:ID="p"><NumberFormat ss:Format="0%"/></Style></Styles>
    <Worksheet ss:Name="명부"><Table><Row>${["이름", "주소", "부서", "메모"].map((text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`).join("")}</Row>
    <Row><Cell><Data ss:Type="String">홍길동</Data></Cell><Cell ss:StyleID="d"><Data ss:Type="DateTime">2025-12-03T00:00:00.000</Data></Cell>
    <Cell ss:StyleID="t"><Data ss:Type="Number">2</Data></Cell><Cell ss:StyleID="p"><Data ss:Type="Number">0.15</Data></Cell></Row></Table></Worksheet></Workbook>`;
  for (const [fileName, bytes] of [
    ["명부.ods", makeOpenDocument(content)],
    ["명부.xls", encode(xml)],
  ] as const) {
    const { rows, sentences } = await readTable(fileName, bytes);
    expect([fileName, rows[0]?.cells]).toEqual([fileName, ["홍길동", "12월 3일", "2팀", "15%"]]);
    expect(sentences[0]).toContain("B2 ‘12월 3일’(2025-12-03)");
  }
});
