import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sidewaysScroll } from "./account.ts";
import { axe } from "./browser.ts";

/** A desk and a phone: each journey through the console is made on both. */
export const WIDTHS = [1280, 390];

/** It is said that it was done, and the dialog in which it was asked for is away. */
export async function done(page: Page, text: string): Promise<void> {
  await page.getByRole("status").or(page.getByRole("alert")).getByText(text).first().waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}
export const open = (page: Page, path: string) => page.goto(path, { waitUntil: "networkidle" });
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** A line of a table on a desk, a card on a phone. */
export const row = (page: Page, text: string) => page.locator("#main tbody tr", { hasText: text });

/** Without fault for axe and without sideways scroll. */
export async function examine(page: Page): Promise<void> {
  // A button half under the header that sticks to the top is no fault, nor is one under a toast for some seconds.
  await page.evaluate(() => {
    scrollTo(0, 0);
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="알림 닫기"]')) close.click();
  });
  expect([page.url(), await axe(page)]).toEqual([page.url(), []]);
  // An open dialog takes the scroll bar away.
  expect([page.url(), Math.max(0, await sidewaysScroll(page))]).toEqual([page.url(), 0]);
}

/** A call of the API as whoever is signed in on the page: what somebody else does meanwhile. */
export async function ask<T = Record<string, unknown>>(page: Page, method: string, path: string, body?: object) {
  return page.evaluate(
    async ([how, where, json]) => {
      const response = await fetch(where, {
        method: how,
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("accessToken")}` },
        ...(json ? { body: json } : {}),
      });
      const answer = (await response.json()) as { code: string; data: unknown };
      return { status: response.status, code: answer.code, data: answer.data };
    },
    [method, path, body ? JSON.stringify(body) : ""] as const,
  ) as Promise<{ status: number; code: string; data: T }>;
}

/** The session ends, as after half an hour without a sign of life, or in another tab. */
export async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => {
    const oldValue = localStorage.getItem("accessToken");
    for (const key of ["accessToken", "refreshToken", "loginUser"]) localStorage.removeItem(key);
    dispatchEvent(new StorageEvent("storage", { key: "accessToken", oldValue, newValue: null }));
  });
}
