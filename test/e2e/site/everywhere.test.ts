import { expect } from "vitest";
import { listens } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { caseReportTest as test } from "../fixtures.ts";

test("the menu works by mouse, keyboard or touch", { tags: "full" }, async ({ openGuest }) => {
  const wide = await openGuest();
  await wide.goto("/");
  const group = wide.locator("header nav summary").first();
  const inside = wide.locator("header nav a[href='/pid/organization']").first();
  await group.hover();
  await inside.click();
  await wide.waitForURL("**/pid/organization");
  await listens(wide);
  await group.focus();
  await wide.keyboard.press("Enter");
  await inside.waitFor();
  await wide.keyboard.press("Escape");
  await inside.waitFor({ state: "hidden" });
  await expect.poll(() => group.evaluate((element) => element === document.activeElement)).toBe(true);
  await wide.context().close();

  const phone = await openGuest({ hasTouch: true, isMobile: true, width: 390, height: 844 });
  await phone.goto("/");
  const opener = phone.getByRole("button", { name: "메뉴 열기" });
  await opener.tap();
  const drawer = phone.getByRole("dialog", { name: "전체 메뉴" });
  await drawer.waitFor();
  for (let n = 0; n < 40; n += 1) {
    await phone.keyboard.press("Tab");
    expect(
      await drawer.evaluate(
        (element) => element.contains(document.activeElement) || document.activeElement === document.body,
      ),
      `${n}`,
    ).toBe(true);
  }
  await phone.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
  await opener.tap();
  await drawer.getByRole("link", { name: "권역센터", exact: true }).tap();
  await phone.waitForURL("**/pid/center");
  await drawer.waitFor({ state: "hidden" });
});

test("the header for members links to their own page", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/");
  const header = page.locator("header");
  for (const words of ["김하늘", "마이페이지", "로그아웃"])
    expect(await header.getByText(words).filter({ visible: true }).count(), words).toBe(1);
  await expect.poll(() => header.getByText("관리", { exact: true }).count()).toBe(0);
  const refused = await page.goto("/Admin");
  expect(refused?.status()).toBe(403);
  await page.getByText("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다").first().waitFor();
  await expect.poll(() => page.getByRole("link", { name: "홈으로" }).isVisible()).toBe(true);
});

test("every control is reached by Tab with a visible ring", { tags: "full" }, async ({ openGuest }) => {
  const page = await openGuest({ height: 600 });
  for (const path of ["/board/notice/List/", "/pid/center", "/pid/residence"]) {
    await page.goto(path);
    const links = await page
      .locator(
        "main a:visible, main button:visible, main summary:visible, main select:visible, main input:visible, main [tabindex='0']:visible",
      )
      .count();
    await page.evaluate(() => document.getElementById("main")?.focus());
    const seen = new Set<string>();
    const hidden: string[] = [];
    const look = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const { top, bottom } = element.getBoundingClientRect();
        const header = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
        const style = getComputedStyle(element);
        const ringed = style.outlineStyle !== "none" || style.boxShadow !== "none" || element instanceof SVGElement;
        return {
          inMain: !!element.closest("main"),
          key: `${element.tagName} ${element.textContent.trim().slice(0, 40)} ${element.getAttribute("href") ?? element.getAttribute("name")}`,
          fault: !ringed
            ? "no ring"
            : !element.closest("header") && bottom <= header
              ? `under the header ${Math.round(top)}`
              : "",
        };
      });
    for (let n = 0; n < links + 5; n += 1) {
      await page.keyboard.press("Tab");
      const { inMain, key, fault } = await look();
      if (inMain) seen.add(`${n} ${key}`);
      if (fault) hidden.push(`${path}: ${key}: ${fault}`);
    }
    for (let n = 0; n < 20; n += 1) {
      await page.keyboard.press("Shift+Tab");
      const { key, fault } = await look();
      if (fault) hidden.push(`${path} back: ${key}: ${fault}`);
    }
    expect(hidden, path).toEqual([]);
    expect(seen.size, path).toBeGreaterThanOrEqual(links);
  }
});

test("Enter that ends a syllable does not send a search", { tags: "full" }, async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/search");
  await page.getByLabel("검색어").focus();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Input.imeSetComposition", { text: "안낸", selectionStart: 2, selectionEnd: 2 });
  await cdp.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  expect(new URL(page.url()).search).toBe("");
  await cdp.send("Input.imeSetComposition", { text: "안내", selectionStart: 2, selectionEnd: 2 });
  await cdp.send("Input.insertText", { text: "안내" });
  await page.keyboard.press("Enter");
  await page.waitForURL(/keyword=/);
  expect(new URL(page.url()).searchParams.get("keyword")).toBe("안내");
});

test("the search needs no script", { tags: "full" }, async ({ openGuest }) => {
  const page = await openGuest({ javaScriptEnabled: false });
  await page.goto("/board/notice/List/");
  expect(
    await page
      .getByText(/총\s*[\d,]+건/)
      .first()
      .isVisible(),
  ).toBe(true);
  await page.getByLabel("검색어").fill("안내");
  await page.getByRole("search").getByRole("button", { name: "검색" }).click();
  await page.waitForURL(/keyword=/);
  await expect.poll(() => page.locator("mark").count()).toBeGreaterThan(0);
  await page.goto("/pid/residence");
  expect(
    await page
      .getByText(/총 1,\d{3}명/)
      .first()
      .isVisible(),
  ).toBe(true);
  await page.goto("/board/notice/View/60");
  await page.emulateMedia({ media: "print" });
  for (const part of ["header:not(article header)", "footer"])
    expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false]);
  await expect.poll(() => page.locator("article h1").isVisible()).toBe(true);
});
