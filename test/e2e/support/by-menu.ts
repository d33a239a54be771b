import { type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { sidewaysScroll } from "./account.ts";
import { axe } from "./browser.ts";

/** A desk and a phone: each part of the console is used on both. */
export const WIDTHS = [1280, 390] as const;
export type Width = (typeof WIDTHS)[number];

/** By its whole name; before what only screen readers hear there may be a space. */
export function button(page: Page | Locator, name: string) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(": ", " ?: ");
  return page.getByRole("button", { name: new RegExp(`^${escaped}$`) });
}

/** What the toast says; it is put away, so that the next of the same words is a new one. */
export async function told(page: Page, text: string): Promise<void> {
  const toast = page.getByRole("status").locator("div", { hasText: text });
  await toast.getByRole("button", { name: "알림 닫기" }).click();
  await toast.waitFor({ state: "detached" });
}

/** To a page of the console by its menu, which a phone has folded away. */
export async function toPage(page: Page, width: Width, link: string, heading = link): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  // Also out of a dialog that an earlier test may have left open.
  if (!/\/admin/i.test(page.url()) || (await page.locator("dialog[open]").count()) > 0)
    await page.goto("/Admin", { waitUntil: "networkidle" });
  if (width === 390) await page.locator("summary", { hasText: "관리 메뉴" }).click();
  await page.getByRole("navigation", { name: "관리 메뉴" }).getByRole("link", { name: link, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

/** Nothing for axe to object to, nothing beside the screen. */
export async function fine(page: Page): Promise<void> {
  expect(await axe(page)).toEqual([]);
  const dialogs = page.locator("dialog[open] > div > .overflow-y-auto");
  for (const body of await dialogs.all())
    expect(await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // An open dialog takes the scroll bar away.
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
}

/** Another administrator's hand: the same call that his browser would make. */
export function elsewhere<T = unknown>(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; code: string; data: T }> {
  return ask(page, method, `/api/admin/${path}`, body);
}

/** A call of the API as whoever is signed in on the page. */
export function ask<T = Record<string, unknown>>(
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
