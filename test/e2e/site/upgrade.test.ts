/** @module-tag full */
import type { Page, Route } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { findAxeViolations, listens } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectLog } from "../../support/expected-log.ts";
import { test } from "../fixtures.ts";

const chunk = (name: string) => new RegExp(`/assets/${name}-[^/]+\\.js$`);

const MANIFEST = "**/__manifest*";

/** Code may be prefetched before the click, but the timeout begins with the navigation. */
const isUnderWay = (page: Page) => page.locator(".animate-progress").waitFor({ state: "attached" });

test("a link works in a tab older than an upgrade", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/notice/List/");
  let missing = 0;
  await page.route(chunk("view"), (route) => {
    missing += 1;
    return missing === 1 ? route.fulfill({ status: 404, body: "gone" }) : route.continue();
  });
  await page.locator('main a[href*="/View/"]').first().click();
  await page.waitForURL(/\/View\/\d+/);
  await listens(page);
  expect(missing).toBeGreaterThan(0);
  expect(await page.locator("main h1").textContent()).not.toBe("");
});

test("without the Navigation API the reloaded page continues to the link", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined }));
  await page.goto("/board/notice/List/");
  await listens(page);
  let missing = 0;
  await page.route(chunk("view"), (route) => {
    missing += 1;
    return missing === 1 ? route.fulfill({ status: 404, body: "gone" }) : route.continue();
  });
  await page.locator('main a[href*="/View/"]').first().click();
  await page.waitForURL(/\/View\/\d+/);
  await listens(page);
  expect(missing).toBeGreaterThan(1);
  // A reload by hand stays.
  await page.reload();
  await listens(page);
  expect(new URL(page.url()).pathname).toMatch(/\/View\/\d+/);
});

test("an unreachable site ends the navigation with a message", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Info");
  const field = page.locator("main input:not([readonly]):not([type=checkbox]):visible").first();
  await field.fill("적던 내용");
  await page.route("**/*", (route) => route.abort());
  await page.locator("footer").getByRole("link", { name: "이용약관" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "나가기" }).click();
  await page.getByText("페이지를 불러오지 못했습니다.").waitFor();
  expect(await field.inputValue()).toBe("적던 내용");
  expect(new URL(page.url()).pathname).toBe("/Mypage/Info");
});

test("code that does not load is requested again with its page", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.clock.install();
  await page.goto("/board/notice/List/");
  let asked = 0;
  let release = () => {};
  const end = new Promise<void>((resolve) => {
    release = resolve;
  });
  onTestFinished(() => release());
  await page.route(chunk("view"), async (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    await end;
    return route.abort();
  });
  await page.locator('main a[href*="/View/"]').first().click();
  await expect.poll(() => asked).toBe(1);
  await isUnderWay(page);
  await page.clock.runFor(119_000);
  expect(new URL(page.url()).pathname).toMatch(/List/i);
  await page.clock.runFor(2000);
  await page.waitForURL(/\/View\/\d+/);
});

test.for([
  ["known", false],
  ["still to be discovered", true],
] as const)("with routes %s, a message appears after 135 seconds", async ([, isHeld], { openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.clock.install();
  let release = () => {};
  const end = new Promise<void>((resolve) => {
    release = resolve;
  });
  onTestFinished(() => release());
  const asked: string[] = [];
  const hold = async (route: Route) => {
    asked.push(route.request().method());
    await end;
    return route.abort();
  };
  const discovery = isHeld ? page.waitForRequest(MANIFEST) : page.waitForResponse(MANIFEST);
  if (isHeld) await page.route(MANIFEST, hold);
  await page.goto("/board/notice/List/");
  await page.clock.runFor(1000);
  await discovery;
  await page.route("**/*", hold);
  await page.locator('main a[href*="/View/"]').first().click();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await isUnderWay(page);
  await page.clock.runFor(121_000);
  await expect.poll(() => asked).toContain("HEAD");
  await page.clock.runFor(15_000);
  await page.getByText("페이지를 불러오지 못했습니다.").waitFor();
  expect(new URL(page.url()).pathname).toMatch(/List/i);
});

test("a part of a page with missing code shows an error", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.route(chunk("rich-editor"), (route) => route.fulfill({ status: 404, body: "gone" }));
  await page.goto("/board/free/Write");
  await page.getByText("이 부분을 불러오지 못했습니다.").waitFor();
  await page.getByLabel("제목").fill("남아 있는 제목");
  expect(await page.getByLabel("제목").inputValue()).toBe("남아 있는 제목");
});

test("the browser keeps the guest role while signed out", async ({ openAs, openGuest }) => {
  const page = await openGuest();
  await page.goto("/pid/about");
  const guest = () => page.evaluate(() => localStorage.getItem("guest"));
  await expect.poll(guest).toBe('{"role":{"roleCode":"guest"}}');
  const member = await openAs(MEMBER_CREDENTIALS);
  await member.goto("/pid/about");
  await expect.poll(() => member.evaluate(() => localStorage.getItem("guest"))).toBeNull();
});

test("a link opens a stale page without the database", async ({ db, openAs, openGuest }) => {
  expectLog(/"path":"\/board\/notice\/View\/58.*no such table: role/);
  const page = await openGuest();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto("/board/notice/View/58");
  await page.goto("/board/notice/List/");
  const writer = await openAs(ADMIN_CREDENTIALS);
  await writer.evaluate(async () => {
    await fetch("/api/board-item-comment/notice/58", {
      method: "PUT",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${localStorage.getItem("accessToken")}`,
      },
      body: JSON.stringify({ content: "하나 더" }),
    });
  });
  await db.exec("ALTER TABLE role RENAME TO role_gone");
  await page.locator('main a[href*="/View/58"]').first().click();
  await page.waitForURL(/\/View\/58/);
  await listens(page);
  await page.locator("#stale-page").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await db.exec("ALTER TABLE role_gone RENAME TO role");
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator("#stale-page").count();
    })
    .toBe(0);
  expect(errors).toEqual([]);
});
