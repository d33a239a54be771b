import { beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import { type api, fetchOnce, ONCE } from "#app/lib/api.ts";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { NOT_DUMPED } from "#worker/domain/operation/backup-snapshot.server.ts";
import { cleanUpExpired } from "#worker/domain/operation/job-schedule.server.ts";
import { type ApiAnswer, callJson } from "../support/api-client.ts";
import { CALLS } from "../calls/calls.ts";
import { CREATING_CALLS, SAFE_TO_REPEAT } from "../calls/creating-calls.ts";
import { createAdministratorSession, type TestSession } from "../support/people.ts";
import { countAllRows, countRows, runSql, testDatabase } from "../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../support/sample.ts";

const sendWith = (session: TestSession, name: string, path: string, body: object, key?: string) =>
  callJson(name.split(" ")[0] ?? "", path, {
    token: path.endsWith("/signup") ? undefined : session.accessToken,
    body,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });

test("every creating call creates once per idempotency key", () => {
  const calls = Object.keys(CALLS).filter((name) => /^(?:PUT|POST) /.test(name));
  for (const name of calls) {
    const reasons = Object.keys(SAFE_TO_REPEAT).filter((reason) => SAFE_TO_REPEAT[reason]?.test(name));
    expect.soft([name, name in CREATING_CALLS ? 1 : Math.min(reasons.length, 1)]).toEqual([name, 1]);
  }
  expect(Object.keys(CREATING_CALLS).filter((name) => !calls.includes(name))).toEqual([]);
});

// Personal data in the first answer is not stored for a retry.
const told = ({ code, data }: ApiAnswer) => {
  const { preview: _rows, ...rest } = (data ?? {}) as Record<string, unknown>;
  return JSON.stringify([code, rest]);
};

test.each(sample(Object.entries(CREATING_CALLS), ([name]) => name))(
  `%s sent twice with one key acts once (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (name, make) => {
    const admin = await createAdministratorSession();
    const { path, body, other } = await make(admin);
    const before = await countAllRows();
    const first = await sendWith(admin, name, path, body, "form-0001");
    expect([first.code, first.fields]).toEqual(["SUCCESS", {}]);
    const after = await countAllRows();
    const again = await sendWith(admin, name, path, body, "form-0001");
    expect(told(again)).toBe(told(first));
    const different = await sendWith(admin, name, path, other, "form-0001");
    // A guest is not told of the earlier request: the ID is taken and the address used.
    expect(different.status).toBe(409);
    if (!path.endsWith("/signup")) expect(different.message).toContain("같은 요청 번호");
    expect(await countAllRows()).toEqual(after);
    expect(after).not.toEqual(before);
    expect((await sendWith(admin, name, path, body, "x")).status).toBe(400);
  },
);

test.each(sample(Object.entries(CREATING_CALLS), ([name]) => name))(
  `%s sent four times at once acts once (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (name, make) => {
    const admin = await createAdministratorSession();
    const { path, body } = await make(admin);
    const table = TABLES[name];
    const before = table ? await countRows(table) : 0;
    const send = () => sendWith(admin, name, path, body, "form-0001");
    const answers = await Promise.all([send(), send(), send(), send()]);
    expect(new Set(answers.map(({ code, message }) => `${code} ${message}`))).toEqual(new Set(["SUCCESS "]));
    expect(new Set(answers.map(told)).size).toBe(1);
    expect(await countRows("kept_answer")).toBe(1);
    if (table) expect(await countRows(table)).toBe(before + 1);
  },
);

const TABLES: Record<string, string> = {
  "PUT /api/board-item/:boardCode": "board_item",
  "PUT /api/board-item-comment/:boardCode/:itemNo": "board_item_comment",
  "PUT /api/board-item-report/:boardCode/:itemNo": "item_report",
  "PUT /api/alumni": "alumni",
  "POST /api/alumni/import-data": "alumni",
  "POST /api/alumni/import/open": "alumni_staging",
  "PUT /api/alumni/view": "alumni_view",
  "POST /api/alumni/merge": "alumni_merge",
  "PUT /api/certificate": "alumni_certificate",
  "PUT /api/certificate/issued": "alumni_certificate",
  "PUT /api/cohort/person/:id/correction": "alumni_correction",
  "PUT /api/admin/representative": "role_grant",
  "PUT /api/admin/due/deposit": "deposit",
  "PUT /api/admin/due/paid-by": "due_work",
  "POST /api/user/privacy-request": "privacy_request",
  "PUT /api/admin/privacy/request": "privacy_request",
  "POST /api/inquiry": "inquiry",
  "PUT /api/admin/member/:id/role-grant": "role_grant",
  ...Object.fromEntries(CONSOLE_ROWS.map(({ code }) => [`PUT /api/admin/${code}`, code.replaceAll("-", "_")])),
  "PUT /api/admin/moving": "moving",
  "POST /api/user/signup": "user_key WHERE user_key_type = 'Email' AND user_key_code GLOB 'new@*'",
};

test("an idempotency key belongs to one person", async () => {
  const people = [await createAdministratorSession(), await createAdministratorSession()];
  const ids = [];
  for (const person of people)
    ids.push((await sendWith(person, "PUT /", "/api/alumni", { name: "김" }, "form-0001")).data.id);
  expect(new Set(ids).size).toBe(2);
});

test("a stored answer is deleted after a week", async () => {
  const admin = await createAdministratorSession();
  await sendWith(admin, "PUT /", "/api/alumni", { name: "김하늘" }, "form-0001");
  await cleanUpExpired({ db: testDatabase(), now: () => new Date(Date.now() + 6 * DAY_MS) });
  expect(await countRows("kept_answer")).toBe(1);
  await runSql("DELETE FROM age_clock");
  await cleanUpExpired({ db: testDatabase(), now: () => new Date(Date.now() + 8 * DAY_MS) });
  expect(await countRows("kept_answer")).toBe(0);
  expect(NOT_DUMPED.has("kept_answer")).toBe(true);
});

function losing(lost: number) {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return keys.length <= lost ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(new Response("{}"));
  });
  return keys;
}
const now = () => Promise.resolve();

beforeEach(() => {
  vi.stubGlobal("location", { origin: "http://localhost" });
});
const creating = (body: string) => ({ method: "PUT", body, headers: ONCE });

test("a creating call is repeated with its key after a lost answer", async () => {
  const keys = losing(2);
  await fetchOnce("/api/alumni", creating("{}"), now);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{8,100}$/);
  await fetchOnce("/api/alumni", creating("{}"), now);
  expect(keys[3]).not.toBe(keys[0]);
});

test("the client does not compile without the key of a creating call", () => {
  expectTypeOf<Parameters<typeof api.alumni.$put>[0]>().toHaveProperty("header");
  expectTypeOf<Parameters<typeof api.admin.board.$put>[0]>().toHaveProperty("header");
  expectTypeOf<Parameters<(typeof api.alumni)[":id"]["$patch"]>[0]>().not.toHaveProperty("header");
});

test("a retry after an intermediary's answer uses the same key", async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return Promise.resolve(new Response("{}", { status: keys.length === 1 ? 502 : 409 }));
  });
  for (let n = 0; n < 3; n += 1) await fetchOnce("/api/alumni", creating('{"name":"이"}'), now);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test("a manual retry after lost answers keeps its idempotency key", async () => {
  const keys = losing(3);
  const send = () => fetchOnce("/api/alumni", creating('{"name":"김"}'), now);
  await expect(send()).rejects.toThrow("Failed to fetch");
  await send();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test("the key of a form is kept", async () => {
  const keys = losing(1);
  await fetchOnce("/api/board-item/free", { ...creating("{}"), headers: { "Idempotency-Key": "form-key-1" } }, now);
  expect(keys).toEqual(["form-key-1", "form-key-1"]);
});

test.each(["GET", "PATCH", "POST", "DELETE"])("a %s without a key is sent once", async (method) => {
  const keys = losing(1);
  await expect(fetchOnce("/api/alumni", { method }, now)).rejects.toThrow("Failed to fetch");
  expect(keys).toEqual([null]);
});
