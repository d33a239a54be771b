/** @module-tag full */
import { expect } from "vitest";
import { expectPageAccessible } from "../support/accessible.ts";
import { holdRequests } from "../support/browser.ts";
import { test } from "../fixtures.ts";

/** The month after next in Korean time, as `yyyy-mm`. */
const later = new Date(Date.now() + 62 * 86_400_000);
const month = new Date(later.getTime() + 9 * 3_600_000).toISOString().slice(0, 7);

test("an event is written by keyboard", async ({ admin, visit }) => {
  await admin.goto("/Admin/Boards/reference");
  await admin.getByLabel("글에 일정(일시와 장소)을 적을 수 있습니다").check();
  await admin.getByRole("button", { name: "저장", exact: true }).click();
  await admin.getByText("게시판을 저장하였습니다.").waitFor();

  await admin.goto("/board/reference/Write");
  await admin.getByRole("textbox", { name: "제목" }).fill("판독 실습");
  await admin.getByRole("textbox", { name: "내용" }).fill("함께 판독합니다.");
  await admin.getByLabel("일정으로 올리기").focus();
  await admin.keyboard.press("Space");
  await admin.getByLabel("장소").fill("온새미대학교병원 판독실");
  await admin.getByRole("button", { name: "등록", exact: true }).click();
  await admin.getByRole("link", { name: "시작하는 때를 입력해 주십시오." }).waitFor();
  await expect.poll(() => admin.evaluate(() => document.activeElement?.id)).toBe("eventStart");
  await admin.locator("#eventStart").fill(`${month}-10T14:00`);
  await admin.locator("#eventEnd").fill(`${month}-10T13:00`);
  await admin.getByRole("button", { name: "등록", exact: true }).click();
  await admin.getByRole("link", { name: "끝나는 때가 시작하는 때보다 빠릅니다." }).waitFor();
  await expectPageAccessible(admin);
  await admin.getByLabel("하루 종일").check();
  await expect.poll(() => admin.locator("#eventStart").inputValue()).toBe(`${month}-10`);
  await admin.locator("#eventEnd").fill(`${month}-12`);
  await admin.getByRole("button", { name: "등록", exact: true }).click();
  await admin.waitForURL("**/board/reference/View/*");
  const summary = admin.getByRole("region", { name: "일정 안내" });
  expect(await summary.textContent()).toMatch(/D-\d+.*온새미대학교병원 판독실/);
  const [download] = await Promise.all([
    admin.waitForEvent("download"),
    summary.getByRole("link", { name: "내 달력에 담기" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^reference-\d+\.ics$/);
  const address = new URL(admin.url()).pathname;

  const guest = await visit(`/calendar?month=${month}&board=reference`);
  const grid = guest.getByRole("table", { name: /일정$/ });
  expect(await grid.getByRole("link", { name: "판독 실습" }).count()).toBe(3);
  await grid.getByRole("link", { name: "판독 실습" }).first().focus();
  await guest.keyboard.press("Enter");
  await guest.waitForURL(`**${address}`);
  expect(await guest.locator('script[type="application/ld+json"]').allTextContents()).toContainEqual(
    expect.stringContaining('"@type":"Event"'),
  );
  await expectPageAccessible(guest);
  await guest.goto("/board/reference/List/");
  await guest.getByRole("row", { name: /판독 실습.*일 남음/ }).waitFor();
  await guest.getByRole("link", { name: "달력으로 보기" }).click();
  await guest.waitForURL("**/calendar?board=reference");
  await expectPageAccessible(guest);

  // The form must not wait for late editor styles.
  const release = await holdRequests(admin, "**/assets/rich-editor*.css");
  await admin.goto(address.replace("View", "Write"), { waitUntil: "commit" });
  await admin.locator("html[data-listens]").waitFor({ state: "attached" });
  await admin.getByLabel("취소된 일정").check();
  release();
  await admin.getByRole("textbox", { name: "내용" }).waitFor();
  await admin.getByRole("button", { name: "수정", exact: true }).click();
  await admin.waitForURL(`**${address}`);
  await admin.getByText("취소된 일정입니다.").waitFor();
});

test("a month on a phone is a list of its events", async ({ visit }) => {
  const phone = await visit("/calendar?month=2026-12", { width: 390, height: 844 });
  expect(await phone.getByRole("table").count()).toBe(0);
  const list = phone.getByRole("list", { name: "2026년 12월 일정" });
  expect(await list.getByRole("listitem").count()).toBe(2);
  await expectPageAccessible(phone);
  await phone.goto("/calendar?month=2031-05");
  await phone.getByRole("link", { name: "다음 달, 2031년 6월" }).click();
  await phone.getByRole("heading", { name: "2031년 6월" }).waitFor();
  await phone.getByText("이 달에는 일정이 없습니다.").waitFor();
  await expectPageAccessible(phone);
});
