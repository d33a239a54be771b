import type { Page } from "playwright-core";
import { expect } from "vitest";
import { MEMBER_CREDENTIALS, signInByApi } from "../support/signed-in-page.ts";
import { caseReportTest as test } from "../fixtures.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

test("a guest can read the whole site without a script", { tags: "full" }, async ({ openGuest }) => {
  const page = await openGuest({ javaScriptEnabled: false });
  await page.goto("/");
  await page.getByRole("link", { name: "공지사항 더보기" }).first().click();
  await heading(page, "공지사항");
  await page.getByRole("link", { name: /^2 ?페이지/ }).click();
  await page.waitForURL("**page=2**");
  const row = page.locator("tbody a").first();
  const title = (await row.innerText()).trim();
  await row.click();
  await heading(page, title);
  await page.getByRole("link", { name: "목록" }).click();
  await page.waitForURL("**page=2**");
  await page.getByRole("link", { name: "통합검색" }).first().click();
  await page.getByLabel("검색어").fill("안내");
  await page.getByRole("search").getByRole("button", { name: "검색" }).click();
  await page.locator("mark").first().waitFor();
  await page.getByRole("navigation", { name: "주 메뉴" }).locator("summary").first().click();
  await page.locator("header nav a[href='/pid/center']").first().click();
  await page.getByRole("link", { name: "서울 센터 보기" }).click();
  await heading(page, /서울권역센터/);

  await page.setViewportSize({ width: 390, height: 844 });
  const drawer = page.getByRole("navigation", { name: "주 메뉴" });
  await drawer.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "메뉴 열기" }).click();
  await drawer.waitFor();
  await page.getByRole("button", { name: "메뉴 닫기" }).click();
  await drawer.waitFor({ state: "hidden" });
  await page.goto("/pid/residence");
  await page
    .getByText(/총 1,\d{3}명/)
    .first()
    .waitFor();
  // A page cached before the counts were known expires within seconds.
  const figures = async () => {
    await page.goto("/");
    return page.locator("main dl").first().locator("dd.tabular").allInnerTexts();
  };
  await expect.poll(figures).toEqual([expect.stringMatching(/^1,\d{3}명$/), "16곳", "40건"]);
});

test("one small script serves a guest's map, item buttons, sign-in", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/pid/center");
  const map = page.getByRole("region", { name: "지도에서 찾기" });
  await page.locator("#center-map li[data-region=seoul]").hover();
  const note = map.locator("[data-note]");
  await note.getByText("서울권역센터").waitFor();
  await page.getByRole("link", { name: "부산 센터 보기" }).focus();
  await note.getByText("부산", { exact: true }).waitFor();

  const context = page.context();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/board/notice/View/60");
  await page.getByRole("button", { name: "링크 복사" }).click();
  await page.getByRole("status").getByText("링크를 복사하였습니다.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/board\/notice\/View\/60$/);

  const other = await context.newPage();
  await other.goto("/hangul-font.js");
  await signInByApi(other, MEMBER_CREDENTIALS);
  await page.locator("header").getByText("김하늘").filter({ visible: true }).waitFor();
});
