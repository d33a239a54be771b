/** @module-tag full */
import { expect } from "vitest";
import { findAxeViolations } from "../support/browser.ts";
import { findRow } from "../support/console.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const shoot = process.env.SHOOT;

test("an administrator deletes only the reported comment", async ({ openAs }) => {
  const admin = await openAs(ADMIN_CREDENTIALS);
  await admin.goto("/board/notice/View/60");
  await admin.getByRole("textbox", { name: "댓글" }).fill("문제가 될 댓글");
  await admin.getByRole("button", { name: "등록", exact: true }).click();
  await admin.getByText("문제가 될 댓글").first().waitFor();

  const member = await openAs(MEMBER_CREDENTIALS);
  await member.goto("/board/notice/View/60");
  const title = (await member.locator("h1").textContent()) ?? "";
  await member.getByRole("button", { name: "신고" }).first().click();
  const dialog = member.getByRole("dialog", { name: "이 글을 신고하시겠습니까?" });
  await dialog.getByRole("button", { name: "신고", exact: true }).click();
  await dialog.getByText("신고 사유를 골라 주십시오.").waitFor();
  await dialog.getByRole("radio", { name: "그 밖의 사유" }).check();
  await dialog.getByRole("button", { name: "신고", exact: true }).click();
  await dialog.getByText("그 밖의 사유는 내용을 적어 주십시오.").waitFor();
  await dialog.getByRole("textbox", { name: "내용" }).fill("날짜가 틀렸습니다");
  expect(await findAxeViolations(member)).toEqual([]);
  if (shoot) await member.screenshot({ path: `${shoot}/report.png` });
  await dialog.getByRole("button", { name: "신고", exact: true }).click();
  await member.getByText("신고하였습니다. 관리자가 확인하겠습니다.").waitFor();
  await member.getByRole("button", { name: "신고" }).first().click();
  await dialog.getByRole("radio", { name: "욕설이나 비방" }).check();
  await dialog.getByRole("button", { name: "신고", exact: true }).click();
  await dialog.getByText("이미 신고하셨습니다. 관리자가 확인하고 있습니다.").waitFor();
  await member.keyboard.press("Escape");
  const comment = member.getByRole("listitem").filter({ hasText: "문제가 될 댓글" }).last();
  await comment.getByRole("button", { name: "신고" }).click();
  const second = member.getByRole("dialog", { name: "이 댓글을 신고하시겠습니까?" });
  await second.getByRole("radio", { name: "욕설이나 비방" }).check();
  await second.getByRole("button", { name: "신고", exact: true }).click();
  await member.getByText("신고하였습니다. 관리자가 확인하겠습니다.").first().waitFor();

  await admin.goto("/Admin");
  await admin.getByRole("navigation", { name: "관리 메뉴" }).getByRole("link", { name: "신고" }).click();
  await admin.getByRole("heading", { level: 1, name: "신고" }).waitFor();
  const things = findRow(admin, "");
  await expect.poll(() => things.count()).toBe(2);
  expect(await findAxeViolations(admin)).toEqual([]);
  if (shoot) await admin.screenshot({ path: `${shoot}/reports.png`, fullPage: true });
  await things.filter({ hasText: "날짜가 틀렸습니다" }).getByRole("button", { name: "문제없음" }).click();
  await admin.getByText("문제없는 것으로 처리하였습니다.").waitFor();
  // Managers without console access reach reports from the board.
  await admin.goto("/board/notice/List/");
  await admin.getByRole("link", { name: "신고 1건" }).click();
  await admin.getByRole("heading", { level: 1, name: "신고" }).waitFor();
  expect(await findAxeViolations(admin)).toEqual([]);
  await things.filter({ hasText: "문제가 될 댓글" }).getByRole("button", { name: "댓글 삭제" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "댓글 삭제" }).click();
  await admin.getByText("처리할 신고가 없습니다.").waitFor();
  await admin.goto("/board/notice/View/60");
  await admin.getByRole("heading", { level: 1, name: title }).waitFor();
  await expect.poll(() => admin.getByText("문제가 될 댓글").count()).toBe(0);
  await admin.context().close();
});

test("a manager can delete, but not edit, another person's comment", async ({ openAs }) => {
  const member = await openAs(MEMBER_CREDENTIALS);
  await member.goto("/board/notice/View/59");
  await member.getByRole("textbox", { name: "댓글" }).fill("회원의 댓글");
  await member.getByRole("button", { name: "등록", exact: true }).click();
  await member.getByText("회원의 댓글").first().waitFor();
  // A second press finds the field emptied.
  await member.getByRole("button", { name: "등록", exact: true }).click();
  expect(await member.getByText("내용을 입력해 주십시오.").count()).toBe(0);
  await member.getByRole("textbox", { name: "댓글" }).press("Space");
  await member.getByRole("button", { name: "등록", exact: true }).click();
  await member.getByText("내용을 입력해 주십시오.").waitFor();
  await member.context().close();
  const admin = await openAs(ADMIN_CREDENTIALS);
  await admin.goto("/board/notice/View/59");
  const comment = admin.getByRole("listitem").filter({ hasText: "회원의 댓글" }).last();
  await expect.poll(() => comment.getByRole("button", { name: "수정" }).count()).toBe(0);
  await comment.getByRole("button", { name: "삭제" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "삭제", exact: true }).click();
  await admin.getByText("댓글을 삭제하였습니다.").waitFor();
  await expect.poll(() => admin.getByText("회원의 댓글").count()).toBe(0);
});

test("an item link is copied without its list", async ({ site, openGuest }) => {
  const page = await openGuest();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/board/notice/View/60?page=2&sort=title,ASC");
  await page.getByRole("button", { name: "링크 복사" }).click();
  await page.getByText("링크를 복사하였습니다.").waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/board/notice/View/60`);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.locator("h1").isVisible()).toBe(true);
  for (const shown of [
    page.locator(".article"),
    page.getByRole("region", { name: /^첨부파일/ }).getByText("심포지엄 참가신청서.hwp", { exact: true }),
    page.locator("p", { hasText: "한국면역결핍질환연구망 운영사무국" }).filter({ hasText: "한빛대로 101" }),
  ])
    await expect.poll(() => shown.first().isVisible()).toBe(true);
  for (const hidden of [
    page.getByRole("button", { name: /바로보기$/ }).first(),
    page.locator("header nav").first(),
    page.getByRole("button", { name: "인쇄" }),
    page.getByRole("navigation", { name: "이전글 다음글" }),
    page.locator("#comments"),
  ])
    await expect.poll(() => hidden.isVisible()).toBe(false);
});

test("a row on a phone is a card of two lines", async ({ openGuest }) => {
  const page = await openGuest({ width: 390 });
  await page.goto("/board/notice/List/");
  const row = page.locator("tbody tr").last();
  // Measures both in one call, because a late font could move the second.
  const gap = await row.evaluate((element) => {
    const title = element.querySelector("a")?.getBoundingClientRect();
    const writer = element.querySelectorAll("td")[2]?.getBoundingClientRect();
    return title && writer ? writer.top - title.bottom : null;
  });
  expect(gap).toBeGreaterThanOrEqual(-1);
  await expect.poll(() => row.innerText()).toMatch(/조회\s*[\d,]+/);
  await expect.poll(() => row.locator("td").first().isVisible()).toBe(false);
});
