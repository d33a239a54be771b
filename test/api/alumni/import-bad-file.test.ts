import { CFB, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { importCounts, importAlumniFile } from "../../samples/alumni-files.ts";
import { createAdministratorSession } from "../../support/people.ts";
import oldBook from "../../fixtures/alumni/alumni.xls?inline";
import { fixture, workbook, people, type FileBytes } from "./workbooks.ts";
import { SAMPLE_NOTE, sample } from "../../support/sample.ts";

function encrypted(): FileBytes {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, "/EncryptedPackage", new Uint8Array(500));
  CFB.utils.cfb_add(file, "/EncryptionInfo", new Uint8Array(100));
  return new Uint8Array(CFB.write(file, { type: "array" }) as ArrayBuffer);
}
function bomb(path: string, content = new Uint8Array(100 * 1024 * 1024)): FileBytes {
  const zip = CFB.utils.cfb_new();
  CFB.utils.cfb_add(zip, "/xl/workbook.xml", new TextEncoder().encode("<workbook/>"));
  CFB.utils.cfb_add(zip, path, content);
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array", compression: true }) as ArrayBuffer);
}
const FAR = '<row r="2"><c r="XFD2" t="inlineStr"><is><t>김하나</t></is></c></row>';
function boastful(): FileBytes {
  const bytes = fixture(oldBook);
  const at = bytes.findIndex((byte, index) => byte === 0xfc && bytes[index + 1] === 0 && bytes[index + 3] === 0);
  bytes.set([0xff, 0xff, 0xff, 0xff], at + 8);
  return bytes;
}
function misplaced(): FileBytes {
  const bytes = good();
  const directory = new DataView(bytes.buffer).getUint32(bytes.length - 6, true);
  bytes.set([0xff, 0xff, 0xff, 0x7f], directory + 42);
  return bytes;
}
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
function sheetOf(rows: string, doctype = ""): FileBytes {
  const zip = CFB.utils.cfb_new();
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const rels = "http://schemas.openxmlformats.org/package/2006/relationships";
  const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const parts = {
    "/[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    "/_rels/.rels": `<Relationships xmlns="${rels}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "/xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${office}"><sheets><sheet name="명부" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "/xl/_rels/workbook.xml.rels": `<Relationships xmlns="${rels}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "/xl/worksheets/sheet1.xml": `${doctype}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
  };
  for (const [name, content] of Object.entries(parts)) CFB.utils.cfb_add(zip, name, text(content));
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array", compression: true }) as ArrayBuffer);
}
const line = (row: number, value: string, more = "") =>
  `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${value}</t></is></c>${more}</row>`;
const styledCells = (row: number, count: number) =>
  Array.from({ length: count }, (_, at) => `<c r="${utils.encode_cell({ r: row - 1, c: at + 1 })}" s="0"/>`).join("");
const ENTITIES = `<!DOCTYPE b [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at} "${`&a${at - 1};`.repeat(10)}">`).join("")}]>`;
const wide = [Array.from({ length: 200 }, (_, at) => (at === 0 ? "이름" : `열${at}`)), ["홍길동"]];
const good = () =>
  workbook({
    명부: [
      ["이름", "기수"],
      ["홍길동", 3],
    ],
  });
const text = (value: string) => new TextEncoder().encode(value) as FileBytes;

const BAD: [what: string, fileName: string, bytes: () => FileBytes, status: number, message: RegExp][] = [
  ["a renamed PDF", "a.xlsx", () => text("%PDF-1.7\n"), 415, /형식과 다릅니다/],
  ["a program", "a.exe", () => text("MZ"), 415, /xlsx, xls, csv/],
  ["a zip that is no workbook", "a.xlsx", () => bytesOfZip(), 415, /형식과 다릅니다|엑셀 파일\(xlsx\)이 아닙니다/],
  ["an encrypted workbook", "a.xlsx", encrypted, 415, /암호가 걸린/],
  ["an encrypted workbook named xls", "a.xls", encrypted, 415, /암호가 걸린/],
  ["a cut-off workbook", "a.xlsx", () => good().slice(0, 3000), 415, /손상되었거나/],
  ["a cut-off old workbook", "a.xls", () => fixture(oldBook).slice(0, 1500), 415, /읽을 수 없습니다|손상/],
  ["an old workbook that claims four billion texts", "a.xls", boastful, 415, /손상되었거나/],
  ["a person in column 16,384", "a.xlsx", () => sheetOf(line(1, "이름") + FAR), 413, /열이 너무 많습니다\(16384열\)/],
  ["a workbook that places a part behind its end", "a.xlsx", misplaced, 415, /손상되었거나/],
  ["a zip bomb", "a.xlsx", () => bomb("/xl/worksheets/sheet1.xml"), 413, /너무 큽니다/],
  ["a zip bomb that calls itself a picture", "a.xlsx", () => bomb("/xl/media/sheet1.png"), 413, /너무 큽니다/],
  [
    "a sheet of 1,048,576 empty rows",
    "a.xlsx",
    () => sheetOf(line(1, "이름") + "<row/>".repeat(1_048_575)),
    413,
    /빈 행이나 빈 칸의 서식이 너무 많습니다/,
  ],
  [
    "16,384 styled columns in 40 rows",
    "a.xlsx",
    () => sheetOf(Array.from({ length: 40 }, (_, at) => line(at + 1, "이름", styledCells(at + 1, 16_383))).join("")),
    413,
    /빈 행이나 빈 칸의 서식이 너무 많습니다/,
  ],
  [
    "a bomb of XML entities",
    "a.xlsx",
    () => sheetOf(line(1, "이름") + line(2, "&a8;"), ENTITIES),
    415,
    /안전하지 않은 내용/,
  ],
  [
    "10,000 rows of 30 columns",
    "a.xlsx",
    () =>
      workbook({
        명부: Array.from({ length: 10_000 }, (_row, row) =>
          Array.from({ length: 30 }, (_, at) => (row === 0 ? `열${at}` : 1)),
        ),
      }),
    413,
    /칸이 너무 많습니다/,
  ],
  ...(
    [
      ["shared texts that no cell uses", "sharedStrings", "<si><t>가</t></si>"],
      ["shared texts of another name", "sharedStrings", "<sstItem><t>가</t></sstItem>"],
      ["prefixed texts", "sharedStrings", "<x:si><x:t>가</x:t></x:si>"],
      ["runs of one text", "sharedStrings", "<r><t>가</t></r>"],
      ["prefixed cells", "worksheets/sheet1", "<x:c><x:v>1</x:v></x:c>"],
    ] as const
  ).map(([what, part, markup]): (typeof BAD)[number] => [
    `a million ${what}`,
    "a.xlsx",
    () => bomb(`/xl/${part}.xml`, text(markup.repeat(1_000_000))),
    413,
    /칸이 너무 많습니다/,
  ]),
  ["200 columns", "a.xlsx", () => workbook({ 명부: wide }), 413, /열이 너무 많습니다\(200열\)/],
  ["an empty sheet", "a.xlsx", () => workbook({ 명부: [[]] }), 400, /비어 있는/],
  ["an empty csv", "a.csv", () => text("\n\n"), 400, /비어 있는/],
  ["bytes that are no text", "a.csv", () => new Uint8Array([0xc0, 0xff, 0x41, 0x0a]), 415, /글자를 읽을 수 없는/],
  ["an open quotation mark", "a.csv", () => text('이름,메모\n홍길동,"끝없는'), 415, /끝까지 저장되지/],
  [
    "too many rows",
    "a.xlsx",
    () => workbook({ 명부: [["이름"], ...Array.from({ length: 10_050 }, (_, at) => [`사람${at}`])] }),
    413,
    /10,000행/,
  ],
];
function bytesOfZip(): FileBytes {
  const zip = CFB.utils.cfb_new();
  CFB.utils.cfb_add(zip, "/xl/readme.xml", text("없음"));
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array" }) as ArrayBuffer);
}

test.each(
  sample(
    BAD,
    ([what]) => what,
    (row) => String(row[4]),
  ),
)(
  `%s is refused with a clear message (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (_what, name, bytes, status, message) => {
    const admin = await createAdministratorSession();
    const answer = await importAlumniFile(admin, name, bytes(), { skipInvalid: true });
    expect([answer.status, answer.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await people()).toEqual([]);
  },
);

/** A valid workbook with 16,384 styled empty cells a row, as a careless fill leaves it. */
function painted(): FileBytes {
  const zip = CFB.read(good(), { type: "array" });
  const path = "/xl/worksheets/sheet1.xml";
  const sheet = CFB.find(zip, path);
  const xml = new TextDecoder().decode(Uint8Array.from(sheet?.content as Uint8Array));
  const empty = (row: number) =>
    Array.from({ length: 16_382 }, (_, at) => `<c r="${utils.encode_cell({ r: row - 1, c: at + 2 })}" s="0"/>`).join(
      "",
    );
  const rows = xml.replace(/<row r="(\d+)"([^>]*)>(.*?)<\/row>/g, (_, row, rest, cells) => {
    return `<row r="${row}"${rest}>${cells}${empty(Number(row))}</row>`;
  });
  CFB.utils.cfb_add(zip, path, text(rows.replace(/<dimension[^>]*>/, '<dimension ref="A1:XFD2"/>')));
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array", compression: true }) as ArrayBuffer);
}

test("16,384 styled columns do not count as columns", async () => {
  const admin = await createAdministratorSession();
  expect(importCounts(await importAlumniFile(admin, "칠한 명부.xlsx", painted()))).toEqual([1, 0, 0, 0]);
  expect((await people()).map(([name]) => name)).toEqual(["홍길동"]);
});

test("styled empty columns are ignored", async () => {
  const admin = await createAdministratorSession();
  const rows = line(1, "이름", styledCells(1, 16_383)) + line(2, "홍길동") + line(1_048_576, "김하나");
  expect(importCounts(await importAlumniFile(admin, "명부.xlsx", sheetOf(rows)))).toEqual([2, 0, 0, 0]);
  expect((await people()).map(([name]) => name)).toEqual(["김하나", "홍길동"]);
});
