import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

test.beforeAll(async ({ db }) => {
  const insert =
    "INSERT INTO alumni (id, name, affiliation, position, created_date, modified_date) VALUES (?, ?, ?, ?, 1, 1)";
  await db.batch(
    Array.from({ length: 45 }, (_, at) =>
      db
        .prepare(insert)
        .bind(crypto.randomUUID(), `목록${String(at).padStart(2, "0")}`, "목록병원", at % 3 ? "과장" : ""),
    ),
  );
});

test("who works through the list sees fifteen people at once, and goes from one to the next by the arrows", async ({
  openAs,
}) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/Alumni?affiliation=목록병원&size=50");
  await page.getByRole("link", { name: "촘촘히" }).click();
  await page.waitForURL("**density=dense**");
  await page.locator("tbody tr").first().scrollIntoViewIfNeeded();
  const heights = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(37);
  const list = page.getByRole("region", { name: "동문 목록" }).locator("table");
  await list.evaluate((table) => table.scrollIntoView({ block: "start" }));
  const visible = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  expect(visible).toBeGreaterThanOrEqual(15);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("link", { name: "목록00" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("목록01");
});

test("a selection lasts over pages, grows to all that match, and single fields are asked", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni?affiliation=목록병원");
  await page.getByRole("checkbox", { name: "목록00 선택" }).first().check();
  await page.getByRole("link", { name: "다음" }).click();
  await page.waitForURL("**page=2**");
  await page.getByRole("checkbox", { name: "목록20 선택" }).first().check();
  await page.getByText("2명 선택 (다른 페이지 1명)").waitFor();
  await page.getByRole("button", { name: "조건에 맞는 45명 모두 선택" }).click();
  await page.getByText("45명 선택 (다른 페이지 25명)").waitFor();
  await page.getByRole("button", { name: "선택 해제" }).click();

  await page.getByText("항목별 조건", { exact: true }).click();
  await page.getByLabel("항목", { exact: true }).selectOption("position");
  await page.getByLabel("조건", { exact: true }).selectOption("empty");
  await page.getByRole("button", { name: "조건 더하기" }).click();
  await page.waitForURL("**f_position=empty**");
  await page.getByText("총 15명").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await measureSidewaysScroll(page)).toBe(0);
  await page.getByRole("link", { name: "직위 비어 있음" }).click();
  await page.getByText("총 45명").waitFor();
});
