/** @module-tag full */
import { expect } from "vitest";
import type { Page } from "playwright-core";
import { test } from "../fixtures.ts";

async function turnToSecondPage(page: Page): Promise<void> {
  const link = page.getByRole("link", { name: /^2 ?(페이지|쪽)/ });
  await link.first().click();
  await page.waitForURL("**page=2**");
}

test("a reader returns from a notice to the same list", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/");
  await page.getByRole("link", { name: "공지사항 더보기" }).first().click();
  await page.waitForURL("**/board/notice/List/**");
  await turnToSecondPage(page);
  await page.locator("[aria-current=page]", { hasText: "2" }).waitFor();
  const row = page.locator("tbody a").nth(3);
  const title = (await row.innerText()).trim();
  await page.evaluate("scrollTo(0, 150)");
  await row.click();
  await page.waitForURL("**/board/notice/View/**");
  await page.getByRole("heading", { level: 1, name: title.split("\n")[0] ?? "" }).waitFor();
  await page.getByRole("link", { name: "목록" }).click();
  await page.waitForURL("**page=2**");
  await expect.poll(() => page.evaluate("scrollY")).toBe(150);
});

test("the first Tab reaches 본문 바로가기, which moves the focus", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/board/notice/List/");
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("본문 바로가기");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("a date is the same in a browser in New York", async ({ openGuest }) => {
  const page = await openGuest({ timezoneId: "America/New_York" });
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  const html = (await (await page.goto("/board/notice/View/60"))?.text()) ?? "";
  const served = [...html.matchAll(/<time[^>]*>([^<]+)<\/time>/g)].map((match) => match[1]);
  await expect.poll(() => page.locator("time").allInnerTexts()).toEqual(served);
  expect(problems).toEqual([]);
});

test("reading, paging or downloading needs no script", async ({ openGuest }) => {
  const page = await openGuest({ javaScriptEnabled: false });
  await page.goto("/board/reference/List/");
  await turnToSecondPage(page);
  await page.goto("/board/notice/View/60");
  const file = page.locator('a[href*="/api/file/"]').first();
  const response = await page.request.get((await file.getAttribute("href")) ?? "");
  expect(response.status()).toBe(200);
  expect(response.headers()["content-disposition"]).toMatch(/^attachment; .*filename\*=UTF-8''/);
});

test("the home page loads at most 10 kB of script", async ({ site, openGuest }) => {
  const page = await openGuest();
  const scripts: Promise<number>[] = [];
  const foreign: string[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(site.url)) foreign.push(response.url());
    else if (response.request().resourceType() === "script") scripts.push(response.body().then((body) => body.length));
  });
  await page.goto("/");
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(foreign).toEqual([]);
  expect(scripts.length).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(10 * 1000);
});
