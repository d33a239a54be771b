import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findBrokenWords, findHeaderOverlaps } from "../support/accessible.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations, listens } from "../support/browser.ts";
import { watchHydration } from "../support/hydration.ts";
import { BARE_PAGES, isOtherRegion, MISSING_PAGE, PUBLIC_PAGES } from "../../calls/public-pages.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { caseReportTest } from "../fixtures.ts";

const test = caseReportTest.extend("downloadsFont", { scope: "file" }, true);

// Expectations G1 to G18 of the product, on every public page.

async function faultsOf(page: Page, path: string, width: number): Promise<string[]> {
  // The regions differ in their texts only.
  const faults = [
    ...(isOtherRegion(path) ? [] : await findAxeViolations(page)),
    ...(await findHeaderOverlaps(page)),
    ...(await findBrokenWords(page, "body")),
  ];
  faults.push(
    ...(await page.evaluate(
      ({ isBare, isMissing }) => {
        const found: string[] = [];
        const say = (what: string, holds: unknown) => holds || found.push(what);
        const body = getComputedStyle(document.body);
        say("body text below 16 px", parseFloat(body.fontSize) >= 16);
        say("keep-all", body.wordBreak === "keep-all");
        const endless = document.getAnimations().filter((each) => each.effect?.getTiming().iterations === Infinity);
        say("moves and cannot be stopped", endless.length === 0);
        if (isBare) return found;
        const footer = document.querySelector("footer");
        const range = document.createRange();
        const edges = ["header.sticky a", "main h1", "footer a"].map((selector) => {
          const part = document.querySelector(selector);
          if (part) range.selectNodeContents(part);
          return part ? Math.round(range.getBoundingClientRect().left) : NaN;
        });
        say(`left edges ${edges.join(", ")}`, isMissing || Math.max(...edges) - Math.min(...edges) <= 2);
        const privacy = [...(footer?.querySelectorAll("strong") ?? [])].find(
          (each) => each.textContent === "개인정보처리방침",
        );
        say("footer: bold", privacy && Number(getComputedStyle(privacy).fontWeight) >= 700);
        return found;
      },
      { isBare: BARE_PAGES.includes(path), isMissing: path === MISSING_PAGE },
    )),
  );
  if (width > 400) return faults;
  faults.push(
    ...(await page.evaluate(() =>
      [...document.querySelectorAll("main button[type=submit], header button, header a")]
        .filter(
          (each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5 && !each.closest("dialog"),
        )
        .map((each) => `low button ${each.textContent}`),
    )),
  );
  // A small phone, and a desktop of 1280 px at 400 %.
  for (const narrow of [360, 320]) {
    await page.setViewportSize({ width: narrow, height: 800 });
    const over = await measureSidewaysScroll(page);
    if (over > 0) faults.push(`scrolls sideways by ${over} px at ${narrow}`);
    faults.push(...(await findHeaderOverlaps(page)));
  }
  await page.setViewportSize({ width, height: 900 });
  return faults;
}

// The HTML alone proves the rest: test/pages/site/every-page.test.ts.
test.for([1280, 390])(
  `every public page at %i px: axe, hydration, fonts, edges, targets, no other host (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (width, { site, openGuest }) => {
    // Motion is enabled, because no animation may run forever.
    const page = await openGuest({ width, reducedMotion: "no-preference" });
    const foreign = new Set<string>();
    let fonts = 0;
    page.on("request", (request) => void (fonts += request.url().endsWith(".woff2") ? 1 : 0));
    page.on(
      "request",
      (request) => /^https?:/.test(request.url()) && !request.url().startsWith(site.url) && foreign.add(request.url()),
    );
    const faults: Record<string, string[]> = {};
    const takeFaults = watchHydration(page);
    const paths = sample(
      PUBLIC_PAGES.filter((path) => width > 400 || !isOtherRegion(path)),
      (path) => `${width} ${path}`,
    );
    for (const path of paths) {
      await page.goto(path);
      if (width < 768) await page.locator('script[src="/hangul-font.js"]').waitFor({ state: "attached" });
      const found = [...(await takeFaults()), ...(await faultsOf(page, path, width))];
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
    expect([...foreign]).toEqual([]);
    // Only a device without a Hangul font downloads ours; missing letters look alike there.
    const lacksHangul = await page.evaluate(() => {
      const [hangul, nothing] = ["한", "\u{10FFFD}"].map((letter) => {
        const canvas = document.createElement("canvas");
        const pen = canvas.getContext("2d");
        if (pen) pen.font = "18px sans-serif";
        pen?.fillText(letter, 2, 20);
        return canvas.toDataURL();
      });
      return hangul === nothing;
    });
    expect(fonts > 0).toBe(width > 767 || lacksHangul);
    await page.context().close();
  },
);

test(
  "no word of an English page is broken, from a tablet to a wide screen",
  { tags: "full" },
  async ({ openGuest }) => {
    const page = await openGuest();
    const faults: Record<string, string[]> = {};
    for (const path of ["/en", "/en/pid/about", "/en/pid/center", "/en/board/notice/List/"]) {
      await page.goto(path);
      for (const width of [768, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const found = [...(await findBrokenWords(page, "header")), ...(await findHeaderOverlaps(page))];
        if (found.length > 0) faults[`${path} at ${width}`] = found;
      }
    }
    expect(faults).toEqual({});
  },
);

test("the menu works by mouse, keyboard and touch", { tags: "full" }, async ({ openGuest }) => {
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

test("the header for members has name, own page and sign-out", { tags: "full" }, async ({ openAs }) => {
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

test(
  "everything is reached by Tab with a visible focus ring, never under the header",
  { tags: "full" },
  async ({ openGuest }) => {
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
  },
);

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

test(
  "search needs no script, counts have separators, and print shows only the text",
  { tags: "full" },
  async ({ openGuest }) => {
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
  },
);
