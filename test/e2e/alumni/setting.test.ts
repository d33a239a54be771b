/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations, newTab } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const readHeaders = async (page: Page) => {
  await page.locator("thead th").nth(1).waitFor();
  const texts = await page.locator("thead th").allInnerTexts();
  return texts.map((text) => text.trim()).filter(Boolean);
};

test("the settings of the book take effect after a preview", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Admin/Alumni");
  expect(await findAxeViolations(page)).toEqual([]);
  const preview = page.getByRole("complementary", { name: "미리보기" });
  await page.getByLabel("부서 사용").uncheck();
  await page.getByLabel("이메일 사용").uncheck();
  await page.getByLabel("기수 필수").check();
  await page.getByRole("button", { name: "위로 휴대전화" }).click();
  await page.getByLabel("처음 정렬").selectOption("cohort,DESC");
  await page.getByRole("radio", { name: "보기만 함" }).check();
  await preview
    .getByRole("listitem")
    .filter({ hasText: /^기수.*필수/ })
    .waitFor();
  await expect.poll(() => preview.locator("th").allInnerTexts()).toEqual(["이름", "기수", "소속", "휴대전화", "직위"]);
  await page.getByLabel(/내려받을 수 있는 시간/).fill("99");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByRole("paragraph").filter({ hasText: "1시간에서 24시간 사이로" }).waitFor();
  await page.getByLabel(/내려받을 수 있는 시간/).fill("12");
  const stale = await newTab(page.context());
  await stale.goto("/Admin/Alumni");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("동문주소록 설정을 저장하였습니다.").waitFor();
  await stale.getByLabel("전공 사용").uncheck();
  await stale.getByRole("button", { name: "저장", exact: true }).click();
  await stale.getByText("그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 있습니다.").waitFor();
  await expect.poll(() => stale.getByLabel("전공 사용").isChecked()).toBe(false);
  await stale.getByRole("button", { name: "저장된 내용 불러오기" }).click();
  await expect.poll(() => stale.getByLabel("전공 사용").isChecked()).toBe(true);

  await page.goto("/Alumni");
  expect(await readHeaders(page)).toEqual(["이름", "기수", "소속", "휴대전화", "직위"]);
  await expect.poll(() => page.locator("thead th[aria-sort=descending]").innerText()).toContain("기수");
  await page.getByText("열 선택").click();
  await expect.poll(() => page.locator("li[data-field=department], li[data-field=email]").count()).toBe(0);
  await page.goto("/Alumni?person=new");
  await page.locator("#alumni-name").fill("새사람");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("‘기수’ 항목을 입력해 주십시오.").waitFor();
  await expect.poll(() => page.locator("#alumni-email").count()).toBe(0);

  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of ["/Admin/Alumni", "/Alumni"]) {
    await page.goto(path);
    expect([path, await measureSidewaysScroll(page)]).toEqual([path, 0]);
  }
  const member = await openAs(MEMBER_CREDENTIALS, { width: 390 });
  await member.goto("/Alumni");
  await member.getByRole("link", { name: "내 정보" }).click();
  await member.getByRole("button", { name: "연락처 저장" }).waitFor();
  await expect.poll(() => member.getByRole("button", { name: "수정", exact: true }).count()).toBe(0);
  await expect.poll(() => member.locator("a[href^='mailto:']").filter({ hasText: "alumni" }).count()).toBe(0);
  await Promise.all([page.context().close(), member.context().close()]);
});
