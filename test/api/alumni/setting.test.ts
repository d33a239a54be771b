import { env } from "cloudflare:workers";
import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { type AlumniSettings, DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";
import { cleanUpFiles } from "#worker/domain/file/clean-up.server.ts";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { importCounts, downloadFile, importAlumniFile, exportListed } from "../../samples/alumni-files.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { contextFor } from "../../support/request-scope.ts";
import { advanceClock } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, signInUser, type TestSession } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const PATH = "/api/admin/setting/alumni";
const DAY_MS = 86_400_000;
const HONG = {
  name: "홍길동",
  cohort: 3,
  major: "내과학",
  affiliation: "한빛 병원",
  position: "교수",
  email: "hong@pid.example.kr",
  mobile: "010-0000-1234",
};
const stored = (token: string) => callJson("GET", PATH, { token });
async function set(admin: TestSession, part: Partial<AlumniSettings>): Promise<void> {
  const token = admin.accessToken;
  const { value, version } = (await stored(token)).data;
  expect((await callJson("PATCH", PATH, { token, body: { ...value, ...part, version } })).code).toBe("SUCCESS");
}
const put = (session: TestSession, fields: object = {}) =>
  callAs(session, "PUT", "/api/alumni", { ...HONG, ...fields });
const edit = (session: TestSession, id: string, body: object) =>
  callAs(session, "PATCH", `/api/alumni/${id}`, { version: 1, ...body });
const list = async (session: TestSession, query = "") =>
  (await callAs(session, "GET", `/api/alumni${query}`)).data.content as Record<string, unknown>[];
const names = async (session: TestSession, query = "") => (await list(session, query)).map((row) => row.name);
const sheet = (bytes: Uint8Array) => {
  const book = read(bytes);
  return utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0] ?? ""] ?? {}, { header: 1 });
};

test("settings default to those of the contract", async () => {
  const { accessToken: token } = await createAdministratorSession();
  expect((await stored(token)).data).toEqual({ value: DEFAULT_ALUMNI_SETTINGS, version: 0, binDays: 30, uses: {} });
  const body = { ...DEFAULT_ALUMNI_SETTINGS, undoDays: 14, version: 0 };
  expect((await callJson("PATCH", PATH, { token, body })).data).toEqual({ version: 1 });
  expect((await stored(token)).data).toMatchObject({ value: { ...DEFAULT_ALUMNI_SETTINGS, undoDays: 14 }, version: 1 });
  const row = await readValue("SELECT detail FROM audit_log WHERE action = 'setting.change'");
  expect(JSON.parse(String(row))).toEqual({ before: { undoDays: 30 }, after: { undoDays: 14 } });
});

test("invalid settings are refused by field", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const patch = (part: object, version = 0) =>
    callJson("PATCH", PATH, { token, body: { ...DEFAULT_ALUMNI_SETTINGS, ...part, version } });
  const wrong = [
    ["off", { off: ["name"] }],
    ["off", { off: ["major", "major"] }],
    ["off", { off: "major" }],
    ["required", { required: ["id"] }],
    ["required", { off: ["major"], required: ["major"] }],
    ["shown", { off: ["mobile"] }],
    ["sort", { sort: "memo,ASC" }],
    ["sort", { off: ["graduationYear"], sort: "graduationYear,DESC" }],
    ["ownEntry", { ownEntry: "all" }],
    ["openable", { openable: ["memo"] }],
    ["exportHours", { exportHours: 25 }],
    ["exportHours", { exportHours: 0 }],
    ["undoDays", { undoDays: 91 }],
    ["undoDays", { undoDays: 1.5 }],
    ["undoDays", { undoDays: null }],
  ] as const;
  for (const [field, part] of wrong) {
    const answer = await patch(part);
    expect([field, answer.code]).toEqual([field, "INVALID_INPUT"]);
    expect(
      Object.keys(answer.fields).map((path) => path.split(".")[0]),
      field,
    ).toContain(field);
  }
  expect((await stored(token)).data.version).toBe(0);
  expect((await patch({ undoDays: 7 })).code).toBe("SUCCESS");
  expect((await patch({ undoDays: 8 })).code).toBe("CONFLICT");
  expect((await stored(token)).data.value.undoDays).toBe(7);
});

test("a disabled column returns with its values", async () => {
  const admin = await createAdministratorSession();
  const { id } = (await put(admin)).data;
  await put(admin, { name: "김하나", cohort: 1, major: "외과학", position: "", mobile: "010-0000-9999", email: "" });
  const off = ["cohort", "major", "mobile", "email"] as const;
  await set(admin, { off: [...off], shown: ["affiliation"] });
  expect((await list(admin, "?sort=name,DESC"))[0]).toMatchObject({ cohort: null, major: "", mobile: "", email: "" });
  for (const keyword of ["내과", "00001234", "hong@"])
    expect([keyword, await names(admin, `?keyword=${encodeURIComponent(keyword)}`)]).toEqual([keyword, []]);
  for (const keyword of ["ㅎㄱㄷ", "홍길", "한빛병원 교수", "교수"])
    expect([keyword, await names(admin, `?keyword=${encodeURIComponent(keyword)}`)]).toEqual([keyword, ["홍길동"]]);
  expect(await names(admin, "?cohort=1")).toEqual([]);
  expect(await names(admin, "?sort=cohort,DESC")).toEqual(["김하나", "홍길동"]);
  expect((await edit(admin, id, { cohort: 9, mobile: "", position: "원장" })).code).toBe("SUCCESS");
  await set(admin, { off: [] });
  expect((await list(admin, "?sort=name,DESC"))[0]).toMatchObject({ ...HONG, position: "원장" });
  expect(await names(admin, "?keyword=00001234")).toEqual(["홍길동"]);
});

test("a disabled column is missing from every file", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await put(admin);
  await set(admin, { off: ["major", "mobile"], shown: [] });
  expect(sheet(await downloadFile(admin, "/api/alumni/import-template"))[0]).toEqual(
    "이름,기수,졸업연도,소속,부서,직위,이메일,전화,우편번호,주소,메모,상태,상태 날짜,상태 메모,수신 거부".split(","),
  );
  const take = (columns?: string[]) =>
    exportListed(admin, {
      format: "xlsx",
      reason: "점검",
      ...(columns ? { columns } : {}),
    });
  const [head, row] = sheet(await downloadFile(admin, (await take(["이름", "휴대전화", "소속"])).data.url));
  expect([head, row]).toEqual([
    ["이름", "소속"],
    ["홍길동", "한빛 병원"],
  ]);
  expect(sheet(await downloadFile(admin, (await take()).data.url))[0]).not.toContain("휴대전화");
  expect((await take(["mobile"])).code).toBe("INVALID_INPUT");

  const file = "이름,전공,소속,이메일\n홍길동,바뀐 전공,새봄병원,hong@pid.example.kr\n";
  expect(importCounts(await importAlumniFile(admin, "고침.csv", file))).toEqual([0, 1, 0, 0]);
  const byHand = await importAlumniFile(admin, "고침.csv", file, { mapping: { 이름: "name", 전공: "major" } });
  expect(byHand.fields).toEqual({ mapping: "‘전공’ 항목은 지금 쓰지 않습니다." });
  await set(admin, { off: [] });
  expect((await list(admin))[0]).toMatchObject({ major: "내과학", affiliation: "새봄병원", mobile: HONG.mobile });
});

test("a row without contact columns matches by ID or name", async () => {
  const admin = await createAdministratorSession();
  await put(admin);
  await set(admin, { off: ["mobile", "email"], shown: [] });
  const same = "이름,기수,전공,소속,직위\n홍길동,3,내과학,한빛 병원,교수\n";
  expect(importCounts(await importAlumniFile(admin, "같음.csv", same))).toEqual([0, 0, 1, 0]);
  expect(importCounts(await importAlumniFile(admin, "다름.csv", same.replace("교수", "원장")))).toEqual([0, 1, 0, 0]);
  expect(importCounts(await importAlumniFile(admin, "기수.csv", same.replace(",3,", ",4,")))).toEqual([1, 0, 0, 0]);
});

test("a disabled column does not produce duplicates", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const first = (await put(admin, { major: "", email: "" })).data.id;
  const second = (await put(admin, { name: "홍길순", major: "외과학", email: "", cohort: 4 })).data.id;
  const twins = async () => (await callJson("GET", "/api/alumni/duplicate", { token })).data;
  expect((await twins()).counts.mobile).toBe(1);
  await set(admin, { off: ["mobile", "major"], shown: [] });
  expect((await twins()).groups).toEqual([]);
  const people = [first, second].map((id) => ({ id, version: 1 }));
  const body = { keepId: first, people, source: { name: first, major: first, mobile: first } };
  expect((await callJson("POST", "/api/alumni/merge", { token, body })).code).toBe("SUCCESS");
  await set(admin, { off: [] });
  expect((await list(admin))[0]).toMatchObject({ id: first, name: "홍길동", major: "외과학", mobile: HONG.mobile });
});

test("a required field must be filled in only on change", async () => {
  const admin = await createAdministratorSession();
  const { id } = (await put(admin, { cohort: "" })).data;
  await set(admin, { required: ["cohort", "major"] });
  const refused = await put(admin, { cohort: null, major: " " });
  expect(refused.fields).toEqual({
    cohort: "‘기수’ 항목을 입력해 주십시오.",
    major: "‘전공’ 항목을 입력해 주십시오.",
  });
  expect((await edit(admin, id, { major: "" })).fields).toHaveProperty("major");
  expect((await edit(admin, id, { position: "원장" })).code).toBe("SUCCESS");

  const file = `이름,전공과목,기수,이메일\n새사람,,4,new@pid.example.kr\n홍길동,소아과학,,hong@pid.example.kr\n`;
  const dry = await importAlumniFile(admin, "새.csv", file, { dryRun: true });
  expect(importCounts(dry)).toEqual([0, 1, 0, 1]);
  expect(dry.data.errors).toEqual([
    { row: 2, column: "전공과목", value: "", message: "‘전공’ 항목을 입력해 주십시오." },
  ]);
  const emptied = await importAlumniFile(admin, "비움.csv", `ID,전공\n${id},\n`, { dryRun: true });
  expect(importCounts(emptied)).toEqual([0, 0, 0, 1]);
});

test("the list uses the default order of the settings", async () => {
  const admin = await createAdministratorSession();
  for (const [at, name] of ["가나", "나나", "다나"].entries())
    await put(admin, { name, cohort: 3 - at, mobile: "", email: "" });
  await set(admin, { sort: "cohort,ASC" });
  expect(await names(admin)).toEqual(["다나", "나나", "가나"]);
  expect(await names(admin, "?sort=name,ASC")).toEqual(["가나", "나나", "다나"]);
});

test("a member's own entry follows the settings", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const { id } = (await put(admin, { email: person.user.email })).data;
  await set(admin, { ownEntry: "read" });
  expect((await list(person))[0]).toMatchObject({ mine: true, mobile: HONG.mobile });
  expect((await edit(person, id, { position: "원장" })).code).toBe("FORBIDDEN");
  await set(admin, { ownEntry: "none" });
  expect((await list(person))[0]).toMatchObject({ mine: false, mobile: "010-****-1234", openFields: [] });
  expect((await edit(person, id, { position: "원장" })).code).toBe("FORBIDDEN");
  await set(admin, { ownEntry: "correct" });
  expect((await edit(person, id, { position: "원장" })).code).toBe("SUCCESS");
});

test("a field that may not be opened is hidden from members", async () => {
  const admin = await createAdministratorSession();
  const [person, other] = [await createMemberSession(), await createMemberSession()];
  const { id } = (await put(admin, { email: person.user.email, openFields: ["mobile", "email"] })).data;
  await set(admin, { openable: ["email"] });
  expect((await list(other))[0]).toMatchObject({ mobile: "010-****-1234", email: person.user.email });
  expect(await names(other, "?keyword=00001234")).toEqual([]);
  expect(await names(other, `?keyword=${person.user.email}`)).toEqual(["홍길동"]);
  expect((await list(person))[0]).toMatchObject({ openFields: ["email"] });
  expect((await edit(person, id, { openFields: ["phone"] })).code).toBe("SUCCESS");
  await set(admin, { openable: DEFAULT_ALUMNI_SETTINGS.openable });
  expect((await list(person))[0]).toMatchObject({ openFields: ["mobile"] });
  expect((await list(other))[0]).toMatchObject({ mobile: HONG.mobile });
});

test("an export can be downloaded for the configured hours", async () => {
  const admin = await createAdministratorSession();
  await put(admin);
  await set(admin, { exportHours: 2 });
  const body = { filter: {}, format: "csv", count: 1, reason: "점검" };
  const { url } = (await callAs(admin, "POST", "/api/alumni/export-data", body)).data;
  await downloadFile(admin, url);
  const ctx = await contextFor(admin);
  const at = (hours: number) => ({ ...ctx, now: () => new Date(Date.now() + hours * 3_600_000) });
  const kept = async () => (await env.FILES.list({ prefix: "f/" })).objects.length;
  await cleanUpFiles(at(1.9), 2);
  expect(await kept()).toBe(1);
  await cleanUpFiles(at(2.1), 2);
  expect(await kept()).toBe(0);
  const next = (await callAs(admin, "POST", "/api/alumni/export-data", body)).data.url;
  advanceClock(2.1 * 3_600_000);
  const gone = await fetchApi("GET", next, { token: (await signInUser(admin.user)).accessToken });
  expect(gone.status).toBe(404);
});

test("deeds can be undone for the configured days", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await importAlumniFile(admin, "하나.csv", "이름,소속,이메일\n홍길동,한빛병원,hong@pid.example.kr\n");
  const { importId } = (
    await importAlumniFile(
      admin,
      "둘.csv",
      "이름,소속,이메일\n홍길동,새봄병원,hong@pid.example.kr\n새사람,,n@pid.example.kr\n",
    )
  ).data;
  await set(admin, { undoDays: 2 });
  const undo = () => callJson("POST", `/api/alumni/import/${importId}/undo`, { token, body: {} });
  const age = (days: number) =>
    runSql("UPDATE alumni_import SET created_date = ? WHERE id = ?", Date.now() - days * DAY_MS, importId);
  await age(3);
  expect((await undo()).message).toBe("되돌릴 수 있는 2일이 지났습니다.");
  await cleanUpAlumni(await contextFor(admin));
  await set(admin, { undoDays: 30 });
  expect((await undo()).code).toBe("CONFLICT");
  const entries = (await callJson("GET", "/api/alumni/import", { token })).data as {
    importId: string;
    undoable: boolean;
  }[];
  expect(entries.find((entry) => entry.importId === importId)?.undoable).toBe(false);
  expect(await names(admin)).toEqual(["새사람", "홍길동"]);

  const people = (await list(admin)).map(({ id, version }) => ({ id, version }));
  const body = { keepId: people[0]?.id, people };
  const { mergeId } = (await callJson("POST", "/api/alumni/merge", { token, body })).data;
  const part = () => callJson("POST", `/api/alumni/merge/${mergeId}/undo`, { token, body: {} });
  await set(admin, { undoDays: 1 });
  await runSql("UPDATE alumni_merge SET created_date = created_date - ?", 2 * DAY_MS);
  expect((await part()).message).toBe("되돌릴 수 있는 1일이 지났습니다.");
  await set(admin, { undoDays: 2 });
  expect((await part()).code).toBe("SUCCESS");
});
