import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startSite } from "#worker/local/site.ts";
import { newPage } from "../e2e/support/browser.ts";
import { ADMIN_CREDENTIALS, newSignedInPage } from "../e2e/support/signed-in-page.ts";
import { launchBrowser } from "../e2e/support/chromium.ts";
import { addPeople } from "./load.ts";

// Measures Event Timing at a four times slower CPU and the LCP of prerendered pages. Needs an idle machine.
const SLOWER = 4;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PEOPLE = 1000;

interface Act {
  what: string;
  who: "admin" | "guest";
  path: string;
  before?: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
}

const dense = { who: "admin", path: "/Alumni?size=50" } as const;
const editor = { who: "admin", path: "/board/notice/Write" } as const;
const text = (page: Page) => page.getByRole("textbox", { name: "내용" });
const ACTS: Act[] = [
  {
    what: "a row chosen",
    ...dense,
    act: (page) =>
      page
        .getByRole("checkbox", { name: / 선택$/ })
        .nth(3)
        .click(),
  },
  {
    what: "all rows chosen",
    ...dense,
    act: (page) =>
      page
        .getByRole("checkbox", { name: / 선택$/ })
        .first()
        .click(),
  },
  {
    what: "a letter of the keyword",
    ...dense,
    before: (page) => page.getByRole("searchbox").first().click(),
    act: (page) => page.keyboard.press("a"),
  },
  {
    what: "sorted by name",
    ...dense,
    act: (page) => page.getByRole("columnheader", { name: /이름/ }).getByRole("link").click(),
  },
  { what: "a person opened", ...dense, act: (page) => page.getByRole("table").getByRole("link").nth(9).click() },
  {
    what: "the editor's first letter",
    ...editor,
    before: (page) => text(page).click(),
    act: (page) => page.keyboard.press("a"),
  },
  {
    what: "a letter behind 200 paragraphs",
    ...editor,
    before: async (page) => {
      await text(page).click();
      await page.keyboard.insertText(Array.from({ length: 200 }, (_, at) => `단락 ${at}의 글입니다.`).join("\n"));
    },
    act: (page) => page.keyboard.press("a"),
  },
  {
    what: "bold",
    ...editor,
    before: (page) => text(page).click(),
    act: (page) => page.getByRole("button", { name: "굵게" }).click(),
  },
  {
    what: "a page of a list",
    who: "admin",
    path: "/board/notice/List/",
    act: (page) =>
      page
        .getByRole("navigation", { name: "페이지 이동" })
        .getByRole("link", { name: /^2\s*페이지/ })
        .click(),
  },
  {
    what: "a search by hand",
    who: "guest",
    path: "/search",
    act: (page) => page.getByRole("searchbox").first().click(),
  },
  {
    what: "a line of the console's menu",
    who: "admin",
    path: "/Admin",
    act: (page) => page.getByRole("link", { name: "회원 관리", exact: true }).first().click(),
  },
  {
    what: "a member's row",
    who: "admin",
    path: "/Admin/Members",
    act: (page) => page.getByRole("table").getByRole("link").first().click(),
  },
];

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
const browser = await launchBrowser();

const watch = () => {
  const seen: number[] = [];
  Object.assign(window, { paintedMs: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
};
/** Event Timing reports a paint two frames and a task later. */
const settle = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300)))),
  );
const longest = (page: Page) =>
  page.evaluate(() => Math.max(0, ...(window as unknown as { paintedMs: number[] }).paintedMs));

async function measure({ who, path, before, act }: Act): Promise<number> {
  const page = await (who === "admin"
    ? newSignedInPage(browser, site.url, ADMIN_CREDENTIALS)
    : newPage(browser, site.url));
  try {
    await page.addInitScript(watch);
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(path);
    await before?.(page);
    await settle(page);
    await page.evaluate(() => (window as unknown as { paintedMs: number[] }).paintedMs.splice(0));
    await act(page);
    await settle(page);
    return await longest(page);
  } finally {
    await page.context().close();
  }
}

async function nextPageMs(): Promise<number | null> {
  const page = await newPage(browser, site.url);
  try {
    await page.goto("/");
    const link = page.getByRole("link", { name: "공지사항" }).first();
    await link.hover();
    await page.waitForTimeout(2000);
    await link.click();
    await page.waitForURL(/List/);
    return await page.evaluate(
      () =>
        new Promise<number | null>((done) => {
          const [opened] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & {
            activationStart: number;
          })[];
          new PerformanceObserver((list) => {
            const last = list.getEntries().at(-1);
            done(last && opened?.activationStart ? Math.max(0, last.startTime - opened.activationStart) : null);
          }).observe({ type: "largest-contentful-paint", buffered: true });
        }),
    );
  } finally {
    await page.context().close();
  }
}

try {
  await addPeople(site, 0, PEOPLE);
  const chosen = process.argv.slice(2);
  const table: Record<string, { "ms, median": number; worst: number }> = {};
  for (const act of ACTS.filter(({ what }) => chosen.length === 0 || chosen.includes(what))) {
    const found: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) found.push(await measure(act));
    found.sort((a, b) => a - b);
    table[act.what] = { "ms, median": found[Math.floor(ROUNDS / 2)] ?? 0, worst: found.at(-1) ?? 0 };
    console.log(act.what, found.join(" "));
  }
  console.table(table);
  const next = await nextPageMs();
  console.log(
    next === null ? "the next page was not prerendered" : `largest part of a prerendered page: ${next.toFixed(0)} ms`,
  );
} finally {
  await browser.close();
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}
