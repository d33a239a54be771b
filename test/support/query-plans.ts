import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { openRequestScope } from "./open-scope.ts";
import { type RequestScope } from "#worker/domain/kernel/context.ts";

/** Tables of a few rows, which may be scanned; every other table grows. */
const SMALL_TABLES = [
  "site_setting",
  "role",
  "board",
  "profile_field",
  "agreement",
  "center",
  "content",
  ...CONSOLE_ROWS.map(({ code }) => code.replaceAll("-", "_")),
  "mail_template",
  "notice_pending",
  "step",
  // The candidates under one key of possible duplicates; their number is limited.
  "one",
  "other",
  "brought",
];

/** Plans of the statements that read; the record of whom a read showed is left out. */
export function explainRead(token: string | null, read: (scope: RequestScope) => Promise<unknown>): Promise<string[]> {
  const credential = token ? { token } : null;
  const request = new Request("http://localhost/");
  return explainStatements(
    (DB) => read(openRequestScope({ request, env: { ...env, DB }, credential, requestId: "test", defer: () => {} })),
    /^\s*(?:select|with)\b/i,
  );
}

export async function explainStatements(run: (DB: D1Database) => Promise<unknown>, only = /^/): Promise<string[]> {
  const asked: { query: string; values: unknown[] }[] = [];
  const DB = new Proxy(env.DB, {
    get(target, key) {
      if (key !== "prepare") return (target[key as keyof D1Database] as (...args: unknown[]) => unknown).bind(target);
      return (query: string) => {
        const entry = { query, values: [] as unknown[] };
        asked.push(entry);
        return new Proxy(target.prepare(query), {
          get(statement, name) {
            if (name !== "bind") return Reflect.get(statement, name) as unknown;
            return (...values: unknown[]) => {
              entry.values = values;
              return statement.bind(...values);
            };
          },
        });
      };
    },
  });
  await run(DB);
  // Statements that are prepared for later are skipped: they have no values yet.
  const askedNow = asked.filter(({ query, values }) => only.test(query) && (values.length > 0 || !query.includes("?")));
  const plans = await Promise.all(
    askedNow.map(({ query, values }) =>
      env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...values)
        .all<{ detail: string }>(),
    ),
  );
  return plans.flatMap((plan) => plan.results.map((row) => row.detail));
}

export function findFullScans(plans: string[]): string[] {
  const scans = plans.filter(
    (detail) => detail.startsWith("SCAN ") && !/USING (COVERING )?INDEX|VIRTUAL TABLE|CONSTANT ROW/.test(detail),
  );
  return scans
    .map((detail) => detail.split(" ")[1] ?? "")
    .filter((table) => !SMALL_TABLES.includes(table) && !table.startsWith("("));
}

export function expectIndexed(plans: string[]): void {
  expect(plans.length).toBeGreaterThan(5);
  expect(findFullScans(plans)).toEqual([]);
}
