import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { roleGrant } from "#db/schema/access.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem, sentMessages } from "../../support/factories.ts";
import { runScheduledJobs } from "../../support/scheduled-jobs.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createUser,
  type TestSession,
  TEST_PASSWORD,
} from "../../support/people.ts";
import { readRows, readValue, runSql, testDatabase } from "../../support/test-database.ts";

const retire = ({ accessToken: token }: TestSession) =>
  callJson("POST", "/api/user/retire", { token, body: { password: TEST_PASSWORD } });

async function publishPage({ accessToken: token }: TestSession, code: string) {
  await callJson("PUT", `/api/admin/content/${code}/draft`, {
    token,
    body: { title: "소개", content: "<p>글</p>", version: 0 },
  });
  const { code: published } = await callJson("POST", `/api/admin/content/${code}/publish`, {
    token,
    body: { version: 1 },
  });
  expect(published).toBe("SUCCESS");
}

const historyNames = async ({ accessToken: token }: TestSession, code: string) =>
  (await callJson("GET", `/api/admin/content/${code}/history`, { token })).data.map(
    (version: { createdUserName: string }) => version.createdUserName,
  );

test("the history loses the name of a retired administrator", async () => {
  const reader = await createAdministratorSession();
  const leaving = await createSession({ userType: "Admin", userName: "김하늘" });
  const namesake = await createSession({ userType: "Admin", userName: "김하늘" });
  await publishPage(leaving, "about");
  await publishPage(namesake, "organization");
  const helper = await createUser({ userName: "박도움" });
  const block = (session: TestSession, ids: string[]) =>
    callAs(session, "POST", "/api/admin/member/role", {
      ids,
      roleCode: "administrator",
      reason: "시험",
      password: TEST_PASSWORD,
    });
  await block(leaving, [helper.id]);
  const [ofLeaving] = await sentMessages(reader.user.email);
  await block(namesake, [(await createUser({ userName: "이보조" })).id]);
  // The reader also got a message about this person that someone else caused.
  const token = namesake.accessToken;
  const grant = { roleCode: "administrator", from: "2026-01-01", reason: "대리", password: TEST_PASSWORD };
  const deputy = await createSession({ userName: "최대리" });
  await callJson("PUT", `/api/admin/member/${deputy.user.id}/role-grant`, { token, body: grant });
  expect(ofLeaving?.body).toContain("김하늘님이 관리자 권한을 변경하였습니다.");

  expect((await retire(leaving)).code).toBe("SUCCESS");
  expect(await historyNames(reader, "about")).toEqual(["탈퇴한 회원"]);
  expect(await historyNames(reader, "organization")).toEqual(["김하늘"]);
  const page = await callAs(reader, "GET", "/api/admin/content/about");
  expect(page.data.modifiedUserName).toBe("탈퇴한 회원");
  const messages = (await sentMessages(reader.user.email)).map(({ body }) => body);
  expect(messages.filter((body) => body.includes("탈퇴한 회원님이 관리자 권한을"))).toHaveLength(1);
  expect(messages.filter((body) => body.includes("김하늘님이 관리자 권한을"))).toHaveLength(2);
  expect(messages.filter((body) => body.includes("박도움"))).toHaveLength(1);

  // The name in a message is removed, whatever the way of retirement or a later name.
  await runSql("UPDATE user SET user_name = '최새이름' WHERE id = ?", deputy.user.id);
  expect((await retire(deputy)).code).toBe("SUCCESS");
  expect(await readValue("SELECT count(*) AS n FROM message WHERE body LIKE '%최대리%'")).toBe(0);
  const { results } = await env.DB.prepare("SELECT about_people FROM message").all();
  expect(JSON.stringify(results)).not.toContain("최대리");
});

test("the move of an old site names nobody who left", async () => {
  await createAdministratorSession();
  const mover = await createSession({ userType: "Admin", userName: "김하늘" });
  await runSql(
    `INSERT INTO moving (id, site, status, created_user_id, created_user_name, created_date, entries, state)
     VALUES ('m', '옛집', 'committed', ?, '김하늘', 1, '[]', '{}')`,
    mover.user.id,
  );
  expect((await retire(mover)).code).toBe("SUCCESS");
  expect(await readRows("SELECT created_user_name FROM moving")).toEqual([{ created_user_name: "탈퇴한 회원" }]);
});

test("after retirement, notifications to others no longer name the author", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const writer = await createSession({ userName: "윤댓글" });
  await callAs(writer, "PUT", `/api/board-item-comment/free/${itemNo}`, { content: "잘 읽었습니다." });
  await runScheduledJobs(env);
  const [message] = await sentMessages(author.user.email);
  expect(message?.body).toContain("윤댓글님이 댓글을");
  expect((await retire(writer)).code).toBe("SUCCESS");
  const [after] = await sentMessages(author.user.email);
  expect(after?.body).toContain("탈퇴한 회원님이 댓글을");
});

test("everything temporary of a retired member is deleted", async () => {
  const person = await createMemberSession();
  const { id } = person.user;
  const now = new Date();
  await testDatabase()
    .insert(roleGrant)
    .values([
      { id: "now", userId: id, roleCode: "administrator", startDate: now, createdDate: now },
      { id: "later", userId: id, roleCode: "member", startDate: new Date(8.64e12), createdDate: now },
      { id: "other", userId: (await createUser()).id, roleCode: "member", startDate: now, createdDate: now },
    ]);
  const draft = { itemNo: 0, title: "쓰던 글", content: "<p>쓰던 내용</p>", fields: {}, fileIds: [] };
  const saved = await callAs(person, "PUT", "/api/board-item-draft/free", draft);
  expect(saved.code).toBe("SUCCESS");
  await createAdministratorSession();
  expect((await retire(person)).code).toBe("SUCCESS");
  const { results } = await env.DB.prepare("SELECT id FROM role_grant").all();
  expect(results).toEqual([{ id: "other" }]);
  expect(await readRows("SELECT * FROM item_draft")).toEqual([]);
});

test("administrators cannot block themselves, alone or among others", async () => {
  const one = await createAdministratorSession();
  await createAdministratorSession();
  const person = await createUser();
  for (const ids of [[one.user.id], [person.id, one.user.id]]) {
    const answer = await callAs(one, "POST", "/api/admin/member/block", { ids, reason: "시험" });
    expect([answer.code, answer.message]).toEqual(["CONFLICT", "자기 자신은 차단할 수 없습니다."]);
  }
  const { results } = await env.DB.prepare("SELECT id FROM user WHERE status <> 'active'").all();
  expect(results).toEqual([]);
  expect((await callAs(one, "GET", "/api/admin/member")).code).toBe("SUCCESS");
});
