import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { profileField } from "#db/schema/account.ts";
import { agreement } from "#db/schema/content.ts";
import { DAY_MS, RATE_LIMITS, type RateLimitName } from "#worker/contract/kernel/limits.ts";
import { chargeLimit } from "#worker/domain/kernel/limit.server.ts";
import { callJson } from "./api-client.ts";
import type { TestSession } from "./people.ts";
import { contextFor } from "./request-scope.ts";
import { readRow, testDatabase } from "./test-database.ts";

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

export async function readSentPincode(to: string): Promise<string> {
  const row = await readRow<{ pincode: string }>(
    "SELECT pincode FROM message WHERE recipient = ? AND pincode IS NOT NULL ORDER BY created_date DESC, rowid DESC LIMIT 1",
    to,
  );
  if (!row) throw new Error(`no code was sent to ${to}`);
  return row.pincode;
}

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

/** Uses a limit until `left` of it remains, as earlier acts of the subject would. */
export async function leaveOfLimit(left: number, name: RateLimitName, subject: string): Promise<void> {
  await chargeLimit(await contextFor(null), [name, subject, RATE_LIMITS[name].max - left]);
}

/** Advances the clock; `vi.useRealTimers()` restores it. */
export function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** Sets 10:00 in Korea, so that nightly jobs are due at any real time. */
export function advanceToMorning(days: number): void {
  const day = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${day}T01:00:00Z`) });
}

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

export const newcomerForm = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  userKeyType: "Id",
  userKeyCode: "newperson",
  password: "Zk7!mQ2x",
  userName: "홍길동",
  profile: { affiliation: "한빛대학교병원" },
  agreements: [{ code: "terms", version: "1" }],
  ...fields,
});

export const openSignup = () =>
  env.DB.batch(
    ["terms", "privacy"].flatMap((code) => [
      env.DB.prepare(
        "INSERT OR IGNORE INTO content (code, status, modified_date, modified_user_name) VALUES (?, 'published', 1, '')",
      ).bind(code),
      env.DB.prepare(
        `INSERT OR IGNORE INTO content_version (code, version_no, value, effective_date, created_date, created_user_name)
         VALUES (?, 1, '{"title":"문서","content":"<p>문서</p>"}', 1, 1, '')`,
      ).bind(code),
    ]),
  );

/** Opens sign-up and proves the address by default. */
export async function signupForm(email: string, fields: Record<string, unknown> = {}) {
  await openSignup();
  return "userKeyTokenForEmail" in fields
    ? newcomerForm(fields)
    : newcomerForm({ userKeyTokenForEmail: await createVerifiedToken(email), ...fields });
}

export function manyMembers(count: number): D1PreparedStatement[] {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  return [
    env.DB.prepare(
      `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
       ${numbers} SELECT printf('many-%06d', i), '홍길동', 'Member', 'member', 'active', '', '{}', 1, 1 FROM n`,
    ),
    env.DB.prepare(
      `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date)
       ${numbers} SELECT 'Email', 'many' || i || '@pid.example.kr', printf('many-%06d', i), 1 FROM n`,
    ),
  ];
}

export async function createTestMailing(
  session: TestSession,
  whom: { source: "alumni" | "member"; target: object },
  fields: Record<string, unknown> = {},
): Promise<string> {
  const token = session.accessToken;
  const made = await callJson("PUT", "/api/admin/mailing", { token, body: whom });
  if (made.code !== "SUCCESS") throw new Error(`mailing not created: ${made.code} ${JSON.stringify(made.fields)}`);
  const body = { kind: "informational", subject: "{{이름}} 님께", text: "총회를 엽니다.", version: 1, ...fields };
  const written = await callJson("PATCH", `/api/admin/mailing/${made.data.id}`, { token, body });
  if (written.code !== "SUCCESS")
    throw new Error(`mailing not written: ${written.code} ${JSON.stringify(written.fields)}`);
  return made.data.id;
}
