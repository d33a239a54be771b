import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { eq, getTableColumns } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { role } from "#db/schema/access.ts";
import { profileField, user, userKey } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { openDoor } from "#worker/context.server.ts";
import { newSession } from "#worker/domain/account/session.server.ts";
import { call } from "./client.ts";

export const db = () => connect(env.DB);
export const PASSWORD = "Secret!234";
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
  hash ??= hashPassword(PASSWORD, env.PASSWORD_PEPPER);
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
  await db().batch([
    db()
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
    db().insert(userKey).values({ userKeyType: "Id", userKeyCode: person.userId, userId: person.id }),
    db()
      .insert(userKey)
      .values({ userKeyType: "Email", userKeyCode: person.email, userId: person.id, verifiedDate: now }),
  ]);
  return person;
}

/** A role of its own with exactly these permissions. */
export async function createRole(permissions: string[]): Promise<string> {
  const roleCode = `role${++serial}`;
  await db().insert(role).values({ roleCode, roleName: roleCode, permissions });
  return roleCode;
}

export interface Session {
  accessToken: string;
  refreshToken: string;
  user: TestUser;
}

export async function signIn(person: TestUser): Promise<Session> {
  const body = { userKeyType: "Id", userKeyCode: person.userId, password: PASSWORD };
  const answer = await call("POST", "/api/user/signin", { body });
  if (answer.code !== "SUCCESS") throw new Error(`sign-in failed: ${answer.code}`);
  return { ...answer.data, user: person };
}

/** A session as sign-in makes it, without the hash that a sign-in costs. */
export async function signedIn(options: UserOptions = {}): Promise<Session> {
  const person = await createUser(options);
  const request = new Request("http://localhost/", { headers: { "User-Agent": "test" } });
  const ctx = await openDoor({ request, env, requestId: "test", credential: null, defer: () => {} }).context();
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
export const member = () => signedIn();
export const administrator = () => signedIn({ userType: "Admin", userName: "관리자" });

/** Writes an item through the API. @returns its number */
export async function createItem(
  session: Session,
  boardCode: string,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const body = { title: "제목", content: "<p>내용입니다.</p>", fileIds: [], ...fields };
  const answer = await call("PUT", `/api/board-item/${boardCode}`, { token: session.accessToken, body });
  if (answer.code !== "SUCCESS") throw new Error(`item not created: ${answer.code} ${answer.message}`);
  return answer.data.itemNo;
}

/** The newest code that was sent to an address. */
export async function sentPincode(to: string): Promise<string> {
  const row = await env.DB.prepare(
    "SELECT pincode FROM message WHERE recipient = ? AND pincode IS NOT NULL ORDER BY created_date DESC, rowid DESC LIMIT 1",
  )
    .bind(to)
    .first<{ pincode: string }>();
  if (!row) throw new Error(`no code was sent to ${to}`);
  return row.pincode;
}

/** A verified key token for an address that nobody has. */
export async function verifiedToken(email: string): Promise<string> {
  const sent = await call("POST", "/api/user-key/check", { body: { userKeyType: "Email", userKeyCode: email } });
  const confirm = { userKeyToken: sent.data.userKeyToken, pincode: await sentPincode(email) };
  return (await call("POST", "/api/user-key/confirm", { body: confirm })).data.userKeyToken;
}

export async function createSignupSettings(): Promise<void> {
  await db().batch([
    db()
      .insert(profileField)
      .values({ code: "affiliation", name: "소속 기관", inputType: "text", required: true, detail: [] }),
    db().insert(agreement).values({
      code: "terms",
      version: "1",
      title: "이용약관",
      required: true,
      content: "<p>약관</p>",
      textHash: "x",
      effectiveDate: new Date(),
      isCurrent: true,
    }),
    db().insert(agreement).values({
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

/** Moves the clock on for the rest of the test; `vi.useRealTimers()` sets it right again. */
export function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** What was sent to an address, newest first. */
export async function letters(
  to: string,
): Promise<{ channel: string; subject: string; body: string; pincode: string | null }[]> {
  const { results } = await env.DB.prepare(
    "SELECT channel, subject, body, pincode FROM message WHERE recipient = ? ORDER BY created_date DESC, rowid DESC",
  )
    .bind(to)
    .all<{ channel: string; subject: string; body: string; pincode: string | null }>();
  return results;
}
