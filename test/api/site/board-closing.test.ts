import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { NEW_IDENTITY } from "../../support/identity.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { runSql } from "../../support/test-database.ts";

const PATH = "/api/admin/setting/board-closing/notice";

test("the closing notice of a board lists the consequences", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice");
  const item = await createTestItem(admin, "notice");
  await callAs(admin, "PUT", `/api/board-item-comment/notice/${item}`, { content: "댓글" });
  await createTestItem(admin, "reference");
  for (const [userId, isOn] of [
    ["a", 1],
    ["b", 0],
  ] as const)
    await runSql(
      "INSERT INTO notice_choice (kind, target, user_id, is_on, created_date) VALUES ('item', 'notice', ?, ?, 1)",
      userId,
      isOn,
    );
  await runSql("INSERT INTO quick_link (id, label, href) VALUES ('q', '공지 보기', '/board/Notice/List/')");
  await runSql("INSERT INTO quick_link (id, label, href) VALUES ('r', '자료', '/board/reference/List/')");
  await runSql(
    "INSERT INTO popup (id, title, content, link_url, start_date, end_date, modified_date) VALUES ('p', '알림', '<p>글</p>', '/board/notice/View/1', 1, 1, 1)",
  );
  const entries = [
    { kind: "link", target: "/board/notice/List/", label: "소식", isHidden: false },
    { kind: "link", target: "/board/notice/List/", label: "숨긴 소식", isHidden: true },
  ];
  expect((await callAs(admin, "PATCH", "/api/admin/setting/menu", { entries, version: 0 })).code).toBe("SUCCESS");
  expect((await callAs(admin, "GET", PATH)).data).toEqual({
    items: 2,
    comments: 1,
    followers: 1,
    places: ["메뉴 ‘소식’", "첫 화면의 새 글", "첫 화면 바로가기 ‘공지 보기’", "팝업 ‘알림’"],
  });
  const identity = { ...NEW_IDENTITY, homeBoards: ["reference"], version: 0 };
  expect((await callAs(admin, "PATCH", "/api/admin/setting/identity", identity)).code).toBe("SUCCESS");
  expect((await callAs(admin, "GET", PATH)).data.places).not.toContain("첫 화면의 새 글");
  expect((await callAs(admin, "GET", "/api/admin/setting/board-closing/free")).data).toMatchObject({
    items: 0,
    places: [],
  });
});

test("only an administrator who may close the board sees the closing notice", async () => {
  expect((await callJson("GET", PATH)).code).toBe("UNAUTHORIZED");
  expect((await callAs(await createMemberSession(), "GET", PATH)).code).toBe("FORBIDDEN");
  const clerk = await createSessionWith(["ADMIN_Access", "Board_free_Manage"]);
  expect((await callAs(clerk, "GET", PATH)).code).toBe("FORBIDDEN");
  const admin = await createAdministratorSession();
  expect((await callAs(admin, "GET", "/api/admin/setting/board-closing/nowhere")).code).toBe("NOT_FOUND");
});
