import { readCsv } from "#worker/adapters/spreadsheet/csv.ts";
import { expect, test } from "vitest";
import { DROPPED_FILE_LIMITS, readDroppedFile } from "#app/features/alumni/import/read-dropped-file.ts";
import { checkWorkbook } from "#worker/adapters/spreadsheet/workbook.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { OWN_FIELD_LIMITS } from "#worker/contract/alumni/own-fields.ts";
import { csv, HONG, KIM } from "./habit-words.ts";
import { type MadeSheet, makeFile, sheetFile } from "./sheet-files.ts";

const read = (name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]) =>
  readDroppedFile({ file: new File(parts, name) });

/** A folder as browsers hand it over: a name and a size, unreadable. */
const folder = () =>
  Object.assign(new File([], "동문 명부"), {
    arrayBuffer: () => Promise.reject(new DOMException("A directory", "NotFoundError")),
  });

test("a dropped folder is refused with a message", async () => {
  expect(await readDroppedFile({ file: folder() })).toEqual({
    error: "폴더이거나 열 수 없는 파일입니다. 파일을 하나씩 골라 주십시오.",
  });
});

test.each([
  ["빈 파일.xlsx", "", "빈 파일입니다(0바이트). 저장이 끝난 파일인지 확인해 주십시오."],
  ["빈칸.csv", " \n ", "비어 있는 파일입니다."],
  ["문서.xlsx", "%PDF-1.7", "엑셀 파일이 아닙니다. xlsx, xls, ods, csv, txt 파일을 골라 주십시오."],
  [
    "긴 칸.csv",
    `이름,메모\n홍길동,${"가".repeat(7_000_000)}\n`,
    "2행에 지나치게 긴 칸이 있어 파일을 읽을 수 없습니다.",
  ],
])("%s has its message", async (name, content, error) => {
  expect(await read(name, content)).toEqual({ error });
});

test("300 sheets or 16,384 columns are refused", async () => {
  const sheets = Array.from({ length: 300 }, (_, at): [string, MadeSheet] => [
    `시트${at}`,
    { rows: [["이름"], ["홍길동"]] },
  ]);
  expect(await read("시트.xlsx", makeFile(Object.fromEntries(sheets)))).toEqual({
    error: expect.stringMatching(/^시트가 너무 많습니다/),
  });
  const heads = ["이름", ...Array.from({ length: 16_383 }, (_, at) => `열${at}`)];
  expect(await read("열.xlsx", sheetFile([heads, ["홍길동"]]))).toEqual({
    error: expect.stringMatching(/^열이 너무 많습니다/),
  });
});

test("an export with the maximum of own fields can be read", async () => {
  const columns = ALUMNI_FIELDS.length + OWN_FIELD_LIMITS.fields + 1;
  expect(DROPPED_FILE_LIMITS.cellsPerRow).toBeGreaterThanOrEqual(columns);
  const row = Array.from({ length: columns }, (_, at) => `칸 ${at}`);
  const rows = Array.from({ length: 10 }, () => row);
  const reading = (cellsPerRow: number) =>
    checkWorkbook(sheetFile(rows), { ...DROPPED_FILE_LIMITS, rows: rows.length, cellsPerRow });
  expect(await reading(DROPPED_FILE_LIMITS.cellsPerRow)).toBe("excel");
  await expect(reading(20)).rejects.toThrow("칸이 너무 많습니다");
});

test("a sheet with hidden rows is read with a report", async () => {
  const rowsOf = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const book = await read(name, bytes);
    if ("error" in book) throw new Error(book.error);
    return book.tables.map(({ columns, rows, hiddenRows }) => [columns, rows.map(({ cells }) => cells), hiddenRows]);
  };
  const both = [HONG, KIM];
  expect(await rowsOf("그림.xlsx", sheetFile([["😀", "📞"], ...both]))).toEqual([[["name", "mobile"], both, []]]);
  const head = ["이름", "휴대전화"];
  expect(await rowsOf("숨김.xlsx", sheetFile([head, ...both], { hiddenRows: [2, 3] }))).toEqual([
    [["name", "mobile"], both, [2, 3]],
  ]);
  expect(await rowsOf("표.csv", csv("이름,메모", '홍길동,"가\t나', '다\t라"'))).toEqual([
    [["name", "memo"], [["홍길동", "가\t나\n다\t라"]], []],
  ]);
});

test("a csv with more columns than a workbook may have is refused", () => {
  const bytes = new TextEncoder().encode("a,".repeat(1001));
  expect(() => [...readCsv(bytes)]).toThrow("열이 너무 많습니다(1001열)");
});

test("a csv cell with a formula of text is the text", () => {
  const bytes = new TextEncoder().encode('="0123",="1,000",b\n');
  expect([...readCsv(bytes)][0]?.cells).toEqual(["0123", "1,000", "b"]);
});
