import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { CALLS, needsSession, SAMPLE_CALLS } from "../calls/calls.ts";
import { callJson, fetchApi } from "../support/api-client.ts";
import { rowsOf, runSql } from "../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../support/sample.ts";
import { leaveOfLimit } from "../support/factories.ts";
import { createMemberSession, TEST_PASSWORD } from "../support/people.ts";
import { expectLog } from "../support/expected-log.ts";

const closed = SAMPLE_CALLS.filter(
  ({ access }) => access === "signed in" || access.startsWith("self") || access.startsWith("administrator"),
);

test("the routes match the table of calls", () => {
  const routes = api.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(routes)].toSorted()).toEqual(Object.keys(CALLS).toSorted());
});

test("a guest is refused with a JSON error", async () => {
  for (const { name, method, path, access } of closed) {
    const query = path.endsWith("upload-url") ? "?fileName=a.pdf&size=10" : "";
    const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
    const answer = await callJson(method, path + query, body);
    // A missing query may be reported first, but no protected data is shown.
    expect.soft(needsSession({ method, path, access }) ? [401] : [400, 401, 404], name).toContain(answer.status);
    expect.soft(answer.data, name).toBeUndefined();
  }
});

/** Valid input of the calls that read it before they know whose right is asked. */
const VALID: Record<string, { query?: string; body?: object }> = {
  "POST /api/user/change-password/:id": { body: { password: TEST_PASSWORD, newPassword: "Another!234" } },
  "POST /api/user/change-user-key/:id": {
    body: { userKeyType: "Email", userKeyToken: "x".repeat(20), password: TEST_PASSWORD },
  },
  "PATCH /api/user/:id": { body: { version: 1 } },
  "POST /api/user/:id/sessions/end-others": { body: { password: TEST_PASSWORD } },
  "PATCH /api/user/:id/consents": { body: { agreements: [{ code: "terms", version: "1", agreed: true }] } },
  "POST /api/user/:id/activity/read": { body: { upTo: 1 } },
  "GET /api/board-item": { query: "?boardCode=notice" },
  "POST /api/board-item/:boardCode/bulk": { body: { action: "delete", itemNos: [1] } },
  "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore": { body: { version: 1 } },
  "POST /api/board-item/search": { query: "?boardCode=notice", body: { keyword: "모임" } },
  "PUT /api/board-item/:boardCode": { body: { title: "제목", content: "<p>글</p>", fileIds: [] } },
  "PATCH /api/board-item/:boardCode/:itemNo": { body: { title: "제목", version: 1 } },
  "GET /api/board-item-file/upload-url": { query: "?boardCode=notice&fileName=a.pdf&size=10" },
  "PUT /api/board-item-file/:fileId/text": { body: { text: "글" } },
  "GET /api/board-item-comment": { query: "?boardCode=notice&itemNo=1" },
  "PUT /api/board-item-comment/:boardCode/:itemNo": { body: { content: "댓글" } },
  "PUT /api/board-item-report/:boardCode/:itemNo": { body: { reason: "abuse" } },
  "POST /api/board-item-report/:boardCode/:itemNo": { body: { decision: "dismiss" } },
  "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId": { body: { content: "댓글", version: 1 } },
  "GET /api/admin/role/simulate": { query: "?who=guest&path=/" },
  "GET /api/admin/setting/right": { query: "?who=guest" },
};

test("a member without a right is refused by every guarded call", async () => {
  const { accessToken: token } = await createMemberSession();
  await runSql("UPDATE role SET permissions = '[]' WHERE role_code IN ('guest', 'member')");
  const guarded = SAMPLE_CALLS.filter(({ access }) => /^administrator$|permission$|^self/.test(access));
  for (const { name, method, path } of guarded) {
    const { query = "", body = {} } = VALID[name] ?? {};
    const answer = await callJson(method, path + query, { token, ...(/GET|DELETE/.test(method) ? {} : { body }) });
    expect
      .soft([["FORBIDDEN", "NOT_FOUND"].includes(answer.code), name, answer.code, answer.fields])
      .toEqual([true, name, answer.code, answer.fields]);
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

/** The case-report service, which is logged as missing, is a kind of its own. */
const kindOf = ({ access, path }: (typeof SAMPLE_CALLS)[number]) => `${access} ${path.includes("/case-report/")}`;

test(
  `a forged Authorization counts as a guest (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async () => {
    // No case-report host is configured here.
    expectLog(/UPSTREAM_UNAVAILABLE/);
    const calls = sample(SAMPLE_CALLS, ({ name }) => name, kindOf);
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
  },
);

test("a valid token in another notation is refused", async () => {
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

test("a cookie never allows writes", async () => {
  const person = await createMemberSession();
  expect((await callJson("GET", "/api/board/free", { cookie: person.accessToken })).status).toBe(200);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { cookie: person.accessToken, body })).status).toBe(401);
  expect(await rowsOf("board_item")).toEqual([]);
});

test("a token of an ended session reads as a guest", async () => {
  const { accessToken: token, user } = await createMemberSession();
  await runSql("UPDATE session SET revoked_date = 1");
  for (const by of [{ cookie: token }, { token }])
    expect((await callJson("GET", "/api/board/notice", by)).status, JSON.stringify(by)).toBe(200);
  expect((await callJson("GET", `/api/user/${user.id}`, { token })).status).toBe(401);
  const body = { title: "제목", content: "<p>내용</p>", fileIds: [] };
  expect((await callJson("PUT", "/api/board-item/free", { token, body })).code).toBe("UNAUTHORIZED");
});

test(`every answer sets its cache policy (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const calls = sample(SAMPLE_CALLS, ({ name }) => name, kindOf);
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

test("an unknown path or method is refused with its own status", async () => {
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

test("invented headers do not affect the rate limit of a client", { tags: "full" }, async () => {
  await leaveOfLimit(30, "lookupAddress", "203.0.113.9");
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

test("a rate-limited answer says when to retry", async () => {
  const body = { userKeyType: "Email", userKeyCode: "new@pid.example.kr" };
  expect((await callJson("POST", "/api/user-key/check", { body })).status).toBe(200);
  const again = await callJson("POST", "/api/user-key/check", { body });
  expect([again.status, again.code]).toEqual([429, "TOO_MANY_REQUESTS"]);
  expect(Number(again.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(again.message).toMatch(/뒤에 다시 시도해 주십시오/);
});
