import { expect, test, vi } from "vitest";
import { CERTIFICATE_NUMBER_PATTERN, cleanCertificateNumber } from "#worker/contract/alumni/certificate.ts";
import { monthsLater } from "#worker/contract/kernel/day-ends.ts";
import { checkSignedCertificate } from "#worker/domain/alumni/certificate.server.ts";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { countRows, readRows, runSql } from "../../support/test-database.ts";
import { env } from "cloudflare:workers";

const issue = async (session: TestSession) => {
  const { code } = await callAs(session, "PUT", "/api/certificate", { purpose: "회사 제출" });
  expect(code).toBe("SUCCESS");
  const { data } = await callAs(session, "GET", "/api/certificate");
  return data[0] as { id: string; number: string; name: string; state: string; path: string };
};
const check = (number: string, name: string, address = "203.0.113.7") =>
  callJson("POST", "/api/certificate/check", { body: { number, name }, address });
const byQr = async (path: string) => {
  const request = new Request("http://localhost/");
  const scope = openRequestScope({ request, env, credential: null, requestId: "test", defer: () => {} });
  return checkSignedCertificate(await scope.context(), path.replace("/Certificate/", "")).catch(
    ({ code }: { code: string }) => code,
  );
};

test("the check of a certificate shows what its reader compares", async () => {
  const member = await createMemberSession();
  const { number, path, name } = await issue(member);
  expect([number, name]).toEqual([expect.stringMatching(CERTIFICATE_NUMBER_PATTERN), "홍길동"]);
  const shown = {
    name: "홍길동",
    state: "valid",
    kindName: "회원 증명서",
    documentNumber: expect.stringMatching(/^제 \d{4}-0001 호$/),
    purpose: "회사 제출",
    createdDate: expect.any(String),
    expiresDate: expect.any(String),
  };
  for (const typed of [number, number.toLowerCase(), number.replaceAll("-", " "), number.replaceAll("0", "O")]) {
    const answer = await check(typed, " 홍 길동 ");
    expect([typed, answer.code, answer.data]).toEqual([typed, "SUCCESS", shown]);
  }
  expect(await byQr(path)).toEqual(shown);
  expect(cleanCertificateNumber("2026ㅡabcde")).toBe("2026ABCDE");
});

test("an invented number gets the same answer as a wrong name", async () => {
  const member = await createMemberSession();
  const { number, path } = await issue(member);
  const wrong = [
    await check(number, "김철수"),
    await check(`${number.slice(0, -1)}${number.endsWith("A") ? "B" : "A"}`, "홍길동"),
    await check("2026-00000-00000", "홍길동"),
  ];
  expect(new Set(wrong.map(({ status, code, message }) => `${status} ${code} ${message}`)).size).toBe(1);
  expect(wrong[0]?.code).toBe("NOT_FOUND");
  const token = path.replace("/Certificate/", "");
  const id = token.split(".")[0] ?? "";
  for (const forged of [
    "",
    id,
    `${id}.x`,
    `${crypto.randomUUID()}.${token.split(".")[1]}`,
    token.slice(0, -2),
    `${token}x`,
  ])
    expect([forged, await byQr(`/Certificate/${forged}`)]).toEqual([forged, null]);
  for (const body of [{ number: "1", name: "홍길동" }, { number, name: " " }, { number }, {}])
    expect((await callJson("POST", "/api/certificate/check", { body })).code).toBe("INVALID_INPUT");
});

test("certificate checks are limited by address", { tags: "full" }, async () => {
  const member = await createMemberSession();
  const { number } = await issue(member);
  const codes: string[] = [];
  for (let at = 0; at <= RATE_LIMITS.certificateAddress.max; at += 1)
    codes.push((await check("2026-00000-00000", "홍길동")).code);
  expect([codes.indexOf("TOO_MANY_REQUESTS"), codes.at(-1)]).toEqual([
    RATE_LIMITS.certificateAddress.max,
    "TOO_MANY_REQUESTS",
  ]);
  expect((await check(number, "홍길동")).code).toBe("TOO_MANY_REQUESTS");
  expect((await check(number, "홍길동", "203.0.113.8")).code).toBe("SUCCESS");
  for (let at = 1; at < RATE_LIMITS.certificateDay.max; at += 1) await issue(member);
  expect((await callAs(member, "PUT", "/api/certificate", { purpose: "회사 제출" })).code).toBe("TOO_MANY_REQUESTS");
  expect(await countRows("alumni_certificate")).toBe(RATE_LIMITS.certificateDay.max);
});

test("a certificate that is no longer valid is shown as invalid", async () => {
  const member = await createMemberSession();
  const first = await issue(member);
  const withdraw = () => callAs(member, "POST", `/api/certificate/${first.id}/withdraw`, { reason: "잘못 발급" });
  const second = await issue(member);
  expect([(await withdraw()).code, (await withdraw()).code]).toEqual(["SUCCESS", "CONFLICT"]);
  expect((await check(first.number, "홍길동")).data).toMatchObject({ name: "홍길동", state: "withdrawn" });
  expect(await byQr(first.path)).toMatchObject({ name: "홍길동", state: "withdrawn" });
  expect((await check(second.number, "홍길동")).data.state).toBe("valid");
  const now = new Date();
  advanceClock(monthsLater(now, 3).getTime() + 1 - now.getTime());
  expect((await check(second.number, "홍길동")).data).toMatchObject({ name: "홍길동", state: "expired" });
  vi.useRealTimers();
  await runSql("UPDATE user SET status = 'blocked' WHERE id = ?", member.user.id);
  expect(await byQr(second.path)).toMatchObject({ name: "", state: "withdrawn", purpose: "" });
  expect((await check(second.number, "홍길동")).code).toBe("NOT_FOUND");
});

test("a certificate is valid until the end of its last day", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-28T03:30:00Z") });
  const member = await createMemberSession();
  const { number } = await issue(member);
  const [own] = (await callAs(member, "GET", "/api/certificate")).data;
  expect(own.expiresDate).toBe("2027-02-28T14:59:59.999Z");
  vi.setSystemTime(Date.parse("2027-02-28T14:59:59.999Z"));
  expect((await check(number, "홍길동")).data.state).toBe("valid");
  vi.setSystemTime(Date.parse("2027-02-28T15:00:00.000Z"));
  expect((await check(number, "홍길동")).data.state).toBe("expired");
});

test("the office can issue certificates for alumni", async () => {
  const admin = await createAdministratorSession();
  const { id: alumniId } = (await callAs(admin, "PUT", "/api/alumni", { name: "김동문" })).data;
  const issueFor = (id: string) =>
    callAs(admin, "PUT", "/api/certificate/issued", { alumniId: id, reason: "본인의 전화" });
  expect((await issueFor(alumniId)).code).toBe("SUCCESS");
  expect((await issueFor(crypto.randomUUID())).code).toBe("NOT_FOUND");
  const [row] = (await callAs(admin, "GET", "/api/certificate/issued")).data.content;
  expect([row.name, row.state]).toEqual(["김동문", "valid"]);
  expect((await check(row.number, "김동문")).data).toMatchObject({ name: "김동문", state: "valid" });
  const ended = await callAs(admin, "POST", `/api/certificate/${row.id}/withdraw`, { reason: "회비 미납" });
  expect([ended.code, (await check(row.number, "김동문")).data.state]).toEqual(["SUCCESS", "withdrawn"]);
  const log = await readRows<{ action: string; reason: string }>(
    "SELECT action, reason FROM audit_log WHERE action LIKE 'certificate.%' ORDER BY id",
  );
  expect(log).toEqual([
    { action: "certificate.issue", reason: "본인의 전화" },
    { action: "certificate.list", reason: "" },
    { action: "certificate.withdraw", reason: "회비 미납" },
  ]);
  await callAs(admin, "POST", "/api/alumni/delete-data", { ids: [alumniId] });
  expect(await byQr(row.path)).toMatchObject({ name: "", state: "withdrawn" });
  expect((await issueFor(alumniId)).code).toBe("NOT_FOUND");
});

test("a member cannot reach a certificate of another person", async () => {
  const owner = await createMemberSession();
  const other = await createMemberSession();
  const { id } = await issue(owner);
  expect((await callAs(other, "GET", "/api/certificate")).data).toEqual([]);
  const withdraw = (session: TestSession | null) =>
    callAs(session, "POST", `/api/certificate/${id}/withdraw`, { reason: "x" }).then(({ code }) => code);
  const console = await createSessionWith(["ADMIN_Access"]);
  const book = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  expect([await withdraw(null), await withdraw(other), await withdraw(console), await withdraw(book)]).toEqual([
    "UNAUTHORIZED",
    "NOT_FOUND",
    "NOT_FOUND",
    "NOT_FOUND",
  ]);
  for (const session of [other, console, book]) {
    const asked = { alumniId: crypto.randomUUID(), reason: "x" };
    expect((await callAs(session, "PUT", "/api/certificate/issued", asked)).code).toBe("FORBIDDEN");
    expect((await callAs(session, "GET", "/api/certificate/issued")).code).toBe("FORBIDDEN");
  }
  expect((await callAs(null, "GET", "/api/certificate")).code).toBe("UNAUTHORIZED");
  expect((await callAs(null, "PUT", "/api/certificate", {})).code).toBe("UNAUTHORIZED");
});

test("a member's certificate with a purpose is refused without one", async () => {
  const member = await createMemberSession();
  for (const body of [{}, { purpose: "" }, { purpose: "  " }]) {
    const answer = await callAs(member, "PUT", "/api/certificate", body);
    expect([JSON.stringify(body), answer.code, Object.keys(answer.fields ?? {})]).toEqual([
      JSON.stringify(body),
      "INVALID_INPUT",
      ["purpose"],
    ]);
  }
  expect(await countRows("alumni_certificate")).toBe(0);
});

test("the society issues a certificate, not its office", async () => {
  await runSql(
    `INSERT INTO site_setting (key, value, modified_date) VALUES ('site', ?, 1)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    JSON.stringify({ siteName: "가온학회", chair: "회장 김하늘", contact: { organization: "가온학회 운영사무국" } }),
  );
  const member = await createMemberSession();
  await issue(member);
  expect(await readRows("SELECT organization, chair, body FROM alumni_certificate")).toEqual([
    { organization: "가온학회", chair: "회장 김하늘", body: "위 사람은 가온학회의 회원임을 증명합니다." },
  ]);
});
