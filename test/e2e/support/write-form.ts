import type { Page } from "playwright-core";
import { expect } from "vitest";

export const findEditor = (page: Page) => page.getByRole("textbox", { name: "내용" });
export const findTitle = (page: Page) => page.getByRole("textbox", { name: /^제목/ });
export const submitItem = (page: Page, name = "등록") => page.getByRole("button", { name, exact: true }).click();

export async function typeItem(page: Page, title: string, text: string): Promise<void> {
  await findTitle(page).fill(title);
  await findEditor(page).click();
  await page.keyboard.type(text);
}

export async function expectOneItem(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.goto("/board/free/List/");
  await expect.poll(() => page.getByRole("link", { name: title }).count()).toBe(1);
}

export async function expectNoDraft(page: Page): Promise<void> {
  await page.goto("/board/free/Write");
  await findEditor(page).waitFor();
  await expect.poll(() => page.getByText("작성하던 글이 있습니다.").count()).toBe(0);
}
