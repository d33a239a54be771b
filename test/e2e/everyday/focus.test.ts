/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { top, bottom } = element.getBoundingClientRect();
    return element === document.body
      ? "nothing"
      : bottom <= 0 || top >= innerHeight
        ? `out of view: ${element.outerHTML.slice(0, 90)}`
        : "in view";
  });

const LISTS: [path: string, who: "member" | "admin"][] = [
  ["/board/notice/List/", "member"],
  ["/board/reference/List/", "member"],
  ["/Alumni", "member"],
  ["/search?keyword=연구", "member"],
  ["/Admin/Members", "admin"],
  ["/Admin/Audit", "admin"],
];

test.for(LISTS)(
  "%s keeps the focus in view after paging and searching, and typed text while paging",
  async ([path, who], { openAs }) => {
    const page = await openAs(who === "member" ? MEMBER_CREDENTIALS : ADMIN_CREDENTIALS, { height: 600 });
    await page.goto(path);
    const keyword = page.locator("#main [name=keyword], #main input[type=search]").first();
    const next = page.locator("#main nav").getByRole("link", { name: "다음", exact: true });
    if ((await next.count()) > 0) {
      if ((await keyword.count()) > 0) await keyword.fill("적던 말");
      await next.focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/page=2/);
      await page.locator("#main nav [aria-current=page]", { hasText: "2" }).first().waitFor();
      await expect.poll(() => focused(page)).toBe("in view");
      if ((await keyword.count()) > 0) expect(await keyword.inputValue()).toBe("적던 말");
    }
    if ((await keyword.count()) === 0) return;
    await keyword.fill("김");
    await keyword.press("Enter");
    await page.waitForURL(/=%EA%B9%80/);
    await expect.poll(() => focused(page)).toBe("in view");
  },
);

test("each step of password recovery focuses its first field", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/Account/FindPassword");
  await page.locator("#address").fill("member01@pid.example.kr");
  await page.keyboard.press("Enter");
  const code = page.locator("input[name=pincode]");
  await code.waitFor();
  await expect.poll(() => code.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: /다른/ }).click();
  const address = page.locator("#address");
  await expect.poll(() => address.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a dialog that removed its opener focuses the control after it", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/View/1");
  const field = page.getByRole("textbox", { name: "댓글", exact: true });
  for (const text of ["먼저 쓴 댓글", "나중에 쓴 댓글"]) {
    await field.fill(text);
    await page.getByRole("button", { name: "등록", exact: true }).click();
    await page.locator("li").getByText(text).waitFor();
  }
  const remove = async (text: string) => {
    const comment = page.locator("li").filter({ hasText: text });
    await comment.getByRole("button", { name: "삭제" }).press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: "삭제" }).press("Enter");
    await comment.waitFor({ state: "detached" });
  };
  await remove("먼저 쓴 댓글");
  const next = page.locator("li").filter({ hasText: "나중에 쓴 댓글" }).getByRole("button").first();
  await expect.poll(() => next.evaluate((element) => element === document.activeElement)).toBe(true);
  await remove("나중에 쓴 댓글");
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("a deleted item's dialog leaves the focus to the heading of the list", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/free/View/1");
  await page.getByRole("button", { name: "삭제", exact: true }).first().press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "삭제" }).press("Enter");
  await page.waitForURL("**/board/free/List/");
  const heading = page.getByRole("main").getByRole("heading", { level: 1 });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
});
