import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { streamOf, zipPieces } from "#worker/adapters/zip.server.ts";
import { api } from "#worker/api/app.ts";
import { callAs } from "../support/api-client.ts";
import { createTestItem } from "../support/factories.ts";
import { createAdministratorSession, createUser } from "../support/people.ts";
import { readValue, runSql } from "../support/test-database.ts";

const MOVING = "0e0a4b86-0000-4000-8000-000000000001";
const REASON = { reason: "연례 보고" };
const SHEETS: [path: string, body: object | null, table: string][] = [
  ["/api/alumni/export-data", { ...REASON, count: 1, format: "csv" }, "alumni"],
  ["/api/alumni/export-data", { ...REASON, count: 1, format: "xlsx" }, "alumni"],
  ["/api/board-item/download-data/notice?format=csv", null, "board_item"],
  ["/api/board-item/download-data/notice?format=xlsx", null, "board_item"],
  ["/api/admin/member/export", { ...REASON, format: "csv" }, "user"],
  ["/api/admin/member/export", { ...REASON, format: "xlsx" }, "user"],
  ["/api/admin/audit/export", { ...REASON, format: "xlsx", filter: {} }, "audit_log"],
  ["/api/admin/privacy/request/export", { ...REASON, format: "csv", filter: {} }, "privacy_request"],
  ["/api/admin/privacy/destruction/export", { ...REASON, format: "csv", filter: {} }, "destruction"],
  [`/api/admin/moving/${MOVING}/issues`, {}, "moving_issue"],
];

test("an export stops when its client disconnects", async () => {
  const { accessToken: token, ...admin } = await createAdministratorSession();
  await createUser();
  await runSql("INSERT INTO alumni (id, name, created_date, modified_date) VALUES ('a1', '김동문', 1, 1)");
  await createTestItem({ accessToken: token, ...admin }, "notice");
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
      await runSql("DELETE FROM rate_limit");
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
        method: body ? "POST" : "GET",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: body && JSON.stringify(body),
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
  expect(await readValue("SELECT count(*) FROM file WHERE status = 'ready'")).toBe(2);
  expect(await readValue("SELECT count(*) FROM audit_log WHERE action = 'alumni.export'")).toBe(2);
});

test.for([false, true])("a zip closes its source when its reader leaves (deflate %s)", async (deflate) => {
  const read = { count: 0, isClosed: false };
  async function* endless() {
    try {
      for (;;) {
        read.count += 1;
        yield crypto.getRandomValues(new Uint8Array(50_000));
      }
    } finally {
      read.isClosed = true;
    }
  }
  const entry = { name: "a", lastModified: new Date(0), contents: endless(), deflate };
  const reader = streamOf(zipPieces([entry])).getReader();
  while (read.count < 20) await reader.read();
  await reader.cancel();
  await expect.poll(() => read.isClosed).toBe(true);
});
