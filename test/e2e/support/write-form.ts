import type { Page } from "playwright-core";

/** The parts of the write screen. */
export const findEditor = (page: Page) => page.getByRole("textbox", { name: "내용" });
export const findTitle = (page: Page) => page.getByRole("textbox", { name: /^제목/ });
export const submitItem = (page: Page, name = "등록") => page.getByRole("button", { name, exact: true }).click();

/** Writes a title, and a text at the end of what stands in the editor. */
export async function typeItem(page: Page, title: string, text: string): Promise<void> {
  await findTitle(page).fill(title);
  await findEditor(page).click();
  await page.keyboard.type(text);
}
