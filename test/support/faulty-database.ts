import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { api } from "#worker/api/app.ts";
import { runInvocation } from "./platform-meter.ts";
import { storeIdempotentAnswer } from "./unread-answers.ts";

interface DatabaseFault {
  sql: RegExp;
  /** Fails before or after taking effect, or runs a function and then succeeds. */
  when: "before" | "after" | (() => Promise<unknown>);
  onDone?: (sql: string) => void;
  message?: string;
  times?: number;
}

const queries = new WeakMap<object, string>();

export function faultyDatabase(fault: DatabaseFault): { DB: D1Database; broke: () => number } {
  let left = fault.times ?? Number.POSITIVE_INFINITY;
  let broke = 0;
  const run = async <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    if (!fault.sql.test(sql) || left <= 0) {
      const result = await work();
      fault.onDone?.(sql);
      return result;
    }
    left -= 1;
    broke += 1;
    if (typeof fault.when === "function") {
      await fault.when();
      return work();
    }
    if (fault.when === "after") await work();
    throw new Error(fault.message ?? "D1_ERROR: Network connection lost.");
  };
  const wrapStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        if (key === "bind") return (...values: unknown[]) => wrapStatement(target.bind(...values), sql);
        const member = target[key as keyof D1PreparedStatement] as unknown;
        if (typeof member !== "function") return member;
        return (...values: unknown[]) =>
          run(sql, () => (member as (...v: unknown[]) => Promise<unknown>).apply(target, values));
      },
    });
    queries.set(wrapped, sql);
    originals.set(wrapped, statement);
    return wrapped;
  };
  const originals = new WeakMap<object, D1PreparedStatement>();
  const DB = new Proxy(env.DB, {
    get(target, key) {
      if (key === "prepare") return (sql: string) => wrapStatement(target.prepare(sql), sql);
      if (key === "batch")
        return (statements: D1PreparedStatement[]) =>
          run(statements.map((statement) => queries.get(statement)).join(";\n"), () =>
            target.batch(statements.map((statement) => originals.get(statement) ?? statement)),
          );
      return (target[key as keyof D1Database] as (...args: unknown[]) => unknown).bind(target);
    },
  });
  return { DB, broke: () => broke };
}

/** `trips` lists the finished queries, a batch as one. */
export function tripsDatabase(): { DB: D1Database; trips: () => string[] } {
  const done: string[] = [];
  const { DB } = faultyDatabase({ sql: /^$/, when: "before", onDone: (sql) => done.push(sql) });
  return { DB, trips: () => [...done] };
}

/** Sends a raw body with some bindings replaced. */
export async function callRawWith(
  world: Record<string, unknown>,
  method: string,
  path: string,
  options: { body?: BodyInit; token?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const execution = createExecutionContext();
  const headers = new Headers(options.headers);
  if (options.token) headers.set("Authorization", `Bearer ${options.token}`);
  const init = { method, headers, ...(options.body === undefined ? {} : { body: options.body }) };
  const response = await runInvocation(() =>
    api.fetch(new Request(`http://localhost${path}`, init), { ...env, ...world }, execution),
  );
  await waitOnExecutionContext(execution);
  return storeIdempotentAnswer(response);
}

export async function callApiWith(
  world: Record<string, unknown>,
  method: string,
  path: string,
  options: { body?: unknown; token?: string; cookie?: string } = {},
) {
  const execution = createExecutionContext();
  const headers = new Headers({ "Content-Type": "application/json" });
  if (options.token) headers.set("Authorization", `Bearer ${options.token}`);
  if (options.cookie) headers.set("Cookie", `accessToken=${options.cookie}`);
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  const response = await runInvocation(() =>
    api.fetch(new Request(`http://localhost${path}`, init), { ...env, ...world }, execution),
  );
  await waitOnExecutionContext(execution);
  const text = await response.text();
  const answer = JSON.parse(text) as { code: string; message?: string; data?: Record<string, unknown> };
  return { status: response.status, text, ...answer };
}
