import { expect, test, vi } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { createMemberSession, createUser, signInUser, TEST_PASSWORD } from "../../support/people.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { expectLog } from "../../support/expected-log.ts";
import { countRows, readRow, readValue, runSql } from "../../support/test-database.ts";
import {
  NEW_PERSON_EMAIL,
  MESSAGE_HOSTS,
  newPersonForm,
  stubMessageHosts,
  messageTaken,
} from "../../hosts/message-hosts.ts";

test("a database failure before a sign-up keeps the token usable", async () => {
  expectLog(/D1_ERROR: Network connection lost/);
  const body = await newPersonForm();
  const { DB, broke } = faultyDatabase({ sql: /insert into "user" /i, when: "before", times: 1 });
  const failed = await callApiWith({ DB }, "POST", "/api/user/signup", { body });
  expect(broke()).toBe(1);
  expect([failed.status, failed.code, failed.message]).toEqual([500, "INTERNAL_ERROR", "회원가입의 실패하였습니다."]);
  expect(failed.text).not.toMatch(/D1_ERROR|Network|sql/i);
  for (const table of ["user", "user_key", "user_consent"]) expect(await countRows(table), table).toBe(0);
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
});

test("a fault after the user is inserted rolls back the whole batch", async () => {
  expectLog(/SQLITE_CONSTRAINT_TRIGGER/);
  const body = await newPersonForm();
  await runSql("CREATE TRIGGER broken BEFORE INSERT ON user_consent BEGIN SELECT RAISE(ABORT, 'full'); END");
  expect((await callJson("POST", "/api/user/signup", { body })).status).toBe(500);
  for (const table of ["user", "user_key", "user_consent"]) expect(await countRows(table), table).toBe(0);
  await runSql("DROP TRIGGER broken");
  expect((await callJson("POST", "/api/user/signup", { body })).code).toBe("SUCCESS");
});

test("a sign-up whose database answer is lost creates the member exactly once", async () => {
  const body = await newPersonForm();
  const { DB, broke } = faultyDatabase({ sql: /insert into "user" /i, when: "after" });
  const first = await callApiWith({ DB }, "POST", "/api/user/signup", { body });
  expect(broke()).toBe(1);
  expect([first.status, first.data]).toEqual([200, { userName: "홍길동" }]);
  expect(await countRows("user")).toBe(1);
});

test("repeating a sign-up whose answer was lost returns the first answer", async () => {
  expectLog(/D1_ERROR: Network connection lost/);
  const body = await newPersonForm();
  // Later queries fail too, so that the caller learns nothing.
  const { DB } = faultyDatabase({ sql: /insert into "user" |select .* from "user_key"/i, when: "after" });
  expect((await callApiWith({ DB }, "POST", "/api/user/signup", { body })).status).toBe(500);
  advanceClock(5);
  const again = await callJson("POST", "/api/user/signup", { body });
  expect([again.status, again.data]).toEqual([200, { userName: "홍길동" }]);
  expect(await countRows("user")).toBe(1);
  const stranger = await callJson("POST", "/api/user/signup", { body: { ...body, userKeyCode: "somebodyelse" } });
  expect(stranger.status).toBe(409);
});

test("the loser of two simultaneous sign-ups learns that the ID is taken", async () => {
  const body = await newPersonForm();
  const withoutForget = faultyDatabase({ sql: /update "verification" set "used_by_user_id" = \?/i, when: "before" });
  const { DB, broke } = faultyDatabase({
    sql: /insert into "user" /i,
    when: () => callApiWith({ DB: withoutForget.DB }, "POST", "/api/user/signup", { body }),
  });
  const second = await callApiWith({ DB }, "POST", "/api/user/signup", { body });
  expect([broke(), withoutForget.broke(), second.code]).toEqual([1, 1, "ALREADY_EXISTS"]);
  expect(await countRows("user")).toBe(1);
});

test("a session that cannot be verified is not treated as guest", async () => {
  expectLog(/"READ".*Network connection lost/, /UPSTREAM_UNAVAILABLE.*Network connection lost/);
  const session = await createMemberSession();
  const { DB } = faultyDatabase({ sql: /from "session"/i, when: "before" });
  const { accessToken: token } = session;
  for (const options of [{ token }, { cookie: token }, {}]) {
    const answer = await callApiWith({ DB }, "GET", `/api/user/${session.user.id}`, options);
    expect([answer.status, answer.code, answer.data], JSON.stringify(options)).toEqual([
      503,
      "UPSTREAM_UNAVAILABLE",
      undefined,
    ]);
    expect(answer.message, JSON.stringify(options)).toBe("일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주십시오.");
  }
});

test("without the attempt counter neither codes nor passwords are compared", async () => {
  expectLog(/INTERNAL_ERROR.*Network connection lost/);
  const person = await createUser();
  const sent = await callJson("POST", "/api/user-key/check", {
    body: { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL },
  });
  const { DB } = faultyDatabase({ sql: /rate_limit/i, when: "before" });
  const confirm = { userKeyToken: sent.data.userKeyToken, pincode: "000000" };
  const signin = { userKeyType: "Id", userKeyCode: person.userId, password: TEST_PASSWORD };
  for (const [path, body] of [
    ["/api/user-key/confirm", confirm],
    ["/api/user/signin", signin],
    ["/api/user-key/check", { userKeyType: "Email", userKeyCode: "x@pid.example.kr" }],
    ["/api/user/reset-password-token", { email: person.email }],
  ] as const) {
    const answer = await callApiWith({ DB }, "POST", path, { body });
    expect([answer.status, answer.data], path).toEqual([500, undefined]);
  }
  expect(await readValue("SELECT attempts FROM verification")).toBe(0);
  expect(await countRows("session")).toBe(0);
  expect((await callJson("GET", "/api/board-item?boardCode=notice")).status).toBe(200);
});

test.each([
  ["500", () => new Response("oops", { status: 500 })],
  ["429", () => Response.json({ name: "rate_limit_exceeded", message: "slow down" }, { status: 429 })],
  ["reset", () => Promise.reject(new TypeError("connection reset"))],
  ["hang", () => new Promise<Response>(() => undefined)],
])("a mail host that answers with %s gives the spec's text", async (_, answer) => {
  expectLog(/UPSTREAM_UNAVAILABLE.*(mail refused|message provider timed out)/);
  const asked = stubMessageHosts(answer);
  const body = { userKeyType: "Email", userKeyCode: NEW_PERSON_EMAIL };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answered = callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body });
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);
  await vi.advanceTimersByTimeAsync(5000);
  const failed = await answered;
  vi.useRealTimers();
  expect([failed.status, failed.code, failed.message]).toEqual([
    503,
    "UPSTREAM_UNAVAILABLE",
    "인증번호 발송에 실패했습니다.",
  ]);
  const pincode = /\d{6}/.exec(String(asked[0]?.body.text))?.[0] ?? "";
  expect(pincode).toHaveLength(6);
  expect([failed.message, JSON.stringify(failed.data ?? null)].join()).not.toContain(pincode);
  stubMessageHosts(messageTaken);
  expect((await callApiWith(MESSAGE_HOSTS, "POST", "/api/user-key/check", { body })).code).toBe("SUCCESS");
});

test.each(["before", "after"] as const)("a fault %s the batch never leaves a member half retired", async (when) => {
  expectLog(/D1_ERROR: Network connection lost/);
  const session = await signInUser(await createUser({ userName: "홍길동" }));
  const { DB, broke } = faultyDatabase({ sql: /update "user" set "user_name"/i, when, times: 1 });
  const answer = await callApiWith({ DB }, "POST", "/api/user/retire", {
    token: session.accessToken,
    body: { password: TEST_PASSWORD },
  });
  expect(broke()).toBe(1);
  expect(answer.status).toBe(500);
  const row = await readRow("SELECT status, user_name FROM user WHERE id = ?", session.user.id);
  const keys = await countRows("user_key");
  const sessions = await countRows("session");
  if (when === "before") {
    expect([row, keys, sessions]).toEqual([{ status: "active", user_name: "홍길동" }, 2, 1]);
    expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).status).toBe(200);
  } else {
    expect([row, keys, sessions]).toEqual([{ status: "retired", user_name: "탈퇴한 회원" }, 0, 0]);
  }
});

test("a failing statement in a retirement batch leaves the member unchanged", async () => {
  expectLog(/SQLITE_CONSTRAINT_TRIGGER/);
  const session = await signInUser(await createUser({ userName: "홍길동" }));
  await runSql(
    "CREATE TRIGGER broken BEFORE INSERT ON audit_log WHEN NEW.action = 'user.retire' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const answer = await callAs(session, "POST", "/api/user/retire", { password: TEST_PASSWORD });
  expect([answer.status, answer.code]).toEqual([500, "INTERNAL_ERROR"]);
  expect(await countRows("user_key")).toBe(2);
  expect((await callAs(session, "GET", `/api/user/${session.user.id}`)).data.userName).toBe("홍길동");
});
