/** @module-tag full */
import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations, newTab } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

test.for([1280, 390])("at %i px the second of two editors loses no value", async (width, { db, openAs }) => {
  await db
    .prepare(
      "INSERT OR IGNORE INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '별칭', 'text', '[]', 'members')",
    )
    .run();
  const page = await openAs(ADMIN_CREDENTIALS, { width });
  await page.goto("/Alumni?keyword=김하늘");
  await page.getByRole("link", { name: "김하늘" }).first().click();
  await page.getByRole("button", { name: "수정", exact: true }).click();
  const other = await newTab(page.context());
  await other.goto(page.url());
  await other.getByRole("button", { name: "수정", exact: true }).click();
  await other.locator("#alumni-position").fill(`남이 적은 직위 ${width}`);
  await other.locator("#alumni-department").fill(`남이 적은 부서 ${width}`);
  await other.locator("#alumni-memo").fill(`남이 적은 메모 ${width}`);
  await other.locator("#alumni-own1").fill(`남이 적은 별칭 ${width}`);
  await other.getByRole("button", { name: "저장", exact: true }).click();
  await other.getByText("저장하였습니다.").waitFor();

  const save = page.getByRole("button", { name: "저장", exact: true });
  await page.locator("#alumni-position").fill(`내가 적은 직위 ${width}`);
  await page.locator("#alumni-department").fill(`내가 적은 부서 ${width}`);
  await page.locator("#alumni-major").fill(`내가 적은 전공 ${width}`);
  await page.locator("#alumni-own1").fill(`내가 적은 별칭 ${width}`);
  await save.click();
  const conflict = page.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
  const both = (label: string) => conflict.getByRole("group", { name: label }).getByRole("radio");
  const checked = (label: string) =>
    both(label).evaluateAll((all) => all.map((each) => (each as HTMLInputElement).checked));
  await conflict.getByText(`남이 적은 직위 ${width}`).waitFor();
  await conflict.getByText(`내가 적은 직위 ${width}`).waitFor();
  await conflict.getByText(`남이 적은 메모 ${width}`).waitFor();
  await conflict.getByText(`내가 적은 별칭 ${width}`).waitFor();
  expect([await checked("직위"), await checked("메모")]).toEqual([
    [true, false],
    [false, true],
  ]);
  await expect.poll(() => conflict.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
  await expect
    .poll(() => conflict.evaluate((element) => innerHeight - element.getBoundingClientRect().top))
    .toBeGreaterThan(0);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);

  const refused = page.waitForResponse((response) => response.request().method() === "PATCH");
  await save.click();
  expect((await refused).status()).toBe(409);
  await conflict.getByText(`남이 적은 직위 ${width}`).waitFor();

  await both("부서").nth(1).check();
  await page.getByRole("button", { name: "고른 대로 저장" }).click();
  await page.getByText("저장하였습니다.").waitFor();
  const row = await db
    .prepare("SELECT position, department, memo, major, own FROM alumni WHERE name = '김하늘' AND deleted_date IS NULL")
    .first();
  expect({ ...row, own: JSON.parse(String(row?.own)) }).toMatchObject({
    position: `내가 적은 직위 ${width}`,
    department: `남이 적은 부서 ${width}`,
    memo: `남이 적은 메모 ${width}`,
    major: `내가 적은 전공 ${width}`,
    own: { own1: `내가 적은 별칭 ${width}` },
  });
});
