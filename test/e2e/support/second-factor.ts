import type { CDPSession, Locator, Page } from "playwright-core";

/** A virtual authenticator that always verifies its user while switched on. */
export async function addAuthenticator(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answers: (enabled: boolean) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

export async function pressByKeyboard(page: Page, name: string): Promise<void> {
  for (let at = 0; at < 120; at++) {
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    if (focused === name) {
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-busy") !== "true");
      return page.keyboard.press("Enter");
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`no way to ${name} by keyboard`);
}

export async function tabTo(page: Page, field: Locator): Promise<void> {
  await field.waitFor();
  for (let at = 0; at < 120; at++) {
    if (await field.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("no way to the field by keyboard");
}

export async function signInByKeyboard(page: Page, id: string, password: string, returnUrl: string): Promise<void> {
  await page.goto(`/Account/Signin?returnUrl=${encodeURIComponent(returnUrl)}`);
  await tabTo(page, page.getByLabel("아이디", { exact: true }));
  await page.keyboard.type(id);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
}

export async function signInWithDevice(page: Page, ...signin: [id: string, password: string, returnUrl: string]) {
  const device = await addAuthenticator(page);
  await device.answers(false);
  await signInByKeyboard(page, ...signin);
  return device;
}

export async function signOut(page: Page): Promise<void> {
  await page.goto("/");
  await pressByKeyboard(page, "로그아웃");
  await page.locator("header").getByRole("link", { name: "로그인" }).first().waitFor();
}
