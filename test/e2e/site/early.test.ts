import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Site } from "#worker/local/site.ts";
import { newSite } from "../../site.ts";
import { newPage } from "../support/browser.ts";
import { launch } from "../support/chromium.ts";
import { MEMBER, signedInPage } from "../support/signed-in.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([newSite(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.dispose();
});

/** A page whose scripts come when told, as on a slow line. */
async function slowly(path: string): Promise<{ page: Page; listen: () => Promise<void> }> {
  const page = await newPage(browser, site.url);
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  const listen = async () => {
    release();
    await page.waitForLoadState("networkidle");
  };
  return { page, listen };
}

test("what is typed and ticked before the page listens is kept and sent: finding the password", async () => {
  const { page, listen } = await slowly("/Account/FindPassword");
  const address = page.locator("#address");
  await address.fill("member01@pid.example.kr");
  await address.press("Enter");
  await listen();
  expect(new URL(page.url()).pathname).toBe("/Account/FindPassword");
  expect(await address.inputValue()).toBe("member01@pid.example.kr");
  await page.getByRole("button", { name: "인증번호 받기" }).click();
  await page.locator("input[name=pincode]").waitFor();
  await page.context().close();
});

test("signing up: agreements, name, password and a reload", async () => {
  const { page, listen } = await slowly("/Account/Signup");
  await page.locator("#userName").fill("홍길동");
  await page.locator("#password").fill("Typed!Early1");
  await page.getByRole("checkbox").nth(1).check();
  await listen();
  const name = page.locator("#userName");
  // Another field's change draws the form anew, from what the form itself knows.
  await page.locator("#passwordConfirmation").fill("Typed!Early1");
  expect(await name.inputValue()).toBe("홍길동");
  expect(await page.locator("#password").inputValue()).toBe("Typed!Early1");
  expect(await page.getByRole("checkbox").nth(1).isChecked()).toBe(true);
  await page.reload({ waitUntil: "networkidle" });
  expect(await name.inputValue()).toBe("홍길동");
  await page.context().close();
});

test("로그아웃 on a member's page leads home, as a guest", async () => {
  const page = await signedInPage(browser, site.url, MEMBER);
  await page.goto("/Mypage/Info", { waitUntil: "networkidle" });
  await page.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
  await page.locator("header").getByRole("link", { name: "로그인" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  await page.getByText("로그아웃하였습니다.").waitFor();
  await page.context().close();
});

test("a page from the edge hydrates without a complaint, under its own policy", async () => {
  const page = await newPage(browser, site.url);
  const problems: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  // What a script tried and got refused is reported though it goes on (G-line of the policy: no report in normal use).
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
  });
  for (const path of ["/board/notice/List/", "/board/notice/View/60", "/pid/center"]) {
    for (let visit = 0; visit < 3; visit += 1) await page.goto(path, { waitUntil: "networkidle" });
    // It listens: a link is followed without a new document.
    await page.evaluate(() => Object.assign(window, { same: true }));
    await page.locator("header a[href='/search']").first().click();
    await page.waitForURL("**/search");
    expect(await page.evaluate(() => "same" in window)).toBe(true);
  }
  expect(problems).toEqual([]);
  await page.context().close();
});
