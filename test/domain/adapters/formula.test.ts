import { expect, test } from "vitest";
import { writeCsv, writeXlsx } from "#worker/adapters/spreadsheet/write.server.ts";
import { sheetDownload } from "#worker/domain/kernel/sheet-download.server.ts";
import { requirePresent } from "../../support/require-present.ts";

const STARTS = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "\0",
  "＝",
  "＋",
  "－",
  "＠",
  " =",
  "\u3000=",
  "\u00a0＋",
  "\ufeff@",
];
const DANGEROUS = STARTS.map((start) => `${start}1+cmd|'/c calc'!A0`);
const rows = DANGEROUS.map((value) => [value]);
const ctx = {
  now: () => new Date("2026-11-21T00:00:00Z"),
  client: { address: "", userAgent: "", isAhead: false, isGone: () => false },
};
const columnOf = (label: string) => [{ label, text: ([value = ""]: string[]) => value }];

test("no CSV export begins a cell or header with a formula", async () => {
  const ours = await writeCsv([{ header: "=머리", width: 8 }], rows);
  const consoles = await sheetDownload(ctx, "csv", "목록", rows, columnOf("=머리"));
  for (const blob of [ours, consoles.body]) {
    const text = (await blob.text()).replace(/^\ufeff/, "");
    expect(text).toContain("'=머리");
    for (const value of DANGEROUS) expect(text).toContain(`'${value}`);
    expect(text.split(/\r\n(?!1\+cmd)/).filter((line) => /^"?[=+\-@\t\r\n\0＝＋－＠]/.test(line))).toEqual([]);
  }
});

test("no workbook contains a formula", async () => {
  const { read, utils } = await import("@e965/xlsx");
  const texts = [...DANGEROUS.filter((value) => !/[\r\0]/.test(value)), "_x003D_1+1", "_x005F_x000D_", "a_xZZZZ_b"];
  const given = texts.map((value) => [value]);
  const ours = await writeXlsx("글", [{ header: "머리", width: 8 }], given);
  const consoles = await sheetDownload(ctx, "xlsx", "목록", given, columnOf("머리"));
  for (const blob of [ours, consoles.body]) {
    const sheet = requirePresent(Object.values(read(new Uint8Array(await blob.arrayBuffer())).Sheets)[0]);
    expect(Object.values(sheet).some((cell: { f?: string }) => cell.f)).toBe(false);
    expect(utils.sheet_to_json<string[]>(sheet, { header: 1 }).slice(1)).toEqual(given);
  }
});

test("a workbook with any names opens in Excel", async () => {
  const choices = ['"가" 대학', "나 & 다", "라"];
  const name = "동문/회원[명단]:*?\\ 'a'".padEnd(40, "가");
  const blob = await writeXlsx(name, [{ header: "=머리", width: 8, choices }], [["=1"]]);
  const { unzipSync, strFromU8 } = await import("fflate");
  const parts = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  const part = (path: string) => strFromU8(requirePresent(parts[path]));
  const sheetName = /<sheet name="([^"]*)"/.exec(part("xl/workbook.xml"))?.[1] ?? "";
  expect(sheetName).toMatch(/^(?!')[^[\]:*?/\\]{1,31}(?<!')$/);
  const sheet = part("xl/worksheets/sheet1.xml");
  expect(sheet).toContain('<formula1>"&quot;&quot;가&quot;&quot; 대학,나 &amp; 다,라"</formula1>');
});
