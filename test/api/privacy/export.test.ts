import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { readRow } from "../../support/test-database.ts";

const REQUESTS = "/api/admin/privacy/request/export";
const REGISTER = "/api/admin/privacy/destruction/export";
const send = (path: string, session: TestSession | null, body: object) =>
  fetchApi("POST", path, { token: session?.accessToken, body });
const text = async (answer: Response) => (await answer.text()).replace("\ufeff", "").trim().split("\r\n");
const logged = async (action: string) => {
  const row = await readRow<{
    id: number;
    reason: string;
    subject_count: number;
    detail: string;
  }>("SELECT * FROM audit_log WHERE action = ?", action);
  return { ...row, detail: JSON.parse(row?.detail ?? "{}") };
};

test("privacy requests are exported with a reason", async () => {
  const [person, admin] = [await createMemberSession(), await createAdministratorSession()];
  const ask = (kind: string, content: string) => callAs(person, "POST", "/api/user/privacy-request", { kind, content });
  await ask("access", "=보여 주십시오");
  await ask("erasure", "지워 주십시오");
  const answer = await send(REQUESTS, admin, { filter: { kind: "access" }, format: "csv", reason: "분기 점검" });
  expect(decodeURIComponent(answer.headers.get("Content-Disposition") ?? "")).toMatch(/개인정보요청_\d{8}\.csv/);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  const [header, row, ...more] = await text(answer);
  expect(header).toMatch(/^종류,상태,요청한 사람,회원 여부,답변을 받을 곳/);
  expect(row).toMatch(new RegExp(`^열람,접수,홍길동,회원,${person.user.email},`));
  expect(row, "the formula is escaped").toContain("'=보여 주십시오");
  expect(more).toEqual([]);
  const entry = await logged("privacy.export");
  expect(entry).toMatchObject({ reason: "분기 점검", subject_count: 1, detail: { filter: { kind: "access" } } });
  const { data } = await callAs(admin, "GET", `/api/admin/audit/${entry.id}`);
  expect(data.people.content).toMatchObject([{ id: person.user.id, email: person.user.email }]);
});

test("the register of destruction is exported without names", async () => {
  const admin = await createAdministratorSession();
  const insert = env.DB.prepare(
    "INSERT INTO destruction (created_date, kind, rule, basis, subject_ref, count) VALUES (?, '주소록 정보', ?, '삭제한 날 뒤 30일', 'ref', 3)",
  );
  const day = Date.parse("2026-11-20T15:30:00Z");
  await env.DB.batch([insert.bind(day, "alumni-bin"), insert.bind(day, "drafts")]);
  const answer = await send(REGISTER, admin, { filter: { rule: "alumni-bin" }, reason: "감사 자료" });
  const [header, ...rows] = await text(answer);
  expect(header).toBe("번호,파기한 때,무엇을,건수,규칙,근거,누구의 것(번호),누가");
  expect(rows).toEqual(["1,2026-11-21 00:30:00,주소록 정보,3,주소록 휴지통의 사람,삭제한 날 뒤 30일,ref,예약 작업"]);
  expect(await logged("retention.export")).toMatchObject({
    reason: "감사 자료",
    detail: { filter: { rule: "alumni-bin" }, format: "csv", rows: 1 },
  });
  const workbook = await send(REGISTER, admin, { format: "xlsx", reason: "감사 자료" });
  expect(new TextDecoder().decode((await workbook.arrayBuffer()).slice(0, 2))).toBe("PK");
});

test("exports of privacy data need the right with a reason", async () => {
  const admin = await createAdministratorSession();
  for (const path of [REQUESTS, REGISTER]) {
    expect((await send(path, null, { reason: "x" })).status, path).toBe(401);
    expect((await send(path, await createMemberSession(), { reason: "x" })).status, path).toBe(403);
    expect((await send(path, admin, { reason: " " })).status, path).toBe(400);
    expect((await send(path, admin, { reason: "x", filter: { from: "어제", status: "x" } })).status, path).toBe(400);
  }
  for (let n = 0; n < 10; n += 1) expect((await send(REGISTER, admin, { reason: "x" })).status, `${n}`).toBe(200);
  expect((await send(REQUESTS, admin, { reason: "x" })).status).toBe(429);
});
