import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { caseReportTest as test } from "../fixtures.ts";
import { findBrokenWords } from "../support/accessible.ts";
import { measureSidewaysScroll } from "../support/account.ts";
import { HEIGHTS } from "./rows.ts";

const OF_GUESTS = [
  "/",
  "/pid/about",
  "/pid/registration",
  "/pid/center",
  "/pid/center/daejeon",
  "/pid/residence",
  "/pid/organization",
  "/Registry",
  "/research/proposal",
  "/board/notice/List/",
  "/board/notice/View/60",
  "/board/help/List/",
  "/search?keyword=안내",
  "/calendar",
  "/Account/Signin",
  "/Account/Signup",
  "/Account/FindPassword",
  "/Certificate/Check",
  "/en",
  "/en/pid/center",
  "/en/board/notice/List/",
  "/en/Account/Signup",
];
const OF_MEMBERS = ["/", "/Mypage", "/Mypage/Info", "/Mypage/Dues", "/board/notice/View/60", "/Alumni"];
const ROOT_FONTS = [16, 32];

const rows = [390, 1280].flatMap((width) => [
  ...OF_GUESTS.map((path) => ({ reader: "guest" as const, path, width })),
  ...OF_MEMBERS.map((path) => ({ reader: "member" as const, path, width })),
]);

async function findFaults(page: Page, font: number): Promise<string[]> {
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}px`;
  }, font);
  const over = await measureSidewaysScroll(page);
  return [...(over > 0 ? [`scrolls sideways by ${over} px`] : []), ...(await findBrokenWords(page, "body"))].map(
    (fault) => `${font} px: ${fault}`,
  );
}

test.for(["guest", "member"] as const)(
  `letters of twice the size break no page of a %s (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async (reader, { guest, member }) => {
    const page = reader === "guest" ? guest : member;
    const chosen = sample(
      rows.filter((row) => row.reader === reader),
      ({ path, width }) => `${path} ${width}`,
      ({ width }) => String(width),
    );
    const faults: Record<string, string[]> = {};
    for (const { path, width } of chosen) {
      await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 });
      const answer = await page.goto(path);
      const found = answer?.status() === 200 ? [] : [`status ${answer?.status()}`];
      for (const font of ROOT_FONTS) found.push(...(await findFaults(page, font)));
      if (found.length > 0) faults[`${path} at ${width}`] = found;
    }
    expect(faults).toEqual({});
  },
);
