import { expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations, newTab } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

test.for([1280, 390])(
  "two correct one person at once: at %i px the second sees both values where the button is, and overwrites only by choice",
  async (width, { openAs }) => {
    const page = await openAs(ADMIN_CREDENTIALS, { width });
    await page.goto("/Alumni?keyword=김하늘");
    await page.getByRole("link", { name: "김하늘" }).first().click();
    await page.getByRole("button", { name: "수정", exact: true }).click();
    const other = await newTab(page.context());
    await other.goto(page.url());
    await other.getByRole("button", { name: "수정", exact: true }).click();
    await other.locator("#alumni-position").fill(`남이 적은 직위 ${width}`);
    await other.locator("#alumni-memo").fill(`남이 적은 메모 ${width}`);
    await other.getByRole("button", { name: "저장", exact: true }).click();
    await other.getByText("저장하였습니다.").waitFor();

    const save = page.getByRole("button", { name: "저장", exact: true });
    await page.locator("#alumni-position").fill(`내가 적은 직위 ${width}`);
    await save.click();
    const conflict = page.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await conflict.getByText(`남이 적은 직위 ${width}`).waitFor();
    await conflict.getByText(`내가 적은 직위 ${width}`).waitFor();
    await conflict.getByText(`남이 적은 메모 ${width}`).waitFor();
    await expect.poll(() => conflict.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
    await expect
      .poll(() => conflict.evaluate((element) => innerHeight - element.getBoundingClientRect().top))
      .toBeGreaterThan(0);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await measureSidewaysScroll(page)).toBeLessThanOrEqual(0);

    // Saving again is no choice: the other's values stand.
    const refused = page.waitForResponse((response) => response.request().method() === "PATCH");
    await save.click();
    expect((await refused).status()).toBe(409);
    await conflict.getByText(`남이 적은 직위 ${width}`).waitFor();

    await page.getByRole("button", { name: "저장된 내용 불러오기" }).click();
    await conflict.waitFor({ state: "detached" });
    expect(await page.locator("#alumni-position").inputValue()).toBe(`남이 적은 직위 ${width}`);
    await page.locator("#alumni-position").fill(`합친 직위 ${width}`);
    await save.click();
    await page.getByText("저장하였습니다.").waitFor();
    await page.getByText(`합친 직위 ${width}`).first().waitFor();
    await page.getByText(`남이 적은 메모 ${width}`).first().waitFor();
  },
);
