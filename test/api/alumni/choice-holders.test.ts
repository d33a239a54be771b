import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { chargeAll, makeDueKind } from "./dues.ts";
import { add, list, make, PATH } from "./own-fields.ts";

const RENAMES = [{ from: "정회원", to: "일반회원" }];
const CHOICES = ["정회원", "준회원"];
const RENAMED = { choices: ["일반회원", "준회원"], renames: RENAMES };

const makeGrade = (admin: TestSession, kind = "choice") =>
  make(admin, { name: "회원 등급", kind, choices: CHOICES, access: "office" });
const change = (admin: TestSession, code: string, body: object, version = 1) =>
  callAs(admin, "PATCH", `${PATH}/${code}`, { name: "회원 등급", access: "office", version, ...body });
const planOf = async (admin: TestSession, kindId: string, ids: string[]) =>
  (await callAs(admin, "POST", "/api/admin/due/charge", { segment: { ids }, kindId, period: "2026" })).data;

const readText = async (...query: Parameters<typeof readValue>) => (await readValue<string>(...query)) ?? "";
const saveView = async (admin: TestSession, code: string, condition: string) => {
  const content = { filter: { [`f_${code}`]: condition }, sort: "", columns: [], isDense: false, size: 20 };
  const answer = await callAs(admin, "PUT", "/api/alumni/view", { name: `보기 ${condition}`, isShared: true, content });
  expect([answer.code, answer.fields]).toEqual(["SUCCESS", {}]);
};

test("a renamed grade is charged its own amount", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  const kindId = await makeDueKind(admin, {
    gradeField: "회원 등급",
    grades: ["정회원 50,000원", "정회원가족: 10000", "준회원=20000"],
  });
  const person = await add(admin, "가", { [code]: "정회원" });
  expect((await change(admin, code, RENAMED)).code).toBe("SUCCESS");
  expect(JSON.parse(await readText("SELECT grades FROM due_kind"))).toEqual([
    "일반회원 50,000원",
    "정회원가족: 10000",
    "준회원=20000",
  ]);
  expect(await planOf(admin, kindId, [person])).toMatchObject({ count: 1, total: 50_000 });
});

test("a kind of dues follows the renamed field of its grades", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  await makeDueKind(admin, { gradeField: "회원등급", grades: ["정회원 50000"] });
  expect((await change(admin, code, { name: "회원 구분", choices: CHOICES })).code).toBe("SUCCESS");
  expect(await readValue("SELECT grade_field FROM due_kind")).toBe("회원 구분");
});

test("a person with an unknown grade is named instead of charged", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin, "text");
  const kindId = await makeDueKind(admin, { gradeField: "회원 등급", grades: ["정회원 50000"] });
  const ids = [
    await add(admin, "가", { [code]: "정회원" }),
    await add(admin, "나", { [code]: "특별회원" }),
    await add(admin, "다"),
  ];
  expect(await planOf(admin, kindId, ids)).toMatchObject({
    count: 2,
    total: 80_000,
    leftOut: [{ cause: "금액을 정하지 않은 등급", count: 1, names: ["나 ‘특별회원’"] }],
  });
  const treasurer = await createSessionWith(["ADMIN_Access", "Dues_Manage", "Alumni_Read"]);
  expect((await planOf(treasurer, kindId, ids)).leftOut[0].names).toEqual(["나"]);
});

test("a stored selection finds the people of a renamed choice", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  await add(admin, "가", { [code]: "정회원" });
  await saveView(admin, code, "in:정회원,준회원");
  await saveView(admin, code, "has:정회원");
  const target = { filter: { [`f_${code}`]: "in:정회원" } };
  const draft = { source: "alumni", target, kind: "notice", subject: "안내", body: "<p>안내</p>" };
  expect((await callAs(admin, "PUT", "/api/admin/mailing", draft)).code).toBe("SUCCESS");
  expect((await callAs(admin, "PUT", "/api/admin/round", { target })).code).toBe("SUCCESS");
  expect((await change(admin, code, RENAMED)).code).toBe("SUCCESS");
  expect(await readRows(`SELECT content ->> '$.filter.f_${code}' AS c FROM alumni_view ORDER BY name`)).toEqual([
    { c: "has:일반회원" },
    { c: "in:일반회원,준회원" },
  ]);
  for (const table of ["mailing", "confirmation_round"])
    expect(JSON.parse(await readText(`SELECT target ->> '$.filter.f_${code}' FROM ${table}`))).toMatchObject({
      operator: "in",
      values: ["일반회원"],
    });
  expect(await list(admin, `?f_${code}=${encodeURIComponent("in:일반회원")}`)).toHaveLength(1);
});

test("a condition that a rename cannot follow is named before", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  await saveView(admin, code, "has:정회");
  const refused = await change(admin, code, RENAMED);
  expect([refused.code, refused.fields.choices]).toEqual(["INVALID_INPUT", expect.stringContaining("보기 has:정회")]);
  expect((await change(admin, code, { ...RENAMED, leavesUses: true })).code).toBe("SUCCESS");
});

const usesOf = async (admin: TestSession, path: string, name: string): Promise<string[]> =>
  (await callAs(admin, "GET", path)).data.find((row: { name: string }) => row.name === name).uses;

test("a field names what uses it", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  await make(admin, { name: "안 쓰는 항목", kind: "text" });
  await makeDueKind(admin, { gradeField: "회원등급", grades: ["정회원 50000"] });
  await saveView(admin, code, "filled");
  const target = { filter: { [`f_${code}`]: "in:정회원" } };
  await createTestMailing(admin, { source: "alumni", target }, { subject: "{{회원 등급}} 님" });
  await createTestMailing(
    admin,
    { source: "alumni", target: { filter: { ...target.filter, dues: "2026:unpaid" } } },
    { subject: "회비 안내" },
  );
  await callAs(admin, "PUT", "/api/admin/round", { target });
  const certificate = { name: "회원 증명서", body: "{{회원 등급}}", numberPattern: "{{번호}}" };
  expect((await callAs(admin, "PUT", "/api/admin/certificate-kind", certificate)).code).toBe("SUCCESS");
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
  expect((await usesOf(admin, PATH, "회원 등급")).toSorted()).toEqual([
    `메일·문자 ‘${today}’`,
    "메일·문자 ‘{{회원 등급}} 님’",
    "저장한 보기 ‘보기 filled’",
    `정보 확인 ‘${today}’`,
    "증명서 ‘회원 증명서’",
    "회비 종류 ‘연회비’",
  ]);
  expect(await usesOf(admin, PATH, "안 쓰는 항목")).toEqual([]);
});

test("a deleted view or a sent mailing uses no field", async () => {
  const admin = await createAdministratorSession();
  const code = await makeGrade(admin);
  await saveView(admin, code, "filled");
  const target = { filter: { [`f_${code}`]: "in:정회원" } };
  await createTestMailing(admin, { source: "alumni", target });
  await callAs(admin, "PUT", "/api/admin/round", { target });
  await runSql("UPDATE alumni_view SET deleted_date = 1");
  await runSql("UPDATE mailing SET status = 'done'");
  await runSql("UPDATE confirmation_round SET status = 'closed'");
  expect(await usesOf(admin, PATH, "회원 등급")).toEqual([]);
});

test("a kind of dues names the selections that use it", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const person = await add(admin, "가", {}, { cohort: 3 });
  await chargeAll(admin, kindId, [person]);
  expect(await usesOf(admin, "/api/admin/due-kind", "연회비")).toEqual(["청구한 회비 1건", "다 내지 않은 회비 1건"]);
  const content = { filter: { cohort: "3" }, sort: "", columns: ["name", "major"], isDense: false, size: 20 };
  await callAs(admin, "PUT", "/api/alumni/view", { name: "3기", isShared: true, content });
  const { uses } = (await callAs(admin, "GET", "/api/admin/setting/alumni")).data;
  expect(uses).toEqual({ cohort: ["저장한 보기 ‘3기’"], major: ["저장한 보기 ‘3기’"] });
});
