import { unzipSync } from "fflate";
import archive from "../../fixtures/alumni/libreoffice.zip?inline";
import { utils, write } from "@e965/xlsx";
import { env } from "cloudflare:workers";

export type FileBytes = Uint8Array<ArrayBuffer>;
export const fixture = (url: string): FileBytes =>
  Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (c) => c.charCodeAt(0));
export type Sheets = Record<string, unknown[][]>;
export function workbook(sheets: Sheets): FileBytes {
  const made = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(made, utils.aoa_to_sheet(rows), name);
  made.Workbook = { Sheets: Object.keys(sheets).map((name) => ({ Hidden: name.startsWith("숨김") ? 1 : 0 })) };
  return new Uint8Array(write(made, { type: "array", bookType: "xlsx", compression: true }) as ArrayBuffer);
}
export const people = async () =>
  await env.DB.prepare("SELECT name, cohort, graduation_year, affiliation, mobile FROM alumni ORDER BY name").raw();

/** Files made by LibreOffice with test/fixtures/alumni/make-sheets.py. */
export const LIBREOFFICE_FILES = new Map(
  Object.entries(unzipSync(fixture(archive))).map(([name, bytes]) => [name, () => new Uint8Array(bytes)]),
);
