import { expect, test, vi } from "vitest";
import { FIRST_CERTIFICATE_KIND } from "#worker/contract/alumni/certificate.ts";
import { certificateKindRow } from "#worker/contract/alumni/rows.ts";
import { listOpenKinds } from "#worker/domain/alumni/certificate-kind.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { PDF_BYTES, putFile, readFileStatus } from "../../samples/board-files.ts";
import { makePng } from "../../samples/picture-samples.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  retireUser,
  type TestSession,
} from "../../support/people.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

const KINDS = "/api/admin/certificate-kind";
const ISSUED = "/api/certificate/issued";
const plain = { name: "재직 증명서", body: "재직을 증명합니다.", numberPattern: "재직 {{연도}}-{{번호}}" };

const makeKind = async (admin: TestSession, more: object = {}): Promise<string> => {
  const { code, data, fields } = await callAs(admin, "PUT", KINDS, { ...plain, ...more });
  expect([code, fields]).toEqual(["SUCCESS", {}]);
  return data.id;
};
const addPerson = async (admin: TestSession, values: object): Promise<string> =>
  (await callAs(admin, "PUT", "/api/alumni", values)).data.id;
const issue = (admin: TestSession, kindId: string, ids: string[], more: object = {}) =>
  callAs(admin, "PUT", ISSUED, { kindId, segment: { ids }, reason: "본인 요청", ...more });
const own = async (member: TestSession) => (await callAs(member, "GET", "/api/certificate")).data;
const listIssued = async (admin: TestSession) => (await callAs(admin, "GET", ISSUED)).data.content;

async function upload(who: TestSession, fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const query = new URLSearchParams({ fileName, size: String(bytes.byteLength) });
  const { data } = await callJson("GET", `/api/file/upload-url?${query}`, { token: who.accessToken });
  expect((await putFile(data.uploadUrl, bytes)).code).toBe("SUCCESS");
  return data.fileId;
}
const sealStatus = async (who: TestSession | null, sealId: string) =>
  (await fetchApi("GET", `/api/certificate/seal/${sealId}`, { token: who?.accessToken })).status;

test("only who may set up the address book changes kinds of certificates", async () => {
  const admin = await createAdministratorSession();
  const id = await makeKind(admin);
  const before = await readRows("SELECT * FROM certificate_kind ORDER BY id");
  const others = [
    null,
    await createMemberSession(),
    await createSessionWith(["ADMIN_Access"]),
    await createSessionWith(["Alumni_Read", "Alumni_Write"]),
    await createSessionWith(["ADMIN_Access", "Alumni_Write"]),
    await createSessionWith(["ADMIN_Access", "Alumni_Read"]),
  ];
  for (const [at, who] of others.entries()) {
    const codes = [
      await callAs(who, "GET", KINDS),
      await callAs(who, "PUT", KINDS, certificateKindRow.example),
      await callAs(who, "PATCH", `${KINDS}/${id}`, { ...plain, name: "다른 이름", version: 1 }),
      await callAs(who, "DELETE", `${KINDS}/${id}?version=1`),
      await callAs(who, "POST", `${KINDS}/order`, { codes: [id] }),
    ].map(({ code }) => code);
    expect([at, ...new Set(codes)]).toEqual([at, at === 0 ? "UNAUTHORIZED" : "FORBIDDEN"]);
  }
  expect(await readRows("SELECT * FROM certificate_kind ORDER BY id")).toEqual(before);
});

test("a year that began on paper continues with its first number", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-28T03:30:00Z") });
  const admin = await createAdministratorSession();
  const fieldsOf = async (more: object) => (await callAs(admin, "PUT", KINDS, { ...plain, ...more })).fields;
  expect(await fieldsOf({ startYear: 2026 })).toHaveProperty("startNumber");
  expect(await fieldsOf({ startNumber: 38 })).toHaveProperty("startYear");
  expect(await fieldsOf({ startYear: 26, startNumber: 38 })).toHaveProperty("startYear");
  const kindId = await makeKind(admin, { startYear: 2026, startNumber: 38 });
  const ids = [await addPerson(admin, { name: "김하나" }), await addPerson(admin, { name: "김둘" })];
  await issue(admin, kindId, ids);
  vi.setSystemTime(Date.parse("2027-01-02T03:30:00Z"));
  const later = await createAdministratorSession();
  await issue(later, kindId, ids.slice(0, 1));
  const numbers = (await listIssued(later)).map(({ documentNumber }: { documentNumber: string }) => documentNumber);
  expect(numbers.toSorted()).toEqual(["재직 2026-0038", "재직 2026-0039", "재직 2027-0001"]);
});

test("a kind takes known placeholders alone", async () => {
  const admin = await createAdministratorSession();
  const fieldsOf = async (more: object) => (await callAs(admin, "PUT", KINDS, { ...plain, ...more })).fields;
  expect(await fieldsOf({ body: "{{이름}}의 {{별명}}" })).toHaveProperty("body");
  expect(await fieldsOf({ body: "{{이름}" })).toHaveProperty("body");
  expect(await fieldsOf({ body: "" })).toHaveProperty("body");
  expect(await fieldsOf({ numberPattern: "제 {{연도}} 호" })).toHaveProperty("numberPattern");
  expect(await fieldsOf({ numberPattern: "{{이름}} {{번호}}" })).toHaveProperty("numberPattern");
  expect(await fieldsOf({ months: -1 })).toHaveProperty("months");
  await callAs(admin, "PUT", "/api/admin/setting/alumni/field", { name: "행사", kind: "text", access: "members" });
  expect(await fieldsOf({ body: "{{이름}}님은 {{행사}}에 참가함.\n{{기관}}" })).toEqual({});
});

test("an issued certificate keeps its text when the kind changes", async () => {
  const admin = await createAdministratorSession();
  const sealId = await upload(admin, "직인.png", makePng(20, 20));
  const kind = {
    body: "{{이름}}({{기수}}기)은 {{기관}}의 회원임.",
    withAffiliation: true,
    chair: "이사장 갑",
    reason: "시험",
  };
  const kindId = await makeKind(admin, { ...kind, sealId, months: 2 });
  const person = await addPerson(admin, { name: "김하늘", cohort: 12, affiliation: "가람의원" });
  const { data } = await issue(admin, kindId, [person]);
  const [before] = await listIssued(admin);
  expect(before).toMatchObject({
    id: data.id,
    kindName: "재직 증명서",
    name: "김하늘",
    affiliation: "가람의원",
    purpose: "",
    body: "김하늘(12기)은 새 홈페이지의 회원임.",
    organization: "새 홈페이지",
    chair: "이사장 갑",
    sealId,
    documentNumber: expect.stringMatching(/^재직 20\d\d-0001$/),
    state: "valid",
  });
  const next = {
    name: "경력 증명서",
    body: "다른 글",
    chair: "을",
    reason: "시험",
    numberPattern: "경력 {{번호}}",
    months: 0,
    version: 1,
  };
  expect((await callAs(admin, "PATCH", `${KINDS}/${kindId}`, { ...next, sealId: "" })).code).toBe("SUCCESS");
  await runSql(`UPDATE site_setting SET value = '{"siteName":"새 이름"}' WHERE key = 'site'`);
  await callAs(admin, "PATCH", `/api/alumni/${person}`, { name: "김바다", cohort: 13, affiliation: "", version: 1 });
  expect(await listIssued(admin)).toEqual([before]);
  const check = (name: string) => callJson("POST", "/api/certificate/check", { body: { number: before.number, name } });
  expect((await check("김하늘")).data).toMatchObject({ name: "김하늘", state: "valid" });
  expect((await check("김바다")).code).toBe("NOT_FOUND");
  expect((await callAs(admin, "DELETE", `${KINDS}/${kindId}?version=2`)).code).toBe("SUCCESS");
  expect([await listIssued(admin), await sealStatus(admin, sealId)]).toEqual([[before], 200]);
});

test("kinds with the same number pattern share one series without gaps", async () => {
  const admin = await createAdministratorSession();
  const [a, b, c] = [
    await makeKind(admin),
    await makeKind(admin),
    await makeKind(admin, { numberPattern: "{{번호}}" }),
  ];
  const person = await addPerson(admin, { name: "김하늘" });
  await Promise.all([a, b, a, b].map((kindId) => issue(admin, kindId, [person])));
  await issue(admin, c, [person]);
  const numbers = (await listIssued(admin)).map(({ documentNumber }: { documentNumber: string }) => documentNumber);
  const year = new Date(Date.now() + 9 * 3_600_000).getUTCFullYear();
  expect(numbers.toSorted()).toEqual(["0001", ...[1, 2, 3, 4].map((at) => `재직 ${year}-000${at}`)]);
});

test("a person who lacks a value gets no certificate", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeKind(admin, { body: "{{이름}}은 {{전공}}을 전공함.", withAffiliation: true });
  const people = [
    { name: "가하나", major: "경영학", affiliation: "가람" },
    { name: "나두리", major: "", affiliation: "" },
    { name: "다세나", major: "법학", affiliation: "나루" },
    { name: "라네모", major: "공학", affiliation: "" },
  ];
  const ids: string[] = [];
  for (const each of people) ids.push(await addPerson(admin, each));
  const preview = await callAs(admin, "POST", "/api/certificate/preview", { kindId, segment: { filter: {} } });
  const leftOut = [
    { cause: "전공이 비어 있음", count: 1, names: ["나두리"] },
    { cause: "소속이 비어 있음", count: 2, names: ["나두리", "라네모"] },
  ];
  expect(preview.data).toMatchObject({
    count: 2,
    leftOut,
    sample: { name: "가하나", body: "가하나은 경영학을 전공함." },
  });
  expect(await countRows("alumni_certificate")).toBe(0);
  const { data } = await callAs(admin, "PUT", ISSUED, {
    kindId,
    segment: { filter: {} },
    count: 2,
    reason: "정기 총회",
  });
  expect(data).toEqual({ id: data.id, count: 2, leftOut });
  const rows = await readRows("SELECT issue_id, name, serial FROM alumni_certificate ORDER BY serial");
  expect(rows).toEqual([
    { issue_id: data.id, name: "가하나", serial: 1 },
    { issue_id: data.id, name: "다세나", serial: 2 },
  ]);
  expect(await readRow("SELECT subject_count, reason FROM audit_log WHERE action = 'certificate.issue'")).toEqual({
    subject_count: 2,
    reason: "정기 총회",
  });
  const refused = await issue(admin, kindId, [ids[1] ?? ""]);
  expect(refused.fields).toEqual({ kindId: "나두리님은 전공, 소속이 없어 재직 증명서를 발급할 수 없습니다." });
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [ids[0]] });
  expect((await issue(admin, kindId, [ids[0] ?? ""])).code).toBe("NOT_FOUND");
});

test("a person who paid nothing is left out for one cause", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeKind(admin, { body: "{{이름}} {{납부 연도}} {{납부 금액}} {{납부일}} {{전공}}" });
  const id = await addPerson(admin, { name: "나두리", major: "법학" });
  const { data } = await callAs(admin, "POST", "/api/certificate/preview", { kindId, segment: { filter: {} } });
  expect(data.leftOut).toEqual([{ cause: "납부한 회비가 없음", count: 1, names: ["나두리"] }]);
  const refused = await issue(admin, kindId, [id]);
  expect(refused.fields).toEqual({ kindId: "나두리님은 납부한 회비가 없어 재직 증명서를 발급할 수 없습니다." });
});

test("a purpose in the text is asked for", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeKind(admin, { body: "{{용도}}에 씀." });
  const person = await addPerson(admin, { name: "김하늘" });
  expect((await issue(admin, kindId, [person])).fields).toEqual({ purpose: "제출 용도를 입력해 주십시오." });
  expect((await issue(admin, kindId, [person], { purpose: "은행 제출" })).code).toBe("SUCCESS");
  expect((await listIssued(admin))[0]).toMatchObject({ body: "은행 제출에 씀.", purpose: "", expiresDate: null });
  await runSql(
    `INSERT INTO alumni (id, name, created_date, modified_date) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 301) SELECT 'p' || i, '사람', 1, 1 FROM n`,
  );
  const all = { kindId, purpose: "제출", segment: { filter: {} } };
  expect((await callAs(admin, "PUT", ISSUED, { ...all, reason: "x" })).code).toBe("PAYLOAD_TOO_LARGE");
  expect((await callAs(admin, "POST", "/api/certificate/preview", all)).code).toBe("PAYLOAD_TOO_LARGE");
  await runSql("DELETE FROM alumni WHERE id IN ('p1', 'p2')");
  expect((await callAs(admin, "PUT", ISSUED, { ...all, count: 300, reason: "x" })).data.count).toBe(300);
});

test("people who died or left get no certificate, alone or among many", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const kindId = await makeKind(admin, { selfIssue: "entry" });
  const ids: string[] = [];
  for (const state of ["활동", "작고", "탈퇴", "휴면"]) ids.push(await addPerson(admin, { name: `${state}인`, state }));
  const preview = await callAs(admin, "POST", "/api/certificate/preview", { kindId, segment: { ids } });
  expect(preview.data).toMatchObject({
    count: 2,
    leftOut: [
      { cause: "작고", count: 1, names: ["작고인"] },
      { cause: "탈퇴", count: 1, names: ["탈퇴인"] },
    ],
  });
  expect((await issue(admin, kindId, ids)).data.count).toBe(2);
  expect((await issue(admin, kindId, [ids[1] ?? "", ids[2] ?? ""])).code).toBe("CONFLICT");
  await addPerson(admin, { name: "홍길동", email: member.user.email, state: "탈퇴" });
  expect((await callAs(member, "PUT", "/api/certificate", { kindId, purpose: "" })).code).toBe("CONFLICT");
  expect((await readRows("SELECT name FROM alumni_certificate ORDER BY serial")).map(({ name }) => name)).toEqual([
    "활동인",
    "휴면인",
  ]);
});

test("issuing needs the office's right", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeKind(admin);
  const person = await addPerson(admin, { name: "김하늘" });
  const asked = { kindId, segment: { ids: [person] }, reason: "x" };
  for (const [who, code] of [
    [null, "UNAUTHORIZED"],
    [await createMemberSession(), "FORBIDDEN"],
    [await createSessionWith(["ADMIN_Access"]), "FORBIDDEN"],
    [await createSessionWith(["Alumni_Read", "Alumni_Write"]), "FORBIDDEN"],
  ] as const) {
    expect((await callAs(who, "PUT", ISSUED, asked)).code).toBe(code);
    expect((await callAs(who, "POST", "/api/certificate/preview", asked)).code).toBe(code);
  }
  expect((await issue(admin, "nothing", [person])).code).toBe("NOT_FOUND");
  await callAs(admin, "PATCH", `${KINDS}/${kindId}`, { ...plain, isClosed: true, version: 1 });
  expect((await issue(admin, kindId, [person])).code).toBe("CONFLICT");
  expect((await callAs(admin, "POST", "/api/certificate/preview", asked)).code).toBe("CONFLICT");
  expect(await countRows("alumni_certificate")).toBe(0);
});

test("a member issues only kinds that allow it", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const other = await createMemberSession();
  const field = { name: "회비", kind: "text", access: "office" };
  const { data: made } = await callAs(admin, "PUT", "/api/admin/setting/alumni/field", field);
  const kinds = {
    office: await makeKind(admin),
    entry: await makeKind(admin, { selfIssue: "entry", body: "{{이름}} {{기수}}기" }),
    hidden: await makeKind(admin, { selfIssue: "entry", body: "회비 {{회비}}" }),
    closed: await makeKind(admin, { selfIssue: "member", isClosed: true }),
  };
  const put = async (who: TestSession | null, kindId: string) =>
    (await callAs(who, "PUT", "/api/certificate", { kindId, purpose: "" })).code;
  const codes = async (who: TestSession | null) => {
    const answers: Record<string, string> = {};
    for (const [name, id] of Object.entries(kinds)) answers[name] = await put(who, id);
    return answers;
  };
  const withoutEntry = { office: "NOT_FOUND", entry: "CONFLICT", hidden: "CONFLICT", closed: "CONFLICT" };
  expect(await codes(member)).toEqual(withoutEntry);
  const values = { name: "홍길동", cohort: 12, email: member.user.email, own: { [made.code]: "완납" } };
  const id = await addPerson(admin, values);
  expect(await codes(member)).toEqual({ ...withoutEntry, entry: "SUCCESS", hidden: "INVALID_INPUT" });
  expect(await own(member)).toMatchObject([{ name: "홍길동", body: "홍길동 12기" }]);
  expect([await codes(other), await own(other)]).toEqual([withoutEntry, []]);
  await runSql("UPDATE alumni SET email_hold = 'old@example.kr' WHERE id = ?", id);
  expect(await put(member, kinds.entry)).toBe("CONFLICT");
  expect((await codes(null)).entry).toBe("UNAUTHORIZED");
  const offered = (await listOpenKinds(await scopeFor(member).context(), true)).map((each) => each.id);
  expect(offered.toSorted()).toEqual([FIRST_CERTIFICATE_KIND.id, kinds.entry, kinds.hidden].toSorted());
});

test("only owners of a certificate see its seal", async () => {
  const admin = await createAdministratorSession();
  const [member, other] = [await createMemberSession(), await createMemberSession()];
  const put = (sealId: string) => callAs(admin, "PUT", KINDS, { ...plain, selfIssue: "member", sealId });
  const foreign = await upload(member, "직인.png", makePng(20, 20));
  const text = await upload(admin, "직인.pdf", PDF_BYTES);
  const large = await upload(admin, "큰 직인.png", makePng(1100, 1100, "noise"));
  for (const [at, sealId] of [foreign, text, large, crypto.randomUUID(), "x"].entries())
    expect([at, Object.keys((await put(sealId)).fields)]).toEqual([at, ["sealId"]]);
  const sealId = await upload(admin, "직인.png", makePng(20, 20));
  const { id: kindId } = (await put(sealId)).data;
  expect(await readFileStatus(sealId)).toBe("attached");
  const seen = async () => [
    await sealStatus(admin, sealId),
    await sealStatus(member, sealId),
    await sealStatus(other, sealId),
    await sealStatus(null, sealId),
    (await fetchApi("GET", `/api/file/${sealId}`, { token: other.accessToken })).status,
  ];
  expect(await seen()).toEqual([200, 404, 404, 401, 404]);
  expect((await callAs(member, "PUT", "/api/certificate", { kindId, purpose: "" })).code).toBe("SUCCESS");
  expect(await seen()).toEqual([200, 200, 404, 401, 404]);
  const second = await upload(admin, "새 직인.png", makePng(20, 20));
  const change = { ...plain, sealId: second, version: 1 };
  expect((await callAs(admin, "PATCH", `${KINDS}/${kindId}`, change)).code).toBe("SUCCESS");
  expect([await readFileStatus(sealId), await readFileStatus(second)]).toEqual(["attached", "attached"]);
  expect((await callAs(admin, "PATCH", `${KINDS}/${kindId}`, { ...change, version: 2 })).code).toBe("SUCCESS");
  expect((await callAs(admin, "DELETE", `${KINDS}/${kindId}?version=3`)).code).toBe("SUCCESS");
  expect([await readFileStatus(sealId), await readFileStatus(second)]).toEqual(["attached", "swept"]);
});

test("destroying a person or an account empties the text of their certificates", async () => {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  const kindId = await makeKind(admin, { body: "{{이름}} {{소속}}", withAffiliation: true, withPurpose: true });
  const person = await addPerson(admin, { name: "김하늘", affiliation: "가람의원" });
  await issue(admin, kindId, [person], { purpose: "은행" });
  await callAs(member, "PUT", "/api/certificate", { purpose: "은행" });
  expect(await readValue("SELECT count(*) FROM alumni_certificate WHERE name <> '' AND body <> ''")).toBe(2);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [person] });
  await callAs(admin, "POST", "/api/alumni/destroy-data", { ids: [person] });
  await retireUser(member);
  const rows = await readRows("SELECT name, body, affiliation, purpose FROM alumni_certificate");
  expect(rows).toEqual([0, 1].map(() => ({ name: "", body: "", affiliation: "", purpose: "" })));
  expect((await listIssued(admin)).map(({ state }: { state: string }) => state)).toEqual(["withdrawn", "withdrawn"]);
});

test("a certificate from before the kinds keeps its check", async () => {
  const admin = await createAdministratorSession();
  const person = await addPerson(admin, { name: "김하늘" });
  await runSql(
    "INSERT INTO alumni_certificate (id, number, alumni_id, purpose, created_user_id, created_date, expires_date) VALUES ('c1', '2026-7KQ4M-X2P9D', ?, '제출', 'x', 1, 4102444800000)",
    person,
  );
  expect((await listIssued(admin))[0]).toMatchObject({
    number: "2026-7KQ4M-X2P9D",
    documentNumber: "제 2026-7KQ4M-X2P9D 호",
    kindName: "회원 증명서",
    body: FIRST_CERTIFICATE_KIND.body,
    name: "김하늘",
    purpose: "제출",
  });
  const body = { number: "2026-7kq4m-x2p9d", name: "김하늘" };
  expect((await callJson("POST", "/api/certificate/check", { body })).data.state).toBe("valid");
});

test("menus follow the open kinds", async () => {
  const admin = await createAdministratorSession();
  const shown = async () => (await getSiteFrame(scopeFor(null))).look.certificates;
  expect(await shown()).toBeUndefined();
  const { id, version: _version, ...first } = (await callAs(admin, "GET", KINDS)).data[0];
  await callAs(admin, "PATCH", `${KINDS}/${id}`, { ...first, selfIssue: "office", version: 1 });
  expect(await shown()).toBe("office");
  await callAs(admin, "PATCH", `${KINDS}/${id}`, { ...first, isClosed: true, version: 2 });
  expect(await shown()).toBe("none");
  const member = await createMemberSession();
  expect((await callAs(member, "PUT", "/api/certificate", {})).code).toBe("NOT_FOUND");
});
