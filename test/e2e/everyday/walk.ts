import type { Locator, Page } from "playwright-core";
import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { signInByForm } from "../support/account.ts";
import { holdRequests, listens, newTab } from "../support/browser.ts";
import type { Credentials } from "../support/signed-in-page.ts";
import type { Condition } from "./conditions.ts";
import type { EverydayPage } from "./pages.ts";

const { title, titles, offline, notLoaded } = KOREAN_TEXTS.error;
const ERROR_TITLES = new Set([title, titles[400], titles[503], offline]);
/** A form says that the connection is away. */
const OFFLINE_WORDS = /연결하지 못했|인터넷 연결|인터넷에 연결/;
const SCRIPTS = "**/assets/*.js";

export interface EverydayPerson {
  credentials: Credentials | null;
  endSession: () => Promise<void>;
}
type Fields = [selector: string, value: string | true][];

let turn = 1000;

/** @returns one line for each fault */
async function watchPage(page: Page, work: () => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  const onError = (error: Error) => void faults.push(`uncaught: ${error.message}`);
  // React logs an error caught by a boundary.
  const onConsole = (message: { type: () => string; text: () => string }) =>
    message.type() === "error" &&
    /Error:|error occurred/i.test(message.text()) &&
    faults.push(`met: ${message.text().slice(0, 200)}`);
  page.on("pageerror", onError);
  page.on("console", onConsole);
  try {
    await work();
    const heading = await page.locator("h1").first().textContent();
    if (heading && ERROR_TITLES.has(heading.trim())) faults.push(`error page: ${heading}`);
  } catch (error) {
    const seen = await page.evaluate(() => (document.querySelector("dialog[open], main") ?? document.body).textContent);
    const why = (error as Error).message.split("\n").slice(0, 4).join(" ");
    faults.push(`${why} (at ${page.url()}, "${seen.slice(0, 200)}")`);
  } finally {
    await page.context().setOffline(false);
    await page.unroute(SCRIPTS);
    page.off("pageerror", onError);
    page.off("console", onConsole);
  }
  return faults;
}

/** Opens the page and performs the row's act. */
export function walkPage(
  page: Page,
  row: EverydayPage,
  condition: Condition,
  person: EverydayPerson,
): Promise<string[]> {
  turn += 1;
  const fields: Fields = Object.entries(row.fill ?? {}).map(([selector, value]) => [
    selector,
    value === true ? value : value.replaceAll("{n}", () => String(turn)),
  ]);
  const says = row.says && new RegExp(row.says.source.replaceAll("{n}", () => String(turn)));
  return watchPage(page, async () => {
    let release = () => {};
    if (condition.scripts === "late") release = await holdRequests(page, SCRIPTS);
    if (condition.scripts === "never") await page.route(SCRIPTS, (route) => route.abort());
    await page.goto(row.path, { waitUntil: "commit" });
    await page.locator("h1, main").first().waitFor({ state: "attached" });
    if (!condition.scripts) await listens(page);
    await act(page, { ...row, says }, fields, condition, person, release);
  });
}

async function act(
  page: Page,
  row: EverydayPage & { says: RegExp | undefined },
  fields: Fields,
  condition: Condition,
  person: EverydayPerson,
  release: () => void,
): Promise<void> {
  // The editor itself comes with the scripts.
  const late = condition.scripts ? fields.filter(([selector]) => selector.includes("contenteditable")) : [];
  const early = fields.filter((field) => !late.includes(field));
  await fillIn(page, early);
  if (condition.scripts === "late") {
    release();
    await listens(page);
    await fillIn(page, late);
  }
  await expectFilled(page, early);
  const outcome = async () => {
    if (row.goes) return page.waitForURL(row.goes, { waitUntil: "commit" });
    if (row.says) await waitForWords(page, row.says);
    // A sent form may be empty again.
    if (row.isLocal) await expectFilled(page, fields);
  };
  if (!row.press) return outcome();
  const button = page
    .locator("#main, main, dialog[open]")
    .getByRole("button", { name: row.press, exact: true })
    .first();
  if (condition.scripts === "never" && !row.isPlain) {
    await button.click();
    await page.getByText(notLoaded).waitFor();
    return expectFilled(page, early);
  }
  if (condition.isOffline && !row.isLocal && !row.isPlain) {
    await page.context().setOffline(true);
    await button.click();
    await waitForWords(page, OFFLINE_WORDS);
    await page.context().setOffline(false);
    await expectFilled(page, fields);
  }
  if (condition.isEnded && !row.isLocal) await person.endSession();
  await button.click();
  if (person.credentials && !row.isLocal && (condition.isEnded || (condition.keepsNothing && !row.isPlain))) {
    if (row.isPlain) await signInOnPage(page, person);
    else await signInByDialog(page, person.credentials);
  }
  await outcome();
}

async function signInByDialog(page: Page, { userKeyCode, password }: Credentials): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await dialog.waitFor();
  const key = dialog.getByLabel("아이디나 이메일");
  if ((await key.count()) > 0) await key.fill(userKeyCode);
  await dialog.getByLabel("비밀번호", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
}

async function signInOnPage(page: Page, { credentials }: EverydayPerson): Promise<void> {
  await page.waitForURL(/\/account\/signin/i);
  await listens(page);
  await signInByForm(page, credentials?.userKeyCode, credentials?.password);
}

/** Steps from a page or to it after the session has ended elsewhere. */
export const STEPS = ["link", "back", "reload", "second tab"] as const;

/** Takes a step after the session's end, and expects the page that was wanted once signed in again. */
export function returnAfterStep(
  page: Page,
  row: EverydayPage,
  person: EverydayPerson,
  step: (typeof STEPS)[number],
): Promise<string[]> {
  const [home, other] = row.who === "admin" ? ["/Admin", "/Admin/Audit"] : ["/Mypage", "/Mypage/Info"];
  const elsewhere = row.path === home ? other : home;
  const here = `${row.path}#main`;
  const link = page.locator(`a[href="${elsewhere}"]`).filter({ visible: true }).first();
  return watchPage(page, async () => {
    await page.goto(here);
    if (step === "back") {
      await link.click();
      await page.waitForURL(`**${elsewhere}`);
    }
    await person.endSession();
    const tab = step === "second tab" ? await newTab(page.context()) : page;
    if (step === "link") await link.click();
    else if (step === "back") await page.goBack({ waitUntil: "commit" });
    else if (step === "reload") await page.reload();
    else await tab.goto(here);
    await signInOnPage(tab, person);
    const wanted = step === "link" ? elsewhere : here;
    await tab.waitForURL(({ pathname, search, hash }) => pathname + search + hash === wanted);
    await tab.locator("h1").first().waitFor();
    if (tab === page) return;
    await tab.close();
    // The first tab shares the new session.
    await page.reload();
    await page.waitForURL(({ pathname, search, hash }) => pathname + search + hash === wanted);
  });
}

const waitForWords = (page: Page, words: RegExp) =>
  page.locator("main, dialog[open], #toasts").getByText(words).filter({ visible: true }).first().waitFor();

async function fillIn(page: Page, fields: Fields): Promise<void> {
  for (const [selector, value] of fields) await fillField(page.locator(selector).first(), value);
}

async function fillField(field: Locator, value: string | true): Promise<void> {
  if (value === true) await field.check();
  else if ((await field.getAttribute("contenteditable")) === null) await field.fill(value);
  else {
    await field.click();
    await field.pressSequentially(value);
  }
}

async function expectFilled(page: Page, fields: Fields): Promise<void> {
  for (const [selector, value] of fields) {
    const field = page.locator(selector).first();
    const kept =
      value === true
        ? await field.isChecked()
        : (await field.evaluate((element) => ("value" in element ? String(element.value) : element.textContent))) ===
          value;
    if (!kept) throw new Error(`not kept: ${selector}`);
  }
}
