import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { importCounts, downloadFile, importAlumniFile, uploadAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession } from "../../support/people.ts";
import book from "../../fixtures/alumni/alumni.xlsx?inline";
import oldBook from "../../fixtures/alumni/alumni.xls?inline";
import formats from "../../fixtures/alumni/formats.xlsx?inline";
import errors from "../../fixtures/alumni/errors.xlsx?inline";
import merged from "../../fixtures/alumni/merged.xlsx?inline";
import { fixture, workbook, people, type FileBytes } from "./workbooks.ts";

test.each([
  ["book.xlsx", book],
  ["book.xls", oldBook],
])("unusual cells of LibreOffice %s are read correctly", async (name, url) => {
  const admin = await createAdministratorSession();
  expect(importCounts(await importAlumniFile(admin, name, fixture(url)))).toEqual([2, 0, 0, 0]);
  expect(await people()).toEqual([
    ["김하나", 4, 2005, "새봄병원", "010-0000-0002"],
    ["홍길동", 3, 2004, "한빛병원", "010-0000-0001"],
  ]);
});

test("a file with error cells commits nothing", async () => {
  const admin = await createAdministratorSession();
  const answer = await importAlumniFile(admin, "errors.xlsx", fixture(errors));
  expect(answer.data.errors.map((each: Record<string, unknown>) => [each.row, each.column, each.value])).toEqual([
    [2, "소속", "#N/A"],
    [3, "기수", "#DIV/0!"],
  ]);
  expect(await people()).toEqual([]);
});

test("csv lines may end as on Windows, Unix or an old Mac", async () => {
  const admin = await createAdministratorSession();
  for (const [at, end] of ["\r\n", "\n", "\r"].entries()) {
    const csv = ["이름,메모", `동문${"가나다"[at]},"두${end}줄"`, "", `김하나${at},`].join(end);
    expect(importCounts(await importAlumniFile(admin, `명부${at}.csv`, csv)), `${at}`).toEqual([2, 0, 0, 0]);
  }
});

test("only the first visible sheet is read", async () => {
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

test("merged cells or equal headers are reported", async () => {
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

test("an oversized file is refused before upload", async () => {
  const admin = await createAdministratorSession();
  for (const [fileName, size] of [
    ["a.xlsx", 5 * 1024 * 1024 + 1],
    ["a.csv", 20 * 1024 * 1024 + 1],
  ] as const) {
    const body = { fileName, size };
    expect((await callAs(admin, "POST", "/api/alumni/upload-url", body)).status, `${fileName}`).toBe(413);
  }
});

test("the template has the current columns", async () => {
  const admin = await createAdministratorSession();
  const template = await downloadFile(admin, "/api/alumni/import-template");
  const { fileId, answer } = await uploadAlumniFile(admin, "양식.xlsx", template);
  expect(answer.code).toBe("SUCCESS");
  const body = { fileId, mode: "upsert", dryRun: true };
  const dry = await callAs(admin, "POST", "/api/alumni/import-data", body);
  expect([dry.data.total, ...importCounts(dry)]).toEqual([0, 0, 0, 0, 0]);
});

test("a formatted cell is stored as Excel shows it", async () => {
  const admin = await createAdministratorSession();
  const { data } = await importAlumniFile(admin, "formats.xlsx", fixture(formats));
  const { results } = await env.DB.prepare(
    "SELECT mobile, phone, zip_code, address, affiliation, department, position, memo FROM alumni ORDER BY cohort",
  ).all();
  expect(results.map((row) => Object.values(row))).toEqual([
    ["010-7500-0001", "02-740-1234", "06236", "12월 3일", "가상대", "3/3", "교수", "15%"],
    ["010-7500-0002", "02-740-1234", "06236", "12-03", "가상대", "3-1병동", "교수", "1,234,567.5"],
    ["010-7500-0003", "02-740-1234", "06236", "서울", "1/2", "2팀", "TRUE", "2025-12-09 12:00"],
    ["010-7500-0004", "1588-1234", "06236", "부산", "가상대", "", "", "1000000000000000"],
    ["010-7500-0005", "031-123-4567", "00123", "강원", "가상대", "", "", "△3"],
  ]);
  expect(data.rules.map((each: Record<string, unknown>) => [each.rule, each.field, each.count]).toSorted()).toEqual([
    ["country", "mobile", 1],
    ["hyphen", "phone", 1],
    ["zero", "mobile", 1],
    ["zero", "phone", 2],
    ["zero", "zipCode", 2],
    ["zeros", "phone", 1],
  ]);
  expect(data.notes).toContainEqual(expect.stringContaining("F2 ‘12월 3일’(2025-12-03), H2 ‘3/3’(2025-03-03)"));
});

test("a postal code next to an address abroad keeps its digits", async () => {
  const admin = await createAdministratorSession();
  const csv = '이름,우편번호,주소\n김하나,1090,"Währinger Gürtel 18-20, Vienna"\n이하나,3080,서울 종로구 대학로 103';
  expect(importCounts(await importAlumniFile(admin, "abroad.csv", csv))).toEqual([2, 0, 0, 0]);
  const { results } = await env.DB.prepare("SELECT zip_code FROM alumni ORDER BY name").all();
  expect(results.map((row) => row.zip_code)).toEqual(["1090", "03080"]);
});
