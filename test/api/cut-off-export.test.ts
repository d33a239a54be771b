import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { callAs } from "../support/api-client.ts";
import { createAdministratorSession, createUser } from "../support/people.ts";
import { readValue, runSql } from "../support/test-database.ts";

const MOVING = "0e0a4b86-0000-4000-8000-000000000001";
const REASON = { reason: "연례 보고" };
const SHEETS: [path: string, body: object, table: string][] = [
  ["/api/admin/member/export", { ...REASON, format: "csv" }, "user"],
  ["/api/admin/member/export", { ...REASON, format: "xlsx" }, "user"],
  ["/api/admin/audit/export", { ...REASON, format: "xlsx", filter: {} }, "audit_log"],
  ["/api/admin/privacy/request/export", { ...REASON, format: "csv", filter: {} }, "privacy_request"],
  ["/api/admin/privacy/destruction/export", { ...REASON, format: "csv", filter: {} }, "destruction"],
  [`/api/admin/moving/${MOVING}/issues`, {}, "moving_issue"],
];

test("an export stops when its client disconnects, and its rows are not written out", async () => {
  const { accessToken: token, ...admin } = await createAdministratorSession();
  await createUser();
  await callAs({ accessToken: token, ...admin }, "PUT", "/api/admin/privacy/request", {
    kind: "access",
    requesterName: "김동문",
    content: "알려 주십시오.",
  });
  await runSql(
    "INSERT INTO destruction (created_date, kind, count, rule, basis, subject_ref) VALUES (1, '회원', 1, 'inactive', '', '1')",
  );
  await runSql(
    `INSERT INTO moving (id, site, status, created_user_id, created_user_name, created_date, entries, state) VALUES ('${MOVING}', '옛', 'done', 'x', 'x', 1, '[]', '{}')`,
  );
  await runSql(
    `INSERT INTO moving_issue (moving_id, code, subject, detail) VALUES ('${MOVING}', 'line-empty', 'a', 'b')`,
  );
  for (const [path, body, table] of SHEETS) {
    for (const isGone of [false, true]) {
      const ended = new AbortController();
      const prepare = env.DB.prepare.bind(env.DB);
      const DB = new Proxy(env.DB, {
        get(target, key) {
          if (key !== "prepare") return (target[key as keyof D1Database] as () => unknown).bind(target);
          return (sql: string) => {
            // Export rows are read by the statement with a row limit.
            if (isGone && new RegExp(`from "${table}".*limit`, "is").test(sql)) ended.abort();
            return prepare(sql);
          };
        },
      });
      const request = new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: ended.signal,
      });
      const ctx = createExecutionContext();
      const response = await api.fetch(request, { ...env, DB }, ctx);
      const text = await response.text();
      await waitOnExecutionContext(ctx);
      const name = `${path} ${JSON.stringify(body)}`;
      expect
        .soft([response.status, ended.signal.aborted], `${name} ${text.slice(0, 80)}`)
        .toEqual(isGone ? [409, true] : [200, false]);
    }
  }
  expect(await readValue("SELECT count(*) FROM file")).toBe(0);
});
