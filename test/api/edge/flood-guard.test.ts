import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { floodResponse, openFloodGuard } from "#worker/edge/flood-guard.ts";
import worker from "#worker/index.ts";
import { advanceClock } from "../../support/factories.ts";
import { expectLog } from "../../support/expected-log.ts";
import { createMemberSession, createUser, TEST_PASSWORD, type TestUser } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue } from "../../support/test-database.ts";

/** Fixed total limit a key: the real binding counts by the minute. */
function only(most: number): RateLimit {
  const seen = new Map<string, number>();
  return {
    limit: ({ key }) => {
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return Promise.resolve({ success: count <= most });
    },
  };
}
const guardBindings = (flood: number, refusals: number): Env => ({
  ...env,
  STRANGER_FENCE: only(flood),
  ACCOUNT_FENCE: only(flood),
  STRANGER_REFUSALS: only(refusals),
  ACCOUNT_REFUSALS: only(refusals),
});

interface GuardedCall {
  address: string | null;
  method?: string;
  headers?: Record<string, string>;
  bindings: Env;
  status?: number;
}
async function isKeptOut(path: string, { address, method = "GET", headers, bindings, status = 200 }: GuardedCall) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: { ...headers, ...(address ? { "CF-Connecting-IP": address } : {}) },
  });
  const guard = await openFloodGuard(request, bindings, new URL(request.url));
  if (!guard.isShut) await guard.noteAnswer(status);
  return guard.isShut;
}
/** Five times the largest limit of these tests. */
const TRIES = 100;
async function closesAfter(path: string, call: GuardedCall): Promise<number> {
  for (let n = 0; n < TRIES; n += 1) if (await isKeptOut(path, call)) return n;
  return Infinity;
}

const BY_ACCOUNT = [
  "user/signin",
  "user/signin-by-refresh-token",
  "user/signup",
  "user/reset-password-token",
  "user/reset-password",
  "user-key/check",
  "user-key/confirm",
  "second-factor/signin",
];

function limitedTo(count: number) {
  const bindings = guardBindings(count, 1000);
  return (address: string | null, headers: Record<string, string> = {}) => ({ address, headers, bindings });
}

test("the outer rate limit stops one address alone", async () => {
  const from = limitedTo(3);
  expect(await closesAfter("/api/user/signin", from("198.51.100.1"))).toBe(3);
  for (const path of ["user-key/check", "user/signup", "user/reset-password-token", "second-factor/signin-options"])
    expect(await closesAfter(`/api/${path}`, from("198.51.100.1")), `${path}`).toBe(3);
  expect(await isKeptOut("/api/user/signin", from("198.51.100.2"))).toBe(false);
  // A flooded address cannot sign in, but can still read pages.
  expect(await isKeptOut("/board/notice/List/", from("198.51.100.1"))).toBe(false);
  expect(await closesAfter("/", from("2001:db8:1:2::1"))).toBe(3);
  expect(await isKeptOut("/api/board/notice", from("2001:db8:1:2:ffff::9"))).toBe(true);
  expect(await isKeptOut("/", from("2001:db8:1:3::1"))).toBe(false);
});

test("the outer rate limit does not stop a signed-in member", async () => {
  const { accessToken } = await createMemberSession();
  const from = limitedTo(3);
  expect(await closesAfter("/", from("2001:db8:1:2::1"))).toBe(3);
  const bearer = `Bearer ${accessToken}`;
  expect(await isKeptOut("/", from("2001:db8:1:2::1", { Authorization: bearer }))).toBe(false);
  expect(await isKeptOut("/", from("2001:db8:1:2::1", { Cookie: `accessToken=${accessToken}` }))).toBe(false);
  const forged = { Authorization: `${bearer.slice(0, -5)}AAAAA` };
  expect(await isKeptOut("/", from("2001:db8:1:2::1", forged))).toBe(true);
});

test("the outer rate limit does not count this machine", async () => {
  for (const own of [null, "127.0.0.1", "::1"])
    expect(await closesAfter("/api/user/signin", limitedTo(3)(own))).toBe(Infinity);
});

test("the answer to a stopped address says when to retry", async () => {
  const answer = floodResponse(new URL("http://localhost/api/user/signin"));
  expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
  expect(await answer.json()).toMatchObject({ code: "TOO_MANY_REQUESTS", requestId: expect.any(String) });
});

test("refused account lookups block their address for a minute", async () => {
  const bindings = guardBindings(1_000_000, 20);
  const from = (address: string, status: number) => ({ address, method: "POST", bindings, status });
  const [hospital, other] = ["203.0.113.71", "203.0.113.72"];
  // A symposium signs up and a hospital signs in within a minute.
  for (const path of ["/api/user/signin", "/api/user/signup", "/api/user-key/check"])
    expect(await closesAfter(path, from(hospital, 200)), `${path}`).toBe(Infinity);
  for (const path of ["user/find-id", "user-key/check-exists", "certificate/check"])
    expect(await closesAfter(`/api/${path}`, from(hospital, 404)), path).toBe(21);
  for (const path of BY_ACCOUNT) expect(await closesAfter(`/api/${path}`, from(hospital, 401)), path).toBe(Infinity);
  expect(await isKeptOut("/Account/FindID", { ...from(hospital, 200), method: "GET" })).toBe(false);
  expect(await isKeptOut("/api/user/find-id", from(other, 200))).toBe(false);
  // Server errors and missing files do not count.
  expect(await closesAfter("/api/user/find-id", from(other, 500))).toBe(Infinity);
  expect(await closesAfter("/api/file/none", { ...from(other, 404), method: "GET" })).toBe(Infinity);
  expect(await closesAfter("/none", from(other, 404))).toBe(Infinity);
  // The binding's count restarts after a minute.
  advanceClock(61_000);
  expect(await isKeptOut("/api/user/find-id", { ...from(hospital, 404), bindings: guardBindings(1_000_000, 20) })).toBe(
    false,
  );
});

test("the rate limits match wrangler.toml", async () => {
  const address = "203.0.113.80";
  const call = (status: number) => ({ address, method: "POST", bindings: env, status });
  const refusedAfter = async (path: string) => {
    const tries = [];
    for (let n = 0; n < 100; n += 1) tries.push(await isKeptOut(path, call(401)));
    return tries.indexOf(true);
  };
  // A minute may end meanwhile, which at most doubles the count.
  const lookups = await refusedAfter("/api/user/find-id");
  expect([lookups >= 21, lookups <= 42]).toEqual([true, true]);
  expect(await refusedAfter("/api/board-item/free")).toBeGreaterThanOrEqual(61);
  for (let n = 0; n < 150; n += 1)
    for (const path of ["user-key/check", "user-key/confirm", "user/signup"])
      expect(await isKeptOut(`/api/${path}`, call(200)), `${path} ${n}`).toBe(false);
});

interface Monday {
  status: number;
  data: { accessToken: string; refreshToken: string };
}

const PEOPLE = 500;

test(`${PEOPLE} people at a hospital address can work under a flood`, { tags: "full" }, async () => {
  const address = "203.0.113.90";
  const call = async (path: string, body: object): Promise<Monday> => {
    const request = new Request(`http://localhost/api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": address },
      body: JSON.stringify(body),
    });
    const ctx = createExecutionContext();
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], env, ctx);
    await waitOnExecutionContext(ctx);
    return { status: response.status, data: (await response.json<{ data: Monday["data"] }>()).data };
  };
  const signin = (userKeyCode: string, password: string) =>
    call("user/signin", { userKeyType: "Id", userKeyCode, password });
  const token = "A".repeat(43);
  const userKey = { userKeyType: "Email", userKeyCode: "nobody@pid.example.kr" };
  const junk: Record<string, object> = {
    "user/signin-by-refresh-token": { refreshToken: token },
    "user/reset-password": { userToken: token, pincode: "123456", password: "Zk7!mQ2x" },
    "user/reset-password-token": { email: "nobody@pid.example.kr" },
    "user/signup": { userKeyType: "Id", userKeyCode: "nobody" },
    "user/find-id": { userName: "홍길동", userKey },
    "user-key/check": userKey,
    "user-key/confirm": { userKeyToken: token, pincode: "123456" },
    "user-key/check-exists": { userKeyType: "Id", userKeyCode: "nobody" },
    "second-factor/signin": {},
  };
  const people: TestUser[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await createUser());
  const target = await createUser();
  const first = (await signin(requirePresent(people[0]).userId, TEST_PASSWORD)).data;
  const hammer = async (times: number) => {
    for (let n = 0; n < times; n++) {
      await signin(target.userId, `Wrong!${n}`);
      await signin(`nobody${n}`, "Wrong!123");
      await signin(requirePresent(people[(n * 7) % PEOPLE]).userId, "Wrong!123");
      for (const [path, body] of Object.entries(junk)) await call(path, body);
    }
  };
  await hammer(130);
  expect((await signin(target.userId, TEST_PASSWORD)).status, "the flooded account from this address").toBe(429);

  const held: Monday["data"][] = [];
  for (const [n, { userId }] of people.entries()) {
    if (n % 10 === 0) expect((await signin(userId, "Wrong!123")).status, `${n} mistypes`).toBe(401);
    const answer = await signin(userId, TEST_PASSWORD);
    expect(answer.status, `${n}`).toBe(200);
    held.push(answer.data);
    if (n % (PEOPLE / 5) === 0) await hammer(2);
  }
  for (const [n, { refreshToken }] of held.entries())
    if (n % 10 === 0) expect((await call("user/signin-by-refresh-token", { refreshToken })).status, `${n}`).toBe(200);
  const { email } = requirePresent(people[1]);
  expect((await call("user/reset-password-token", { email })).status).toBe(200);
  expect((await call("user-key/check", { ...userKey, userKeyCode: "new@pid.example.kr" })).status).toBe(200);

  // Reusing a token ends its session despite the refusals before.
  expect((await call("user/signin-by-refresh-token", { refreshToken: first.refreshToken })).status).toBe(200);
  advanceClock(11_000);
  expect((await call("user/signin-by-refresh-token", { refreshToken: first.refreshToken })).status).toBe(401);
  const ended = "SELECT count(*) AS n FROM session WHERE revoked_date IS NOT NULL AND user_id = ?";
  expect(await readValue(ended, requirePresent(people[0]).id)).toBe(1);
});

const ask = (path: string, method = "GET") => {
  const request = new Request(`http://localhost${path}`, { method });
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], {} as Env, createExecutionContext());
};
const segments = (count: number, last = "a") => `/${"a/".repeat(count - 1)}${last}`;

test("an overlong URL is refused before any binding is used", async () => {
  expectLog(/"code":"CONFIG"/);
  const addresses: [what: string, path: string, status: number][] = [
    ["segments", segments(12), 503],
    ["segments", segments(13), 404],
    ["segments and a slash", `${segments(12)}/`, 503],
    ["segments of data", segments(13, "a.data"), 404],
    ["segments in English", `/en${segments(12)}`, 404],
    ["segments of the console", `/ADMIN${segments(12)}`, 404],
    ["segments of a call", `/api${segments(12)}`, 404],
    ["segments of a call in capitals", `/API${segments(12)}`, 404],
    ["segments of what is built", `/assets${segments(12)}`, 404],
    ["empty segments", `/${"/".repeat(13)}`, 404],
    ["backslashes", `/${"a\\".repeat(12)}a`, 404],
    ["encoded slashes", `/${"a%2f".repeat(12)}a`, 404],
    ["encoded slashes in capitals", `/${"a%2F".repeat(12)}a`, 404],
    ["7,000 segments", segments(7000), 404],
    ["letters", `/${"a".repeat(2047)}`, 503],
    ["letters", `/${"a".repeat(2048)}`, 404],
    ["encoded letters", `/${"가".repeat(300)}`, 404],
    ["parameters", `/?${"a&".repeat(99)}a`, 503],
    ["parameters", `/?${"a&".repeat(100)}a`, 400],
    ["a query", `/?${"a".repeat(8191)}`, 503],
    ["a query", `/?${"a".repeat(8192)}`, 400],
    ["routes of data", `/_root.data?_routes=${"a,".repeat(5000)}`, 400],
    ["the query of a call", `/api/board-item?keyword=${"%20".repeat(4000)}`, 400],
    ["paths of links", `/__manifest?paths=${"a,".repeat(255)}a`, 503],
    ["paths of links", `/__manifest?paths=${"a,".repeat(256)}a`, 400],
    ["segments of a link", `/__manifest?paths=a,${encodeURIComponent(segments(13))}`, 400],
  ];
  for (const [what, path, status] of addresses)
    for (const method of ["GET", "HEAD", "POST"])
      expect.soft([what, method, (await ask(path, method)).status]).toEqual([what, method, status]);
});

test("a rate-limited call gets a JSON error", async () => {
  expect(await (await ask(`/api${segments(12)}`)).json()).toEqual({
    code: "NOT_FOUND",
    message: "요청하신 내용을 찾을 수 없습니다.",
    requestId: expect.any(String),
  });
  const page = await ask(`/?${"a&".repeat(100)}`);
  expect([await page.text(), page.headers.get("Content-Type")]).toEqual([
    "주소가 너무 깁니다.",
    "text/plain; charset=utf-8",
  ]);
});
