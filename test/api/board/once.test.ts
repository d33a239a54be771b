import { beforeEach, expect, test, vi } from "vitest";
import { fetchOnce } from "#app/lib/create-once.ts";
import { callJson } from "../../api-client.ts";
import { createTestItem } from "../../factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../people.ts";
import { countRows } from "../../test-database.ts";

const sendWith = (session: TestSession, path: string, body: object, key?: string) =>
  callJson("PUT", path, {
    token: session.accessToken,
    body,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });

interface Creating {
  table: string;
  make(session: TestSession): Promise<{ path: string; body: Record<string, unknown>; other: Record<string, unknown> }>;
}

const CALLS: Record<string, Creating> = {
  comment: {
    table: "board_item_comment",
    async make(session) {
      const itemNo = await createTestItem(session, "free");
      return { path: `/api/board-item-comment/free/${itemNo}`, body: { content: "댓글" }, other: { content: "또" } };
    },
  },
  "address-book entry": {
    table: "alumni",
    make: async () => ({ path: "/api/alumni", body: { name: "김하늘" }, other: { name: "이바다" } }),
  },
};

test.each(Object.entries(CALLS))(
  "sending a %s twice makes one, and each answer equals the first",
  async (_name, call) => {
    const admin = await createAdministratorSession();
    const { path, body, other } = await call.make(admin);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendWith(admin, path, body, "form-0001")));
    answers.push(await sendWith(admin, path, body, "form-0001"));
    expect(new Set(answers.map(({ code, data }) => JSON.stringify([code, data]))).size).toBe(1);
    expect(answers[0]?.code).toBe("SUCCESS");
    expect(await countRows(call.table)).toBe(1);
    await sendWith(admin, path, other, "form-0002");
    await sendWith(admin, path, body);
    await sendWith(await createAdministratorSession(), path, body, "form-0001");
    expect(await countRows(call.table)).toBe(4);
    expect((await sendWith(admin, path, body, "x")).status).toBe(400);
  },
);

test("a comment under one key on two items is two", async () => {
  const person = await createMemberSession();
  for (let at = 0; at < 2; at += 1) {
    const itemNo = await createTestItem(person, "free");
    const answer = await sendWith(person, `/api/board-item-comment/free/${itemNo}`, { content: "글" }, "form-0001");
    expect(answer.status, `${at}`).toBe(200);
  }
  expect(await countRows("board_item_comment")).toBe(2);
});

/** A line on which answers get lost. */
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
test.each(["/api/alumni", "/api/board-item/free", "/api/board-item-comment/free/3"])(
  "the browser sends %s under a key, and again under the same one when the answer was lost",
  async (path) => {
    const keys = losing(2);
    await fetchOnce(path, { method: "PUT", body: `{"a":"${path}"}` }, now);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{8,100}$/);
    await fetchOnce(path, { method: "PUT", body: `{"a":"${path}"}` }, now);
    expect(keys[3]).not.toBe(keys[0]);
  },
);

test("the browser sends a sign-up again when the answer was lost: its body says what it makes", async () => {
  const keys = losing(2);
  await fetchOnce("/api/user/signup", { method: "POST", body: "{}" }, now);
  expect(keys).toEqual([null, null, null]);
});

test("what the person sends again after all answers were lost has the same key still", async () => {
  const keys = losing(3);
  const send = () => fetchOnce("/api/alumni", { method: "PUT", body: '{"name":"김"}' }, now);
  await expect(send()).rejects.toThrow("Failed to fetch");
  await send();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test("a form's own key stays; other calls are sent once and without one", async () => {
  const own = losing(1);
  await fetchOnce(
    "/api/board-item/free",
    { method: "PUT", body: "{}", headers: { "Idempotency-Key": "form-key-1" } },
    now,
  );
  expect(own).toEqual(["form-key-1", "form-key-1"]);
  const keys = losing(1);
  await expect(fetchOnce("/api/admin/popup", { method: "PUT", body: "{}" }, now)).rejects.toThrow("Failed to fetch");
  await fetchOnce("/api/board-item/free/3", { method: "PATCH", body: "{}" }, now);
  expect(keys).toEqual([null, null]);
});
