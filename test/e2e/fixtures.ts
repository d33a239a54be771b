import type { Browser, Page } from "playwright-core";
import { startCaseReportStub } from "#worker/local/case-report-stub.ts";
import { test as base } from "../support/fixtures.ts";
import { newPage, type NewPageOptions } from "./support/browser.ts";
import { launchBrowser } from "./support/chromium.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS, newSignedInPage, type Credentials } from "./support/signed-in-page.ts";

// Shared by all files of a worker, because a file that extends `test` has its own worker fixtures.
const shared = new Map<boolean, Promise<Browser>>();

/** `admin`, `member` and `guest` keep their page for the whole file. */
export const test = base
  /** Launches each kind of browser once. */
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("launch", { scope: "worker" }, ({}, { onCleanup }) => {
    onCleanup(async () => {
      for (const browser of shared.values()) await (await browser).close();
    });
    return (downloadsFont: boolean) => {
      const browser = shared.get(downloadsFont) ?? launchBrowser({ hasSiteFont: !downloadsFont });
      shared.set(downloadsFont, browser);
      return browser;
    };
  })
  /** Whether the browser downloads the site's font instead of having it installed. */
  .extend("downloadsFont", { scope: "file" }, false as boolean)
  .extend("browser", { scope: "file" }, ({ launch, downloadsFont }) => launch(downloadsFont))
  .extend("admin", { scope: "file" }, async ({ browser, site }, { onCleanup }) => {
    const page = await newSignedInPage(browser, site.url, ADMIN_CREDENTIALS);
    onCleanup(() => page.context().close());
    return page;
  })
  .extend("member", { scope: "file" }, async ({ browser, site }, { onCleanup }) => {
    const page = await newSignedInPage(browser, site.url, MEMBER_CREDENTIALS);
    onCleanup(() => page.context().close());
    return page;
  })
  .extend("guest", { scope: "file" }, async ({ browser, site }, { onCleanup }) => {
    const page = await newPage(browser, site.url);
    onCleanup(() => page.context().close());
    return page;
  })
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("opened", ({}, { onCleanup }) => {
    const pages: Page[] = [];
    onCleanup(async () => {
      for (const page of pages) await page.context().close();
    });
    return pages;
  })
  /** Pages with separate sessions, closed after the test. */
  .extend("openAs", ({ browser, site, opened }) => async (person: Credentials, options?: NewPageOptions) => {
    const page = await newSignedInPage(browser, site.url, person, options);
    opened.push(page);
    return page;
  })
  .extend("openGuest", ({ browser, site, opened }) => async (options?: NewPageOptions) => {
    const page = await newPage(browser, site.url, options);
    opened.push(page);
    return page;
  })
  .extend("visit", ({ openGuest }) => async (path: string, options?: NewPageOptions): Promise<Page> => {
    const page = await openGuest(options);
    await page.goto(path);
    return page;
  });

export const caseReportTest = test.extend(
  "siteOptions",
  { scope: "file" },
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  async ({}, { onCleanup }) => {
    const stub = await startCaseReportStub();
    onCleanup(() => stub.close());
    return { vars: { CASE_REPORT_URL: stub.url } };
  },
);
