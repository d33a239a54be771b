import { env } from "cloudflare:workers";
import { eq, getTableColumns } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { user, userKey } from "#db/schema/account.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { openRequestScope } from "./open-scope.ts";
import { newSession } from "#worker/domain/account/session.server.ts";
import { callJson } from "./api-client.ts";
import { testDatabase } from "./test-database.ts";

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
  status?: "active" | "waiting" | "refused" | "blocked";
}

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

export async function retireUser({ accessToken: token }: TestSession): Promise<void> {
  const { code } = await callJson("POST", "/api/user/retire", { token, body: { password: TEST_PASSWORD } });
  if (code !== "SUCCESS") throw new Error(`not retired: ${code}`);
}

/** Creates a session without the cost of a password hash. */
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
export const createSessionWith = async (permissions: string[], options: Omit<UserOptions, "roleCode"> = {}) =>
  createSession({ ...options, roleCode: await createTestRole(permissions) });
export const createMemberSession = () => createSession();
export const createAdministratorSession = () => createSession({ userType: "Admin", userName: "관리자" });
