/** @module-tag full */
import { expect } from "vitest";
import { test } from "../fixtures.ts";

test("a region of the map is opened by keyboard", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/pid/center");
  const seoul = page.getByRole("link", { name: "서울 센터 보기" });
  await expect.poll(() => page.getByRole("link", { name: /센터 보기$/ }).count()).toBe(16);
  await seoul.focus();
  await expect
    .poll(() => seoul.evaluate((link) => link.matches(":focus-visible") || document.activeElement === link))
    .toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/pid/center/seoul");
  await page.getByRole("heading", { level: 1, name: /서울권역센터/ }).waitFor();
});

test("a popup closed with Esc stays closed on request", async ({ openGuest }) => {
  const page = await openGuest({ width: 360, height: 700 });
  const popup = page.getByRole("region", { name: "알림: 동계 심포지엄 사전등록" });
  await page.goto("/");
  await popup.waitFor();
  const box = await popup.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 360).toBe(true);
  await page.keyboard.press("Escape");
  await popup.waitFor({ state: "detached" });
  await page.reload();
  await popup.waitFor();
  await page.getByRole("button", { name: "내용 보기" }).click();
  await page.getByRole("button", { name: "24시간 동안 보지 않기" }).click();
  await page.reload();
  await expect.poll(() => popup.count()).toBe(0);
  await page.evaluate((key) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, number>;
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(Object.keys(kept).map((id) => [id, Date.now() - 1]))));
  }, "hiddenPopups");
  await page.reload();
  await popup.waitFor();
});

test("a reader who prefers reduced motion sees no motion", async ({ openGuest }) => {
  const page = await openGuest({ width: 390 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .map((each) => ({ each, style: getComputedStyle(each) }))
        .filter(({ style }) =>
          [style.transitionProperty === "none" ? "0s" : style.transitionDuration, style.animationDuration].some(
            (times) => times.split(",").some((time) => parseFloat(time) > 0.001),
          ),
        )
        .map(({ each }) => each.outerHTML.slice(0, 80)),
    );
  await page.goto("/");
  await page.getByRole("region", { name: "알림: 동계 심포지엄 사전등록" }).waitFor();
  expect(await moving()).toEqual([]);
  await page.getByRole("button", { name: "메뉴 열기" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await moving()).toEqual([]);
});
