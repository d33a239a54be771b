/** @module-tag full */
import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { findAxeViolations, listens } from "../support/browser.ts";
import { pressByKeyboard, signInByKeyboard, signInWithDevice, signOut, tabTo } from "../support/second-factor.ts";
import { test as siteTest } from "../fixtures.ts";

const test = siteTest.extend("siteOptions", { scope: "file" }, { vars: { SECOND_FACTOR: "required" } });

/** Makes the last proof ten minutes older. */
async function letProofAge(db: D1Database): Promise<void> {
  await db.prepare("UPDATE session SET second_factor_date = second_factor_date - 600000").run();
}

test("an administrator exports with a passkey by keyboard alone", async ({ db, openGuest }) => {
  const page = await openGuest();
  const device = await signInWithDevice(page, "admin", "Admin!2345", "/Admin/Audit");

  await page.waitForURL("**/Mypage/Security?returnUrl=**");
  await listens(page);
  await page.getByText("2단계 인증을 등록해 주십시오").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await device.answers(true);
  await pressByKeyboard(page, "패스키 등록");
  const codes = page.getByRole("list", { name: "복구 코드" });
  await codes.waitFor();
  expect(await codes.getByRole("listitem").count()).toBe(10);
  expect(await findAxeViolations(page)).toEqual([]);
  // The codes are shown only once, so Escape must not close them.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await codes.isVisible()).toBe(true);
  await pressByKeyboard(page, "적어 두었습니다");
  expect(await device.credentials()).toHaveLength(1);
  await pressByKeyboard(page, "하던 일 계속하기");
  await page.waitForURL("**/Admin/Audit");
  await page.getByRole("heading", { name: "감사 기록", level: 1 }).waitFor();

  await device.answers(false);
  await signOut(page);
  await signInByKeyboard(page, "admin", "Admin!2345", "/Admin/Audit");
  await page.waitForURL("**/Account/SecondFactor?**");
  await listens(page);
  const button = page.getByRole("button", { name: "패스키로 확인" });
  await button.waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  expect((await page.request.get("/Admin/Members")).url()).toContain("/Account/SecondFactor");
  await device.answers(true);
  await pressByKeyboard(page, "패스키로 확인");
  await page.waitForURL("**/Admin/Audit");
  await listens(page);

  await letProofAge(db);
  await pressByKeyboard(page, "파일로 내보내기");
  const reason = page.getByLabel("사유");
  await tabTo(page, reason);
  await page.keyboard.type("정기 점검");
  await pressByKeyboard(page, "내보내기");
  const dialog = page.getByRole("dialog", { name: "본인 확인" });
  await dialog.getByRole("button", { name: "패스키로 확인" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent("download"), pressByKeyboard(page, "패스키로 확인")]);
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
  const kept = await db.prepare("SELECT reason FROM audit_log WHERE action = 'audit.export'").all();
  expect(kept.results).toEqual([{ reason: "정기 점검" }]);

  await letProofAge(db);
  await pressByKeyboard(page, "파일로 내보내기");
  await tabTo(page, reason);
  await page.keyboard.type("다시 점검");
  await pressByKeyboard(page, "내보내기");
  await dialog.getByRole("button", { name: "패스키로 확인" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("본인 확인이 필요합니다.").waitFor();
  expect(await reason.inputValue()).toBe("다시 점검");
  await page.context().close();
}, 120_000);

test("a member signs in by either kind of second factor", async ({ db, openGuest }) => {
  const page = await openGuest();
  const device = await signInWithDevice(page, "member01", "Member!2345", "/Mypage/Security");
  await page.waitForURL("**/Mypage/Security");
  await listens(page);
  await device.answers(true);
  await pressByKeyboard(page, "패스키 등록");
  await page.getByRole("list", { name: "복구 코드" }).waitFor();
  await pressByKeyboard(page, "적어 두었습니다");

  await pressByKeyboard(page, "인증 앱 등록");
  await page.getByRole("img", { name: "인증 앱으로 촬영할 QR 코드" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await pressByKeyboard(page, "QR 코드를 촬영할 수 없습니다");
  const secret = (await page.locator("details p.font-mono").textContent())?.replaceAll(" ", "") ?? "";
  await tabTo(page, page.getByLabel("인증 앱의 숫자 6자리"));
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "삭제 (휴대전화)" }).waitFor();

  // The virtual device answers only requests made after it was switched on.
  await device.answers(false);
  await signOut(page);
  await device.answers(true);
  await page.goto("/Account/Signin?returnUrl=%2FMypage%2FInfo", { waitUntil: "commit" });
  await page.waitForURL("**/Mypage/Info");

  await device.answers(false);
  await signOut(page);
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  await page.goto("/Account/Signin?returnUrl=%2FMypage%2FSessions");
  await device.answers(true);
  await pressByKeyboard(page, "패스키로 로그인");
  await page.waitForURL("**/Mypage/Sessions");

  await db.prepare("UPDATE second_factor SET last_step = NULL").run();
  await device.answers(false);
  await signOut(page);
  await signInByKeyboard(page, "member01", "Member!2345", "/Mypage/Security");
  await page.waitForURL("**/Account/SecondFactor?**");
  await page.getByRole("button", { name: "패스키로 확인" }).waitFor();
  await pressByKeyboard(page, "인증 앱으로 확인");
  const code = page.getByLabel("인증 앱의 숫자 6자리");
  await expect.poll(() => code.evaluate((it) => it === document.activeElement)).toBe(true);
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.keyboard.press("Enter");
  await page.waitForURL("**/Mypage/Security");
  await listens(page);
  await pressByKeyboard(page, "삭제 (휴대전화)");
  const dialog = page.getByRole("alertdialog");
  await tabTo(page, dialog.getByRole("button", { name: "삭제" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "삭제 (휴대전화)" }).waitFor({ state: "detached" });
  await page.context().close();
}, 120_000);
