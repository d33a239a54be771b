import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { NOT_DUMPED } from "#worker/domain/operation/backup-snapshot.server.ts";
import { makeBackup, openStoredBackup } from "../../support/backup.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import {
  advanceClock,
  createSignupSettings,
  createTestItem,
  createVerifiedToken,
  openSignup,
} from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createUser,
  signInUser,
  TEST_PASSWORD,
  type TestSession,
} from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { MINUTE_MS, dumpDatabase, freshmanForm } from "../../calls/signup-with-consents.ts";

beforeEach(async () => void (await openSignup()));

const RESIDENT_NUMBER = "900101-1234567";
/** A long id in a link, a barcode, and a file named by milliseconds. */
const HARMLESS = "example.kr/8801011234567 8801012345675 1701012345678.jpg";

const logged = async (action: string) =>
  (
    await env.DB.prepare(
      "SELECT actor_user_id, address, target_type, target_id, subject_count, reason, detail FROM audit_log WHERE action = ? ORDER BY id",
    )
      .bind(action)
      .all<Record<string, unknown>>()
  ).results;

test("고시 제7조①: a database dump contains no password, usable code or token", async () => {
  const person = await createUser();
  const session = await signInUser(person);
  const verified = await createVerifiedToken("fresh@pid.example.kr");
  const text = await dumpDatabase();
  for (const secret of [TEST_PASSWORD, session.accessToken, session.refreshToken, verified])
    expect(text).not.toContain(secret);
  expect(text).not.toContain(env.PASSWORD_PEPPER);
  const hash = await readValue("SELECT password_hash FROM user WHERE id = ?", person.id);
  expect(hash).toMatch(/^argon2id\$19456\$2\$1\$/);
  // The row key of a refresh token is the digest of the browser's token.
  expect(await readValue("SELECT count(*) AS n FROM refresh_token WHERE length(hash) = 43")).toBe(1);
});

test("고시 제7조②, 법 제24조의2: resident numbers are refused in every free field", async () => {
  await createSignupSettings();
  const person = await createMemberSession();
  const { accessToken: office } = await createAdministratorSession();
  const token = person.accessToken;
  const itemNo = await createTestItem(person, "free");
  const bad = `메모 ${RESIDENT_NUMBER}`;
  const alumni = ["name", "major", "affiliation", "department", "position", "address", "memo"];
  const setting = { siteName: "이름", productName: "", description: "", copyright: "", version: 1 };
  const contact = { organization: "", address: "", phone: "", fax: "", email: "" };
  const tries: [method: string, path: string, token: string, body: object][] = [
    ["PATCH", `/api/user/${person.user.id}`, token, { profile: { affiliation: bad }, version: 1 }],
    ["PUT", "/api/board-item/free", token, { title: bad, content: "<p>내용</p>", fileIds: [] }],
    ["PUT", "/api/board-item/free", token, { title: "제목", content: `<p>9001<b>01</b>-1234567</p>`, fileIds: [] }],
    ["PUT", "/api/board-item/free", token, { title: "제목", content: `<p>${bad}</p>`, fileIds: [] }],
    ["PATCH", `/api/board-item/free/${itemNo}`, token, { title: bad, version: 1 }],
    ["PUT", "/api/board-item-draft/free", token, { title: bad, content: "", fileIds: [] }],
    ["PUT", `/api/board-item-comment/free/${itemNo}`, token, { content: bad }],
    ["POST", "/api/user/privacy-request", token, { kind: "access", content: bad }],
    ["POST", "/api/user/retire", token, { password: TEST_PASSWORD, reason: bad }],
    ...alumni.map((field): [string, string, string, object] => [
      "PUT",
      "/api/alumni",
      office,
      { name: "김동문", [field]: bad },
    ]),
    ["PATCH", "/api/admin/setting/site", office, { ...setting, contact, description: bad }],
    ["PATCH", "/api/admin/setting/site", office, { ...setting, contact: { ...contact, address: bad } }],
    ["PUT", "/api/admin/role", office, { roleCode: "editor", roleName: bad, permissions: [] }],
    ["PUT", "/api/admin/board", office, { boardCode: "press", boardName: bad }],
    ["POST", "/api/admin/member/block", office, { ids: [person.user.id], reason: bad }],
    ["POST", "/api/admin/member/export", office, { format: "csv", reason: bad }],
    ["POST", "/api/admin/audit/export", office, { reason: bad }],
    ["POST", "/api/alumni/export-data", office, { reason: bad }],
    ["PUT", "/api/admin/privacy/request", office, { kind: "access", requesterName: bad, content: "내용" }],
  ];
  for (const [method, path, bearer, body] of tries) {
    const answer = await callJson(method, path, { token: bearer, body });
    expect([path, JSON.stringify(body), answer.code]).toEqual([path, JSON.stringify(body), "INVALID_INPUT"]);
    expect([path, JSON.stringify(answer.fields)]).toEqual([path, expect.stringContaining("900101-1******")]);
    const allowed = JSON.parse(JSON.stringify(body).replace(/900101-1234567|9001<b>01<\/b>-1234567/, () => HARMLESS));
    if (path === "/api/user/retire") allowed.password = "";
    const taken = await fetchApi(method, path, { token: bearer, body: allowed });
    expect([path, await taken.text()]).toEqual([path, expect.not.stringContaining("주민등록번호")]);
  }
  expect(
    (await callJson("POST", "/api/user/signup", { body: await freshmanForm({ userKeyCode: RESIDENT_NUMBER }) })).code,
  ).toBe("INVALID_INPUT");
  const named = await callJson(
    "GET",
    `/api/board-item-file/upload-url?boardCode=free&size=10&fileName=${encodeURIComponent(`${RESIDENT_NUMBER}.pdf`)}`,
    { token },
  );
  expect(named.code).toBe("INVALID_INPUT");
  expect(await importOf(office, `이름,메모\n김동문,${bad}\n이동문,9001011234567\n`)).toMatchObject({
    inserted: 0,
    rejected: 2,
  });
  const text = await dumpDatabase();
  expect(text).not.toContain(RESIDENT_NUMBER);
  expect(text).not.toContain("9001011234567");
});

async function importOf(token: string, csv: string) {
  const bytes = new TextEncoder().encode(csv);
  const announced = await callJson("POST", "/api/alumni/upload-url", {
    token,
    body: { fileName: "명부.csv", size: bytes.byteLength },
  });
  await callJson("PUT", announced.data.uploadUrl, {
    body: bytes,
    headers: { "Content-Type": "application/octet-stream" },
  });
  const body = { fileId: announced.data.fileId, mode: "insert", dryRun: false };
  return (await callJson("POST", "/api/alumni/import-data", { token, body })).data;
}

test("고시 제5조⑥: five wrong passwords cause a wait", async () => {
  const person = await createUser();
  const attempt = (password: string, address: string) =>
    callJson("POST", "/api/user/signin", {
      body: { userKeyType: "Id", userKeyCode: person.userId, password },
      address,
    });
  for (let at = 0; at < 5; at += 1) expect((await attempt("Wrong!123", "203.0.113.1")).status, `${at}`).toBe(401);
  expect((await attempt(TEST_PASSWORD, "203.0.113.1")).status).toBe(429);
  expect((await attempt(TEST_PASSWORD, "198.51.100.1")).status).toBe(200);
});

test("고시 제5조, 제6조: idle administrators are signed out after 30 minutes", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const body = { ids: [person.user.id], roleCode: "administrator", reason: "시험", password: TEST_PASSWORD };
  await callAs(admin, "POST", "/api/admin/member/role", body);
  const [grant] = await logged("member.role");
  expect(grant).toMatchObject({ actor_user_id: admin.user.id, target_id: person.user.id });
  expect(JSON.parse(String(grant?.detail))).toEqual({
    before: { [person.user.id]: "member" },
    after: { roleCode: "administrator" },
  });
  const plain = await createMemberSession();
  const handler = await createSession({ roleCode: "administrator" });
  const alive = async (session: TestSession) => (await callAs(session, "GET", "/api/board/free")).status === 200;
  advanceClock(29 * MINUTE_MS);
  expect(await alive(plain)).toBe(true);
  advanceClock(31 * MINUTE_MS);
  const answers = await Promise.all([admin, handler].map(alive));
  expect(answers).toEqual([false, false]);
});

test("고시 제8조: every access to personal data is one row", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const address = "203.0.113.7";
  const person = await createUser();
  const { data } = await callJson("PUT", "/api/alumni", { token, address, body: { name: "김동문", memo: "메모" } });
  await callJson("GET", "/api/alumni", { token, address });
  await callJson("PATCH", `/api/alumni/${data.id}`, { token, address, body: { memo: "고침", version: 1 } });
  await importOf(token, "이름,메모\n이동문,둘\n박동문,셋\n");
  const exported = await callJson("POST", "/api/alumni/export-data", {
    token,
    address,
    body: { count: 3, reason: "총회 안내" },
  });
  expect(exported.data.rows).toBe(3);
  expect((await callJson("POST", "/api/alumni/export-data", { token, body: {} })).fields.reason).toBeTruthy();
  await callJson("DELETE", `/api/alumni/${data.id}`, { token, address });
  await callJson("GET", "/api/admin/member", { token, address });
  await callJson("GET", `/api/admin/member/${person.id}`, { token, address });
  await callJson("GET", `/api/user/${person.id}`, { token, address });
  await callJson("GET", `/api/user/${person.id}/sessions`, { token, address });
  await fetchApi("POST", "/api/admin/member/export", { token, address, body: { format: "csv", reason: "연례 보고" } });
  await callJson("GET", "/api/admin/audit", { token, address });

  const rows: Record<string, [count: number, reason: string]> = {
    "alumni.create": [1, ""],
    "alumni.list": [1, ""],
    "alumni.update": [1, ""],
    "alumni.import": [2, ""],
    "alumni.export": [3, "총회 안내"],
    "alumni.delete": [1, ""],
    "member.list": [2, ""],
    "member.view": [1, ""],
    "user.view": [1, ""],
    "user.sessions": [1, ""],
    "member.export": [2, "연례 보고"],
  };
  for (const [action, [count, reason]] of Object.entries(rows)) {
    const found = await logged(action);
    expect([action, found.map((row) => [row.actor_user_id, row.subject_count, row.reason])]).toEqual([
      action,
      [[admin.user.id, count, reason]],
    ]);
    if (action !== "alumni.import") expect(found[0]?.address, `${action} ${reason}`).toBe(address);
  }
  expect(await logged("audit.list")).toHaveLength(1);
});

test("고시 제8조: sign-ins are audited in rows that nobody changes", async () => {
  const session = await signInUser(await createUser());
  await callAs(session, "POST", "/api/user/signout", { refreshToken: session.refreshToken });
  const body = { userKeyType: "Id", userKeyCode: session.user.userId, password: "Wrong!123" };
  await callJson("POST", "/api/user/signin", { body });
  for (const action of ["signin", "signout", "signin.failed"])
    expect([action, (await logged(action)).length]).toEqual([action, 1]);
  await expect(runSql("UPDATE audit_log SET reason = ''")).rejects.toThrow(/append-only/);
  await expect(runSql("DELETE FROM audit_log")).rejects.toThrow(/append-only/);
});

test("고시 제11조: the nightly backup contains every table", async () => {
  const person = await createMemberSession();
  await createTestItem(person, "free");
  const { manifest } = await openStoredBackup(await makeBackup());
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1_%' AND sql NOT LIKE '%VIRTUAL%'",
  ).all<{ name: string }>();
  const held = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  const left = [
    "session",
    "refresh_token",
    "verification",
    "rate_limit",
    "job",
    "alarm",
    "age_clock",
    "board_item_count",
  ];
  const archives = ["moving_entry", "moving_part", "moving_seen"];
  expect([...NOT_DUMPED].toSorted()).toEqual(
    [
      ...left,
      "board_item_search",
      "alumni_value",
      "audit_person",
      "alumni_count",
      "alumni_alike",
      "alumni_figure",
      "due_sum",
      "due_standing",
      "due_people",
      "kept_answer",
      "backup_run",
      "backup_before",
      "backup_drill",
      "page_stamp",
      ...archives,
    ].toSorted(),
  );
  for (const { name } of results) {
    if (/_(data|idx|content|docsize|config)$/.test(name) || NOT_DUMPED.has(name)) continue;
    const count = await readValue<number>(`SELECT count(*) AS n FROM "${name}"`);
    expect([name, held.get(name)]).toEqual([name, count]);
  }
});
