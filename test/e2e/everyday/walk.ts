import type { Locator, Page } from "playwright-core";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { listens } from "../support/browser.ts";
import { type Condition, holdScripts } from "./conditions.ts";
import type { EverydayPage } from "./pages.ts";

const { title, titles, offline, notLoaded } = KOREAN_TEXTS.error;
const ERROR_TITLES = new Set([title, titles[400], titles[503], offline]);
/** How each form says that the connection is away. */
const OFFLINE_WORDS = /연결|인터넷|오프라인|실패하였습니다|에러가 발생했습니다|실패했습니다/;

let turn = 0;

export interface EverydayPerson {
  password: string;
  endSession: () => Promise<void>;
}

/** Opens the page, does what a person does there, and tells what was wrong, one line each. */
export async function walkPage(
  page: Page,
  row: EverydayPage,
  condition: Condition,
  person: EverydayPerson,
): Promise<string[]> {
  const faults: string[] = [];
  const onError = (error: Error) => void faults.push(`uncaught: ${error.message}`);
  // React tells of an error that a boundary met there.
  const onConsole = (message: { type: () => string; text: () => string }) =>
    message.type() === "error" &&
    /Error:|error occurred/i.test(message.text()) &&
    faults.push(`met: ${message.text().slice(0, 200)}`);
  page.on("pageerror", onError);
  page.on("console", onConsole);
  turn += 1;
  const filled = (text: string) => text.replaceAll("{n}", () => String(1000 + turn));
  try {
    const release = await holdScripts(page, condition.scripts);
    await page.goto(row.path, { waitUntil: "commit" });
    await page.locator("h1, main").first().waitFor({ state: "attached" });
    if (!condition.scripts) await listens(page);
    await act(page, row, condition, person, filled, release);
    const heading = await page.locator("h1").first().textContent();
    if (heading && ERROR_TITLES.has(heading.trim())) faults.push(`error page: ${heading}`);
  } catch (error) {
    const heading = await page
      .locator("h1")
      .first()
      .textContent({ timeout: 500 })
      .catch(() => "");
    faults.push(`${(error as Error).message.split("\n").slice(0, 2).join(" ")} (at ${page.url()}, "${heading}")`);
  } finally {
    await page.context().setOffline(false);
    await page.unroute("**/assets/*.js");
    page.off("pageerror", onError);
    page.off("console", onConsole);
  }
  return faults;
}

async function act(
  page: Page,
  row: EverydayPage,
  condition: Condition,
  person: EverydayPerson,
  filled: (text: string) => string,
  release: () => void,
): Promise<void> {
  const fields = Object.entries(row.fill ?? {});
  const isEditor = (selector: string) => selector.includes("contenteditable");
  // The editor itself comes with the scripts.
  const early = condition.scripts ? fields.filter(([selector]) => !isEditor(selector)) : fields;
  for (const [selector, value] of early) await fillField(page.locator(selector).first(), value, filled);
  if (condition.scripts === "late") {
    release();
    await listens(page);
    for (const [selector, value] of fields.filter(([each]) => isEditor(each)))
      await fillField(page.locator(selector).first(), value, filled);
  }
  await expectFilled(page, early, filled);
  if (!row.press) {
    if (row.says) await says(page, row.says);
    return;
  }
  const button = page
    .locator("#main, main, dialog[open]")
    .getByRole("button", { name: row.press, exact: true })
    .first();
  if (condition.scripts === "never" && !row.isPlain) {
    await button.click();
    await page.getByText(notLoaded).waitFor();
    return expectFilled(page, early, filled);
  }
  if (condition.isEnded && !row.isLocal && row.who !== "guest" && !row.isPlain) {
    await person.endSession();
    await button.click();
    const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
    await dialog.getByLabel("비밀번호", { exact: true }).fill(person.password);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    return expectOutcome(page, row, fields, filled);
  }
  if (condition.isOffline && !row.isLocal) {
    await page.context().setOffline(true);
    await button.click();
    if (!row.isPlain) await says(page, OFFLINE_WORDS);
    await page.context().setOffline(false);
    if (row.isPlain) await page.goto(row.path);
    else await expectFilled(page, fields, filled);
    if (row.isPlain)
      for (const [selector, value] of fields) await fillField(page.locator(selector).first(), value, filled);
  }
  await button.click();
  await expectOutcome(page, row, fields, filled);
}

async function expectOutcome(
  page: Page,
  row: EverydayPage,
  fields: [string, string | true][],
  filled: (text: string) => string,
): Promise<void> {
  if (row.goes) return page.waitForURL(row.goes, { waitUntil: "commit" });
  if (row.says) await says(page, new RegExp(filled(row.says.source)));
  // What was sent and is done may be empty again.
  if (row.isLocal) await expectFilled(page, fields, filled);
}

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
