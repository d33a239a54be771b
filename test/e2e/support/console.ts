import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "./account.ts";
import { findAxeViolations } from "./browser.ts";

/** A desk and a phone: each part of the console is used on both. */
export const SCREEN_WIDTHS = [1280, 390] as const;
export type ScreenWidth = (typeof SCREEN_WIDTHS)[number];

/** By its whole name; before what only screen readers hear there may be a space. */
export function findButton(page: Page | Locator, name: string) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(": ", " ?: ");
  return page.getByRole("button", { name: new RegExp(`^${escaped}$`) });
}

/** What the toast says; it is put away, so that the next of the same words is a new one. */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const toast = page.getByRole("status").locator("div", { hasText: text });
  await toast.getByRole("button", { name: "알림 닫기" }).click();
  await toast.waitFor({ state: "detached" });
}

/** To a page of the console by its menu, which a phone has folded away. */
export async function openConsolePage(page: Page, width: ScreenWidth, link: string, heading = link): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  // Also out of a dialog that an earlier test may have left open.
  if (!/\/admin/i.test(page.url()) || (await page.locator("dialog[open]").count()) > 0) await page.goto("/Admin");
  if (width === 390) await page.locator("summary", { hasText: "관리 메뉴" }).click();
  await page.getByRole("navigation", { name: "관리 메뉴" }).getByRole("link", { name: link, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** Nothing for axe to object to, nothing beside the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  const dialogs = page.locator("dialog[open] > div > .overflow-y-auto");
  for (const body of await dialogs.all())
    await expect.poll(() => body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // An open dialog takes the scroll bar away.
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);
}

/** Another administrator's hand: the same call that his browser would make. */
export function callAsOtherAdministrator<T = unknown>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; code: string; data: T }> {
  return callFromPage(page, method, `/api/admin/${path}`, body);
}

/** A call of the API as whoever is signed in on the page. */
export function callFromPage<T = Record<string, unknown>>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; code: string; data: T }> {
  return page.evaluate(
    async ([verb, address, json]) => {
      const response = await fetch(address, {
        method: verb,
        headers: {
          Authorization: `Bearer ${localStorage.getItem("accessToken")}`,
          ...(json ? { "Content-Type": "application/json" } : {}),
        },
        ...(json ? { body: json } : {}),
      });
      return { ...(await response.json()), status: response.status };
    },
    [method, path, body ? JSON.stringify(body) : ""] as const,
  );
}

/** It is said that it was done, and the dialog in which it was asked for is away. */
export async function expectDone(page: Page, text: string): Promise<void> {
  await page.getByRole("status").or(page.getByRole("alert")).getByText(text).first().waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}
export const openPage = (page: Page, path: string) => page.goto(path);
/** A line of a table on a desk, a card on a phone. */
export const findRow = (page: Page, text: string) => page.locator("#main tbody tr", { hasText: text });

/** `fine`, without what stands in the way for a moment. */
export async function expectPageAccessible(page: Page): Promise<void> {
  // A button half under the header that sticks to the top is no fault, nor is one under a toast for some seconds.
  await page.evaluate(() => {
    scrollTo(0, 0);
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="알림 닫기"]')) close.click();
  });
  await expectAccessible(page);
}

/** The session ends, as after half an hour without a sign of life, or in another tab. */
export async function endPageSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => {
    const oldValue = localStorage.getItem("accessToken");
    for (const key of ["accessToken", "refreshToken", "loginUser"]) localStorage.removeItem(key);
    dispatchEvent(new StorageEvent("storage", { key: "accessToken", oldValue, newValue: null }));
  });
}
