import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll, signInByForm } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const header = (page: Page) => page.locator("header");

test("signing in by keyboard continues to returnUrl", async ({ visit }) => {
  const page = await visit("/Account/Signin?returnUrl=%2Fboard%2Fnotice%2FList%2F%3Fpage%3D2");
  await expect.poll(() => page.getByText("로그인 후 이용해 주시기 바랍니다.").isVisible()).toBe(true);
  await page.getByLabel("아이디", { exact: true }).focus();
  await page.keyboard.type("Member01");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Member!2345");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/board/notice/List/?page=2");
  const html = await (await page.request.get("/")).text();
  expect(html).toContain("로그아웃");
  await expect.poll(() => header(page).getByRole("button", { name: "로그아웃" }).isVisible()).toBe(true);
  const kept = await page.evaluate(() => Object.keys(localStorage).toSorted());
  expect(kept).toEqual(["accessToken", "loginUser", "refreshToken"]);

  await page.goto("/account/signin?returnUrl=%2Fboard%2Freference%2FList%2F");
  expect(new URL(page.url()).pathname).toBe("/board/reference/List/");

  await header(page).getByRole("button", { name: "로그아웃" }).first().click();
  await header(page).getByRole("link", { name: "로그인" }).first().waitFor();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual(["guest"]);
});

test("a member signs out of the English site on its home page", async ({ site, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/en/board/notice/List/");
  expect(await header(page).getByRole("link", { name: "My page" }).first().getAttribute("href")).toBe("/Mypage");
  await header(page).getByRole("button", { name: "Sign out" }).first().click();
  await header(page).getByRole("link", { name: "Sign in" }).first().waitFor();
  expect(page.url()).toBe(`${site.url}/en`);
});

test("a refusal at the form keeps the input", async ({ visit }) => {
  const page = await visit("/Account/Signin");
  await page.getByRole("button", { name: "로그인", exact: true }).click();
  const id = page.getByLabel("아이디", { exact: true });
  await expect.poll(() => id.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => id.evaluate((element) => element === document.activeElement)).toBe(true);

  await signInByForm(page, "member01", "wrong");
  const alert = page.getByRole("main").getByRole("alert");
  await alert.getByText("계정 정보가 일치하지 않습니다. 다시 입력해주세요.").waitFor();
  await expect.poll(() => id.inputValue()).toBe("member01");
  await signInByForm(page, "nobody-here", "wrong");
  await alert.getByText("회원 정보가 없습니다.").waitFor();

  await signInByForm(page, "member01", "wrong");
  await alert.getByText("계정 정보가 일치하지 않습니다. 다시 입력해주세요.").waitFor();
  await signInByForm(page, "member01", "wrong");
  await alert.getByText("2번 더 틀리시면 한동안 로그인하실 수 없습니다.").waitFor();
  await expect
    .poll(() => alert.getByRole("link", { name: "비밀번호 재설정" }).getAttribute("href"))
    .toBe("/Account/FindPassword");
});

test("a saved ID leaves the focus to the password", { tags: "full" }, async ({ site, visit }) => {
  const page = await visit("/Account/Signin");
  await page.getByLabel("아이디 저장").check();
  await signInByForm(page);
  await page.waitForURL(`${site.url}/`);
  await header(page).getByRole("button", { name: "로그아웃" }).first().click();
  await header(page).getByRole("link", { name: "로그인" }).first().waitFor();
  await page.goto("/Account/Signin");
  await expect.poll(() => page.getByLabel("아이디", { exact: true }).inputValue()).toBe("member01");
  await expect.poll(() => page.getByLabel("아이디 저장").isChecked()).toBe(true);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password");
});

test("a failing passkey offer leaves the form without an error", { tags: "full" }, async ({ openGuest }) => {
  const page = await openGuest();
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
    navigator.credentials.get = (options) => {
      // Set after the page has rendered its reaction.
      const said = () => (document.documentElement.dataset.offered = String(options?.mediation));
      requestAnimationFrame(() => requestAnimationFrame(said));
      return Promise.reject(new DOMException("no", "UnknownError"));
    };
  });
  await page.goto("/Account/Signin");
  await page.locator("html[data-offered=conditional]").waitFor({ state: "attached" });
  expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
  await page.getByRole("button", { name: "패스키로 로그인" }).click();
  await page.getByRole("alert").getByText("패스키를 쓸 수 없습니다").waitFor();
});

test("a password with Hangul or Caps Lock shows a warning", { tags: "full" }, async ({ visit }) => {
  const page = await visit("/Account/Signin", { width: 360 });
  const password = page.getByLabel("비밀번호", { exact: true });
  await password.fill("ㅔ묵");
  await page.getByText("한글이 입력되었습니다.").waitFor();
  await password.fill("");
  await password.dispatchEvent("keydown", { key: "A", modifierCapsLock: true });
  await page.getByText("Caps Lock이 켜져 있습니다.").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await measureSidewaysScroll(page)).toBe(0);
});

test("an external address in returnUrl redirects home", async ({ site, visit }) => {
  const page = await visit("/account/signin?returnUrl=%2F%5Cevil.example");
  await signInByForm(page);
  await page.waitForURL(`${site.url}/`);
  await expect.poll(() => header(page).getByRole("button", { name: "로그아웃" }).isVisible()).toBe(true);
});

test("a session is renewed silently in its last minutes", { tags: "full" }, async ({ db, openGuest }) => {
  const page = await openGuest();
  await page.clock.install();
  await page.goto("/account/signin?returnUrl=%2FAccount%2FFindId");
  await signInByForm(page);
  await page.waitForURL("**/Account/FindId");
  const refreshToken = () => page.evaluate(() => localStorage.getItem("refreshToken"));
  const first = await refreshToken();
  await page.clock.fastForward("19:00");
  expect(await refreshToken()).toBe(first);
  await page.getByLabel("이름").fill("홍길동");
  // A session is renewed only after user activity.
  await page.getByLabel("이름").press("End");
  await page.clock.fastForward("02:00");
  await expect.poll(refreshToken).not.toBe(first);
  await expect.poll(() => page.getByText("로그인이 만료되었습니다.").count()).toBe(0);
  await db.prepare("UPDATE session SET revoked_date = 1").run();
  await page.getByLabel("이름").press("End");
  // The renewal corrects the clock difference, so the new token lasts half an hour.
  await page.clock.fastForward("21:00");
  await page.getByText("로그인이 만료되었습니다. 다시 로그인해 주십시오.").waitFor();
  await header(page).getByRole("link", { name: "로그인" }).first().waitFor();
  await expect.poll(() => page.getByLabel("이름").inputValue()).toBe("홍길동");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
});
