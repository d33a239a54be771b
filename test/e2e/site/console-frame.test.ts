import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { findAxeViolations } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { measureRows } from "../every-page/questions.ts";
import { test } from "../fixtures.ts";

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const FINISHED_BACKUP = {
  phase: "done",
  fingerprint: "",
  migrations: [],
  sequences: {},
  tables: [],
  tableIndex: 0,
  rowId: 0,
  parts: [],
  files: { after: "", count: 0, bytes: 0, copied: 0, missing: 0, missingNames: [] },
};

test("a user can choose more spacious rows in the console", { tags: "full" }, async ({ admin }) => {
  await admin.setViewportSize(DESK);
  await admin.goto("/Admin/Members");
  await admin.getByRole("button", { name: "촘촘하게", pressed: true }).click();
  await admin.getByRole("button", { name: "촘촘하게", pressed: false }).waitFor();
  await admin.reload();
  expect(await measureRows(admin)).toBeGreaterThan(DESK.height);
  await admin.getByRole("button", { name: "촘촘하게", pressed: false }).click();
});

test("dialogs over a screen are accessible", { tags: "full" }, async ({ admin, db }) => {
  await db
    .prepare(
      "INSERT INTO backup_run (id, name, kind, status, started_date, finished_date, state) VALUES ('b1', '2026-11-01', 'night', 'ok', 1, 2, ?)",
    )
    .bind(JSON.stringify(FINISHED_BACKUP))
    .run();
  for (const [address, name] of [
    ["/Admin/Agreements", /^문서 추가/],
    ["/Admin/Agreements", /^새 버전 공포/],
    ["/Admin/Jobs", /^내려받기/],
  ] as const)
    for (const screen of [DESK, PHONE]) {
      await admin.setViewportSize(screen);
      await admin.goto(address);
      await admin.locator("#main").getByRole("button", { name }).first().focus();
      await admin.keyboard.press("Enter");
      await admin.getByRole("dialog").or(admin.getByRole("alertdialog")).waitFor();
      await expectAccessible(admin);
      await admin.keyboard.press("Escape");
      await admin.locator("dialog[open]").waitFor({ state: "detached" });
    }
});

test("a visitor downloads no code of the console", { tags: "full" }, async ({ openGuest }) => {
  const guest = await openGuest();
  const scripts: Promise<string>[] = [];
  guest.on("response", (response) => {
    if (/\.js(\?|$)/.test(response.url())) scripts.push(response.text());
  });
  await guest.goto("/");
  const text = (await Promise.all(scripts)).join("\n");
  expect(text.length).toBeGreaterThan(5000);
  expect(text).not.toContain("한눈에 보기");
  expect(text).not.toContain("감사 기록");
});

test("the console has a separate frame", async ({ admin }) => {
  await admin.setViewportSize({ width: 1280, height: 900 });
  await admin.goto("/Admin/Members");
  expect(await admin.getByRole("navigation", { name: "주 메뉴" }).count()).toBe(0);
  const bar = await admin.getByRole("banner").boundingBox();
  expect(bar?.height).toBeLessThanOrEqual(56);
  await admin.getByText("도움말").click();
  await admin.getByText("내보내기는 사유를 묻고 감사 기록에 남으니", { exact: false }).waitFor();
  expect(await findAxeViolations(admin)).toEqual([]);
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.reload();
  const keyword = admin.getByLabel("검색어");
  await keyword.waitFor({ state: "hidden" });
  await admin.getByRole("button", { name: "찾는 조건", expanded: false }).click();
  await keyword.fill("없는사람");
  await keyword.press("Enter");
  await admin.getByText("조건에 맞는 회원이 없습니다.").waitFor();
  await admin.getByRole("button", { name: "찾는 조건 1개" }).waitFor();
  expect(await measureSidewaysScroll(admin)).toBe(0);
  expect(await findAxeViolations(admin)).toEqual([]);
});

test("Ctrl+K finds only things that the user may open", { tags: "full" }, async ({ admin, db, openAs }) => {
  await admin.setViewportSize({ width: 1280, height: 900 });
  await admin.goto("/Admin/Site");
  await admin.getByRole("heading", { level: 1 }).waitFor();
  const find = async (page: Page, text: string) => {
    await expect
      .poll(async () => {
        await page.keyboard.press("Control+k");
        return page.getByRole("combobox", { name: "찾을 말" }).count();
      })
      .toBe(1);
    await page.keyboard.insertText(text);
  };
  await find(admin, "비밀번호 길이");
  await admin.getByRole("option", { name: "가입 설정", selected: true }).waitFor();
  expect(await findAxeViolations(admin)).toEqual([]);
  await admin.keyboard.press("Enter");
  await admin.getByRole("heading", { level: 1, name: "가입 설정" }).waitFor();
  await find(admin, "member01");
  await admin.getByRole("option", { name: /member01/ }).waitFor();
  await admin.keyboard.press("Enter");
  await admin.waitForURL(/\/Admin\/Members\/[0-9a-f-]{36}$/);
  await find(admin, "게시");
  const options = admin.getByRole("option");
  expect(await options.first().textContent()).toContain("게시판");
  await admin.keyboard.press("ArrowDown");
  await admin.getByRole("option", { selected: true, name: "역할과 권한" }).waitFor();
  await admin.keyboard.press("ArrowUp");
  await admin.getByRole("option", { selected: true, name: "게시판" }).waitFor();
  await admin.keyboard.press("Escape");
  await options.first().waitFor({ state: "detached" });

  // A centre manager finds that page and no members.
  await db.batch([
    db.prepare(
      `INSERT INTO role (role_code, role_name, permissions) VALUES ('seoul', '서울 담당', '["Center_seoul_Manage"]')`,
    ),
    db.prepare(
      "UPDATE user SET role_code = 'seoul' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member01')",
    ),
  ]);
  const manager = await openAs(MEMBER_CREDENTIALS);
  const asked: string[] = [];
  manager.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await manager.goto("/Admin/Centers/seoul");
  await manager.getByRole("heading", { level: 1 }).waitFor();
  await find(manager, "센터");
  expect(await manager.getByRole("option").allTextContents()).toEqual(["서울 센터 관리센터"]);
  expect(asked).not.toContain("/api/admin/member");
});
