import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createSignupSettings, createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, signInUser, TEST_PASSWORD } from "../../support/people.ts";
import { readRow, runSql } from "../../support/test-database.ts";
import { NEW_PASSWORD, readAccount } from "../../calls/account-calls.ts";

const patch = (id: string, body: unknown, token?: string) => callJson("PATCH", `/api/user/${id}`, { token, body });

const row = (id: string) => readRow<Record<string, unknown>>("SELECT * FROM user WHERE id = ?", id);

const OWN_CALLS = [
  ["GET", "", undefined, "administrator"],
  ["PATCH", "", { version: 1, userName: "새이름" }, "administrator"],
  ["GET", "/sessions", undefined, "administrator"],
  ["GET", "/export", undefined, "self"],
  ["GET", "/consents", undefined, "self"],
  ["PATCH", "/consents", { agreements: [{ code: "newsletter", version: "1", agreed: true }] }, "self"],
  ["POST", "change-password", { password: TEST_PASSWORD, newPassword: NEW_PASSWORD }, "self"],
  ["POST", "change-user-key", { userKeyType: "Email", userKeyToken: "x", password: TEST_PASSWORD }, "self"],
] as const;

test.each(OWN_CALLS)("%s %s serves only its owner", async (method, part, body, who) => {
  await createSignupSettings();
  const session = await createMemberSession();
  const path =
    part.startsWith("/") || part === ""
      ? `/api/user/${session.user.id}${part}`
      : `/api/user/${part}/${session.user.id}`;
  const nobody = path.replace(session.user.id, () => crypto.randomUUID());
  const before = await row(session.user.id);
  const as = (token: string | undefined, to = path) => callJson(method, to, { token, ...(body ? { body } : {}) });

  const guest = await as(undefined);
  expect([guest.status, guest.code, guest.message]).toEqual([401, "UNAUTHORIZED", "로그인 후 이용해 주시기 바랍니다."]);
  const other = await createMemberSession();
  const hidden = await as(other.accessToken);
  const absent = await as(other.accessToken, nobody);
  expect([hidden.status, hidden.code, hidden.message]).toEqual([absent.status, absent.code, absent.message]);
  expect(hidden.status).toBe(404);
  expect(await row(session.user.id)).toEqual(before);

  const admin = await createAdministratorSession();
  const handled = await as(admin.accessToken);
  expect(handled.status).toBe(who === "administrator" ? 200 : 404);
  const own = await as(session.accessToken, path);
  // The administrator's edit already raised the version, and the invented token verifies nothing.
  const expected = method === "PATCH" && part === "" ? 409 : part === "change-user-key" ? 400 : 200;
  expect(own.status).toBe(expected);
});

test("account data shown to a person contains no hashes or tokens", async () => {
  const session = await createMemberSession();
  const { data } = await readAccount(session.user.id, session.accessToken);
  expect(data).toEqual({
    id: session.user.id,
    userName: "홍길동",
    userType: "Member",
    roleCode: "member",
    language: "ko",
    userKeys: [
      { userKeyType: "Email", userKeyCode: session.user.email, verified: true },
      { userKeyType: "Id", userKeyCode: session.user.userId, verified: false },
    ],
    profile: {},
    createdDate: expect.stringMatching(/^\d{4}-.*Z$/),
    version: 1,
  });
});

test("a body can change only name or profile", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const before = await row(session.user.id);
  const answer = await patch(
    session.user.id,
    {
      version: 1,
      userName: "김새롬",
      profile: { affiliation: "한빛대학교병원", unknown: "x" },
      userType: "Admin",
      roleCode: "administrator",
      status: "blocked",
      passwordHash: "x",
      createdDate: "2020-01-01T00:00:00Z",
      userKeys: [],
      id: "x",
    },
    session.accessToken,
  );
  expect(answer.data).toMatchObject({ userName: "김새롬", profile: { affiliation: "한빛대학교병원" }, version: 2 });
  const after = await row(session.user.id);
  expect(after).toEqual({
    ...before,
    user_name: "김새롬",
    profile: '{"affiliation":"한빛대학교병원"}',
    version: 2,
    modified_date: after?.modified_date,
  });
});

test("profile changes are validated", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const { id } = session.user;
  await runSql(
    "INSERT INTO profile_field (code, name, input_type, required, detail) VALUES ('tel', '연락처', 'phone', 0, '[]')",
  );
  expect((await patch(id, { version: 1, profile: { tel: "12" } }, session.accessToken)).fields).toEqual({
    "profile.tel": "연락처를 형식에 맞게 입력해주세요.",
  });
  await patch(id, { version: 1, profile: { affiliation: "기관", tel: "0212345678" } }, session.accessToken);
  const kept = await patch(id, { version: 2, profile: { tel: "" } }, session.accessToken);
  expect(kept.data.profile).toEqual({ affiliation: "기관" });
  const resident = await patch(id, { version: 3, profile: { affiliation: "900101-1234567" } }, session.accessToken);
  expect(resident.fields["profile.affiliation"]).toContain("900101-1******");
});

test("only one of two edits of the same version succeeds", async () => {
  const session = await createMemberSession();
  const edits = await Promise.all(
    ["가", "나"].map((userName) => patch(session.user.id, { version: 1, userName }, session.accessToken)),
  );
  expect(edits.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

async function createTwoSessions() {
  const session = await createMemberSession();
  const other = await signInUser(session.user);
  const path = `/api/user/${session.user.id}/sessions`;
  const token = session.accessToken;
  const { data } = await callJson("GET", path, { token });
  const { sid } = data.find((view: { current: boolean }) => !view.current);
  return { session, other, path, token, data, sid };
}

test("each session of a member is listed", async () => {
  const { data } = await createTwoSessions();
  expect(data).toHaveLength(2);
  expect(data[0]).toEqual({
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    device: "Chrome · Windows",
    address: "local",
    createdDate: expect.any(String),
    lastUsedDate: expect.any(String),
    current: expect.any(Boolean),
  });
});

test("each listed session can be ended", async () => {
  const { session, other, path, token, sid } = await createTwoSessions();
  const stranger = await createMemberSession();
  expect((await callAs(stranger, "DELETE", `${path}/${sid}`)).status).toBe(404);
  expect((await callJson("DELETE", `${path}/${sid}`, {})).status).toBe(401);
  expect((await readAccount(session.user.id, other.accessToken)).status).toBe(200);
  expect((await callJson("DELETE", `${path}/${sid}`, { token })).status).toBe(200);
  expect((await readAccount(session.user.id, other.accessToken)).status).toBe(401);
  expect((await callJson("DELETE", `${path}/${sid}`, { token })).status).toBe(404);
  const { data: theirs } = await callAs(stranger, "GET", `/api/user/${stranger.user.id}/sessions`);
  expect((await callJson("DELETE", `${path}/${theirs[0].sid}`, { token })).status).toBe(404);
  expect((await readAccount(stranger.user.id, stranger.accessToken)).status).toBe(200);
});

test("the personal data export contains only its owner's data", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const other = await createMemberSession();
  const itemNo = await createTestItem(session, "free", { title: "내 글" });
  await createTestItem(other, "free", { title: "남의 글" });
  await callAs(session, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "내 댓글" });
  const answer = await callAs(session, "GET", `/api/user/${session.user.id}/export`);
  expect(answer.headers.get("Content-Disposition")).toContain("attachment");
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  expect(answer.data).toMatchObject({
    user: { id: session.user.id, userKeys: expect.any(Array) },
    consents: expect.arrayContaining([expect.objectContaining({ code: "terms", agreed: false })]),
    sessions: [{ current: true }],
    items: [{ boardCode: "free", itemNo, title: "내 글" }],
    comments: [{ content: "내 댓글" }],
    files: [],
  });
  const text = JSON.stringify(answer.data);
  for (const secret of ["scrypt", "남의 글", other.user.email]) expect(text).not.toContain(secret);
});

test("a member can withdraw only optional agreements", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const path = `/api/user/${session.user.id}/consents`;
  const change = (code: string, agreed: boolean, version = "1") =>
    callAs(session, "PATCH", path, { agreements: [{ code, version, agreed }] });
  expect(
    (await change("newsletter", true)).data.find(({ code }: { code: string }) => code === "newsletter"),
  ).toMatchObject({
    agreed: true,
    consentDate: expect.any(String),
  });
  advanceClock(1000);
  await change("newsletter", false);
  const { results } = await env.DB.prepare("SELECT agreed, text_hash FROM user_consent ORDER BY created_date").all();
  expect(results).toEqual([
    { agreed: 1, text_hash: "y" },
    { agreed: 0, text_hash: "y" },
  ]);
  expect((await change("terms", false)).fields["agreements.terms"]).toBe(
    "'이용약관'은 필수 동의 항목입니다. 동의하지 않으시려면 탈퇴해 주십시오.",
  );
  expect((await change("terms", true, "0")).fields["agreements.terms"]).toBe(
    "약관이 바뀌었습니다. 새로 불러온 뒤 다시 선택해 주십시오.",
  );
});

test("only a required agreement must be renewed", async () => {
  await createSignupSettings();
  const session = await createMemberSession();
  const path = `/api/user/${session.user.id}/consents`;
  const agreeTo = (version: string) =>
    callAs(session, "PATCH", path, {
      agreements: ["terms", "newsletter"].map((code) => ({ code, version, agreed: true })),
    });
  await agreeTo("1");
  await runSql("UPDATE agreement SET is_current = 0");
  for (const [code, required] of [
    ["terms", 1],
    ["newsletter", 0],
  ] as const)
    await runSql(
      "INSERT INTO agreement (code, version, title, required, content, text_hash, effective_date, is_current, sort_order) VALUES (?, '2', '문서', ?, '', 'z', 1, 1, ?)",
      code,
      required,
      1 - required,
    );
  const shown = async () =>
    (await callAs(session, "GET", path)).data.map((each: Record<string, unknown>) => [
      each.code,
      each.version,
      each.agreed,
      each.consentVersion,
    ]);
  expect(await shown()).toEqual([
    ["terms", "2", false, null],
    ["newsletter", "2", true, "1"],
  ]);
  advanceClock(1000);
  await agreeTo("2");
  expect(await shown()).toEqual([
    ["terms", "2", true, "2"],
    ["newsletter", "2", true, "2"],
  ]);
});
