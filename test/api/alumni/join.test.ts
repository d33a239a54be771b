import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { getOwnJoinedFields } from "#worker/domain/alumni/join.server.ts";
import { contextFor } from "../../support/request-scope.ts";
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, createSignupSettings, newcomerForm, openSignup, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createSessionWith,
  createUser,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readValue, runSql } from "../../support/test-database.ts";

const OLD = "old@pid.example.kr";
const entryOf = async (admin: TestSession, id: string) =>
  (await callAs(admin, "GET", `/api/admin/member/${id}/entry`)).data;
const put = (session: TestSession, id: string) => callAs(session, "POST", `/api/admin/member/${id}/entry`, {});
const join = (session: TestSession, id: string, alumniId: string) =>
  callAs(session, "POST", `/api/admin/member/${id}/join`, { alumniId });
const invite = (session: TestSession, id: string) => callAs(session, "POST", `/api/alumni/${id}/invite`, {});
const add = async (admin: TestSession, person: object) =>
  (await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", ...person })).data.id as string;
async function linkTo(address: string) {
  const [mail] = (await sentMessages(address)).filter(({ body }) => body.includes("/mail/join/"));
  return /\/mail\/join\/([\w-]+)/.exec(mail?.body ?? "")?.[1] ?? "";
}
const confirm = (token: string) => callJson("POST", `/api/confirmation/join/${token}`, { body: {} });
async function reads(member: TestSession, id: string) {
  const { data } = await callAs(member, "GET", "/api/alumni?keyword=홍길동");
  return data.content.find((row: { id: string }) => row.id === id)?.mobile;
}

test("an approved member gets an entry with one call", async () => {
  await createSignupSettings();
  const admin = await createAdministratorSession();
  const { id, email } = await createUser({ userName: "새사람" });
  await runSql(
    `INSERT OR REPLACE INTO profile_field (code, name, input_type, required, detail) VALUES ('org', '소속 기관', 'text', 0, '[]'), ('tel', '연락처', 'phone', 0, '[]')`,
  );
  await runSql(`UPDATE user SET profile = '{"org":"한빛병원","tel":"010-1234-5678"}' WHERE id = ?`, id);
  expect(await entryOf(admin, id)).toMatchObject({ entry: null, candidates: [], hasEmail: true });
  const made = await put(admin, id);
  expect(made.code).toBe("SUCCESS");
  expect(
    await readRow("SELECT name, email, mobile, affiliation, email_hold FROM alumni WHERE id = ?", made.data.id),
  ).toEqual({
    name: "새사람",
    email,
    mobile: "010-1234-5678",
    affiliation: "한빛병원",
    email_hold: null,
  });
  expect((await entryOf(admin, id)).entry).toMatchObject({ id: made.data.id, affiliation: "한빛병원" });
  expect((await put(admin, id)).code, "a second entry").toBe("CONFLICT");
  const pair = await createUser();
  const both = await Promise.all([put(admin, pair.id), put(admin, pair.id)]);
  expect(both.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
});

test("an entry with another address is joined after that address confirms", async () => {
  const admin = await createAdministratorSession();
  const member = await createSession({ roleCode: "member" });
  const { id, email } = member.user;
  const reader = await createSessionWith(["Alumni_Read"], { userName: "홍길동" });
  const mine = await add(admin, { email: OLD, mobile: "010-1111-2222", cohort: 12 });
  await add(admin, { name: "홍 길동", cohort: 13 });
  const { candidates } = await entryOf(admin, reader.user.id);
  expect(candidates.map(({ cohort }: { cohort: number }) => cohort).toSorted()).toEqual([12, 13]);
  expect((await join(admin, reader.user.id, mine)).data.asked).not.toContain("old@");
  expect(await sentMessages(reader.user.email)).toEqual([]);
  expect(await readValue("SELECT email FROM alumni WHERE id = ?", mine)).toBe(OLD);
  expect(await reads(reader, mine)).toBe("010-****-2222");
  const token = await linkTo(OLD);
  expect((await confirm(token)).code).toBe("SUCCESS");
  expect((await confirm(token)).code, "again").toBe("SUCCESS");
  expect(await reads(reader, mine)).toBe("010-1111-2222");
  expect(await readValue("SELECT email FROM alumni WHERE id = ?", mine)).toBe(reader.user.email);
  expect((await join(admin, id, mine)).code, "an entry of another account").toBe("CONFLICT");
  expect((await entryOf(admin, id)).candidates).toHaveLength(1);
  expect(await sentMessages(email)).toEqual([]);
});

test("an entry without an address needs the account's confirmed address", async () => {
  const admin = await createAdministratorSession();
  const reader = await createSessionWith(["Alumni_Read"]);
  const id = await add(admin, { mobile: "010-1111-2222" });
  expect((await join(admin, reader.user.id, id)).code).toBe("SUCCESS");
  expect(await reads(reader, id)).toBe("010-****-2222");
  expect((await confirm(await linkTo(reader.user.email))).code).toBe("SUCCESS");
  expect(await reads(reader, id)).toBe("010-1111-2222");
});

test.each([
  ["the address of the entry changes", "UPDATE alumni SET email = 'third@pid.example.kr', version = version + 1"],
  ["the entry is deleted", "UPDATE alumni SET deleted_date = 1"],
  ["the account is blocked", "UPDATE user SET status = 'blocked' WHERE user_type = 'Member'"],
  ["the seventh day ends", ""],
])("a join ends when %s", async (_, change) => {
  const admin = await createAdministratorSession();
  const member = await createUser();
  const id = await add(admin, { email: OLD });
  await join(admin, member.id, id);
  const token = await linkTo(OLD);
  if (change) await runSql(change);
  else advanceClock(daysLater(new Date(), 7).getTime() + 1 - Date.now());
  expect((await confirm(token)).code).toBe("NOT_FOUND");
  expect(await readValue("SELECT count(*) FROM alumni WHERE email = ?", member.email)).toBe(0);
});

test("a join ends when the office removes the asked address", async () => {
  const admin = await createAdministratorSession();
  for (const change of [{ email: "" }, { state: "탈퇴" }]) {
    const reader = await createSessionWith(["Alumni_Read"]);
    const id = await add(admin, { email: OLD, mobile: "010-1111-2222" });
    await runSql("DELETE FROM rate_limit");
    expect((await join(admin, reader.user.id, id)).code).toBe("SUCCESS");
    const token = await linkTo(OLD);
    const changed = await callAs(admin, "PATCH", `/api/alumni/${id}`, { ...change, version: 1 });
    expect(changed.code).toBe("SUCCESS");
    expect((await confirm(token)).code, JSON.stringify(change)).toBe("NOT_FOUND");
    expect(await readValue("SELECT email FROM alumni WHERE id = ?", id)).not.toBe(reader.user.email);
    await runSql("DELETE FROM alumni");
  }
});

test("nobody joins their own account or one with more rights", async () => {
  const admin = await createAdministratorSession();
  const id = await add(admin, { email: OLD });
  const member = await createUser();
  const office = await createSessionWith(["ADMIN_Access", "Alumni_Write", "Alumni_Read"]);
  expect((await join(office, office.user.id, id)).code).toBe("CONFLICT");
  expect((await join(office, admin.user.id, id)).status).toBe(403);
  for (const session of [
    await createMemberSession(),
    await createSessionWith(["ADMIN_Access"]),
    await createSessionWith(["Alumni_Write"]),
  ]) {
    expect((await join(session, member.id, id)).status).toBe(403);
    expect((await put(session, member.id)).status).toBe(403);
    expect((await callAs(session, "GET", `/api/admin/member/${member.id}/entry`)).status).toBe(403);
  }
  expect((await callJson("POST", `/api/admin/member/${member.id}/entry`, { body: {} })).status).toBe(401);
  for (const status of ["waiting", "blocked"] as const)
    expect((await put(admin, (await createUser({ status })).id)).code, status).toBe("CONFLICT");
  expect((await join(admin, (await createUser({ status: "blocked" })).id, id)).code).toBe("CONFLICT");
  await runSql("UPDATE alumni SET state = '작고' WHERE id = ?", id);
  expect((await join(admin, member.id, id)).code, "a person who is gone").toBe("CONFLICT");
  expect(await sentMessages(OLD)).toEqual([]);
});

test("an invited address signs up without a code", async () => {
  await createSignupSettings();
  await openSignup();
  const admin = await createAdministratorSession();
  const id = await add(admin, { email: OLD, mobile: "010-1111-2222" });
  expect((await invite(admin, id)).code).toBe("SUCCESS");
  const [mail] = await sentMessages(OLD);
  const [, userKeyToken = "", pincode = "", address = ""] =
    /Signup#([\w-]+)\.(\d{6})\.(\S+)/.exec(mail?.body ?? "") ?? [];
  expect(decodeURIComponent(address)).toBe(OLD);
  const { data } = await callJson("POST", "/api/user-key/confirm", { body: { userKeyToken, pincode } });
  const body = newcomerForm({ userKeyTokenForEmail: data.userKeyToken });
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
  const userId = String(await readValue("SELECT user_id FROM user_key WHERE user_key_code = ?", OLD));
  expect((await entryOf(admin, userId)).entry).toMatchObject({ id });
  expect(await readValue("SELECT role_code FROM user WHERE id = ?", userId)).toBe("member");
  advanceClock(3_600_000);
  const again = await createAdministratorSession();
  expect((await invite(again, id)).code, "an address with an account").toBe("CONFLICT");
});

test("an invitation goes only to a confirmed address that takes mail", async () => {
  await createSignupSettings();
  await openSignup();
  const admin = await createAdministratorSession();
  const id = await add(admin, { email: OLD });
  for (const session of [await createMemberSession(), await createSessionWith(["Alumni_Read", "ADMIN_Access"])])
    expect((await invite(session, id)).status).toBe(403);
  expect((await callJson("POST", `/api/alumni/${id}/invite`, { body: {} })).status).toBe(401);
  expect((await invite(admin, await add(admin, { name: "무주소" }))).code).toBe("CONFLICT");
  for (const change of ["email_hold = ''", "state = '작고'", "refuses = '이메일'", "deleted_date = 1"]) {
    await runSql(`UPDATE alumni SET email_hold = NULL, state = '활동', refuses = '', ${change} WHERE id = ?`, id);
    expect((await invite(admin, id)).code, change).toMatch(/CONFLICT|NOT_FOUND/);
  }
  expect(await sentMessages(OLD)).toEqual([]);
});

test("shared sign-up fields of a joined member come from the entry", async () => {
  await createSignupSettings();
  await runSql(
    `INSERT OR REPLACE INTO profile_field (code, name, input_type, required, detail) VALUES ('affiliation', '소속', 'text', 1, '[]'), ('room', '부서', 'text', 0, '[]')`,
  );
  const admin = await createAdministratorSession();
  const reader = await createSessionWith(["Alumni_Read"]);
  const { id, email } = reader.user;
  await runSql(`UPDATE user SET profile = '{"affiliation":"한빛병원"}' WHERE id = ?`, id);
  const shared = async () => getOwnJoinedFields(await contextFor(reader));
  expect(await shared(), "without an entry").toBeNull();
  const entry = await add(admin, { email, affiliation: "가온상사", department: "총무부" });
  const names = async () => (await shared())?.fields.map(({ name, account, book }) => [name, account, book]);
  const both = [
    ["소속", "한빛병원", "가온상사"],
    ["부서", "", "총무부"],
  ];
  expect(await names()).toEqual(both);
  expect((await entryOf(admin, id)).fields).toHaveLength(2);
  expect((await shared())?.personId).toBe(entry);
  const listed = async (search: string) => {
    const { data } = await callAs(admin, "GET", `/api/admin/member?size=100&${search}`);
    return data.content.filter((row: { id: string }) => row.id === id).map((row: { profile: object }) => row.profile);
  };
  const shown = [{ affiliation: "가온상사", room: "총무부" }];
  expect(await listed("keyword=총무부")).toMatchObject(shown);
  expect(await listed("profileCode=affiliation&profileValue=가온")).toMatchObject(shown);
  expect(await listed("keyword=한빛병원"), "the value of the sign-up").toEqual([]);
  await runSql(
    `INSERT INTO site_setting (key, value, modified_date) VALUES ('alumni', '{"off":["department"]}', 1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  expect(await listed("profileCode=affiliation&profileValue=가온")).toMatchObject([
    { affiliation: "가온상사", room: "" },
  ]);
  await runSql("DELETE FROM site_setting WHERE key = 'alumni'");
  await callAs(reader, "PATCH", `/api/user/${id}`, { profile: { affiliation: "가온상사" }, version: 1 });
  expect((await names())?.[0]).toEqual(["소속", "가온상사", "가온상사"]);
  await runSql(`UPDATE alumni SET email_hold = 'x@pid.example.kr' WHERE id = ?`, entry);
  expect(await shared(), "a held entry").toBeNull();
  expect(await listed("keyword=총무부"), "a held entry").toEqual([]);
  await expect(getOwnJoinedFields(await contextFor(null))).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});
