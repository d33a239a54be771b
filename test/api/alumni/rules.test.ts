import { expect, test } from "vitest";
import { type AlumniField, ALUMNI_FIELDS, isNumberField, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { downloadFile, importAlumniFile, exportListed } from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  retireUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow } from "../../support/test-database.ts";

const HONG = {
  name: "홍길동",
  affiliation: "한빛병원",
  email: "hong@pid.example.kr",
  mobile: "010-0000-1234",
  phone: "02-000-5678",
  zipCode: "03080",
  address: "서울특별시 종로구 가상로 1",
  memo: "비밀 메모",
};
const add = (admin: TestSession, fields: Record<string, unknown> = {}) =>
  callAs(admin, "PUT", "/api/alumni", { ...HONG, ...fields });
const list = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/alumni${query}`)).data.content;
const row = (id: string) => readRow("SELECT * FROM alumni WHERE id = ?", id);

const TEXT_FIELDS = ALUMNI_FIELDS.filter((field) => !isNumberField(field));

test.each(TEXT_FIELDS)("a resident registration number is refused in %s, in any notation", async (field) => {
  const admin = await createAdministratorSession();
  const { id } = (await add(admin)).data;
  for (const value of ["900101-1234567", "9001011234567", "９００１０１－１２３４５６７", "900101 - 2234567"]) {
    const asked = { token: admin.accessToken, body: { [field]: value } };
    const added = await callJson("PUT", "/api/alumni", { ...asked, body: { name: "김하나", [field]: value } });
    const changed = await callJson("PATCH", `/api/alumni/${id}`, { ...asked, body: { [field]: value, version: 1 } });
    expect([value, added.code, Object.keys(added.fields ?? {})]).toEqual([value, "INVALID_INPUT", [field]]);
    expect([value, changed.code, Object.keys(changed.fields ?? {})]).toEqual([value, "INVALID_INPUT", [field]]);
  }
  expect(await list(admin)).toHaveLength(1);
});

test("a resident registration number in any column refuses its row", async () => {
  const admin = await createAdministratorSession();
  const file =
    "이름,소속,주소,메모\n김하나,900101-1234567,,\n박두리,,서울 9001011234567,\n이세온,,,연락 900101-1234567 로\n";
  const { errors, inserted } = (await importAlumniFile(admin, "동문.csv", file, { skipInvalid: true })).data;
  expect(errors.map((each: { row: number; column: string }) => [each.row, each.column])).toEqual([
    [2, "소속"],
    [3, "주소"],
    [4, "메모"],
  ]);
  expect(inserted).toBe(0);
});

test.each(TEXT_FIELDS)("%s keeps within its limit", async (field) => {
  const admin = await createAdministratorSession();
  const answer = await add(admin, { [field]: "가".repeat(ALUMNI_MAX_LENGTHS[field] + 1) });
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", [field]]);
});

const PLAIN_TEXT: AlumniField[] = ["name", "major", "affiliation", "department", "position", "address", "memo"];
test.each([
  "<script>hit()</script>",
  `"><img src=x onerror=hit()>`,
  "javascript:hit()",
  "</script><svg/onload=hit()>",
  "{{hit()}}",
  "' OR 1=1; --",
])("%s stays text in every field through a round trip", async (text) => {
  const admin = await createAdministratorSession();
  const values = Object.fromEntries(PLAIN_TEXT.map((field) => [field, text.slice(0, ALUMNI_MAX_LENGTHS[field])]));
  const { id } = (await add(admin, values)).data;
  expect(await list(admin, `?keyword=${encodeURIComponent(text)}`)).toMatchObject([values]);
  const body = { filter: { ids: [id] }, format: "csv", reason: "확인" };
  const { data } = await callAs(admin, "POST", "/api/alumni/export-data", body);
  const csv = new TextDecoder().decode(await downloadFile(admin, data.url));
  expect((await importAlumniFile(admin, "돌아옴.csv", csv)).data).toMatchObject({
    unchanged: 1,
    updated: 0,
    rejected: 0,
  });
});

test("decomposed or full-width text is found in either form", async () => {
  const admin = await createAdministratorSession();
  const fields = { name: "홍길동".normalize("NFD"), affiliation: "ＡＢＣ병원（본원）".normalize("NFD") };
  const { id } = (await add(admin, { ...fields, mobile: "０１０－００００－１２３４" })).data;
  expect(await row(id)).toMatchObject({ name: "홍길동", affiliation: "ABC병원(본원)", mobile: "010-0000-1234" });
  for (const keyword of ["홍길동".normalize("NFD"), "ａｂｃ병원", "abc병원"])
    expect([keyword, await list(admin, `?keyword=${encodeURIComponent(keyword)}`)]).toMatchObject([keyword, [{ id }]]);
});

test("an export without Alumni_Write contains only the list's values", async () => {
  const admin = await createAdministratorSession();
  await add(admin);
  await add(admin, { name: "김열림", email: "open@pid.example.kr", openFields: ["mobile"] });
  const clerk = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
  const exported = async (filter: object, columns: string[]) => {
    const body = { filter: { sort: "name,ASC", ...filter }, columns, format: "csv", reason: "확인" };
    const { data } = await exportListed(clerk, body);
    return new TextDecoder()
      .decode(await downloadFile(clerk, data.url))
      .split("\r\n")
      .slice(1, -1);
  };
  expect(await exported({}, ["name", "mobile", "email", "phone", "zipCode", "address", "memo"])).toEqual([
    "김열림,010-0000-1234,op***@pid.example.kr,**-***-5678,,,",
    "홍길동,010-****-1234,ho***@pid.example.kr,**-***-5678,,,",
  ]);
  expect(await exported({ keyword: "00001234" }, ["name"])).toEqual(["김열림"]);
  expect(await exported({ keyword: "hong@" }, ["name"])).toEqual([]);
});

test("sorting by a field that may be closed is refused", async () => {
  const admin = await createAdministratorSession();
  for (const field of ["email", "mobile", "phone", "zipCode", "address", "memo"]) {
    const answer = await callAs(admin, "GET", `/api/alumni?sort=${field},ASC`);
    expect([field, answer.code]).toEqual([field, "INVALID_INPUT"]);
  }
});

test("the entry of a retired member stays with the office", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const { id } = (await add(admin, { email: person.user.email, openFields: ["mobile", "email"] })).data;
  expect(await list(person)).toMatchObject([{ id, mine: true }]);
  const other = await createMemberSession();
  expect(await list(other, "?keyword=00001234")).toHaveLength(1);
  await retireUser(person);
  expect(await list(other)).toMatchObject([{ id, mine: false, mobile: "" }]);
  expect(await list(other, "?keyword=00001234")).toEqual([]);
  expect(await list(admin)).toMatchObject([{ id, mobile: "010-0000-1234", state: "탈퇴", openFields: [] }]);
});
