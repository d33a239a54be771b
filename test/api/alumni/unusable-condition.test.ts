import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { readRow, readRows } from "../../support/test-database.ts";
import { contextFor } from "../../support/request-scope.ts";
import { runRounds } from "#worker/domain/mailing/round.server.ts";
import { startTestRound } from "../mailing/rounds.ts";
import { add, make } from "./own-fields.ts";

const reason = "확인";

const ACTS: [name: string, path: string, body: (segment: object) => object][] = [
  ["bulk change", "/api/alumni/bulk", (segment) => ({ segment, set: { position: "과장" } })],
  ["print", "/api/alumni/print-data", (segment) => ({ segment, kind: "label", reason })],
  ["print count", "/api/alumni/print-count", (segment) => ({ segment })],
  ["figures", "/api/alumni/figures", (segment) => ({ segment, reason })],
  ["selection", "/api/alumni/selected", (segment) => segment],
  ["mailing", "/api/admin/mailing", (target) => ({ source: "alumni", target })],
  ["round", "/api/admin/round", (target) => ({ target })],
];

async function withClosedField(): Promise<{ admin: TestSession; code: string }> {
  const admin = await createAdministratorSession();
  const code = await make(admin, { name: "구분", kind: "choice", choices: ["정회원", "준회원"] });
  await add(admin, "김하나", { [code]: "정회원" }, { email: "a@pid.example.kr" });
  await add(admin, "이두리", { [code]: "준회원" }, { email: "b@pid.example.kr" });
  return { admin, code };
}

const closeField = (code: string) =>
  env.DB.prepare("UPDATE alumni_field SET is_closed = 1 WHERE code = ?").bind(code).run();

test("an act refuses a condition on a closed field by its name", async () => {
  const { admin, code } = await withClosedField();
  await closeField(code);
  for (const [name, path, body] of ACTS) {
    const method = path.startsWith("/api/admin/") ? "PUT" : "POST";
    const answer = await callAs(admin, method, path, body({ filter: { [`f_${code}`]: "in:정회원" } }));
    expect([name, answer.code, answer.message]).toEqual([name, "INVALID_INPUT", expect.stringContaining("조건")]);
  }
  const file = { filter: { [`f_${code}`]: "in:정회원" }, format: "csv", reason };
  expect((await callAs(admin, "POST", "/api/alumni/export-data", file)).code).toBe("INVALID_INPUT");
});

test("a list finds nobody by a condition on a closed field", async () => {
  const { admin, code } = await withClosedField();
  await closeField(code);
  const { data } = await callAs(admin, "GET", `/api/alumni?f_${code}=in:${encodeURIComponent("정회원")}`);
  expect([data.totalElements, data.content]).toEqual([0, []]);
});

test("a filter with an unknown condition is refused", async () => {
  const { admin } = await withClosedField();
  const segment = { filter: { f_nothing: "in:1" } };
  const answer = await callAs(admin, "POST", "/api/alumni/figures", { segment, reason });
  expect(answer.code).toBe("INVALID_INPUT");
});

async function repeatingRound() {
  const { admin, code } = await withClosedField();
  await startTestRound(admin, { target: { filter: { [`f_${code}`]: "in:정회원" } }, repeats: true });
  await env.DB.prepare("UPDATE confirmation_round SET status = 'closed', repeat_date = 1").run();
  return { admin, code };
}

const rounds = () => readRows<{ repeat_date: number | null }>("SELECT repeat_date FROM confirmation_round");
const mailings = () => readRow<{ count: number }>("SELECT count(*) AS count FROM mailing");

test("a yearly round stops for a condition on a closed field", async () => {
  const { admin, code } = await repeatingRound();
  await closeField(code);
  await runRounds(await contextFor(admin));
  expect([await rounds(), (await mailings())?.count]).toEqual([[{ repeat_date: null }], 1]);
});

test("a yearly round stops when its officer lost the right", async () => {
  const { admin } = await repeatingRound();
  const ctx = await contextFor(admin);
  await env.DB.batch([
    env.DB.prepare("UPDATE user SET user_type = 'Member'"),
    env.DB.prepare("UPDATE role SET permissions = '[]'"),
  ]);
  await runRounds(ctx);
  expect([await rounds(), (await mailings())?.count]).toEqual([[{ repeat_date: null }], 1]);
});

test("the registration condition finds people by day", async () => {
  const admin = await createAdministratorSession();
  await add(admin, "김하나");
  await add(admin, "이두리");
  await env.DB.prepare("UPDATE alumni SET created_date = ? WHERE name = '이두리'")
    .bind(Date.parse("2020-03-31T23:00:00+09:00"))
    .run();
  const found = async (text: string) =>
    (await callAs(admin, "GET", `/api/alumni?registered=${text}`)).data.content.map(
      (row: { name: string }) => row.name,
    );
  expect(await found("days:30")).toEqual(["김하나"]);
  expect(await found("between:2020-03-01,2020-03-31")).toEqual(["이두리"]);
  expect(await found("between:,2020-03-30")).toEqual([]);
});
