/** @module-tag full */
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { signInByForm } from "../support/account.ts";
import { listens } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectOneItem, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

const HOUR_MS = 3_600_000;

/** Shifts the clock of every page by milliseconds. */
const shiftClock = (context: BrowserContext, ms: number) =>
  context.addInitScript((by) => {
    const RealDate = Date;
    const ShiftedDate = function (...parts: unknown[]) {
      return Reflect.construct(RealDate, parts.length === 0 ? [RealDate.now() + by] : parts) as Date;
    };
    globalThis.Date = Object.assign(ShiftedDate, {
      now: () => RealDate.now() + by,
      parse: RealDate.parse,
      UTC: RealDate.UTC,
      prototype: RealDate.prototype,
    }) as unknown as DateConstructor;
  }, ms);

type Fault = "getter" | "read" | "write" | "session";
const breakStorage = (context: BrowserContext, fault: Fault) =>
  context.addInitScript((kind) => {
    const refuse = (): never => {
      throw new DOMException("refused", kind === "write" ? "QuotaExceededError" : "SecurityError");
    };
    if (kind === "getter" || kind === "session") {
      const faulty = { configurable: true, ...(kind === "getter" ? { get: refuse } : { value: undefined }) };
      if (kind === "getter") Object.defineProperty(globalThis, "localStorage", faulty);
      Object.defineProperty(globalThis, "sessionStorage", faulty);
      return;
    }
    Storage.prototype.setItem = refuse;
    if (kind === "read") Object.assign(Storage.prototype, { getItem: refuse, removeItem: refuse, key: refuse });
  }, fault);

function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}
const signIn = async (page: Page, to: string) => {
  await page.goto(`/account/signin?returnUrl=${encodeURIComponent(to)}`);
  await signInByForm(page);
  await page.waitForURL(`**${to}`);
  await listens(page);
};

test.for([2 * HOUR_MS, -2 * HOUR_MS, 72 * HOUR_MS, 25 * 60_000])(
  "a clock that is wrong by %i ms loses no write",
  async (ms, { openGuest }) => {
    const page = await openGuest();
    const errors = watchErrors(page);
    let refreshes = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/signin-by-refresh-token")) refreshes += 1;
    });
    await shiftClock(page.context(), ms);
    await signIn(page, "/board/free/Write");
    const title = `시계가 ${ms} 틀린 글`;
    await typeItem(page, title, "본문");
    await submitItem(page);
    await expectOneItem(page, title);
    expect(await page.getByRole("dialog", { name: "다시 로그인해 주십시오" }).count()).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).not.toBeNull();
    expect(refreshes).toBe(0);
    expect(errors).toEqual([]);
  },
);

test("a correct clock stores no difference", async ({ openGuest }) => {
  const page = await openGuest();
  await signIn(page, "/Mypage/Info");
  expect(await page.evaluate(() => localStorage.getItem("clockDifference"))).toBeNull();
});

test.for(["getter", "read", "write", "session"] as const)(
  "a failing browser storage (%s) breaks no page",
  async (fault, { openGuest }) => {
    const page = await openGuest();
    const errors = watchErrors(page);
    await breakStorage(page.context(), fault);
    for (const path of ["/Account/Signup", "/Account/FindId", "/Account/FindPassword", "/"]) {
      await page.goto(path);
      expect(await page.getByRole("heading", { level: 1 }).first().innerText(), path).not.toBe("");
    }
    await signIn(page, "/board/free/Write");
    await page.getByText("이 브라우저에는 사이트 데이터를 저장할 수 없어").waitFor();
    const title = `저장소가 ${fault}인 글`;
    await typeItem(page, title, "본문");
    await submitItem(page);
    if (fault !== "session") {
      const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
      await dialog.getByLabel("비밀번호", { exact: true }).fill(MEMBER_CREDENTIALS.password);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
    await page.locator("header").getByRole("link", { name: "로그인" }).first().waitFor();
    expect(errors).toEqual([]);
  },
);

test("a browser that blocks cookies shows that signing in is impossible", async ({ openGuest }) => {
  const page = await openGuest();
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false }));
  await page.goto("/Account/Signin");
  await page.getByText("이 브라우저가 쿠키를 차단하고 있어 로그인할 수 없습니다.").waitFor();
});
