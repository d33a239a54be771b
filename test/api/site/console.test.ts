import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createSignupSettings, createTestItem } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
  createUser,
  signInUser,
  createSessionWith,
  TEST_PASSWORD,
} from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readRow, readRows, runSql } from "../../support/test-database.ts";

const site = (version: number, siteName = "새 이름") => ({
  siteName,
  productName: "",
  description: "",
  contact: { organization: "연구망", address: "", phone: "", fax: "", email: "office@pid.example.kr" },
  copyright: "",
  reason: "시험",
  version,
});
const first = (statement: string, ...values: unknown[]) => readRow<Record<string, unknown>>(statement, ...values);
const messagesTo = async (address: string) =>
  (await readRows("SELECT subject FROM message WHERE recipient = ?", address)).map((row) => row.subject);

test("the second of two changes of a setting saves nothing", async () => {
  const one = await createAdministratorSession();
  const two = await createAdministratorSession();
  const save = (token: string, name: string) =>
    callJson("PATCH", "/api/admin/setting/site", { token, body: site(1, name) });
  expect((await save(one.accessToken, "첫째")).data.version).toBe(2);
  expect((await save(two.accessToken, "둘째")).code).toBe("CONFLICT");
  expect((await callJson("GET", "/api/site-setting/info")).data.siteName).toBe("첫째");
  const row = await first("SELECT detail FROM audit_log WHERE action = 'setting.change'");
  expect(JSON.parse(String(row?.detail))).toMatchObject({
    before: { siteName: "새 홈페이지" },
    after: { siteName: "첫째" },
  });
});

test("the guest role cannot open the console", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = { authType: "IdAndPassword", signupApproval: false, version: 1 };
  for (const roleCodeForGuest of ["nobody", "administrator"]) {
    const answer = await callJson("PATCH", "/api/admin/setting/authentication", {
      token,
      body: { ...body, roleCodeForGuest },
    });
    expect([answer.code, Object.keys(answer.fields)], JSON.stringify(roleCodeForGuest)).toEqual([
      "INVALID_INPUT",
      ["roleCodeForGuest"],
    ]);
  }
});

test("a profile field with values is closed instead of deleted", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser();
  await runSql('UPDATE user SET profile = \'{"affiliation":"서울병원"}\' WHERE id = ?', person.id);
  const body = { code: "major", name: "전공", inputType: "select", required: false, detail: ["내과", "소아과"] };
  expect((await callJson("PUT", "/api/admin/setting/profile-field", { token, body })).code).toBe("SUCCESS");
  const remove = (code: string) => callJson("DELETE", `/api/admin/setting/profile-field/${code}?version=1`, { token });
  expect((await remove("affiliation")).data).toEqual({ closed: true, valueCount: 1 });
  expect((await remove("major")).data).toEqual({ closed: false, valueCount: 0 });
  expect((await first("SELECT profile FROM user WHERE id = ?", person.id))?.profile).toContain("서울병원");
  expect((await callJson("GET", "/api/site-setting/authentication")).data.userProfiles).toEqual([]);
});

test("an update without English names keeps the stored ones", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = { code: "major", name: "전공", inputType: "select", required: false, detail: ["내과", "소아과"] };
  const english = { englishName: "Specialty", englishDetail: ["", "Paediatrics"] };
  await callJson("PUT", "/api/admin/setting/profile-field", { token, body: { ...body, ...english } });
  const change = (values: object) => {
    const { code: _code, ...rest } = body;
    return callJson("PATCH", "/api/admin/setting/profile-field/major", {
      token,
      body: { ...rest, isClosed: false, ...values },
    });
  };
  expect((await change({ name: "전문 분야", version: 1 })).code).toBe("SUCCESS");
  expect((await callJson("GET", "/api/site-setting/authentication")).data.userProfiles).toEqual([
    { ...body, ...english, name: "전문 분야", order: expect.any(Number) },
  ]);
  const long = await change({ englishName: "a".repeat(61), englishDetail: ["a".repeat(81)], version: 2 });
  expect([long.code, Object.keys(long.fields).toSorted()]).toEqual([
    "INVALID_INPUT",
    ["englishDetail.0", "englishName"],
  ]);
});

test("a select field without options is refused", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const body = { code: "major", name: "전공", inputType: "select", required: false, detail: [] };
  expect((await callJson("PUT", "/api/admin/setting/profile-field", { token, body })).fields.detail).toBeTruthy();
});

test("a new agreement version is required at once", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const body = {
    code: "terms",
    title: "이용약관",
    required: true,
    content: '<p onclick="x()">새 약관</p><script>x()</script>',
    version: "2",
    effectiveDate: "2026-11-01T00:00:00Z",
    baseVersion: "1",
  };
  const publish = (fields: object) =>
    callJson("PUT", "/api/admin/setting/agreement", { token, body: { ...body, ...fields } });
  expect((await publish({})).code).toBe("SUCCESS");
  expect((await publish({ version: "3" })).code).toBe("CONFLICT");
  expect((await publish({ baseVersion: "2" })).code).toBe("ALREADY_EXISTS");
  const { data } = await callJson("GET", "/api/site-setting/authentication");
  expect(data.agreements.find((each: { code: string }) => each.code === "terms").version).toBe("2");
  const old = await callJson("GET", "/api/admin/setting/agreement/terms/1", { token });
  expect(old.data).toMatchObject({ content: "<p>약관</p>", isCurrent: false });
  const current = await callJson("GET", "/api/admin/setting/agreement/terms/2", { token });
  expect(current.data.content).toBe("<p>새 약관</p>");
});

test("an administrator cannot grant a permission that they lack", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const unknown = { roleCode: "editor", roleName: "편집자", permissions: ["Board_none_View"] };
  expect((await callJson("PUT", "/api/admin/role", { token, body: unknown })).fields.permissions).toContain(
    "Board_none_View",
  );
  const partial = await createSessionWith(["ADMIN_Access"]);
  const more = { roleCode: "editor", roleName: "편집자", permissions: ["Alumni_Export"] };
  expect((await callAs(partial, "PUT", "/api/admin/role", more)).code).toBe("FORBIDDEN");
});

test("a role in use cannot be deleted", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const roleCode = await createTestRole(["Alumni_Read"]);
  await createUser({ roleCode });
  const used = await callJson("DELETE", `/api/admin/role/${roleCode}`, { token });
  expect([used.code, used.message]).toEqual(["CONFLICT", expect.stringContaining("회원 1명")]);
  expect((await callJson("DELETE", "/api/admin/role/member", { token })).code).toBe("CONFLICT");
  expect(await first("SELECT role_code FROM role WHERE role_code = ?", roleCode)).toBeTruthy();
});

test("the last administrator cannot lose administrator rights in any way", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const partial = await createSession({ roleCode: "administrator" });
  const demote = { ids: [admin.user.id], roleCode: "member", userType: "Member" };
  expect((await callJson("POST", "/api/admin/member/role", { token, body: demote })).code).toBe("CONFLICT");
  const block = { ids: [admin.user.id], reason: "시험" };
  expect((await callJson("POST", "/api/admin/member/block", { token, body: block })).code).toBe("CONFLICT");
  expect((await callAs(partial, "POST", "/api/admin/member/block", block)).code).toBe("FORBIDDEN");
  expect(await first("SELECT user_type, status FROM user WHERE id = ?", admin.user.id)).toEqual({
    user_type: "Admin",
    status: "active",
  });
});

test("a change of administrator rights is mailed to the other administrators", async () => {
  const one = await createAdministratorSession();
  const two = await createAdministratorSession();
  const person = await createUser();
  const body = { ids: [person.id], roleCode: "administrator", reason: "시험", password: TEST_PASSWORD };
  expect((await callAs(one, "POST", "/api/admin/member/role", body)).data).toEqual({ changed: 1 });
  expect(await messagesTo(two.user.email)).toEqual(["[새 홈페이지] 관리자 권한이 변경되었습니다"]);
  expect(await messagesTo(one.user.email)).toEqual([]);
});

test("a change of administrators is mailed to the other administrators", async () => {
  const one = await createAdministratorSession();
  const two = await createAdministratorSession();
  const helper = await createUser({ roleCode: "administrator" });
  const roleCode = await createTestRole(["Alumni_Read"]);
  const token = one.accessToken;
  await callJson("POST", "/api/admin/member/block", { token, body: { ids: [helper.id], reason: "휴직" } });
  await callJson("POST", "/api/admin/member/unblock", { token, body: { ids: [helper.id] } });
  const permissions = ["Alumni_Read", "ADMIN_Access"];
  await callJson("PATCH", `/api/admin/role/${roleCode}`, {
    token,
    body: { roleName: "도우미", permissions, version: 1, reason: "시험", password: TEST_PASSWORD },
  });
  expect(await messagesTo(two.user.email)).toEqual(Array(3).fill("[새 홈페이지] 관리자 권한이 변경되었습니다"));
  await callJson("POST", "/api/admin/member/block", {
    token,
    body: { ids: [(await createUser()).id], reason: "도배" },
  });
  expect(await messagesTo(two.user.email)).toHaveLength(3);
});

test("a blocked member is signed out at the next request", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createMemberSession();
  const ids = [person.user.id];
  await callJson("POST", "/api/admin/member/block", { token, body: { ids, reason: "도배" } });
  expect((await callAs(person, "GET", "/api/board/free")).status).toBe(401);
  await expect(signInUser(person.user)).rejects.toThrow("NOT_ACCEPTABLE");
  await callJson("POST", "/api/admin/member/unblock", { token, body: { ids } });
  expect((await signInUser(person.user)).accessToken).toBeTruthy();
});

test("an approved member can sign in", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ status: "waiting" });
  const approve = () => callJson("POST", "/api/admin/member/approve", { token, body: { ids: [person.id] } });
  expect((await approve()).data).toEqual({ changed: 1 });
  expect((await approve()).data).toEqual({ changed: 0 });
  expect(await messagesTo(person.email)).toEqual(["[새 홈페이지] 가입이 승인되었습니다"]);
  expect((await signInUser(person)).accessToken).toBeTruthy();
});

test("a correction of a lost e-mail ends all sessions", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const other = await createUser();
  const person = await createMemberSession();
  const path = `/api/admin/member/${person.user.id}/email`;
  const correct = (email: string, version = 1) =>
    callJson("PATCH", path, { token, body: { email, reason: "메일함 분실", version } });
  expect((await correct(other.email)).code).toBe("ALREADY_EXISTS");
  expect((await correct("new@pid.example.kr")).data).toEqual({ version: 2 });
  expect((await correct("newer@pid.example.kr")).code).toBe("CONFLICT");
  expect(await messagesTo(person.user.email)).toEqual(["[새 홈페이지] 이메일 주소가 변경되었습니다"]);
  expect(await messagesTo("new@pid.example.kr")).toEqual(["[새 홈페이지] 이메일 주소가 변경되었습니다"]);
  expect((await callAs(person, "GET", "/api/board/free")).status).toBe(401);
  const row = await first("SELECT detail FROM audit_log WHERE action = 'member.email'");
  expect(row?.detail).not.toContain("new@pid.example.kr");
});

test("members are found by name, key or status", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ userName: "남궁민" });
  await createUser({ status: "waiting" });
  const list = async (query: string) => (await callJson("GET", `/api/admin/member?${query}`, { token })).data;
  expect((await list(`keyword=${encodeURIComponent("궁민")}`)).content.map((row: { id: string }) => row.id)).toEqual([
    person.id,
  ]);
  expect((await list(`keyword=${person.email.toUpperCase()}`)).totalElements).toBe(1);
  expect((await list("status=waiting")).totalElements).toBe(1);
  expect((await list("from=2020-01-01&to=2020-01-02")).totalElements).toBe(0);
  expect((await callJson("GET", "/api/admin/member?from=2020-13-01", { token })).code).toBe("INVALID_INPUT");
  expect(
    await first("SELECT subject_count FROM audit_log WHERE action = 'member.list' AND subject_count = 1"),
  ).toBeTruthy();
});

async function readFirst(bytes: ArrayBuffer): Promise<{ content: unknown[][] }> {
  const { read, utils } = await import("@e965/xlsx");
  const book = read(new Uint8Array(bytes));
  return {
    content: utils.sheet_to_json(requirePresent(book.Sheets[requirePresent(book.SheetNames[0])]), { header: 1 }),
  };
}

test("an export of members needs a reason", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  await createSignupSettings();
  const person = await createUser();
  await runSql('UPDATE user SET profile = \'{"affiliation":"=cmd|x"}\' WHERE id = ?', person.id);
  const send = (reason: string) =>
    fetchApi("POST", "/api/admin/member/export", { token, body: { format: "csv", reason, filter: {} } });
  expect((await send(" ")).status).toBe(400);
  const response = await send("연례 보고");
  expect(response.headers.get("Content-Disposition")).toContain(encodeURIComponent("회원목록_"));
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toContain("'=cmd|x");
  expect(await first("SELECT reason, subject_count FROM audit_log WHERE action = 'member.export'")).toEqual({
    reason: "연례 보고",
    subject_count: 2,
  });
  const body = { format: "xlsx", reason: "연례 보고" };
  const book = await fetchApi("POST", "/api/admin/member/export", { token, body });
  const { content } = await readFirst(await book.arrayBuffer());
  expect(content.flat()).toContain("=cmd|x");
});

test("an export shows the joining date in Korean time", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ userName: "김새벽" });
  const joined = Date.parse("2026-11-20T16:30:00Z");
  await runSql("UPDATE user SET created_date = ? WHERE id = ?", joined, person.id);
  const body = { format: "csv", reason: "연례 보고" };
  const answer = await fetchApi("POST", "/api/admin/member/export", { token, body });
  const line = (await answer.text()).split("\r\n").find((each) => each.startsWith("김새벽"));
  expect(line).toContain("2026-11-21");
});

test("a new board gets six codes with the default grant", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await callJson("PUT", "/api/admin/board", { token, body: { boardCode: "press", boardName: "보도자료" } });
  expect((await callJson("GET", "/api/board/press")).status).toBe(404);
  await runSql("UPDATE board SET is_closed = 0");
  const { data } = await callJson("GET", "/api/board/press");
  expect(data.permissions).toMatchObject({ list: true, view: true, write: false });
  const person = await createMemberSession();
  expect((await callAs(person, "GET", "/api/board/press")).data.permissions.write).toBe(true);
  const again = await callJson("PUT", "/api/admin/board", { token, body: { boardCode: "press", boardName: "다른" } });
  expect(again.code).toBe("ALREADY_EXISTS");
  await callJson("POST", "/api/admin/board/free/copy", { token, body: { boardCode: "copied", boardName: "사본" } });
  await runSql("UPDATE board SET is_closed = 0");
  expect((await callJson("GET", "/api/board/copied")).status).toBe(401);
});

test("a board with items is closed instead of deleted", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const itemNo = await createTestItem(admin, "notice");
  expect((await callJson("DELETE", "/api/admin/board/notice?version=1", { token })).data).toEqual({
    deleted: false,
    closed: true,
  });
  expect((await callJson("GET", `/api/board-item/notice/${itemNo}`)).status).toBe(404);
  await callJson("POST", "/api/admin/board/notice/state", { token, body: { isClosed: false, version: 2 } });
  expect((await callJson("GET", `/api/board-item/notice/${itemNo}`)).status).toBe(200);
  expect((await callJson("DELETE", "/api/admin/board/reference?version=1", { token })).data).toEqual({
    deleted: true,
    closed: false,
  });
  const roles = await env.DB.prepare("SELECT permissions FROM role").all();
  expect(JSON.stringify(roles.results)).not.toContain("Board_reference_");
});

test("the simulator answers with the rule of the access function", async () => {
  const admin = await createAdministratorSession();
  const person = await createUser();
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free", { isSecret: true });
  const ask = async (who: string, path: string, method = "GET") => {
    const query = new URLSearchParams({ who, path, method });
    return (await callAs(admin, "GET", `/api/admin/role/simulate?${query}`)).data;
  };
  expect(await ask("guest", "/Admin/Members")).toMatchObject({ allowed: false, rule: "permission ADMIN_Access" });
  expect(await ask(person.userId, "/board/free/Write")).toMatchObject({
    allowed: true,
    rule: "permission Board_free_Write",
  });
  expect(await ask(person.email, `/board/free/View/${itemNo}`)).toMatchObject({
    allowed: false,
    rule: "secret item of another person",
  });
  expect(await ask(author.user.userId, `/api/board-item/free/${itemNo}`, "DELETE")).toMatchObject({ allowed: true });
});

test("a failed message without a code can be sent again", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  const insert =
    "INSERT INTO message (id, channel, recipient, subject, body, status, created_date) VALUES (?, 'email', 'a@b.kr', '알림', ?, 'failed', 1)";
  await env.DB.batch([
    env.DB.prepare(insert).bind(ids[0], "본문"),
    env.DB.prepare(insert).bind(ids[1], "인증번호는 ******입니다."),
  ]);
  expect((await callJson("GET", "/api/admin/message?status=failed", { token })).data.totalElements).toBe(2);
  expect((await callJson("POST", "/api/admin/message/retry", { token, body: { ids } })).data).toEqual({ changed: 1 });
});

test("the dashboard counts only items of boards that the viewer may list", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "free");
  const total = async (token: string) =>
    (await callJson("GET", "/api/admin/dashboard", { token })).data.days.reduce(
      (sum: number, day: { items: number }) => sum + day.items,
      0,
    );
  expect(await total(admin.accessToken)).toBe(1);
  const partial = await createSessionWith(["ADMIN_Access", "Board_notice_List"]);
  expect(await total(partial.accessToken)).toBe(0);
});

test("a board code cannot be the name of a board item route", async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const boardCode of ["bin", "search", "images", "download-data"]) {
    const answer = await callJson("PUT", "/api/admin/board", { token, body: { boardCode, boardName: "게시판" } });
    expect(answer.fields.boardCode, boardCode).toBe("쓸 수 없는 게시판 코드입니다.");
  }
});

test("members are filtered by a sign-up field", async () => {
  await createSignupSettings();
  const { accessToken: token } = await createAdministratorSession();
  const person = await createUser({ userName: "김소속" });
  await createUser();
  await runSql(`UPDATE user SET profile = '{"affiliation":"한빛대학교병원"}' WHERE id = ?`, person.id);
  const find = (value: string) =>
    callJson("GET", `/api/admin/member?profileCode=affiliation&profileValue=${encodeURIComponent(value)}`, { token });
  const { data } = await find("한빛");
  expect(data.content.map(({ userName }: { userName: string }) => userName)).toEqual(["김소속"]);
  expect(data.content[0].profile).toEqual({ affiliation: "한빛대학교병원" });
  expect(data.fields).toEqual([{ code: "affiliation", name: "소속 기관" }]);
  expect((await find("없는 곳")).data.content).toEqual([]);
  expect((await callJson("GET", "/api/admin/member?profileCode=a'b&profileValue=x", { token })).code).toBe(
    "INVALID_INPUT",
  );
});
