/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { caseReportTest as test } from "../fixtures.ts";

const POPUP = "알림: 동계 심포지엄 사전등록";
const close = (page: Page) => page.context().close();
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());

test("after navigation the focus is at the heading of the page", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/notice/List/");
  await page.locator("footer").getByRole("link", { name: "이용약관" }).click();
  await page.getByRole("heading", { level: 1, name: "이용약관" }).waitFor();
  await expect.poll(() => focusedText(page)).toBe("이용약관");
  await page.locator("footer").getByRole("link", { name: "개인정보 처리방침" }).click();
  await expect.poll(() => focusedText(page)).toBe("개인정보 처리방침");
  await close(page);
});

test("one Esc closes one layer: first the menu, then the popup", async ({ openGuest }) => {
  const page = await openGuest({ width: 1440 });
  await page.goto("/");
  const popup = page.getByRole("region", { name: POPUP });
  await popup.waitFor();
  const group = page.getByRole("navigation", { name: "주 메뉴" }).locator("summary").first();
  await group.focus();
  await page.keyboard.press("Enter");
  const list = page.getByRole("navigation", { name: "주 메뉴" }).locator("details[open]");
  await expect.poll(() => list.count()).toBe(1);
  await page.keyboard.press("Escape");
  await expect.poll(() => list.count()).toBe(0);
  expect(await popup.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await popup.waitFor({ state: "detached" });
  await close(page);
});

test("the application says so without a connection", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/terms");
  await page.locator("header a").first().click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.context().setOffline(true);
  await page.locator("footer").getByRole("link", { name: "이용약관" }).click();
  await page.getByRole("heading", { level: 1, name: "인터넷에 연결되어 있지 않습니다" }).waitFor();
  await expect.poll(() => page.getByText("500", { exact: true }).count()).toBe(0);
  // The first try after a break often fails.
  await page.route(/\.data/, (route) => route.abort("internetdisconnected"), { times: 1 });
  await page.context().setOffline(false);
  await page.getByRole("heading", { level: 1, name: "이용약관" }).waitFor();
  await close(page);
});

test("the current page stays recognizable in forced colours mode", async ({ openGuest }) => {
  const page = await openGuest();
  await page.emulateMedia({ forcedColors: "active" });
  const background = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => getComputedStyle(each).backgroundColor);
  await page.goto("/pid/about");
  const [current, other] = [
    await background('nav[aria-label] a[aria-current="page"]'),
    await background("nav[aria-label] a:not([aria-current])"),
  ];
  expect(current).not.toBe(other);
  await page.goto("/board/notice/List/");
  const marked = await page.locator('[aria-current]:not([aria-current="false"])').evaluateAll((all) => {
    const wanted = document.body.appendChild(document.createElement("span"));
    wanted.style.cssText = "forced-color-adjust: none; background: Highlight; color: HighlightText";
    return [wanted, ...all].map((each) => [getComputedStyle(each).backgroundColor, getComputedStyle(each).color]);
  });
  expect(marked.length).toBeGreaterThan(3);
  for (const colours of marked) expect(colours).toEqual(marked[0]);
  await page.goto("/pid/residence");
  const swatches = await page
    .getByRole("list", { name: "범례" })
    .locator("span > span")
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  expect(new Set(swatches).size).toBe(swatches.length);
  expect(swatches.length).toBeGreaterThan(3);
  // Dark labels need their own ground, or they are unreadable on a black user background.
  const grounds = await page
    .locator("main svg:has(text)")
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  expect(grounds.length).toBeGreaterThan(0);
  expect(new Set(grounds)).toEqual(new Set(["rgb(255, 255, 255)"]));
  await page.goto("/Account/Signin");
  const frame = await page
    .getByRole("button", { name: "로그인", exact: true })
    .evaluate((each) => getComputedStyle(each).borderTopWidth);
  expect(parseFloat(frame)).toBeGreaterThan(0);
  await close(page);
});

test("nothing scrolls sideways at 400 %", async ({ openGuest }) => {
  const page = await openGuest({ width: 320, height: 256 });
  await page.goto("/");
  const popup = page.getByRole("region", { name: POPUP });
  await popup.waitFor();
  expect((await popup.boundingBox())?.height).toBeLessThan(130);
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
  const broken = await page
    .locator("header a")
    .first()
    .evaluate((link) => {
      const text = [...link.querySelectorAll("span")].at(-1)?.firstChild as Text;
      const words = [...(text.textContent ?? "").matchAll(/\S+/g)];
      const range = document.createRange();
      return words
        .filter(({ 0: word, index }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1;
        })
        .map((found) => found[0]);
    });
  expect(broken).toEqual([]);
  await page.getByRole("button", { name: "내용 보기" }).click();
  await popup.getByRole("region", { name: "알림 내용" }).waitFor();
  await close(page);
});

test("a phone number or address in a text is a link", async ({ db, openGuest }) => {
  const page = await openGuest();
  await db
    .prepare("UPDATE board_item SET content = ? WHERE board_code = 'notice' AND item_no = 60")
    .bind(
      "<h2>접수처</h2><table><tbody><tr><td>문의 02-740-1234, office@example.or.kr, www.example.or.kr</td></tr></tbody></table>",
    )
    .run();
  await page.goto("/board/notice/View/60");
  const article = page.locator(".article");
  const hrefs = await article.locator("a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
  expect(hrefs).toEqual(["tel:027401234", "mailto:office@example.or.kr", "https://www.example.or.kr"]);
  await article.getByRole("region", { name: "접수처 표" }).waitFor();
  await close(page);
});

test("every map of Korea shows 울릉도 with 독도 by name", async ({ openGuest }) => {
  const page = await openGuest();
  for (const path of ["/", "/pid/center", "/pid/center/seoul", "/pid/residence"]) {
    await page.goto(path);
    for (const name of ["울릉도", "독도"])
      expect(await page.locator("main svg text", { hasText: name }).count(), path).toBe(1);
  }
  await close(page);
});

test("a panel in the address book can be opened repeatedly", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  const { results } = await db.prepare("SELECT id FROM alumni ORDER BY name LIMIT 12").all<{ id: string }>();
  for (const { id } of results) {
    const answer = await page.goto(`/Alumni?person=${id}`);
    expect(answer?.status()).toBe(200);
  }
  await close(page);
});
