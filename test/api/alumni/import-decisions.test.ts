import { read } from "@e965/xlsx";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { downloadFile, importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callJson } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";

const HEADS = ["이름", "졸업연도", "이메일", "휴대전화", "전화", "소속"];
const FIELDS = ["name", "graduationYear", "email", "mobile", "phone", "affiliation"];
const MAPPING = Object.fromEntries(HEADS.map((head, at) => [head, FIELDS[at]]));
type Row = [row: number, cells: string[]];

const send = (session: TestSession, method: string, path: string, body: unknown) =>
  callJson(method, `/api/alumni/import/${path}`, { token: session.accessToken, body });

async function sent(session: TestSession, rows: Row[], more: object = {}) {
  const body = { fileName: "동문.xlsx", headRow: 1, heads: HEADS, mapping: MAPPING, parts: 1, ...more };
  const { importId } = (await send(session, "POST", "open", body)).data;
  expect((await send(session, "PUT", `${importId}/part/1`, { rows })).code).toBe("SUCCESS");
  return importId as string;
}
const look = (session: TestSession, importId: string, options: object = {}) =>
  send(session, "POST", `${importId}/plan`, { mode: "upsert", ...options });
const commit = (session: TestSession, importId: string) =>
  send(session, "POST", `${importId}/commit`, { skipInvalid: false });
const stored = async () =>
  await env.DB.prepare(
    "SELECT name, graduation_year, email, mobile, phone, affiliation, memo FROM alumni ORDER BY name",
  ).raw();

test("every change by a rule is reported with its count", async () => {
  const admin = await createAdministratorSession();
  const importId = await sent(admin, [
    [2, ["가나다", "2004-02-25", "A@PID.example.kr", "01000000001", "02-740-1234 (내선 5)", "한빛병원"]],
    [3, ["나나다", "2005", "b@pid.example.kr", "1000000002", "02)740-1235", " 새봄의원"]],
    [4, ["다나다", "2006", "c@pid.example.kr", "010-0000-0003", "", "한빛병원"]],
  ]);
  const { rules, asTyped, faults } = (await look(admin, importId)).data;
  expect(
    rules.map(({ rule, field, count, samples }: { rule: string; field: string; count: number; samples: object[] }) => [
      field,
      rule,
      count,
      samples[0],
    ]),
  ).toEqual([
    ["graduationYear", "year", 1, { row: 2, before: "2004-02-25", after: "2004" }],
    ["email", "case", 1, { row: 2, before: "A@PID.example.kr", after: "a@pid.example.kr" }],
    ["mobile", "hyphen", 1, { row: 2, before: "01000000001", after: "010-0000-0001" }],
    ["mobile", "zero", 1, { row: 3, before: "1000000002", after: "010-0000-0002" }],
    ["phone", "hyphen", 1, { row: 3, before: "02)740-1235", after: "02-740-1235" }],
    ["affiliation", "space", 1, { row: 3, before: " 새봄의원", after: "새봄의원" }],
  ]);
  expect([asTyped, faults]).toEqual([[{ row: 2, before: "02-740-1234 (내선 5)", after: "02-740-1234 (내선 5)" }], []]);
  expect(importCounts(await commit(admin, importId))).toEqual([3, 0, 0, 0]);
  const [first] = await stored();
  expect(first).toEqual(["가나다", 2004, "a@pid.example.kr", "010-0000-0001", "02-740-1234 (내선 5)", "한빛병원", ""]);
});

test("a decision applies to one kind of fault", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const rows: Row[] = [
    [2, ["가나다", "99", "", "010-0000-0001, 010-0000-0009", "", ""]],
    [3, ["나나다", "'04", "b@pid.example.kr", "모름", "", ""]],
    [4, ["다나다", "", "c@pid.example.kr", "", "#NORESULT!", "900101-*******"]],
  ];
  const importId = await sent(admin, rows);
  const first = (await look(admin, importId)).data;
  expect(importCounts({ data: first } as never)).toEqual([0, 0, 0, 3]);
  expect(
    first.faults.map(({ kind, count, choices }: { kind: string; count: number; choices: string[] }) => [
      kind,
      count,
      choices,
    ]),
  ).toEqual([
    ["graduationYear.shortYear", 2, ["century", "memo", "blank"]],
    ["mobile.several", 1, ["first", "memo", "blank"]],
    ["mobile.format", 1, ["memo", "blank"]],
    ["phone.noResult", 1, ["blank"]],
    ["affiliation.resident", 1, ["blank"]],
  ]);
  const decisions = {
    "graduationYear.shortYear": "century",
    "mobile.several": "first",
    "mobile.format": "memo",
    "phone.noResult": "blank",
    "affiliation.resident": "blank",
  };
  const decided = (await look(admin, importId, { decisions })).data;
  expect(importCounts({ data: decided } as never)).toEqual([3, 0, 0, 0]);
  expect(decided.rules.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`)).toEqual([
    "graduationYear century",
    "mobile several",
    "mobile other",
    "phone removed",
    "affiliation removed",
  ]);
  expect(importCounts(await commit(admin, importId))).toEqual([3, 0, 0, 0]);
  expect(await stored()).toEqual([
    ["가나다", 1999, "", "010-0000-0001", "", "", "휴대전화: 010-0000-0009"],
    ["나나다", 2004, "b@pid.example.kr", "", "", "", "휴대전화: 모름"],
    ["다나다", null, "c@pid.example.kr", "", "", "", ""],
  ]);
  const again = await sent(admin, rows);
  expect(importCounts(await look(admin, again, { decisions }))).toEqual([0, 0, 3, 0]);
  expect((await look(admin, again, { decisions: { "mobile.format": "anything" } })).code).toBe("INVALID_INPUT");
  // Some faults allow no decision: a resident registration number cannot be moved to the memo.
  const moved = await look(admin, again, { decisions: { ...decisions, "affiliation.resident": "memo" } });
  expect(importCounts(moved)).toEqual([0, 0, 2, 1]);
});

test("the previewed decision is committed even if the book changed since", async () => {
  const admin = await createAdministratorSession();
  await importAlumniFile(admin, "처음.csv", "이름,이메일,소속\n가나다,a@pid.example.kr,한빛병원\n");
  const rows: Row[] = [[2, ["가나다", "", "a@pid.example.kr", "010-0000-0001", "", ""]]];
  const importId = await sent(admin, rows);
  for (const emptied of ["byId", "keep"]) {
    const { data } = await look(admin, importId, { emptied });
    expect(data.emptied).toEqual({
      count: 1,
      samples: [{ row: 2, name: "가나다", field: "affiliation", before: "한빛병원" }],
    });
    expect(data.preview[0].changes.map(({ field }: { field: string }) => field)).toEqual(["mobile"]);
  }
  const { data } = await look(admin, importId, { emptied: "clear" });
  expect(data.preview[0].changes).toContainEqual({ field: "affiliation", before: "한빛병원", after: "" });
  const token = admin.accessToken;
  expect((await callJson("PUT", "/api/alumni", { token, body: { name: "다른이" } })).code).toBe("SUCCESS");
  expect(importCounts(await commit(admin, importId))).toEqual([0, 1, 0, 0]);
  expect(await env.DB.prepare("SELECT affiliation FROM alumni WHERE name = '가나다'").first("affiliation")).toBe("");
});

test("several files form one import", async () => {
  const admin = await createAdministratorSession();
  const sources = [
    { name: "3기.xlsx", base: 0 },
    { name: "4기.xlsx · 명부", base: 10 },
  ];
  const person = ["가나다", "2004", "a@pid.example.kr", "", "", ""];
  const importId = await sent(
    admin,
    [
      [3, person],
      [15, person],
      [12, ["나나다", "", "틀린주소", "", "", ""]],
    ],
    { sources, headRow: 0 },
  );
  const { data } = await look(admin, importId);
  expect(data.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
    [12, "이메일을 형식에 맞게 입력해 주십시오."],
    [15, "3기.xlsx 3행과 같은 사람입니다. 한 행만 남겨 주십시오."],
  ]);
  expect((await callJson("GET", "/api/alumni/import/open", { token: admin.accessToken })).data.sources).toEqual(
    sources,
  );
});

test("a resident registration number in an ignored column is stored nowhere", async () => {
  const admin = await createAdministratorSession();
  const file = "이름,이메일,주민번호\n가나다,a@pid.example.kr,900101-1234567\n나나다,틀린주소,900101-1234567\n";
  const { data } = await importAlumniFile(admin, "동문.csv", file, { skipInvalid: true });
  expect(data.notes).toContain(
    "‘주민번호’ 열에 주민등록번호로 보이는 값이 2칸 있습니다. 저장할 수 없습니다: C2 ‘900101-1******’",
  );
  expect(importCounts({ data } as never)).toEqual([1, 0, 0, 1]);
  const errors = JSON.stringify(read(await downloadFile(admin, data.errorFileUrl), { type: "array" }).Sheets);
  expect([errors.includes("900101-1******"), errors.includes("1234567")]).toEqual([true, false]);
  const tables = ["alumni", "alumni_staged", "alumni_staging", "audit_log"];
  for (const table of tables) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
    expect([table, JSON.stringify(results).includes("1234567")]).toEqual([table, false]);
  }
});
