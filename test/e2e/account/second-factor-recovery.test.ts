/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { requirePresent } from "../../support/require-present.ts";
import { test as siteTest } from "../fixtures.ts";
import { expectAccessible, expectPageAccessible } from "../support/accessible.ts";
import { dismissToast, findRow } from "../support/console.ts";
import { addAuthenticator, pressByKeyboard, signInByKeyboard, signOut, tabTo } from "../support/second-factor.ts";

const test = siteTest.extend("siteOptions", { scope: "file" }, { vars: { SECOND_FACTOR: "required" } });

const makeAdministrator = (db: D1Database, id: string) =>
  db.batch([
    db.prepare("UPDATE user SET user_name = '정하늘' WHERE user_name = '관리자'"),
    db
      .prepare(
        "UPDATE user SET user_type = 'Admin', role_code = 'administrator' WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = ?)",
      )
      .bind(id),
  ]);

async function userNameOf(db: D1Database, id: string): Promise<string> {
  const query =
    "SELECT user_name FROM user WHERE id = (SELECT user_id FROM user_key WHERE user_key_type = 'Id' AND user_key_code = ?)";
  return requirePresent(await db.prepare(query).bind(id).first<string>("user_name"));
}

async function lookAt(page: Page): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectPageAccessible(page);
  }
}

/** Registers a passkey at the first sign-in. @returns the recovery codes */
async function setUpPasskey(page: Page, id: string, password: string): Promise<string[]> {
  await addAuthenticator(page);
  await signInByKeyboard(page, id, password, "/Admin/SecondFactor");
  await page.waitForURL("**/Mypage/Security?returnUrl=**");
  await page.reload();
  await pressByKeyboard(page, "패스키 등록");
  const codes = page.getByRole("list", { name: "복구 코드" });
  await codes.waitFor();
  const texts = await codes.getByRole("listitem").allTextContents();
  await pressByKeyboard(page, "적어 두었습니다");
  return texts;
}

test("two people reset a lost second factor by keyboard alone", async ({ db, openGuest }) => {
  await makeAdministrator(db, "member02");
  const office = await openGuest();
  await setUpPasskey(office, "member02", "Member!2345");
  const lost = await openGuest();
  await setUpPasskey(lost, "admin", "Admin!2345");

  const anew = await openGuest();
  await signInByKeyboard(anew, "admin", "Admin!2345", "/Admin/SecondFactor");
  await anew.waitForURL("**/Account/SecondFactor?**");
  await anew.reload();
  await anew.getByRole("button", { name: "패스키로 확인" }).waitFor();
  await pressByKeyboard(anew, "인증할 기기와 복구 코드를 모두 잃어버렸습니다");
  await anew.getByText("운영사무국(02-0000-0100)에 2단계 인증 복구를 요청해 주십시오.").waitFor();
  await lookAt(anew);

  await office.goto("/Admin/SecondFactor");
  const adminName = await userNameOf(db, "admin");
  const ofAdmin = findRow(office, adminName);
  expect(await ofAdmin.textContent()).toMatch(/패스키.*10개/);
  await lookAt(office);
  await pressByKeyboard(office, `복구 시작 (${adminName})`);
  const dialog = office.getByRole("dialog");
  const reason = dialog.getByLabel("사유");
  await tabTo(office, reason);
  await office.keyboard.type("전화로 본인을 확인함");
  await expectAccessible(office);
  await pressByKeyboard(office, "복구 시작");
  await dismissToast(office, "복구를 시작하고 두 분께 메일로 알렸습니다.");
  await ofAdmin.getByRole("button", { name: /^취소/ }).waitFor();

  await anew.reload();
  await anew.getByText("2단계 인증 복구가 시작되었습니다").waitFor();
  expect(await anew.getByRole("button", { name: "2단계 인증 풀고 다시 등록" }).count()).toBe(0);
  await lookAt(anew);

  await db.prepare("UPDATE second_factor_recovery SET usable_date = usable_date - 86400000").run();
  await anew.reload();
  await anew.getByText("2단계 인증을 다시 등록하실 수 있습니다").waitFor();
  await lookAt(anew);
  const device = await addAuthenticator(anew);
  await pressByKeyboard(anew, "2단계 인증 풀고 다시 등록");
  await anew.waitForURL("**/Mypage/Security");
  await anew.reload();
  await anew.getByText("2단계 인증을 등록해 주십시오").waitFor();
  await pressByKeyboard(anew, "패스키 등록");
  await anew.getByRole("list", { name: "복구 코드" }).waitFor();
  expect(await device.credentials()).toHaveLength(1);
  await pressByKeyboard(anew, "적어 두었습니다");
  await anew.goto("/Admin/SecondFactor");
  await anew.getByRole("heading", { name: "2단계 인증", level: 1 }).waitFor();
}, 180_000);

test("a recovery code opens the console once", async ({ db, openGuest }) => {
  await makeAdministrator(db, "member03");
  const home = await openGuest();
  const [code = ""] = await setUpPasskey(home, "member03", "Member!2345");
  const away = await openGuest();
  const enterCode = async () => {
    await signInByKeyboard(away, "member03", "Member!2345", "/Admin/SecondFactor");
    await away.waitForURL("**/Account/SecondFactor?**");
    await away.reload();
    await away.getByRole("button", { name: "패스키로 확인" }).waitFor();
    await pressByKeyboard(away, "복구 코드로 확인");
    const field = away.getByRole("textbox", { name: "복구 코드" });
    await field.waitFor();
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await away.keyboard.type(code);
    await away.keyboard.press("Enter");
  };
  await enterCode();
  await away.waitForURL("**/Admin/SecondFactor");
  const row = findRow(away, await userNameOf(db, "member03"));
  expect(await row.textContent()).toMatch(/패스키.*9개/);
  await signOut(away);
  await enterCode();
  await away.getByText("코드가 맞지 않습니다").or(away.locator("[aria-invalid=true]")).first().waitFor();
  await lookAt(away);
  expect(new URL(away.url()).pathname).toBe("/Account/SecondFactor");
}, 180_000);
