import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpAlumni } from "#worker/domain/alumni/clean-up.server.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { openRequestScope } from "../../support/open-scope.ts";
import {
  createAdministratorSession,
  createMemberSession,
  retireUser,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRow, readValue, runSql, testDatabase } from "../../support/test-database.ts";

const PATH = "/api/alumni/view";
const DAY_MS = 86_400_000;
const CONTENT = {
  filter: { keyword: "내과", cohort: 3, f_email: "empty", f_position: "in: 과장 , 원장" },
  sort: "cohort,DESC",
  columns: ["name", "mobile", "memo"],
  isDense: true,
  size: 50,
};

const save = async (session: TestSession, more: object = {}) =>
  callAs(session, "PUT", PATH, { name: "이메일 없음", content: CONTENT, ...more });
const change = (session: TestSession, id: string, body: object) => callAs(session, "PATCH", `${PATH}/${id}`, body);

async function viewsOf(session: TestSession) {
  const scope = openRequestScope({
    request: new Request("http://localhost/Alumni"),
    env,
    requestId: "test",
    credential: { token: session.accessToken },
    defer: () => {},
  });
  return (await getAlumniListPage(scope, { page: 1, size: 20 })).views;
}
const namesOf = async (session: TestSession) => (await viewsOf(session)).map(({ name }) => name);

test("only its creator sees a view", async () => {
  const admin = await createAdministratorSession();
  const other = await createAdministratorSession();
  const { id } = (await save(admin)).data;
  expect(await viewsOf(admin)).toEqual([
    {
      id,
      name: "이메일 없음",
      isShared: false,
      canChange: true,
      version: 1,
      ...CONTENT,
      filter: { keyword: "내과", cohort: "3", f_email: "empty", f_position: "in:과장,원장" },
    },
  ]);
  expect(await viewsOf(other)).toEqual([]);
  for (const answer of [
    await change(other, id, { name: "내 것", version: 1 }),
    await callAs(other, "DELETE", `${PATH}/${id}?version=1`),
    await callAs(other, "POST", `${PATH}/${id}/restore`, {}),
  ])
    expect(answer.code).toBe("NOT_FOUND");
});

test.each([
  [{ name: " " }, "name"],
  [{ name: "가".repeat(41) }, "name"],
  [{ content: { ...CONTENT, filter: { f_cohort: "between:a,b" } } }, "content.filter.f_cohort"],
  [{ content: { ...CONTENT, sort: "memo" } }, "content.sort"],
  [{ content: { ...CONTENT, columns: ["password"] } }, "content.columns.0"],
  [{ content: { ...CONTENT, size: 0 } }, "content.size"],
])("%j is refused at %s", async (more, field) => {
  const answer = await save(await createAdministratorSession(), more);
  expect([answer.code, Object.keys(answer.fields)]).toEqual(["INVALID_INPUT", [field]]);
});

test("sharing a view needs edit rights", async () => {
  const admin = await createAdministratorSession();
  const editor = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  const member = await createMemberSession();
  const guest = await callJson("PUT", PATH, { body: { name: "가", content: CONTENT } });
  expect(guest.code).toBe("UNAUTHORIZED");
  const open = { filter: { f_position: "filled" }, sort: "", columns: ["name", "memo"], isDense: false, size: 20 };
  expect((await save(member, { isShared: true, content: open })).code).toBe("FORBIDDEN");
  const { id } = (await save(admin, { isShared: true })).data;
  await save(admin, { name: "직위 있음", isShared: true, content: open });
  await save(member, { name: "나의 보기", content: open });
  expect(await namesOf(editor)).toEqual(["이메일 없음", "직위 있음"]);
  expect((await viewsOf(member)).map(({ name, columns, canChange }) => [name, columns, canChange])).toEqual([
    ["나의 보기", ["name"], true],
    ["직위 있음", ["name"], false],
  ]);
  expect((await change(member, id, { name: "바꿈", version: 1 })).code).toBe("FORBIDDEN");
  expect((await callAs(member, "DELETE", `${PATH}/${id}?version=1`)).code).toBe("FORBIDDEN");
  expect((await change(editor, id, { name: "메일 없는 사람", version: 1 })).data).toEqual({ version: 2 });
  expect((await change(admin, id, { isShared: false, version: 1 })).code).toBe("CONFLICT");
  expect((await change(admin, id, { isShared: false, version: 2 })).code).toBe("SUCCESS");
  expect([await namesOf(editor), await namesOf(admin)]).toEqual([["직위 있음"], ["메일 없는 사람", "직위 있음"]]);
  const actions = await readValue(
    "SELECT group_concat(action) FROM (SELECT action FROM audit_log WHERE action LIKE 'alumni-view.%' ORDER BY id)",
  );
  expect(actions).toBe(
    "alumni-view.create,alumni-view.create,alumni-view.create,alumni-view.change,alumni-view.change",
  );
});

test("a deleted view can be restored for a day", async () => {
  const admin = await createAdministratorSession();
  const { id } = (await save(admin)).data;
  expect((await change(admin, id, { content: { ...CONTENT, filter: {} }, version: 1 })).code).toBe("SUCCESS");
  expect((await callAs(admin, "DELETE", `${PATH}/${id}?version=1`)).code).toBe("CONFLICT");
  expect((await callAs(admin, "DELETE", `${PATH}/${id}?version=2`)).data).toEqual({ version: 3 });
  expect(await viewsOf(admin)).toEqual([]);
  const now = Date.now();
  const cleanUp = (at: number) => cleanUpAlumni({ db: testDatabase(), now: () => new Date(at) });
  await cleanUp(now + DAY_MS - 60_000);
  expect((await callAs(admin, "POST", `${PATH}/${id}/restore`, {})).data).toEqual({ version: 4 });
  expect(await viewsOf(admin)).toMatchObject([{ name: "이메일 없음", filter: {} }]);
  await callAs(admin, "DELETE", `${PATH}/${id}?version=4`);
  await cleanUp(now + DAY_MS + 60_000);
  expect((await callAs(admin, "POST", `${PATH}/${id}/restore`, {})).code).toBe("NOT_FOUND");
});

test("a person can have fifty views, also counting restored ones", async () => {
  const admin = await createAdministratorSession();
  const { id } = (await save(admin)).data;
  await callAs(admin, "DELETE", `${PATH}/${id}?version=1`);
  await runSql(
    "INSERT INTO alumni_view (id, user_id, name, content, created_date) SELECT 'view' || value, ?, 'x', '{}', 1 FROM json_each(?)",
    admin.user.id,
    JSON.stringify(Array.from({ length: 50 }, (_, at) => at)),
  );
  for (const answer of [await save(admin), await callAs(admin, "POST", `${PATH}/${id}/restore`, {})])
    expect(answer.fields).toEqual({ name: "보기는 한 사람이 50개까지 저장할 수 있습니다." });
  expect((await save(admin, { isShared: true })).code).toBe("SUCCESS");
});

test("a retired person loses private views; shared ones stay", async () => {
  const session = await createSessionWith(["Alumni_Read", "Alumni_Write"]);
  await save(session);
  await save(session, { isShared: true });
  await retireUser(session);
  expect(await readRow("SELECT count(*) AS n, max(is_shared) AS shared FROM alumni_view")).toEqual({ n: 1, shared: 1 });
});
