import { expect, test } from "vitest";
import { callAs } from "../../support/api-client.ts";
import { SAMPLE_CALLS } from "../../calls/calls.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";

const METHODS = new Set(["GET", "PUT", "POST", "PATCH", "DELETE"]);
const ask = (admin: TestSession, path: string, method = "GET", who = "guest") =>
  callAs(admin, "GET", `/api/admin/role/simulate?${new URLSearchParams({ who, path, method })}`);

test("the simulator refuses unknown paths", async () => {
  const admin = await createAdministratorSession();
  for (const path of [
    "https://naver.com",
    "//naver.com/board/notice/List/",
    "naver.com",
    "https://localhost.example/board/notice/List/",
    "javascript:alert(1)",
    "/nothing",
    "/api/nothing",
    "/Admin/Nothing",
    "/other/about",
  ])
    expect([path, (await ask(admin, path)).fields?.path]).toEqual([
      path,
      "이 사이트에 없는 주소입니다. 주소창에서 복사해 주십시오.",
    ]);
  for (const path of [
    "/",
    "/Terms",
    "/pid/about",
    "/board/notice/List/?page=2#top",
    "http://localhost/board/notice/List/",
  ])
    expect([path, (await ask(admin, path)).data?.allowed]).toEqual([path, true]);
});

test(`the simulator matches the table of calls (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  let answered = 0;
  const calls = sample(
    SAMPLE_CALLS.filter(({ method }) => METHODS.has(method)),
    ({ name }) => name,
    ({ access }) => access,
  );
  for (const { name, method, path, access } of calls) {
    const answer = await ask(admin, path, method);
    if (answer.fields?.path) {
      expect(["board permission", "file's parent"], `${name} ${answer.fields.path}`).toContain(access);
      continue;
    }
    answered += 1;
    expect([name, typeof answer.data.reason, answer.data.reason === answer.data.rule]).toEqual([name, "string", false]);
    if (access === "board permission") continue;
    expect([name, answer.data.allowed]).toEqual([name, access === "everyone" || access === "signed path"]);
  }
  expect(answered).toBeGreaterThan(calls.length * 0.8);
});
