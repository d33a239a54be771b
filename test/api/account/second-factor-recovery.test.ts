import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { session } from "#db/schema/account.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
  createUser,
  retireUser,
  signInUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRows, testDatabase } from "../../support/test-database.ts";
import {
  MINUTE,
  addPasskey,
  addTotp,
  readOwnSecondFactors,
  postSecondFactor,
  verifyByPasskey,
} from "../../calls/second-factor-acts.ts";

const REQUIRED = { ...env, SECOND_FACTOR: "required" as const };

const HOUR = 60 * MINUTE;

test("a role that requires a second factor needs one for rights", async () => {
  const permissions = ["ADMIN_Access", "Alumni_Read", "Alumni_Export", "Board_free_Manage"];
  const officer = await createSessionWith(permissions);
  const admin = await createAdministratorSession();
  for (const person of [officer, admin]) {
    const token = person.accessToken;
    const vars = REQUIRED;
    const refused = await callJson("GET", "/api/admin/member", { token, vars });
    expect([refused.status, refused.data]).toEqual([403, { reason: "SECOND_FACTOR_SETUP" }]);
    expect((await callJson("GET", "/api/admin/member", { token })).status).toBe(200);
    expect((await callJson("GET", "/api/board/free", { token, vars })).data.permissions.manage).toBe(true);
    expect(await readOwnSecondFactors(person, vars)).toMatchObject({ isRequired: true, isPending: false });
    const { id } = await addPasskey(person);
    expect((await callJson("GET", "/api/admin/member", { token, vars })).status).toBe(200);
    const last = await callJson("DELETE", `/api/second-factor/${id}`, { token, vars });
    expect([last.status, last.code]).toEqual([409, "CONFLICT"]);
    expect(last.message).toContain("다른 인증 수단을 먼저 등록");
  }
  const member = await createMemberSession();
  expect(await readOwnSecondFactors(member, REQUIRED)).toMatchObject({ isRequired: false });
});

test("a second-factor call without a person is refused as a guest's", async () => {
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/verify-options"],
    ["POST", "/recovery"],
    ["DELETE", "/recovery"],
  ] as const)
    expect(
      (await callJson(method, `/api/second-factor${path}`, method === "POST" ? { body: {} } : {})).status,
      `${method} ${path}`,
    ).toBe(401);
});

async function createLostFactor() {
  const admin = await createAdministratorSession();
  const lost = await createSession({ userType: "Admin", userName: "김하늘" });
  await addPasskey(lost);
  const other = await signInUser(lost.user);
  const start = (person: TestSession, userId: string) =>
    callAs(person, "POST", `/api/admin/second-factor/${userId}/recovery`, { reason: "휴대전화 분실" });
  return { admin, lost, other, start };
}

test("another administrator starts the recovery of a lost second factor", async () => {
  const { admin, lost, start } = await createLostFactor();
  expect((await start(lost, lost.user.id)).code).toBe("CONFLICT");
  expect((await start(admin, admin.user.id)).code).toBe("CONFLICT");
  expect((await start(await createMemberSession(), lost.user.id)).status).toBe(403);
  const partial = await createSessionWith(["ADMIN_Access"]);
  expect((await start(partial, lost.user.id)).status).toBe(403);
  expect((await start(admin, lost.user.id)).code).toBe("SUCCESS");
  expect((await start(admin, lost.user.id)).code).toBe("CONFLICT");
  for (const { email } of [admin.user, lost.user]) {
    const [mail] = await sentMessages(email);
    expect(mail?.subject, `${email}`).toBe("[새 홈페이지] 2단계 인증 복구가 시작되었습니다");
    expect(mail?.body, `${email}`).toMatch(/\d{4}년 \d{1,2}월 \d{1,2}일 \d\d:\d\d\(한국 시각\)부터/);
  }
});

test("a lost second factor is removed after a day by two people", async () => {
  const { admin, lost, other, start } = await createLostFactor();
  await start(admin, lost.user.id);
  expect((await postSecondFactor("/recovery", other)).code).toBe("CONFLICT");
  advanceClock(23 * HOUR + 59 * MINUTE);
  const early = await signInUser(lost.user);
  expect((await postSecondFactor("/recovery", early)).code).toBe("CONFLICT");
  expect((await readOwnSecondFactors(early)).recovery).toMatchObject({ isUsable: false });
  advanceClock(2 * MINUTE);
  const late = await signInUser(lost.user);
  const used = await Promise.all([1, 2].map(() => postSecondFactor("/recovery", late)));
  expect(used.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect(await readOwnSecondFactors(late)).toMatchObject({
    isPending: false,
    factors: [],
    methods: { password: true },
  });
  const live = await testDatabase().select().from(session).where(eq(session.userId, lost.user.id));
  expect(live.filter(({ revokedDate }) => revokedDate === null)).toHaveLength(1);
});

test("a recovery ends after a week", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  const { passkey } = await addPasskey(person);
  const path = `/api/admin/second-factor/${person.user.id}/recovery`;
  const start = (office: TestSession) => callAs(office, "POST", path, { reason: "분실" });
  await start(admin);
  expect((await callAs(admin, "DELETE", path)).code).toBe("SUCCESS");
  expect((await callAs(admin, "DELETE", path)).status).toBe(404);
  await start(admin);
  const own = await callAs(person, "DELETE", "/api/second-factor/recovery");
  expect(own.code).toBe("SUCCESS");
  await start(admin);
  const pending = await signInUser(person.user);
  const refused = await callAs(pending, "DELETE", "/api/second-factor/recovery");
  expect(refused.status).toBe(403);
  advanceClock(8 * 24 * HOUR + MINUTE);
  const later = await signInUser(person.user);
  expect((await postSecondFactor("/recovery", later)).code).toBe("CONFLICT");
  expect((await verifyByPasskey(later, passkey)).code).toBe("SUCCESS");
  const another = await signInUser(await createUser({ userType: "Admin" }));
  expect((await start(another)).code).toBe("SUCCESS");
});

test("the office sees the people without a second factor first", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const asking = ["ADMIN_Access", "Alumni_Export", "Alumni_Import", "Member_Manage"];
  const not = ["Alumni_Read", "Board_free_Manage", "Center_seoul_Manage", "Board_free_Export", "CaseReport_Access"];
  for (const code of [...asking, ...not])
    await createUser({ roleCode: await createTestRole([code]), userName: code.replaceAll("_", " ") });
  const member = await createSession({ userName: "패스키 회원" });
  await addPasskey(member);
  await addTotp(member);
  const list = (show: string) => callAs(admin, "GET", `/api/admin/second-factor?show=${show}&size=50`);
  const { data } = await list("all");
  const names = data.content.map(({ userName }: { userName: string }) => userName);
  expect(names.toSorted()).toEqual(
    ["관리자", "패스키 회원", ...asking.map((code) => code.replaceAll("_", " "))].toSorted(),
  );
  expect(names.at(-1)).toBe("패스키 회원");
  expect(data.content.at(-1)).toMatchObject({ kinds: ["passkey", "totp"], recoveryCodesLeft: 10, isRequired: false });
  expect(data.missingCount).toBe(5);
  expect(data.content.slice(0, 5).every((row: { isRequired: boolean }) => row.isRequired)).toBe(true);
  expect((await list("missing")).data.totalElements).toBe(5);
  expect((await callAs(member, "GET", "/api/admin/second-factor")).status).toBe(403);
});

test("a retired person leaves no passkey, app secret or recovery code", async () => {
  const person = await createMemberSession();
  await addPasskey(person);
  await addTotp(person);
  await retireUser(person);
  for (const table of ["second_factor", "recovery_code", "second_factor_recovery"])
    expect(await readRows(`SELECT * FROM ${table}`), `${table}`).toEqual([]);
});
