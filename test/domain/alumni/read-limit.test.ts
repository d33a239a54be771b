import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { callAs } from "../../support/api-client.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";

async function withBook(left = 120) {
  const admin = await createAdministratorSession();
  const member = await createMemberSession();
  await leaveOfLimit(left, "alumniRows", member.user.id);
  const add = (name: string, email: string) => callAs(admin, "PUT", "/api/alumni", { name, email });
  await add("홍본인", member.user.email);
  for (let at = 0; at < 59; at += 1) await add(`가나${at}`, `${at}@pid.example.kr`);
  return { admin, member };
}
const call = (session: TestSession, query: string) => callAs(session, "GET", `/api/alumni?${query}`);
const page = async (session: TestSession, query: Record<string, string> = {}) => {
  const request = new Request("https://pid.example.kr/Alumni");
  const credential = { token: session.accessToken };
  const scope = openRequestScope({ request, env, credential, requestId: "test", defer: () => {} });
  return getAlumniListPage(scope, listAlumniQuery.parse(query));
};

test("the list warns near the hourly limit and then says when it reopens; the own entry stays open", async () => {
  const { member } = await withBook(200);
  for (const at of [1, 2, 3]) expect((await call(member, `size=20&page=${at}`)).code).toBe("SUCCESS");
  expect((await page(member, { page: "1" })).readLimit).toBeNull();
  expect((await call(member, "size=50&page=1")).code).toBe("SUCCESS");
  expect((await page(member, { page: "3" })).readLimit).toMatchObject({ isUsedUp: false, max: 300 });
  expect((await call(member, "size=50&page=1")).code).toBe("SUCCESS");

  const closed = await page(member, { cohort: "", page: "2" });
  expect([closed.people.content, closed.mine?.name]).toEqual([[], "홍본인"]);
  expect(closed.readLimit).toMatchObject({ isUsedUp: true, max: 300, until: expect.any(String) });
  const refused = await call(member, "page=1");
  expect([refused.code, refused.message]).toEqual([
    "TOO_MANY_REQUESTS",
    expect.stringMatching(
      /한 시간에 300명까지 보여 드립니다\. \d+분 뒤에 다시 보실 수 있습니다\. 그동안에도 내 정보와 이름 검색은/,
    ),
  ]);
});

test("a search by name has a separate limit and stays open", async () => {
  const { member } = await withBook();
  for (let at = 0; at < 6; at += 1) await call(member, "size=20&page=1");
  expect((await call(member, "page=1")).code).toBe("TOO_MANY_REQUESTS");
  expect((await call(member, "keyword=홍본인")).data.content).toHaveLength(1);
  expect((await page(member, { keyword: "가나7" })).people.content.map(({ name }) => name)).toContain("가나7");
  expect((await call(member, "keyword=가나&page=2")).code).toBe("TOO_MANY_REQUESTS");
  for (let at = 0; at < 3; at += 1) await call(member, "keyword=가나&size=20");
  expect((await call(member, "keyword=가나")).code).toBe("TOO_MANY_REQUESTS");
});

test("the office has no limit", async () => {
  const { admin } = await withBook();
  for (let at = 0; at < 8; at += 1) expect((await call(admin, "size=20&page=1")).code).toBe("SUCCESS");
  expect((await page(admin)).readLimit).toBeNull();
});
