import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import { type ConfigurationName, TAKEN_PRODUCT_CODES } from "#worker/contract/operation/configuration.ts";
import { databaseFinding, getConfiguration } from "#worker/domain/operation/configuration.server.ts";
import { backUpNow } from "#worker/domain/operation/backup-run.server.ts";
import { backupContext } from "../../support/backup.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { createAdministratorSession, createMemberSession, createUser } from "../../support/people.ts";
import { takeRealDatabase } from "../../support/empty-storage.ts";

takeRealDatabase();

const ADDRESS = "https://society.example.kr";
/** A complete configuration. All secrets share an ending, so that a leak is found. */
const secret = (name: string) => `${name}-not-to-be-shown-0123456789abcdef`;
const WHOLE = {
  SITE_ORIGIN: "https://society.kr",
  PRODUCT_CODE: "alma",
  MESSAGE_TRANSPORT: "resend",
  MAIL_FROM: "동창회 <office@society.kr>",
  RESEND_API_KEY: secret("resend"),
  RESEND_WEBHOOK_SECRET: `whsec_${"a".repeat(32)}`,
  SMS_API_KEY: secret("key"),
  SMS_API_SECRET: secret("sms"),
  SMS_FROM: "0212345678",
  KAKAO_CHANNEL_ID: "KA01PF",
  SIGNING_SECRET: secret("signing"),
  PASSWORD_PEPPER_OLD: secret("older"),
  BACKUP_KEY: secret("backup"),
  HEALTH_TOKEN: secret("health"),
  SECOND_FACTOR: "offered",
};

async function readLines(token: string | null, vars: Record<string, unknown> = {}, openedAt = "https://society.kr") {
  const scope = openRequestScope({
    request: new Request(`${openedAt}/Admin/Configuration`),
    env: { ...env, ...vars } as unknown as Env,
    credential: token === null ? null : { token },
    requestId: "test",
    defer: () => {},
  });
  const groups = await getConfiguration(scope, openedAt);
  return Object.fromEntries(groups.flatMap(({ lines }) => lines.map((line) => [line.name, line]))) as Record<
    ConfigurationName,
    (typeof groups)[number]["lines"][number]
  >;
}

test("only an administrator may read the configuration", async () => {
  await expect(readLines(null)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await expect(readLines((await createMemberSession()).accessToken)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

const TRIPS = { region: "APAC", isPrimary: true, since: "2026-11-25T03:00:00.000Z", count: 1000, sqlMedianMs: 2 };

test("a database on another continent is reported", async () => {
  const { accessToken } = await createAdministratorSession();
  expect((await readLines(accessToken)).DB).toMatchObject({ state: "ok", note: expect.stringMatching(/보통 \d+ms/) });
  const near = databaseFinding(2048, { ...TRIPS, medianMs: 12, percentile95Ms: 40 });
  expect(near).toMatchObject({ state: "ok", date: TRIPS.since });
  expect(near.note).toContain("APAC 지역이 응답합니다. 최근 1시간에 1,000번 오갔고 한 번에 보통 12ms, 95%는 40ms");
  const far = databaseFinding(2048, { ...TRIPS, region: "WNAM", medianMs: 160, percentile95Ms: 250 });
  expect(far).toMatchObject({ state: "failed", note: expect.stringContaining("다른 대륙") });
  expect(databaseFinding(2048, { ...TRIPS, medianMs: 160, sqlMedianMs: 90, percentile95Ms: 250 }).state).toBe("ok");
});

test("no secret leaves the server: each is only set or not", async () => {
  const { accessToken } = await createAdministratorSession();
  const lines = await readLines(accessToken, WHOLE);
  const sent = JSON.stringify(lines);
  for (const text of ["not-to-be-shown", "whsec_", String(Reflect.get(env, "JWT_SECRET")), env.PASSWORD_PEPPER])
    expect(sent).not.toContain(text);
  for (const line of Object.values(lines).filter(({ kind }) => kind !== "value"))
    expect([line.name, line.value, line.isSet]).toEqual([line.name, "", true]);
  const bare = await readLines(accessToken, { HEALTH_TOKEN: undefined });
  expect(bare.HEALTH_TOKEN).toMatchObject({ isSet: false, state: "off" });
  expect(bare.RESEND_API_KEY).toMatchObject({ isSet: false, state: "off" });
});

test("a placeholder address or a different origin is reported", async () => {
  const { accessToken } = await createAdministratorSession();
  const states = async (vars: Record<string, unknown>, openedAt?: string) => {
    const { SITE_ORIGIN, PRODUCT_CODE } = await readLines(accessToken, { ...WHOLE, ...vars }, openedAt);
    return [SITE_ORIGIN.state, PRODUCT_CODE.state];
  };
  expect(await states({})).toEqual(["ok", "ok"]);
  expect(await states({}, "https://www.society.kr")).toEqual(["failed", "ok"]);
  expect(await states({ SITE_ORIGIN: "https://pid.example.kr" }, "https://pid.example.kr")).toEqual(["failed", "ok"]);
  expect(await states({ SITE_ORIGIN: ADDRESS, MESSAGE_TRANSPORT: "outbox" }, "http://localhost:8787")).toEqual([
    "local",
    "ok",
  ]);
  expect(await states({ PRODUCT_CODE: "board" })).toEqual(["ok", "failed"]);
});

test("the reserved product codes are those of the route table", () => {
  const first = routes.flatMap(({ path = "" }) => {
    const [part = ""] = path.split("/");
    return /^[a-z][a-z0-9-]*$/.test(part) ? [part] : [];
  });
  expect([...new Set([...first, "api", "assets"])].toSorted()).toEqual(TAKEN_PRODUCT_CODES.toSorted());
});

test("a channel has the state of its last message", async () => {
  const { accessToken, user } = await createAdministratorSession();
  const send = (status: string, at: number) =>
    env.DB.prepare(
      "INSERT INTO message (id, channel, user_id, recipient, subject, body, status, created_date) VALUES (?, 'email', ?, 'a@b.kr', '제목', '글', ?, ?)",
    )
      .bind(crypto.randomUUID(), user.id, status, at)
      .run();
  const states = async (vars = {}) => {
    const lines = await readLines(accessToken, { ...WHOLE, ...vars });
    return [lines.RESEND_API_KEY.state, lines.SMS_API_KEY.state, lines.RESEND_WEBHOOK_SECRET.state];
  };
  await env.DB.prepare("DELETE FROM message").run();
  expect(await states()).toEqual(["unknown", "unknown", "unknown"]);
  await send("sent", 1000);
  await env.DB.prepare("INSERT INTO mail_report (id, created_date) VALUES ('1', 1000)").run();
  expect(await states()).toEqual(["ok", "unknown", "ok"]);
  await send("failed", 2000);
  await send("queued", 3000);
  expect(await states({ SMS_FROM: undefined })).toEqual(["failed", "failed", "ok"]);
});

test("passwords under a missing or an old pepper are counted", async () => {
  const { accessToken } = await createAdministratorSession();
  const person = await createUser();
  const keep = (pepper: string) =>
    env.DB.prepare("UPDATE user SET password_hash = ? WHERE id = ?")
      .bind(hashPassword("Secret!234", pepper), person.id)
      .run();
  const { PASSWORD_PEPPER, PASSWORD_PEPPER_OLD } = await readLines(accessToken, WHOLE);
  expect([PASSWORD_PEPPER.state, PASSWORD_PEPPER_OLD.note]).toEqual(["ok", expect.stringContaining("0명")]);
  await keep(secret("older"));
  expect((await readLines(accessToken, WHOLE)).PASSWORD_PEPPER_OLD.note).toContain("1명");
  await keep(secret("lost"));
  expect((await readLines(accessToken, WHOLE)).PASSWORD_PEPPER).toMatchObject({
    state: "failed",
    note: expect.stringContaining("1명"),
  });
});

test("an unavailable store or a reused secret is reported", async () => {
  const { accessToken } = await createAdministratorSession();
  const well = await readLines(accessToken, WHOLE);
  expect([well.FILES.state, well.KV.state, well.SCRATCH.state, well.BACKUP_KEY.state]).toEqual([
    "ok",
    "ok",
    "ok",
    "unknown",
  ]);
  const broken = { head: () => Promise.reject(new Error("no bucket")) };
  const lines = await readLines(accessToken, { ...WHOLE, BACKUPS: broken, BACKUP_KEY: WHOLE.SIGNING_SECRET });
  expect(lines.BACKUPS.state).toBe("failed");
  expect([lines.BACKUP_KEY.state, lines.SIGNING_SECRET.state, lines.HEALTH_TOKEN.state]).toEqual([
    "failed",
    "failed",
    "ok",
  ]);
  expect((await readLines(accessToken, { BACKUP_KEY: undefined })).BACKUP_KEY.state).toBe("failed");
  await backUpNow(backupContext());
  expect((await readLines(accessToken)).BACKUP_KEY).toMatchObject({ state: "ok", date: expect.any(String) });
});
