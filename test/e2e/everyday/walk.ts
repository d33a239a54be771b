import type { Locator, Page } from "playwright-core";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import type { EverydayPage } from "./pages.ts";

const { title, titles, offline } = KOREAN_TEXTS.error;
const ERROR_TITLES = new Set([title, titles[400], titles[503], offline]);

let turn = 0;

/** Performs the row on the page. @returns one line for each fault */
export async function walkPage(page: Page, row: EverydayPage): Promise<string[]> {
  const faults: string[] = [];
  const onError = (error: Error) => void faults.push(`uncaught: ${error.message}`);
  // React logs an error caught by a boundary.
  const onConsole = (message: { type: () => string; text: () => string }) =>
    message.type() === "error" &&
    /Error:|error occurred/i.test(message.text()) &&
    faults.push(`met: ${message.text().slice(0, 200)}`);
  page.on("pageerror", onError);
  page.on("console", onConsole);
  turn += 1;
  const filled = (text: string) => text.replaceAll("{n}", () => String(1000 + turn));
  const fields = Object.entries(row.fill ?? {});
  try {
    await page.goto(row.path);
    for (const [selector, value] of fields) await fillField(page.locator(selector).first(), value, filled);
    await expectFilled(page, fields, filled);
    if (row.press) await findButton(page, row.press).click();
    if (row.goes) await page.waitForURL(row.goes, { waitUntil: "commit" });
    if (row.says) await says(page, new RegExp(filled(row.says.source)));
    if (row.isLocal) await expectFilled(page, fields, filled);
    const heading = await page.locator("h1").first().textContent();
    if (heading && ERROR_TITLES.has(heading.trim())) faults.push(`error page: ${heading}`);
  } catch (error) {
    faults.push(`${(error as Error).message.split("\n").slice(0, 2).join(" ")} (at ${page.url()})`);
  } finally {
    page.off("pageerror", onError);
    page.off("console", onConsole);
  }
  return faults;
}

const findButton = (page: Page, name: string) =>
  page.locator("#main, main, dialog[open]").getByRole("button", { name, exact: true }).first();

const says = (page: Page, words: RegExp) =>
  page.locator("main, dialog[open], #toasts").getByText(words).filter({ visible: true }).first().waitFor();

async function fillField(field: Locator, value: string | true, filled: (text: string) => string): Promise<void> {
  if (value === true) await field.check();
  else if ((await field.getAttribute("contenteditable")) === null) await field.fill(filled(value));
  else {
    await field.click();
    await field.pressSequentially(filled(value));
  }
}

async function expectFilled(
  page: Page,
  fields: [string, string | true][],
  filled: (text: string) => string,
): Promise<void> {
  for (const [selector, value] of fields) {
    const field = page.locator(selector).first();
    const kept =
      value === true
        ? await field.isChecked()
        : (await field.evaluate((element) => ("value" in element ? String(element.value) : element.textContent))) ===
          filled(value);
    if (!kept) throw new Error(`not kept: ${selector}`);
  }
}
