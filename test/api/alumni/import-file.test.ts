import { CFB, read as readBook, utils, write } from "@e965/xlsx";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importCounts, downloadFile, importAlumniFile, uploadAlumniFile } from "../../alumni-files.ts";
import { callAs, callJson, fetchApi } from "../../api-client.ts";
import { createAdministratorSession, createMemberSession } from "../../people.ts";
import book from "../../fixtures/alumni/alumni.xlsx?inline";
import oldBook from "../../fixtures/alumni/alumni.xls?inline";
import errors from "../../fixtures/alumni/errors.xlsx?inline";
import merged from "../../fixtures/alumni/merged.xlsx?inline";

type FileBytes = Uint8Array<ArrayBuffer>;
const fixture = (url: string): FileBytes =>
  Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (c) => c.charCodeAt(0));
type Sheets = Record<string, unknown[][]>;
/** An xlsx with these sheets; those whose name begins with "숨김" are hidden. */
function workbook(sheets: Sheets): FileBytes {
  const made = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(made, utils.aoa_to_sheet(rows), name);
  made.Workbook = { Sheets: Object.keys(sheets).map((name) => ({ Hidden: name.startsWith("숨김") ? 1 : 0 })) };
  return new Uint8Array(write(made, { type: "array", bookType: "xlsx", compression: true }) as ArrayBuffer);
}
const people = async () =>
  await env.DB.prepare("SELECT name, cohort, graduation_year, affiliation, mobile FROM alumni ORDER BY name").raw();

test.each([
  ["book.xlsx", book],
  ["book.xls", oldBook],
])("%s of LibreOffice: a merged title, a date, a lost zero and a formula are read as meant", async (name, url) => {
  const admin = await createAdministratorSession();
  expect(importCounts(await importAlumniFile(admin, name, fixture(url)))).toEqual([2, 0, 0, 0]);
  expect(await people()).toEqual([
    ["김하나", 4, 2005, "새봄병원", "010-0000-0002"],
    ["홍길동", 3, 2004, "한빛병원", "010-0000-0001"],
  ]);
});

test("error cells are named where they stand, and nothing is committed", async () => {
  const admin = await createAdministratorSession();
  const answer = await importAlumniFile(admin, "errors.xlsx", fixture(errors));
  expect(answer.data.errors.map((each: Record<string, unknown>) => [each.row, each.column, each.value])).toEqual([
    [2, "소속", "#N/A"],
    [3, "기수", "#DIV/0!"],
  ]);
  expect(await people()).toEqual([]);
});

test("styled empty columns and a person far down are read as they are meant, and nobody is lost", async () => {
  const admin = await createAdministratorSession();
  const rows = line(1, "이름", styledCells(1, 16_383)) + line(2, "홍길동") + line(1_048_576, "김하나");
  expect(importCounts(await importAlumniFile(admin, "명부.xlsx", sheetOf(rows)))).toEqual([2, 0, 0, 0]);
  expect((await people()).map(([name]) => name)).toEqual(["김하나", "홍길동"]);
});

test("a line of a csv ends as Windows, Unix or an old Mac ends it", async () => {
  const admin = await createAdministratorSession();
  for (const [at, end] of ["\r\n", "\n", "\r"].entries()) {
    const csv = ["이름,메모", `동문${"가나다"[at]},"두${end}줄"`, "", `김하나${at},`].join(end);
    expect(importCounts(await importAlumniFile(admin, `명부${at}.csv`, csv)), `${at}`).toEqual([2, 0, 0, 0]);
  }
});

test("the first visible sheet is read, and hidden ones are left alone", async () => {
  const admin = await createAdministratorSession();
  const sheets = {
    숨김: [["이름"], ["숨은이"]],
    빈시트: [[]],
    명부: [
      ["이름", "기수"],
      ["홍길동", 3],
    ],
  };
  expect(importCounts(await importAlumniFile(admin, "명부.xlsx", workbook(sheets)))).toEqual([1, 0, 0, 0]);
  expect((await people()).map(([name]) => name)).toEqual(["홍길동"]);
});

function encrypted(): FileBytes {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, "/EncryptedPackage", new Uint8Array(500));
  CFB.utils.cfb_add(file, "/EncryptionInfo", new Uint8Array(100));
  return new Uint8Array(CFB.write(file, { type: "array" }) as ArrayBuffer);
}
/** 100 MB of nothing in 100 kB. */
function bomb(path: string): FileBytes {
  const zip = CFB.utils.cfb_new();
  CFB.utils.cfb_add(zip, "/xl/workbook.xml", new TextEncoder().encode("<workbook/>"));
  CFB.utils.cfb_add(zip, path, new Uint8Array(100 * 1024 * 1024));
  return new Uint8Array(CFB.write(zip, { fileType: "zip", type: "array", compression: true }) as ArrayBuffer);
}
const FAR = '<row r="2"><c r="XFD2" t="inlineStr"><is><t>김하나</t></is></c></row>';
/** The old book with another number of texts in its table, which SheetJS would look for. */
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
/** A workbook whose one sheet holds these rows of XML, as another program might write them. */
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

test.each(BAD)(
  "%s is refused with a clear message, and nothing changes",
  async (_what, name, bytes, status, message) => {
    const admin = await createAdministratorSession();
    const answer = await importAlumniFile(admin, name, bytes(), { skipInvalid: true });
    expect([answer.status, answer.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await people()).toEqual([]);
  },
);

/** The good book with 16,384 coloured and empty cells in each row, as a careless paint bucket leaves it. */
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

test("16,384 columns of style are no columns", async () => {
  const admin = await createAdministratorSession();
  expect(importCounts(await importAlumniFile(admin, "칠한 명부.xlsx", painted()))).toEqual([1, 0, 0, 0]);
  expect((await people()).map(([name]) => name)).toEqual(["홍길동"]);
});

test("merged cells are read, equal headers are kept apart, people without a header are known by their values; all of it is said", async () => {
  const admin = await createAdministratorSession();
  const said = async (name: string, bytes: FileBytes | string, counts: number[]) => {
    const answer = await importAlumniFile(admin, name, bytes);
    expect(importCounts(answer)).toEqual(counts);
    return answer.data.notes;
  };
  expect(await said("병합.xlsx", fixture(merged), [2, 0, 0, 0])).toHaveLength(1);
  expect(
    await said("두 번.csv", "이름,이메일,이메일\n홍길동,a@pid.example.kr,b@pid.example.kr\n", [1, 0, 0, 0]),
  ).toEqual([
    "머리글은 1행입니다.",
    "같은 머리글을 번호로 나누었습니다: ‘이메일 (2)’",
    "쓰지 않는 열이 1개 있습니다: ‘이메일 (2)’",
  ]);
  const plain = [["이세온", "010-0000-0003"]];
  expect(await said("값.xlsx", workbook({ 명부: plain, 다른: plain }), [1, 0, 0, 0])).toEqual([
    "머리글이 없어 값을 보고 열을 짐작했습니다. 첫 행부터 사람으로 읽었습니다.",
    "‘명부’ 시트를 읽었습니다. 다른 시트는 읽지 않았습니다: ‘다른’",
  ]);
  const groups = "동문 명부\n이름,이메일\n제3기,\n박두리,c@pid.example.kr\n소계,1명\n";
  expect(await said("기별.csv", groups, [1, 0, 0, 0])).toEqual([
    "머리글은 2행입니다.",
    "제목 1행을 뺐습니다: 1행 ‘동문 명부’",
    "합계 1행을 뺐습니다: 5행 ‘소계 1명’",
    "묶음 제목 1행을 뺐습니다: 3행 ‘제3기’",
  ]);
  expect((await people()).find(([name]) => name === "박두리")?.[1]).toBe(3);
});

test("a file that is too large is refused before it is sent", async () => {
  const admin = await createAdministratorSession();
  for (const [fileName, size] of [
    ["a.xlsx", 5 * 1024 * 1024 + 1],
    ["a.csv", 20 * 1024 * 1024 + 1],
  ] as const) {
    const body = { fileName, size };
    expect((await callAs(admin, "POST", "/api/alumni/upload-url", body)).status, `${fileName}`).toBe(413);
  }
});

const PERSON = {
  name: "=1+1",
  cohort: 3,
  graduationYear: 2004,
  affiliation: '@한빛 <병원> & "부서"',
  department: "-내과",
  email: "hong@pid.example.kr",
  mobile: "010-0000-0001",
  phone: "+1 617 555 0100",
  zipCode: "03080",
  memo: "첫 줄\n둘째 줄, 쉼표",
};

test.each(["xlsx", "csv"])("an export to %s comes back unchanged; formulas are text", async (format) => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await callJson("PUT", "/api/alumni", { token, body: PERSON });
  await callJson("PUT", "/api/alumni", { token, body: { name: "김하나", cohort: 4 } });
  const body = { filter: { cohort: 3 }, format, reason: "총회 안내" };
  const { data } = await callJson("POST", "/api/alumni/export-data", { token, body });
  expect(data).toEqual({
    fileId: expect.any(String),
    url: expect.stringMatching(/^\/api\/alumni\/export-data\//),
    rows: 1,
  });

  const response = await fetchApi("GET", data.url, { token });
  expect(response.headers.get("Content-Disposition")).toMatch(
    new RegExp(`^attachment; .*filename\\*=UTF-8''${encodeURIComponent("동문주소록")}_20\\d{6}\\.${format}$`),
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (format === "xlsx") {
    // Texts, also where they look like formulas: no <f> in the sheet.
    const { Sheets, SheetNames } = readBook(bytes, { type: "array", cellFormula: true });
    const cells = Object.entries(Sheets[SheetNames[0] ?? ""] ?? {}).filter(([at]) => !at.startsWith("!"));
    expect(cells.filter(([, cell]) => cell.f !== undefined)).toEqual([]);
    expect(cells.find(([at]) => at === "A2")?.[1]).toMatchObject({ t: "s", v: "=1+1" });
    expect(cells.find(([at]) => at === "K2")?.[1]).toMatchObject({ t: "s", v: "03080" });
  }
  if (format === "csv") {
    const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    expect(
      content.startsWith(
        "\ufeff이름,기수,졸업연도,전공,소속,부서,직위,이메일,휴대전화,전화,우편번호,주소,메모,ID\r\n'=1+1,3,2004",
      ),
    ).toBe(true);
    expect(content).toContain(`"'@한빛 <병원> & ""부서"""`);
    expect(content).toContain("'+1 617 555 0100");
  }
  expect(importCounts(await importAlumniFile(admin, `돌아옴.${format}`, bytes))).toEqual([0, 0, 1, 0]);
});

test("the export says what is asked: columns in their order, filter, sort, chosen people", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const ids = [];
  for (const [at, name] of ["가나", "나나", "다나"].entries())
    ids.push((await callJson("PUT", "/api/alumni", { token, body: { name, cohort: at } })).data?.id);
  const written = async (body: object) => {
    const { data } = await callJson("POST", "/api/alumni/export-data", {
      token,
      body: { format: "csv", reason: "확인", ...body },
    });
    return new TextDecoder().decode(await downloadFile(admin, data.url));
  };
  expect(await written({ filter: { sort: "name,DESC" }, columns: ["cohort", "이름"] })).toBe(
    "기수,이름\r\n2,다나\r\n1,나나\r\n",
  );
  expect(await written({ filter: { keyword: "ㄷㄴ" }, columns: ["name"] })).toBe("이름\r\n다나\r\n");
  expect(await written({ filter: { ids: [ids[1]] }, columns: ["name"] })).toBe("이름\r\n나나\r\n");
});

test("an export needs the permission and a reason, is on record, and is its owner's for a day", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  await callAs(admin, "PUT", "/api/alumni", PERSON);
  const send = (token: string | undefined, body: object) =>
    callJson("POST", "/api/alumni/export-data", { token, body: { filter: {}, format: "csv", ...body } });
  expect((await send(undefined, { reason: "x" })).code).toBe("UNAUTHORIZED");
  expect((await send(person.accessToken, { reason: "x" })).code).toBe("FORBIDDEN");
  for (const reason of [undefined, "", "  "]) {
    expect((await send(admin.accessToken, { reason })).fields, reason).toHaveProperty("reason");
  }
  const { data } = await send(admin.accessToken, { reason: "총회 안내문 발송" });
  const logged = await env.DB.prepare(
    "SELECT actor_user_id, subject_count, reason FROM audit_log WHERE action = 'alumni.export'",
  ).all();
  expect(logged.results).toEqual([{ actor_user_id: admin.user.id, subject_count: 1, reason: "총회 안내문 발송" }]);

  const read = async (path: string, token?: string) => {
    const response = await fetchApi("GET", path, { token });
    await response.arrayBuffer();
    return response.status;
  };
  for (const path of [data.url, `/api/file/${data.fileId}`]) {
    expect(await read(path, admin.accessToken), path).toBe(200);
    expect(await read(path, person.accessToken), path).toBe(404);
    expect(await read(path, (await createAdministratorSession()).accessToken), path).toBe(404);
  }
  expect(await read(data.url)).toBe(401);
  expect(await read(`${data.url}x`, admin.accessToken)).toBe(404);
  await env.DB.exec("UPDATE file SET created_date = created_date - 86400001");
  expect(await read(data.url, admin.accessToken)).toBe(404);
  expect(await read(`/api/file/${data.fileId}`, admin.accessToken)).toBe(404);
});

test("the eleventh export of a day is refused", async () => {
  const admin = await createAdministratorSession();
  const body = { filter: {}, format: "csv", reason: "확인" };
  const send = () => callAs(admin, "POST", "/api/alumni/export-data", body);
  for (let at = 0; at < 10; at++) expect((await send()).status, `${at}`).toBe(200);
  expect((await send()).code).toBe("TOO_MANY_REQUESTS");
});

test("the template has the columns of today, choices in use and a sample that nobody imports", async () => {
  const admin = await createAdministratorSession();
  const template = await downloadFile(admin, "/api/alumni/import-template");
  const { fileId, answer } = await uploadAlumniFile(admin, "양식.xlsx", template);
  expect(answer.code).toBe("SUCCESS");
  const body = { fileId, mode: "upsert", dryRun: true };
  const dry = await callAs(admin, "POST", "/api/alumni/import-data", body);
  expect([dry.data.total, ...importCounts(dry)]).toEqual([0, 0, 0, 0, 0]);
});
