import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMIT_SETTINGS, LIMIT_RULES, type LimitSettingView } from "#worker/contract/kernel/limit-rules.ts";
import type { RunningSite } from "#worker/local/site.ts";
import { startTestSite } from "../../test-site.ts";
import { launchBrowser } from "../support/chromium.ts";
import {
  callAsOtherAdministrator,
  dismissToast,
  expectPageAccessible,
  findButton,
  openConsolePage,
  SCREEN_WIDTHS,
} from "../support/console.ts";
import { ADMIN_CREDENTIALS, newSignedInPage } from "../support/signed-in-page.ts";

let site: RunningSite;
let browser: Browser;
let admin: Page;

beforeAll(async () => {
  [site, browser] = await Promise.all([startTestSite(), launchBrowser()]);
  admin = await newSignedInPage(browser, site.url, ADMIN_CREDENTIALS);
});
afterAll(async () => {
  await browser?.close();
  await site?.dispose();
});

const storedSetting = async () =>
  (await callAsOtherAdministrator<LimitSettingView>(admin, "GET", "setting/limits")).data;
const storedValue = async (name: string) => (await storedSetting()).limits.find((each) => each.name === name)?.value;
const field = (name: keyof typeof LIMIT_RULES) => admin.locator(`input[name="${name}"]`);

describe.each(SCREEN_WIDTHS)("at %i pixels", (width) => {
  test("every limit stands there with its meaning, is changed within bounds, and goes back to its default", async () => {
    await openConsolePage(admin, width, "이용 제한");
    for (const [name, { label, meaning }] of Object.entries(LIMIT_RULES)) {
      await admin.getByRole("heading", { name: label, level: 3 }).waitFor();
      await admin.getByText(meaning).first().waitFor();
      expect(await field(name as keyof typeof LIMIT_RULES).inputValue()).toBe(
        String(DEFAULT_LIMIT_SETTINGS[name as keyof typeof LIMIT_RULES]),
      );
    }
    await field("signinFailureKeyAddress").fill("1");
    await findButton(admin, "저장").click();
    await admin.getByText("3번에서 20번 사이로 입력해 주십시오.").waitFor();
    await expect
      .poll(() => field("signinFailureKeyAddress").evaluate((it) => it === document.activeElement))
      .toBe(true);
    await field("signinFailureKeyAddress").fill("3");
    await admin.keyboard.press("Enter");
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect(await storedValue("signinFailureKeyAddress")).toBe(3);
    await expectPageAccessible(admin);

    await admin.reload();
    expect(await field("signinFailureKeyAddress").inputValue()).toBe("3");
    await findButton(admin, `기본값으로 (${LIMIT_RULES.signinFailureKeyAddress.label})`).click();
    expect(await field("signinFailureKeyAddress").inputValue()).toBe("5");
    await findButton(admin, "저장").click();
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect(await storedValue("signinFailureKeyAddress")).toBe(5);
  });

  test("what another administrator changed meanwhile is shown beside what was typed", async () => {
    await openConsolePage(admin, width, "이용 제한");
    const { version } = await storedSetting();
    await field("exportDay").fill("20");
    const theirs = { limits: { exportDay: 30, findIdAddress: 40 }, version };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/limits", theirs)).code).toBe("SUCCESS");
    await findButton(admin, "저장").click();
    const note = admin.getByRole("status").filter({ hasText: "그사이 다른 곳에서 내용이 바뀌었습니다" });
    await note.getByText("30", { exact: true }).waitFor();
    await expect.poll(() => field("findIdAddress").inputValue()).toBe("40");
    await expectPageAccessible(admin);
    await findButton(admin, "내 내용으로 저장").click();
    await dismissToast(admin, "이용 제한을 저장하였습니다.");
    expect([await storedValue("exportDay"), await storedValue("findIdAddress")]).toEqual([20, 40]);
    const reset = { limits: { exportDay: 10, findIdAddress: 20 }, version: (await storedSetting()).version };
    expect((await callAsOtherAdministrator(admin, "PATCH", "setting/limits", reset)).code).toBe("SUCCESS");
  });
});
