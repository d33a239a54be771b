import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { CONSOLE_AREAS } from "#worker/contract/kernel/console/console-pages.ts";
import { findAxeViolations, listens } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

/** Every list of the console, each with a row at least; a reported item is read whole, and no row. */
const LISTS = [
  "/Admin/Members",
  "/Admin/Inquiries",
  "/Admin/Mailings",
  "/Admin/Certificates",
  "/Admin/SecondFactor",
  "/Admin/Roles",
  "/Admin/Privacy",
  "/Admin/Audit",
  "/Admin/Messages",
  "/Admin/Jobs",
  "/Admin/Configuration",
  "/Admin/Agreements",
  "/Admin/Boards",
  "/Admin/MailTemplates",
  "/Admin/Contents",
  "/Admin/Pages",
  "/Admin/Menu",
  "/Admin/Centers",
  ...CONSOLE_AREAS.flatMap(({ pages }) => pages.flatMap(({ path, row }) => (row ? `/Admin/${path}` : []))),
];
const ROWS = [
  "INSERT INTO message (id, channel, recipient, subject, body, status, created_date) VALUES ('m1', 'email', 'a@example.com', '가입을 환영합니다', '', 'sent', 1)",
  "INSERT INTO inquiry VALUES ('i1', (SELECT id FROM user LIMIT 1), 'etc', '증명서를 받고 싶습니다', 'waiting', 1, 1, 1)",
  "INSERT INTO mailing (id, source, target, kind, subject, status, created_user_id, created_date, modified_date) VALUES ('g1', 'member', '{\"filter\":{}}', 'notice', '총회 안내', 'draft', (SELECT id FROM user LIMIT 1), 1, 1)",
  "INSERT INTO privacy_request (id, kind, status, requester_name, content, received_date, due_date, modified_date) VALUES ('p1', 'access', 'open', '김동문', '알려 주십시오.', 1, 1, 1)",
  "INSERT INTO alumni_certificate (id, number, user_id, created_user_id, created_date, expires_date) SELECT 'c1', '2026-1', id, id, 1, 2 FROM user LIMIT 1",
  "INSERT INTO audit_log (created_date, address, action, target_type, target_id, request_id) VALUES (1, '', 'board.change', 'board', 'notice', '')",
  "INSERT INTO destruction (created_date, kind, rule, basis, count) VALUES (1, '주소록 정보', 'alumni-bin', '휴지통에서 바로 삭제', 1)",
];

/** Where 15 rows like those that are there would end; null for a list without rows. */
const measureRows = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll("#main tbody tr, #main .list-row, #main .field-row")].map((row) =>
      row.getBoundingClientRect(),
    );
    const heights = rows.map(({ height }) => height).toSorted((a, b) => a - b);
    const median = heights[Math.floor(heights.length / 2)];
    return rows[0] && median ? Math.round(rows[0].top + 15 * median) : null;
  });

test("each list of the console has room for 15 rows, and a person may have it roomier", async ({ admin, db }) => {
  await db.batch(ROWS.map((row) => db.prepare(row)));
  await admin.setViewportSize({ width: 1280, height: 900 });
  const measured: Record<string, number | null> = {};
  await admin.goto("/Admin/Privacy/Destructions");
  await listens(admin);
  measured["/Admin/Privacy/Destructions"] = await measureRows(admin);
  // From one to the next by the console's own navigation, which loads no page anew.
  const menu = admin.getByRole("navigation", { name: "관리 메뉴" });
  for (const path of LISTS) {
    await menu.locator(`a[href="${path}"]`).click();
    await menu.locator(`a[href="${path}"][aria-current="page"]`).waitFor();
    measured[path] = await measureRows(admin);
  }
  const wrong = Object.entries(measured).filter(([, end]) => end === null || end > 900);
  expect(wrong).toEqual([]);
  await menu.locator('a[href="/Admin/Members"]').click();
  await admin.getByRole("button", { name: "촘촘하게", pressed: true }).click();
  await admin.getByRole("button", { name: "촘촘하게", pressed: false }).waitFor();
  await admin.reload();
  expect(await measureRows(admin)).toBeGreaterThan(900);
  await admin.getByRole("button", { name: "촘촘하게", pressed: false }).click();
});

test("the console has a frame of its own, and a phone folds its filters away", async ({ admin }) => {
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

test("Ctrl+K finds pages, settings and members for whoever may open them", async ({ admin, db, openAs }) => {
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

  // Who looks after one centre finds that page, and nobody.
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
