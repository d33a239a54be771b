import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ADVERTISING_AGREEMENT } from "#worker/contract/mail/mail.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createSignupSettings } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, createUser, retireUser } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";
import { MINUTE_MS, dumpDatabase, freshmanForm } from "../../calls/signup-with-consents.ts";

test("법 제15조, 제16조, 제22조: declining optional consents blocks nothing", async () => {
  await createSignupSettings();
  const before = Date.now();
  expect((await callJson("POST", "/api/user/signup", { body: await freshmanForm() })).code).toBe("SUCCESS");
  const { results } = await env.DB.prepare(
    "SELECT code, version, agreed, text_hash, created_date FROM user_consent ORDER BY code",
  ).all<{ created_date: number }>();
  expect(results).toMatchObject([
    { code: "newsletter", version: "1", agreed: 0, text_hash: "y" },
    { code: "terms", version: "1", agreed: 1, text_hash: "x" },
  ]);
  for (const { created_date } of results) expect(created_date).toBeGreaterThanOrEqual(before - 1000);
});

test("법 제22조의2: a child without '만 14세 이상' is not stored", async () => {
  await createSignupSettings();
  await runSql(
    "INSERT INTO agreement (code, version, title, required, content, text_hash, effective_date, is_current) VALUES ('age', '1', '만 14세 이상입니다', 1, '', 'z', 1, 1)",
  );
  const given = await freshmanForm();
  const refused = await callJson("POST", "/api/user/signup", { body: given });
  expect(refused.code).toBe("INVALID_INPUT");
  expect(JSON.stringify(refused.fields)).toContain("만 14세 이상");
  const people = () => readValue("SELECT count(*) AS n FROM user");
  expect(await people()).toBe(0);
  expect(await dumpDatabase()).not.toContain("선우현");
  const agreements = ["terms", "age"].map((code) => ({ code, version: "1" }));
  const body = { ...given, agreements };
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
  expect(await people()).toBe(1);
});

test("법 제21조: a retirement destroys data at once", async () => {
  const person = await createMemberSession();
  await retireUser(person);
  const text = await dumpDatabase();
  for (const value of [person.user.email, person.user.userId, "홍길동"]) expect(text).not.toContain(value);
  const rows = await env.DB.prepare("SELECT kind, rule, count, subject_ref FROM destruction").all();
  expect(rows.results).toMatchObject([{ kind: "회원정보", rule: "retire", count: 1 }]);
  expect(String(rows.results[0]?.subject_ref)).not.toContain(person.user.id);
});

test("법 제35조–제37조: a person can see or correct all own data", async () => {
  await createSignupSettings();
  const person = await createMemberSession();
  const token = person.accessToken;
  const profile = { affiliation: "가온병원" };
  const path = `/api/user/${person.user.id}`;
  expect((await callJson("PATCH", path, { token, body: { profile, version: 1 } })).code).toBe("SUCCESS");
  const { data } = await callJson("GET", `${path}/export`, { token });
  expect(data.user).toMatchObject({ userName: "홍길동", profile });
  const codes = data.user.userKeys.map((key: { userKeyCode: string }) => key.userKeyCode);
  expect(codes.toSorted()).toEqual([person.user.userId, person.user.email].toSorted());
  expect(Object.keys(data)).toEqual(
    expect.arrayContaining(["user", "consents", "sessions", "items", "comments", "files", "privacyRequests"]),
  );
  for (const kind of ["access", "correction", "erasure", "suspension"]) {
    const asked = await callJson("POST", "/api/user/privacy-request", {
      token,
      body: { kind, content: "요청합니다." },
    });
    expect([kind, asked.code]).toEqual([kind, "SUCCESS"]);
  }
});

test("법 제34조: after a leak the log lists people by export", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const person = await createUser({ userName: "남궁민" });
  const names = ["김동문", "이동문"];
  for (const name of names)
    await callJson("PUT", "/api/alumni", { token, body: { name, email: `${name.length}@pid.example.kr` } });
  await callJson("POST", "/api/alumni/export-data", { token, body: { count: 2, reason: "총회 안내" } });
  await fetchApi("POST", "/api/admin/member/export", { token, body: { format: "csv", reason: "연례 보고" } });
  await callJson("PUT", "/api/alumni", { token, body: { name: "늦은이" } });
  const exports = (await callJson("GET", "/api/admin/audit?action=alumni.export", { token })).data.content;
  const inside = (await callJson("GET", `/api/admin/audit/${exports[0].id}`, { token })).data;
  expect(inside.people.content.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
  const of = async (subject: string) =>
    (await callJson("GET", `/api/admin/audit?subject=${encodeURIComponent(subject)}`, { token })).data.content.map(
      ({ action }: { action: string }) => action,
    );
  expect(await of(person.email)).toEqual(["member.export"]);
  expect(await of("김동문")).toEqual(["alumni.export", "alumni.create"]);
  expect(await of("늦은이")).toEqual(["alumni.create"]);
  await expect(runSql("UPDATE audit_subject SET ids = '[]'")).rejects.toThrow(/append-only/);
  await expect(runSql("DELETE FROM audit_subject")).rejects.toThrow(/append-only/);
});

test("망법 제50조⑧: only advertising consents of two years ago are renewed", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const [old, fresh] = [await createUser({ userName: "남궁민" }), await createUser()];
  const agreed = (userId: string, days: number) =>
    env.DB.prepare(
      "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, ?, '1', 1, 'x', ?)",
    ).bind(userId, ADVERTISING_AGREEMENT, Date.now() - days * 24 * 60 * MINUTE_MS);
  await env.DB.batch([agreed(old.id, 732), agreed(fresh.id, 700)]);
  const { data } = await callJson("GET", "/api/admin/consent/due", { token });
  expect(data.people.map(({ userName }: { userName: string }) => userName)).toEqual(["남궁민"]);
});

test("망법 제50조: advertising consent is never implied", async () => {
  await createSignupSettings();
  await callJson("POST", "/api/user/signup", { body: await freshmanForm() });
  const signin = { userKeyType: "Id", userKeyCode: "freshman", password: "Zk7!mQ2x" };
  const { data } = await callJson("POST", "/api/user/signin", { body: signin });
  const path = `/api/user/${data.user.id}/consents`;
  const newsletter = async () =>
    (await callAs(data, "GET", path)).data.find(({ code }: { code: string }) => code === "newsletter");
  expect((await newsletter()).agreed).toBe(false);
  for (const agreed of [true, false]) {
    const body = { agreements: [{ code: "newsletter", version: "1", agreed }] };
    await callAs(data, "PATCH", path, body);
    expect((await newsletter()).agreed, `${agreed}`).toBe(agreed);
  }
});
