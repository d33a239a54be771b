import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { CALLS, needsSession, SAMPLE_CALLS, takesJson } from "../calls.ts";
import { samplePlace } from "../sample-paths.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { callAs, callJson, fetchApi } from "../api-client.ts";
import { rowsOf } from "../test-database.ts";
import { createTestItem, setLimits } from "../factories.ts";
import { createAdministratorSession, createMemberSession } from "../people.ts";
import { expectLog } from "../expected-log.ts";
import { runSql } from "../test-database.ts";

const calls = SAMPLE_CALLS;
const jsonCalls = calls.filter(takesJson);
const closed = calls.filter(
  ({ access }) => access === "signed in" || access.startsWith("self") || access.startsWith("administrator"),
);

test("the calls that exist are the calls of the table", () => {
  const routes = api.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(routes)].toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

test("a guest is refused with the envelope", async () => {
  for (const { name, method, path, access } of closed) {
    const query = path.endsWith("upload-url") ? "?fileName=a.pdf&size=10" : "";
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const answer = await callJson(method, path + query, body);
    // What the query lacks may be said first, but nothing of what a guest may not know.
    expect.soft(needsSession({ method, path, access }) ? [401] : [400, 401, 404], name).toContain(answer.status);
    expect.soft(answer.data, name).toBeUndefined();
  }
});

const FORGED = [
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Bearer a.b",
  "Bearer a.b.c",
  "Bearer a.b.c.d",
  "Basic YWRtaW46YWRtaW4=",
  `Bearer ${"x".repeat(8000)}`,
  "bearer eyJhbGciOiJub25lIn0.e30.",
  "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
  "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "Bearer one, Bearer two",
];
test("a forged Authorization is a guest's on every call, and 401 where a guest may not be", async () => {
  // Here no case-report host is set.
  expectLog(/UPSTREAM_UNAVAILABLE/);
  for (const { name, method, path, access } of calls) {
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const guest = await callJson(method, path, body);
    if (needsSession({ method, path, access })) expect.soft([name, guest.code]).toEqual([name, "UNAUTHORIZED"]);
    for (const forged of FORGED) {
      const answer = await callJson(method, path, { ...body, headers: { Authorization: forged } });
      const at = `${name} by ${forged.slice(0, 80)}`;
      expect.soft([answer.status, answer.code], at).toEqual([guest.status, guest.code]);
      expect.soft(answer.status, at).toBeLessThan(500 + (path.includes("/case-report/") ? 100 : 0));
    }
  }
});

test("a valid token with a fourth part, padding, a space or another case is refused", async () => {
  const { accessToken } = await createMemberSession();
  const read = (Authorization: string) => callJson("GET", "/api/board/free", { headers: { Authorization } });
  expect((await read(`Bearer ${accessToken}`)).status).toBe(200);
  for (const altered of [
    `Bearer ${accessToken}.x`,
    `Bearer ${accessToken}=`,
    `Bearer  ${accessToken}`,
    `bearer ${accessToken}`,
    `Bearer ${accessToken.slice(0, -1)}`,
  ]) {
    expect((await read(altered)).status, `${altered}`).toBe(401);
  }
});

test("a cookie reads and never writes", async () => {
  const person = await createMemberSession();
  expect((await callJson("GET", "/api/board/free", { cookie: person.accessToken })).status).toBe(200);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { cookie: person.accessToken, body })).status).toBe(401);
  expect(await rowsOf("board_item")).toEqual([]);
});

test("a token of a session that ended elsewhere reads what a guest reads and writes nothing", async () => {
  const { accessToken: token, user } = await createMemberSession();
  await runSql("UPDATE session SET revoked_date = 1");
  for (const by of [{ cookie: token }, { token }])
    expect((await callJson("GET", "/api/board/notice", by)).status, JSON.stringify(by)).toBe(200);
  expect((await callJson("GET", `/api/user/${user.id}`, { token })).status).toBe(401);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { token, body })).code).toBe("UNAUTHORIZED");
});

const MALFORMED = [
  "{",
  "[",
  "nul",
  '{"a":}',
  "'a'",
  '{"a":1,}',
  "\u0000",
  '{"a":"\ud800',
  "undefined",
  "NaN",
  "<xml/>",
  "[1]",
  '"text"',
  "1",
  "null",
  "true",
];
test("a body is taken that is the JSON the call asks for, and no other", async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const { name, method, path } of jsonCalls)
    for (const body of MALFORMED) {
      const answer = await callJson(method, path, { body, token });
      expect.soft([400, 404], `${name} ${JSON.stringify(body)}`).toContain(answer.status);
      expect.soft(answer.data, `${name} ${JSON.stringify(body)}`).toBeUndefined();
    }
});

test("another content type and a body that is too large are refused", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const headers = { "Content-Type": "text/plain" };
  const huge = new TextEncoder().encode(JSON.stringify({ content: "가".repeat(SIZE_LIMITS.postBytes) }));
  for (const { name, method, path } of jsonCalls) {
    expect.soft([404, 415], name).toContain((await callJson(method, path, { body: "{}", headers, token })).status);
    expect.soft([404, 413], name).toContain((await callJson(method, path, { body: huge, token })).status);
    const chunked = new Blob([huge]).stream();
    expect.soft([404, 413], name).toContain((await callJson(method, path, { body: chunked, token })).status);
  }
});

test("what is refused for its size is read off the line, so that its sender gets to the answer", async () => {
  const { accessToken: token } = await createMemberSession();
  const chunk = new Uint8Array(1024 * 1024);
  const frame = new TextEncoder().encode(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  );
  const refused: [method: string, path: string, type: string, status: number][] = [
    ["POST", "/api/user/signin", "application/json", 413],
    ["PUT", "/api/board-item/images", "multipart/form-data; boundary=x", 413],
    ["PUT", "/api/file/upload/none.none", "image/png", 404],
    ["POST", "/api/site-setting/info", "application/json", 405],
  ];
  for (const [method, path, type, status] of refused) {
    let left = 12;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === 12) controller.enqueue(frame);
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const answer = await callJson(method, path, { body, headers: { "Content-Type": type }, token });
    expect([path, answer.status, left]).toEqual([path, status, -1]);
  }
});

test("who is refused and neither goes on nor ends gets his answer all the same", async () => {
  const chunk = new Uint8Array(300_000);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return new Promise(() => {});
      sent = true;
      controller.enqueue(chunk);
      return Promise.resolve();
    },
  });
  expect((await callJson("POST", "/api/user/signin", { body })).status).toBe(413);
});

test("unknown and dangerous keys change nothing and pollute nothing", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const [before] = (await rowsOf("board_item")) as Record<string, unknown>[];
  const body = `{"version":1,"title":"새 제목","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"id":99,"createdUserId":"x","userId":"x","createdDate":"2020-01-01T00:00:00Z","viewCount":99,"deletedDate":1,"userType":"Admin","roleCode":"administrator","permissions":["ADMIN_Access"]}`;
  expect((await callAs(author, "PATCH", `/api/board-item/free/${itemNo}`, body)).status).toBe(200);
  const [after] = (await rowsOf("board_item")) as Record<string, unknown>[];
  expect(after).toEqual({ ...before, title: "새 제목", version: 2, modified_date: after?.modified_date });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const QUERIES =
  "page=-1 page=0 page=1e9 page=NaN page=0x10 page= page=1&page=2 size=-5 sort=createdDate sort=title;DROP,ASC sort=password_hash,ASC boardCode=x&boardCode=notice size=abc".split(
    " ",
  );
test.each(QUERIES)("the list answers %s with a 400 that names the field", async (query) => {
  const answer = await callJson("GET", `/api/board-item?boardCode=notice&${query}`);
  expect([answer.status, answer.code]).toEqual([400, "INVALID_INPUT"]);
  expect(JSON.stringify(answer)).not.toMatch(/SQL|select|D1_/i);
});

test("a page size above the limit is clamped", async () => {
  expect((await callJson("GET", "/api/board-item?boardCode=notice&size=1000000")).data.size).toBe(100);
});

const NO_TRACE = /SQLITE|D1_|Failed query|drizzle|\\n\s+at |\.ts\b/;
const PATHS = [
  "..%2f..%2f",
  "%00",
  "%2e%2e",
  "x".repeat(10_000),
  "1%20OR%201=1",
  "１",
  "-1",
  "0",
  "1.5",
  "%ED%A0%80",
  "__proto__",
];
test("a path that names nothing is not there, at every call and in every place", async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const [name] of Object.entries(CALLS)) {
    const [method = "", pattern = ""] = name.split(" ");
    for (const place of pattern.match(/:\w+/g) ?? []) {
      for (const odd of PATHS) {
        const path = pattern.replace(/:\w+/g, (each) => (each === place ? odd : samplePlace(each.slice(1))));
        const answer = await callJson(method, path, { token, ...(method === "GET" ? {} : { body: {} }) });
        const at = [method, pattern, odd.slice(0, 20)];
        // A dot path is resolved on the way, and may then name another call.
        expect([...at, answer.status >= 400 && answer.status < 500]).toEqual([...at, true]);
        expect(answer.message, `${odd}`).not.toMatch(NO_TRACE);
      }
    }
  }
});

const ODD_VALUES = [
  "%00",
  "%ED%A0%80",
  "1e9",
  "-1",
  "title;DROP,ASC",
  "%22*NEAR(",
  "가".repeat(200),
  "constructor",
  "",
];
const KEYS = "page size sort keyword status from to boardCode category cohort after version itemNo".split(" ");
test("no call that reads breaks at an odd query or tells of its inside", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const reading = calls.filter(({ method, path }) => method === "GET" && !path.includes("/case-report/"));
  for (const [at, { name, path }] of reading.entries()) {
    // Each call gets some of the pairs, all calls together get each of them.
    for (let turn = at * 3; turn < at * 3 + 3; turn++) {
      const query = `${KEYS[turn % KEYS.length]}=${ODD_VALUES[turn % ODD_VALUES.length]}`;
      const response = await fetchApi("GET", `${path}?${query}`, { token });
      expect([name, query.slice(0, 40), response.status < 500]).toEqual([name, query.slice(0, 40), true]);
      if (response.status >= 400) expect(await response.text(), `${turn}`).not.toMatch(NO_TRACE);
    }
  }
});

test("every call says how it may be cached, and to no other origin", async () => {
  // Here no case-report host is set; that is said, and not an error of ours.
  expectLog(/UPSTREAM_UNAVAILABLE/);
  for (const { name, method, path } of calls) {
    const response = await fetchApi(method, path, { headers: { Origin: "https://evil.example" } });
    expect.soft(response.headers.get("Cache-Control"), name).toBeTruthy();
    expect.soft(response.headers.get("Access-Control-Allow-Origin"), name).toBeNull();
    expect.soft(response.headers.get("X-Content-Type-Options"), name).toBe("nosniff");
    if (response.status !== 503 || !path.includes("/case-report/"))
      expect.soft(response.status, name).toBeLessThan(500);
  }
});

test("a preflight gets no permission, an unknown path is 404 and an unknown method 405", async () => {
  const preflight = await fetchApi("OPTIONS", "/api/user/signin", {
    headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
  });
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect((await callJson("GET", "/api/nothing")).code).toBe("NOT_FOUND");
  const refused = await callJson("DELETE", "/api/board/notice");
  expect([refused.status, refused.code, refused.message]).toEqual([
    405,
    "METHOD_NOT_ALLOWED",
    "지원하지 않는 요청 방식입니다.",
  ]);
  const raw = await fetchApi("HEAD", "/api/user-key/check");
  expect([raw.status, raw.headers.get("Allow"), raw.headers.get("Cache-Control")]).toEqual([
    405,
    "POST",
    "private, no-store",
  ]);
  expect((await callJson("PROPFIND", "/api/board/notice")).status).toBe(405);
});

test("headers that a client makes up do not move its rate limit", async () => {
  await setLimits({ lookupAddress: 30 });
  const tries = [];
  for (let at = 0; at < 31; at++) {
    const headers = { "X-Forwarded-For": `198.51.100.${at}`, "X-Real-IP": `198.51.100.${at}` };
    const body = { userKeyType: "Id", userKeyCode: `nobody${at}` };
    tries.push(
      (await callJson("POST", "/api/user-key/check-exists", { body, headers, address: "203.0.113.9" })).status,
    );
  }
  expect(tries.slice(0, 30)).toEqual(Array(30).fill(200));
  expect(tries[30]).toBe(429);
  const other = await callJson("POST", "/api/user-key/check-exists", {
    body: { userKeyType: "Id", userKeyCode: "someone" },
    address: "203.0.113.10",
  });
  expect(other.status).toBe(200);
});

test("too many requests says when to come back", async () => {
  const body = { userKeyType: "Email", userKeyCode: "new@pid.example.kr" };
  expect((await callJson("POST", "/api/user-key/check", { body })).status).toBe(200);
  const again = await callJson("POST", "/api/user-key/check", { body });
  expect([again.status, again.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(again.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(again.message).toMatch(/뒤에 다시 시도해 주십시오/);
});
