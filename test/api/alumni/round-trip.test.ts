import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { DROPPED_FILE_LIMITS } from "#app/features/alumni/import/read-dropped-file.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { OWN_FIELD_CODES, type OwnField, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import { findPeople } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import { LIBREOFFICE_FILES } from "./workbooks.ts";
import { downloadFile, importCounts, exportListed } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { rowsOf, runSql } from "../../support/test-database.ts";

const sheetOf = (file: string) => requirePresent(LIBREOFFICE_FILES.get(file))();

const LIMITS = { ...DROPPED_FILE_LIMITS, rows: 5000 };

const cellsOf = (bytes: Uint8Array) => {
  const book = read(bytes);
  return utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0] ?? ""] ?? {}, { header: 1, defval: "" });
};

const FIELDS = [
  { name: "생년월일", kind: "date" },
  { name: "회비", kind: "number" },
  { name: "구분", kind: "choice", choices: ["정회원", "준회원"] },
  { name: "관심 분야", kind: "choices", choices: ["면역", "감염"] },
  { name: "팩스", kind: "phone" },
  { name: "납부", kind: "yesNo" },
  { name: "한자명", kind: "text" },
];

const PEOPLE = [
  {
    id: "11111111-1111-4111-8111-111111111111",
    name: "가나다",
    cohort: 3,
    graduation_year: 2004,
    affiliation: "한빛병원",
    mobile: "010-0000-0001",
    phone: "02-740-1234 (내선 5)",
    zip_code: "03080",
    address: "서울특별시 종로구 가상로 1",
    memo: "첫 줄\n둘째 줄",
    own: {
      own1: "1970-02-05",
      own2: 50_000,
      own3: "정회원",
      own4: ["면역", "감염"],
      own5: "02-740-9999",
      own6: "예",
      own7: "=洪吉童",
    },
  },
  { id: "22222222-2222-4222-8222-222222222222", name: "나나다", cohort: null, own: { own2: 5 } },
  { id: "33333333-3333-4333-8333-333333333333", name: "다나다", mobile: "010-0000-0003", own: {} },
];

async function withPeople() {
  const admin = await createAdministratorSession();
  for (const field of FIELDS)
    expect((await callAs(admin, "PUT", "/api/admin/setting/alumni/field", { ...field, access: "office" })).code).toBe(
      "SUCCESS",
    );
  for (const { own, ...person } of PEOPLE) {
    const row = { ...person, own: JSON.stringify(own), created_date: 1, modified_date: 1 };
    await runSql(
      `INSERT INTO alumni (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
        .map(() => "?")
        .join(", ")})`,
      ...Object.values(row),
    );
  }
  return admin;
}
async function importAsBrowser(admin: TestSession, bytes: Uint8Array<ArrayBuffer>) {
  const [table] = findPeople(await readFileSheets(bytes, LIMITS), "동문주소록").tables;
  if (!table) throw new Error("no people");
  const own = FIELDS.map(({ name }, at) => ({ code: OWN_FIELD_CODES[at], name }) as OwnField);
  const columns = withOwnColumns(table.heads, table.columns, own);
  expect(columns).not.toContain(null);
  const send = async (method: string, path: string, body: object) => {
    const answer = await callAs(admin, method, `/api/alumni/import/${path}`, body);
    expect([path, answer.code]).toEqual([path, "SUCCESS"]);
    return answer;
  };
  const mapping = Object.fromEntries(table.heads.map((head, at) => [head, columns[at] ?? ""]));
  const opened = await send("POST", "open", {
    fileName: "동문주소록",
    headRow: 1,
    heads: table.heads,
    mapping,
    parts: 1,
  });
  const { importId } = opened.data;
  await send("PUT", `${importId}/part/1`, { rows: table.rows.map(({ row, cells }) => [row, cells]) });
  const preview = await send("POST", `${importId}/plan`, { mode: "upsert", emptied: "clear" });
  await send("POST", `${importId}/commit`, {});
  return preview;
}
const people = async () =>
  (await rowsOf("alumni")).map(
    ({ version: _v, modified_date: _m, search_all: _a, search_open: _o, initials: _i, ...row }) => ({
      ...row,
      own: JSON.parse(String(row.own)),
    }),
  );

test.each([
  ["xlsx", "edited.xlsx"],
  ["ods", "edited.ods"],
])("an export edited by LibreOffice as %s changes those cells alone", async (_kind, edited) => {
  const admin = await withPeople();
  // The fixtures have the thirteen columns of the contract.
  const columns = [...ALUMNI_FIELDS.slice(0, 13), ...OWN_FIELD_CODES.slice(0, FIELDS.length), "id"];
  const { data } = await exportListed(admin, { format: "xlsx", reason: "확인", columns });
  const exported = await downloadFile(admin, data.url);
  expect(cellsOf(exported)).toEqual(cellsOf(sheetOf("exported.xlsx")));
  const before = await people();
  const answer = await importAsBrowser(admin, sheetOf(edited));
  expect(importCounts(answer)).toEqual([0, 2, 1, 0]);
  expect(answer.data.preview.map(({ name, changes }: { name: string; changes: unknown }) => [name, changes])).toEqual([
    [
      "가나다",
      [
        { field: "affiliation", before: "한빛병원", after: "새봄병원" },
        { field: "own1", before: "1970-02-05", after: "1970-03-05" },
      ],
    ],
    ["나나다", [{ field: "own2", before: "5", after: "70000" }]],
  ]);
  const [first, second, third] = before;
  expect(await people()).toEqual([
    { ...first, affiliation: "새봄병원", own: { ...first?.own, own1: "1970-03-05" } },
    { ...second, own: { own2: 70_000 } },
    third,
  ]);
});
