import type { Page } from "playwright-core";
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const PAGES = [
  "",
  "/Members",
  "/Roles",
  "/Simulator?who=guest&path=/Admin",
  "/Site",
  "/Signup",
  "/Limits",
  "/Agreements",
  "/Agreements/terms",
  "/Boards",
  "/Boards/notice",
  "/Reports",
  "/Audit",
  "/Messages",
  "/Jobs",
  "/Moving",
].map((path) => `/Admin${path}`);

/** A look at each kind of page is enough: they are made of the same parts. */
const EXAMINED: Record<number, string[]> = {
  1280: ["/Admin", "/Admin/Members", "/Admin/Roles"],
  360: [
    "/Admin",
    "/Admin/Members",
    "/Admin/Signup",
    "/Admin/Agreements",
    "/Admin/Agreements/terms",
    "/Admin/Boards/notice",
    "/Admin/Audit",
  ],
};

const open = (admin: Page, path: string) => admin.goto(path);

test("every page of the console sends a guest to sign in and refuses a member with 403", async ({
  openAs,
  openGuest,
}) => {
  const guest = await openGuest();
  const member = await openAs(MEMBER_CREDENTIALS);
  for (const path of PAGES) {
    const answer = await guest.request.get(path, { maxRedirects: 0 });
    expect([path, answer.status()]).toEqual([path, 302]);
    expect(answer.headers().location, path).toBe(`/account/signin?returnUrl=${encodeURIComponent(path)}`);
    const refused = await member.request.get(path);
    expect([path, refused.status()]).toEqual([path, 403]);
    expect(await refused.text(), path).toContain("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다");
  }
  expect(await (await member.request.get("/")).text()).not.toContain('href="/Admin"');
});

test("a visitor downloads nothing of the console", async ({ openGuest }) => {
  const guest = await openGuest();
  const scripts: Promise<string>[] = [];
  guest.on("response", (response) => {
    if (/\.js(\?|$)/.test(response.url())) scripts.push(response.text());
  });
  await guest.goto("/");
  const text = (await Promise.all(scripts)).join("\n");
  expect(text.length).toBeGreaterThan(5000);
  expect(text).not.toContain("한눈에 보기");
  expect(text).not.toContain("감사 기록");
});

test("every page is without fault for axe and never scrolls sideways, on a desk and on a phone", async ({ admin }) => {
  for (const [width, height] of [
    [1280, 900],
    [360, 800],
  ] as const) {
    await admin.setViewportSize({ width, height });
    for (const path of PAGES) {
      const examined = EXAMINED[width]?.includes(path);
      if (width === 1280 && !examined) continue;
      await open(admin, path);
      if (examined) expect([path, width, await findAxeViolations(admin)]).toEqual([path, width, []]);
      expect([path, width, await measureSidewaysScroll(admin)]).toEqual([path, width, 0]);
    }
  }
  await admin.setViewportSize({ width: 1280, height: 900 });
});
