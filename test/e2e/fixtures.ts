import type { Browser, Page } from "playwright-core";
import { test as base } from "../fixtures.ts";
import { newPage, type NewPageOptions } from "./support/browser.ts";
import { launchBrowser } from "./support/chromium.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS, newSignedInPage, type Credentials } from "./support/signed-in-page.ts";

// One for all files of a worker: a file that extends `test` has worker fixtures of its own.
let shared: Promise<Browser> | undefined;

/** A test in the browser. `admin`, `member` and `guest` keep their page for the whole file. */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    shared ??= launchBrowser();
    const browser = await shared;
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("admin", { scope: "file" }, ({ browser, site }, { onCleanup }) =>
    openFor(onCleanup, newSignedInPage(browser, site.url, ADMIN_CREDENTIALS)),
  )
  .extend("member", { scope: "file" }, ({ browser, site }, { onCleanup }) =>
    openFor(onCleanup, newSignedInPage(browser, site.url, MEMBER_CREDENTIALS)),
  )
  .extend("guest", { scope: "file" }, ({ browser, site }, { onCleanup }) =>
    openFor(onCleanup, newPage(browser, site.url)),
  )
  /** Pages with a session of their own, closed with the test. */
  .extend(
    "openAs",
    ({ browser, site }, { onCleanup }) =>
      (person: Credentials, options?: NewPageOptions) =>
        openFor(onCleanup, newSignedInPage(browser, site.url, person, options)),
  )
  .extend(
    "openGuest",
    ({ browser, site }, { onCleanup }) =>
      (options?: NewPageOptions) =>
        openFor(onCleanup, newPage(browser, site.url, options)),
  )
  .extend("visit", ({ openGuest }) => async (path: string, options?: NewPageOptions): Promise<Page> => {
    const page = await openGuest(options);
    await page.goto(path);
    return page;
  });

export type OpenAs = (person: Credentials, options?: NewPageOptions) => Promise<Page>;
export type OpenGuest = (options?: NewPageOptions) => Promise<Page>;

async function openFor(onCleanup: (close: () => Promise<void>) => void, opening: Promise<Page>): Promise<Page> {
  const page = await opening;
  onCleanup(() => page.context().close());
  return page;
}
