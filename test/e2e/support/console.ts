import type { Page } from "playwright-core";
import { fine } from "./by-menu.ts";

/** It is said that it was done, and the dialog in which it was asked for is away. */
export async function done(page: Page, text: string): Promise<void> {
  await page.getByRole("status").or(page.getByRole("alert")).getByText(text).first().waitFor();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}
export const open = (page: Page, path: string) => page.goto(path, { waitUntil: "networkidle" });
/** A line of a table on a desk, a card on a phone. */
export const row = (page: Page, text: string) => page.locator("#main tbody tr", { hasText: text });

/** `fine`, without what stands in the way for a moment. */
export async function examine(page: Page): Promise<void> {
  // A button half under the header that sticks to the top is no fault, nor is one under a toast for some seconds.
  await page.evaluate(() => {
    scrollTo(0, 0);
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="알림 닫기"]')) close.click();
  });
  await fine(page);
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
