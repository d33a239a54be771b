import type { Page } from "playwright-core";

/** The parts of the write screen. */
export const findEditor = (page: Page) => page.getByRole("textbox", { name: "내용" });
export const findTitle = (page: Page) => page.getByRole("textbox", { name: /^제목/ });
export const submitItem = (page: Page, name = "등록") => page.getByRole("button", { name, exact: true }).click();
