import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { DEFAULT_LIMIT_SETTINGS, LIMIT_RULES, type LimitSettingView } from "#worker/contract/kernel/limit-rules.ts";
import { expectPageAccessible } from "../support/accessible.ts";
import { callAsOtherAdministrator } from "../support/calls.ts";
import { dismissToast, findButton, openConsolePage, SCREEN_WIDTHS } from "../support/console.ts";
import { test } from "../fixtures.ts";

const storedSetting = async (admin: Page) =>
  (await callAsOtherAdministrator<LimitSettingView>(admin, "GET", "setting/limits")).data;
const storedValue = async (admin: Page, name: string) =>
  (await storedSetting(admin)).limits.find((each) => each.name === name)?.value;
const field = (admin: Page, name: keyof typeof LIMIT_RULES) => admin.locator(`input[name="${name}"]`);

describe.each(SCREEN_WIDTHS)("at %i pixels", (width) => {
  test("every limit is listed with its meaning, changed within bounds and reset to its default", async ({ admin }) => {
    await openConsolePage(admin, width, "이용 제한");
    for (const [name, { label, meaning }] of Object.entries(LIMIT_RULES)) {
      await admin.getByRole("heading", { name: label, level: 3 }).waitFor();
      await admin.getByText(meaning).first().waitFor();
      expect(await field(admin, name as keyof typeof LIMIT_RULES).inputValue()).toBe(
        String(DEFAULT_LIMIT_SETTINGS[name as keyof typeof LIMIT_RULES]),
      );
    }
    await field(admin, "signinFailureKeyAddress").fill("1");
    await findButton(admin, "저장").click();
    await admin.getByText("3번에서 20번 사이로 입력해 주십시오.").waitFor();
    await expect
      .poll(() => field(admin, "signinFailureKeyAddress").evaluate((it) => it === document.activeElement))
      .toBe(true);
    await field(admin, "signinFailureKeyAddress").fill("3");
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect(await storedValue(admin, "signinFailureKeyAddress")).toBe(3);
    await expectPageAccessible(admin);

    await admin.reload();
    expect(await field(admin, "signinFailureKeyAddress").inputValue()).toBe("3");
    await findButton(admin, `기본값으로 (${LIMIT_RULES.signinFailureKeyAddress.label})`).click();
    expect(await field(admin, "signinFailureKeyAddress").inputValue()).toBe("5");
    await findButton(admin, "저장").click();
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect(await storedValue(admin, "signinFailureKeyAddress")).toBe(5);
  });

  test("a concurrent change by another administrator is shown next to the typed value", async ({ admin }) => {
    await openConsolePage(admin, width, "이용 제한");
    const { version } = await storedSetting(admin);
    await field(admin, "exportDay").fill("20");
    const theirs = { limits: { exportDay: 30, findIdAddress: 40 }, version };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/limits", theirs)).code).toBe("SUCCESS");
    await findButton(admin, "저장").click();
    const note = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await note.getByText("30", { exact: true }).waitFor();
    await expect.poll(() => field(admin, "findIdAddress").inputValue()).toBe("40");
    await expectPageAccessible(admin);
    await findButton(admin, "내 내용으로 저장").click();
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect([await storedValue(admin, "exportDay"), await storedValue(admin, "findIdAddress")]).toEqual([20, 40]);
    const reset = { limits: { exportDay: 10, findIdAddress: 20 }, version: (await storedSetting(admin)).version };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/limits", reset)).code).toBe("SUCCESS");
  });
});
