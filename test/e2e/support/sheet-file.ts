import { utils, write } from "@e965/xlsx";
import type { Page } from "playwright-core";

export function sheetFile(title: string, heads: readonly string[], rows: readonly unknown[][]): Buffer {
  const made = utils.book_new();
  utils.book_append_sheet(made, utils.aoa_to_sheet([[title], [...heads], ...rows]), "Sheet1");
  return write(made, { type: "buffer", bookType: "xlsx" }) as Buffer;
}

/** Chooses a file on a page with one place for files. */
export const dropFile = (page: Page, name: string, buffer: Buffer) =>
  page.locator("#main input[type=file]").setInputFiles([{ name, mimeType: "application/octet-stream", buffer }]);
