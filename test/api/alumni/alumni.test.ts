import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { runSql } from "../../support/test-database.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";

const HONG = {
  name: "홍길동",
  cohort: 3,
  graduationYear: 2004,
  major: "내과학",
  affiliation: "한빛대학교병원",
  department: "내과",
  position: "교수",
  email: "hong@pid.example.kr",
  mobile: "010-0000-1234",
  phone: "02-000-5678",
  zipCode: "03080",
  address: "서울특별시 종로구 가상로 1",
  memo: "연락은 오후에",
};

async function add(admin: TestSession, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await callAs(admin, "PUT", "/api/alumni", { ...HONG, ...fields });
  expect(answer.code).toBe("SUCCESS");
  return answer.data.id;
}
const list = async (session: TestSession, query = "") => (await callAs(session, "GET", `/api/alumni${query}`)).data;
const names = async (session: TestSession, query: string): Promise<string[]> =>
  (await list(session, query)).content.map((row: { name: string }) => row.name);

test("writing to the address book needs its permission", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const id = await add(admin);
  const calls = [
    ["PUT", "/api/alumni", { name: "김하나" }],
    ["PATCH", `/api/alumni/${id}`, { name: "김하나", version: 1 }],
    ["DELETE", `/api/alumni/${id}`, undefined],
    ["POST", `/api/alumni/${id}/restore`, {}],
    ["POST", "/api/alumni/delete-data", { ids: [id] }],
  ] as const;
  expect((await callJson("GET", "/api/alumni")).status).toBe(401);
  for (const [method, path, body] of calls) {
    expect((await callJson(method, path, { body })).code, `${method} ${path}`).toBe("UNAUTHORIZED");
    expect((await callAs(person, method, path, body)).code, `${method} ${path}`).toBe("FORBIDDEN");
  }
  const outsider = await createSessionWith([]);
  expect((await callAs(outsider, "GET", "/api/alumni")).code).toBe("FORBIDDEN");
  expect((await list(person)).totalElements).toBe(1);
  expect((await list(admin)).content[0]).toMatchObject({ ...HONG, id, version: 1 });
});

test("a person is found by name, initial consonants, affiliation or digits", async () => {
  const admin = await createAdministratorSession();
  await add(admin);
  await add(admin, {
    name: "김하늘",
    affiliation: "새봄병원",
    department: "소아과",
    major: "소아과학",
    email: "",
    mobile: "010-0000-9999",
  });
  for (const keyword of [
    "홍길",
    "ㅎㄱㄷ",
    "ㄱㄷ",
    "한빛",
    "내과",
    "0000-1234",
    "01000001234",
    "홍길동 내과",
    "HONG@",
  ]) {
    expect([keyword, await names(admin, `?keyword=${encodeURIComponent(keyword)}`)]).toEqual([keyword, ["홍길동"]]);
  }
  expect(await names(admin, `?keyword=${encodeURIComponent("홍길동".normalize("NFD"))}`)).toEqual(["홍길동"]);
  expect(await names(admin, `?keyword=${encodeURIComponent("홍길동 소아과")}`)).toEqual([]);
  expect(await names(admin, "?keyword=%25")).toEqual([]);
});

test("the list is filtered or sorted before it is paged", async () => {
  const admin = await createAdministratorSession();
  for (const [at, name] of ["다나", "가나", "나나"].entries()) {
    await add(admin, { name, cohort: at + 1, graduationYear: 2001 + (at % 2), email: "", affiliation: `병원${at}` });
  }
  expect(await names(admin, "")).toEqual(["가나", "나나", "다나"]);
  expect(await names(admin, "?sort=cohort,DESC")).toEqual(["나나", "가나", "다나"]);
  expect(await names(admin, "?cohort=2")).toEqual(["가나"]);
  expect(await names(admin, "?graduationYear=2001")).toEqual(["나나", "다나"]);
  expect(await names(admin, "?affiliation=%EB%B3%91%EC%9B%900")).toEqual(["다나"]);
  expect(await names(admin, "?keyword=&cohort=&graduationYear=&affiliation=")).toHaveLength(3);
  expect(await list(admin, "?page=2&size=2")).toMatchObject({ page: 2, size: 2, totalElements: 3, totalPages: 2 });
  for (const query of ["?page=0", "?size=-1", "?sort=memo,ASC", "?sort=name;,ASC", "?cohort=x"]) {
    expect((await callAs(admin, "GET", `/api/alumni${query}`)).code, query).toBe("INVALID_INPUT");
  }
});

test("a member sees a closed contact field masked", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  await add(admin);
  await add(admin, { name: "김열림", email: "open@pid.example.kr", openFields: ["mobile", "email"] });
  const rows = (await list(person, "?sort=name,DESC")).content;
  expect(rows[0]).toMatchObject({
    name: "홍길동",
    email: "ho***@pid.example.kr",
    mobile: "010-****-1234",
    phone: "**-***-5678",
    zipCode: "",
    address: "",
    memo: "",
    openFields: [],
  });
  expect(rows[1]).toMatchObject({ email: "open@pid.example.kr", mobile: "010-0000-1234", memo: "" });
  expect(await names(person, "?keyword=00001234")).toEqual(["김열림"]);
  expect(await names(person, "?keyword=hong@")).toEqual([]);
});

test("a member gets at most 300 rows an hour", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const values = Array.from({ length: 60 }, (_, at) => `('id${at}', '사람${at}', 1, 1)`).join(",");
  await env.DB.exec(`INSERT INTO alumni (id, name, created_date, modified_date) VALUES ${values}`);
  for (let at = 0; at < 6; at++) expect((await list(person, "?size=100")).content, `${at}`).toHaveLength(50);
  expect((await callAs(person, "GET", "/api/alumni")).code).toBe("TOO_MANY_REQUESTS");
  expect((await list(admin, "?size=100")).content).toHaveLength(60);
});

test("a number is found in any spelling on every list", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  await add(admin, { name: "김하나", mobile: "+1 (617) 555-0100", email: "kim@pid.example.kr", phone: "" });
  const typed = ["010-0000-1234", "01000001234", "+82 10 0000 1234", "+82-10-0000-1234", "+82(0)10-0000-1234"];
  typed.push("82-10-0000-1234", "821000001234", "0082 10 0000 1234", "010 0000 1234", "(010) 0000-1234");
  await runSql(
    "INSERT INTO user_key (user_id, user_key_type, user_key_code, verified_date) VALUES (?, 'Mobile', '010-0000-1234', 1)",
    admin.user.id,
  );
  const members = async (keyword: string) =>
    (await callAs(admin, "GET", `/api/admin/member?keyword=${encodeURIComponent(keyword)}`)).data.content;
  const logged = async (subject: string) =>
    (await callAs(admin, "GET", `/api/admin/audit?subject=${encodeURIComponent(subject)}`)).data.content;
  for (const keyword of typed) {
    expect([keyword, await names(admin, `?keyword=${encodeURIComponent(keyword)}`)]).toEqual([keyword, ["홍길동"]]);
    const found = (await members(keyword)).map((row: { id: string }) => row.id);
    expect([keyword, found]).toEqual([keyword, [admin.user.id]]);
    const targets = (await logged(keyword)).map((row: { targetId: string }) => row.targetId);
    expect([keyword, targets.includes(id)]).toEqual([keyword, true]);
  }
  for (const keyword of ["+1 617 555", "6175550100", "+1-617-555-0100"])
    expect(await names(admin, `?keyword=${encodeURIComponent(keyword)}`)).toEqual(["김하나"]);
  expect(await names(admin, "?keyword=%2B82%2010%200000%209999")).toEqual([]);
});

test("a member sees only four digits of a closed foreign number", async () => {
  const admin = await createAdministratorSession();
  await add(admin, { mobile: "+1 (617) 555-0100" });
  const [row] = (await list(await createMemberSession())).content;
  expect(row.mobile).toBe("+* *** ***-0100");
});

test("each invalid field is refused on its own", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin, {
    name: " 홍길동 ".normalize("NFD"),
    cohort: "제３기",
    graduationYear: "2004-02-25",
    mobile: "+82 10-0000-1234",
    phone: "020005678",
    zipCode: "3080",
    email: "Hong@PID.example.kr",
  });
  expect((await list(admin)).content[0]).toMatchObject({ ...HONG, id });
  const wrong = { name: " ", cohort: "열", graduationYear: 12, email: "a@b", mobile: "12", phone: "x", zipCode: "12" };
  const answer = await callAs(admin, "PUT", "/api/alumni", { ...wrong, memo: "900101-1234567" });
  expect(answer.code).toBe("INVALID_INPUT");
  expect(Object.keys(answer.fields).toSorted()).toEqual([...Object.keys(wrong), "memo"].toSorted());
  expect(answer.fields.memo).toContain("주민등록번호");
  expect((await list(admin)).totalElements).toBe(1);
});

test("one of ten edits of one version succeeds", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  const edits = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      callAs(admin, "PATCH", `/api/alumni/${id}`, { memo: `고침${at}`, version: 1 }),
    ),
  );
  expect(edits.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(edits.filter((answer) => answer.code === "CONFLICT")).toHaveLength(9);
  const logged = await env.DB.prepare("SELECT detail FROM audit_log WHERE action = 'alumni.update'").all();
  expect(logged.results).toEqual([{ detail: '{"fields":["memo"],"own":false}' }]);
  expect((await list(admin)).content[0]).toMatchObject({ name: "홍길동", version: 2 });
});

test("a deleted person can be restored from the bin", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  const remove = () => callAs(admin, "DELETE", `/api/alumni/${id}`);
  expect((await remove()).status).toBe(200);
  expect((await remove()).code).toBe("NOT_FOUND");
  const body = { memo: "고침", version: 2 };
  expect((await callAs(admin, "PATCH", `/api/alumni/${id}`, body)).code).toBe("NOT_FOUND");
  expect((await list(admin)).totalElements).toBe(0);
  const restore = () => callAs(admin, "POST", `/api/alumni/${id}/restore`, {});
  expect((await restore()).status).toBe(200);
  expect((await restore()).code).toBe("NOT_FOUND");
  expect((await list(admin)).content[0]).toMatchObject(HONG);
});

test("several people can be deleted in one audited act", async () => {
  const admin = await createAdministratorSession();
  const ids = [await add(admin), await add(admin, { name: "김하나" })];
  await add(admin, { name: "박두리" });
  const remove = () => callAs(admin, "POST", "/api/alumni/delete-data", { ids });
  expect((await remove()).data).toEqual({ deleted: 2 });
  expect((await remove()).code).toBe("NOT_FOUND");
  expect(await names(admin, "")).toEqual(["박두리"]);
  const logged = await env.DB.prepare("SELECT subject_count FROM audit_log WHERE action = 'alumni.delete'").all();
  expect(logged.results).toEqual([{ subject_count: 2 }]);
});

test("only the person can correct their own entry", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const own = await add(admin, { email: person.user.email });
  const other = await add(admin, { name: "김남남" });
  const [, mine] = (await list(person)).content;
  expect(mine).toMatchObject({ id: own, mine: true, mobile: HONG.mobile, address: HONG.address, memo: "" });
  const body = {
    name: "바꾼이름",
    email: "x@y.kr",
    memo: "바꿈",
    position: "원장",
    openFields: ["mobile"],
    version: 1,
  };
  const edit = (id: string) => callAs(person, "PATCH", `/api/alumni/${id}`, body);
  expect((await edit(own)).data).toEqual({ id: own, version: 2 });
  expect((await edit(other)).code).toBe("FORBIDDEN");
  expect((await list(admin, `?keyword=${encodeURIComponent("홍길동")}`)).content[0]).toMatchObject({
    ...HONG,
    email: person.user.email,
    position: "원장",
    openFields: ["mobile"],
  });
  expect(await names(await createMemberSession(), "?keyword=00001234")).toEqual(["홍길동"]);
});

test("the audit log counts the persons of each act", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin);
  await list(admin);
  await callAs(admin, "DELETE", `/api/alumni/${id}`);
  const { results } = await env.DB.prepare(
    "SELECT action, subject_count, actor_user_id FROM audit_log WHERE action LIKE 'alumni.%' ORDER BY id",
  ).all();
  const entry = (action: string) => ({ action, subject_count: 1, actor_user_id: admin.user.id });
  expect(results).toEqual(["alumni.create", "alumni.list", "alumni.delete"].map(entry));
});
