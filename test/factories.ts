import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { eq, getTableColumns } from "drizzle-orm";
import { connectDatabase } from "#db/client.ts";
import { role } from "#db/schema/access.ts";
import { profileField, user, userKey } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { openRequestScope } from "./open-scope.ts";
import { newSession } from "#worker/domain/account/session.server.ts";
import { callJson } from "./api-client.ts";

export const testDatabase = () => connectDatabase(env.DB);
export const TEST_PASSWORD = "Secret!234";
let hash: string | undefined;
let serial = 0;

export interface TestUser {
  id: string;
  userId: string;
  email: string;
  userName: string;
}

interface UserOptions {
  userName?: string;
  userType?: "Member" | "Admin";
  roleCode?: string;
  status?: "active" | "waiting" | "blocked";
}

/** A person with an ID, a verified e-mail and PASSWORD. */
export async function createUser(options: UserOptions = {}): Promise<TestUser> {
  hash ??= hashPassword(TEST_PASSWORD, env.PASSWORD_PEPPER);
  const at = ++serial;
  const person = {
    id: crypto.randomUUID(),
    userId: `person${at}`,
    email: `person${at}@pid.example.kr`,
    userName: options.userName ?? "홍길동",
  };
  const now = new Date();
  const userType = options.userType ?? "Member";
  const roleCode = options.roleCode ?? (userType === "Admin" ? "administrator" : "member");
  await testDatabase().batch([
    testDatabase()
      .insert(user)
      .values({
        id: person.id,
        userName: person.userName,
        userType,
        roleCode,
        status: options.status ?? "active",
        passwordHash: hash,
        profile: {},
        createdDate: now,
        modifiedDate: now,
      }),
    testDatabase().insert(userKey).values({ userKeyType: "Id", userKeyCode: person.userId, userId: person.id }),
    testDatabase()
      .insert(userKey)
      .values({ userKeyType: "Email", userKeyCode: person.email, userId: person.id, verifiedDate: now }),
  ]);
  return person;
}

/** A role of its own with exactly these permissions. */
export async function createTestRole(permissions: string[]): Promise<string> {
  const roleCode = `role${++serial}`;
  await testDatabase().insert(role).values({ roleCode, roleName: roleCode, permissions });
  return roleCode;
}

export interface TestSession {
  accessToken: string;
  refreshToken: string;
  user: TestUser;
}

export async function signInUser(person: TestUser): Promise<TestSession> {
  const body = { userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD };
  const answer = await callJson("POST", "/api/user/signin", { body });
  if (answer.code !== "SUCCESS") throw new Error(`sign-in failed: ${answer.code}`);
  return { ...answer.data, user: person };
}

/** A session as sign-in makes it, without the hash that a sign-in costs. */
export async function createSession(options: UserOptions = {}): Promise<TestSession> {
  const person = await createUser(options);
  const request = new Request("http://localhost/", { headers: { "User-Agent": "test" } });
  const ctx = await openRequestScope({ request, env, requestId: "test", credential: null, defer: () => {} }).context();
  const [owner] = await ctx.db
    .select({ ...getTableColumns(user), roleName: role.roleName, permissions: role.permissions })
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(user.id, person.id));
  if (!owner) throw new Error("no such person");
  const { statements, tokens } = await newSession(ctx, owner);
  await ctx.db.batch([...statements]);
  return { ...tokens, user: person };
}
export const createMemberSession = () => createSession();
export const createAdministratorSession = () => createSession({ userType: "Admin", userName: "관리자" });

/** Writes an item through the API. @returns its number */
export async function createTestItem(
  session: TestSession,
  boardCode: string,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const body = { title: "제목", content: "<p>내용입니다.</p>", fileIds: [], ...fields };
  const answer = await callJson("PUT", `/api/board-item/${boardCode}`, { token: session.accessToken, body });
  if (answer.code !== "SUCCESS") throw new Error(`item not created: ${answer.code} ${answer.message}`);
  return answer.data.itemNo;
}

/** The newest code that was sent to an address. */
export async function readSentPincode(to: string): Promise<string> {
  const row = await env.DB.prepare(
    "SELECT pincode FROM message WHERE recipient = ? AND pincode IS NOT NULL ORDER BY created_date DESC, rowid DESC LIMIT 1",
  )
    .bind(to)
    .first<{ pincode: string }>();
  if (!row) throw new Error(`no code was sent to ${to}`);
  return row.pincode;
}

/** A verified key token for an address that nobody has. */
export async function createVerifiedToken(email: string): Promise<string> {
  const sent = await callJson("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode: email } });
  const confirm = { userKeyToken: sent.data.userKeyToken, pincode: await readSentPincode(email) };
  return (await callJson("POST", "/api/user-key/confirm", { body: confirm })).data.userKeyToken;
}

export async function createSignupSettings(): Promise<void> {
  await testDatabase().batch([
    testDatabase()
      .insert(profileField)
      .values({ code: "affiliation", name: "소속 기관", inputType: "text", required: true, detail: [] }),
    testDatabase().insert(agreement).values({
      code: "terms",
      version: "1",
      title: "이용약관",
      required: true,
      content: "<p>약관</p>",
      textHash: "x",
      effectiveDate: new Date(),
      isCurrent: true,
    }),
    testDatabase().insert(agreement).values({
      code: "newsletter",
      version: "1",
      title: "소식지 수신",
      required: false,
      content: "<p>소식지</p>",
      textHash: "y",
      effectiveDate: new Date(),
      isCurrent: true,
    }),
  ]);
}

/** What the office set the limits to, by name. */
export async function setLimits(limits: Record<string, number>): Promise<void> {
  await env.DB.prepare(
    "INSERT OR REPLACE INTO site_setting (key, value, version, modified_date) VALUES ('limits', ?, 1, 0)",
  )
    .bind(JSON.stringify(limits))
    .run();
}

/** Moves the clock on for the rest of the test; `vi.useRealTimers()` sets it right again. */
export function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** What was sent to an address, newest first. */
export async function sentMessages(
  to: string,
): Promise<{ channel: string; subject: string; body: string; pincode: string | null }[]> {
  const { results } = await env.DB.prepare(
    "SELECT channel, subject, body, pincode FROM message WHERE recipient = ? ORDER BY created_date DESC, rowid DESC",
  )
    .bind(to)
    .all<{ channel: string; subject: string; body: string; pincode: string | null }>();
  return results;
}
