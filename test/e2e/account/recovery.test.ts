/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readSentCode, setAuthType, measureSidewaysScroll, signInByForm, readOutbox } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

interface TestPerson {
  id: string;
  userName: string;
  email: string;
}
let member: TestPerson;
let other: TestPerson;

test.beforeAll(async ({ db }) => {
  const { results } = await db
    .prepare(
      `SELECT user.id, user.user_name AS userName, address.user_key_code AS email FROM user_key
     JOIN user ON user.id = user_key.user_id
     JOIN user_key AS address ON address.user_id = user.id AND address.user_key_type = 'Email'
     WHERE user_key.user_key_type = 'Id' AND user.user_type = 'Member' AND user.status = 'active'
     ORDER BY user_key.user_key_code = 'member01' DESC LIMIT 2`,
    )
    .all<TestPerson>();
  [member, other] = results as [TestPerson, TestPerson];
});

const press = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).click();

test("a found ID is shown masked", async ({ site, visit }) => {
  const page = await visit("/Account/FindId");
  await page.getByLabel("이름").fill(member.userName);
  await page.locator("#address").fill(member.email.toUpperCase());
  await press(page, "아이디 찾기");
  const result = page.getByRole("region", { name: "아이디 찾기 결과" });
  await result.waitFor();
  const text = (await result.textContent()) ?? "";
  expect(text).toMatch(/me\*+1/);
  expect(text).not.toContain("member01");
  expect(text).toMatch(/가입일 \d{4}\.\d{2}\.\d{2}/);
  const outbox = await readOutbox(site);
  expect(outbox.find((entry) => entry.to === member.email)?.text).toContain("member01");
});

test("an unknown member gets an empty panel", async ({ visit }) => {
  const page = await visit("/Account/FindId", { width: 360 });
  await press(page, "아이디 찾기");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("userName");
  await page.getByLabel("이름").fill("없는이");
  await page.locator("#address").fill("nobody@pid.example.kr");
  await press(page, "아이디 찾기");
  await page.getByText("입력하신 정보와 일치하는 회원이 없습니다.").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await press(page, "다시 찾기");
  await page.route("**/api/user/find-id", (route) =>
    route.fulfill({ status: 500, json: { code: "INTERNAL_ERROR", message: "x", requestId: "" } }),
  );
  await page.getByLabel("이름").fill("없는이");
  await page.locator("#address").fill("nobody@pid.example.kr");
  await press(page, "아이디 찾기");
  const alert = page.getByRole("main").getByRole("alert");
  await alert.getByText("에러가 발생했습니다. 관리자에게 문의해주세요.").waitFor();
});

test("a forgotten password is reset by a code", async ({ site, visit }) => {
  const page = await visit("/Account/Password/Process/Success");
  await page.waitForURL("**/Account/FindPassword");
  await page.locator("#address").fill(member.email);
  await press(page, "인증번호 받기");
  await page.getByLabel("인증번호").waitFor();
  await page.reload();
  const code = await readSentCode(site, member.email);
  await page.getByLabel("인증번호").fill(code === "000000" ? "000001" : "000000");
  await page.locator("#password").fill("Kyul#58pa");
  await page.locator("#passwordConfirmation").fill("Kyul#58pa");
  await press(page, "비밀번호 재설정");
  const alert = page.getByRole("main").getByRole("alert");
  await alert.getByText("비밀번호 재설정이 실패했습니다.").waitFor();
  await alert.getByText("인증에 실패하였습니다. 남은 횟수 4회").waitFor();
  await expect.poll(() => page.locator("#password").inputValue()).toBe("Kyul#58pa");
  expect(await findAxeViolations(page)).toEqual([]);

  await page.getByLabel("인증번호").fill(code);
  await press(page, "비밀번호 재설정");
  await page.waitForURL("**/Account/Password/Process/Success");
  await page.getByText("비밀번호를 재설정하였습니다.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "로그인" }).click();
  await signInByForm(page, "member01", "Kyul#58pa");
  await page.waitForURL(`${site.url}/`);
});

test("a member sets a password through an administrator's link", async ({ site, visit, openAs }) => {
  const admin = await openAs(ADMIN_CREDENTIALS);
  await admin.goto(`/Admin/Members/${other.id}`);
  await admin.getByRole("button", { name: "비밀번호 재설정 메일" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "보내기" }).click();
  await admin.getByText("비밀번호를 다시 정할 주소를 보냈습니다.").waitFor();
  await admin.context().close();
  const outbox = await readOutbox(site);
  const message = outbox.find((entry) => entry.to === other.email)?.text ?? "";
  const [path = ""] = /\/Account\/FindPassword#\S+/.exec(message) ?? [];

  const page = await visit(path, { width: 390 });
  await page.getByText("새로 쓰실 비밀번호를 정해 주십시오.").waitFor();
  expect(page.url()).toBe(`${site.url}/Account/FindPassword`);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.locator("#password").fill("Bada#73mo");
  await page.locator("#passwordConfirmation").fill("Bada#73mo");
  await press(page, "비밀번호 재설정");
  await page.waitForURL("**/Account/Password/Process/Success");

  const again = await visit(path, { width: 390 });
  await again.locator("#password").fill("Bada#73mp");
  await again.locator("#passwordConfirmation").fill("Bada#73mp");
  await press(again, "비밀번호 재설정");
  await again.getByText("링크의 유효 기간이 지났거나 이미 쓴 링크입니다. 인증번호를 받아 주십시오.").waitFor();
  await press(again, "인증번호로 재설정");
  await again.getByRole("button", { name: "인증번호 받기" }).waitFor();
});

test("recovery asks for the phone number under MobileAndPassword", async ({ site, visit }) => {
  await setAuthType(site, "MobileAndPassword");
  const page = await visit("/Account/FindPassword", { width: 360 });
  await page.getByLabel("휴대전화번호").pressSequentially("01022223333");
  await expect.poll(() => page.getByLabel("휴대전화번호").inputValue()).toBe("010-2222-3333");
  await press(page, "인증번호 받기");
  await page.getByLabel("인증번호").waitFor();
  await setAuthType(site, "IdAndPassword");
});

test.for(["/Account/FindId", "/Account/FindPassword"])("%s can be used by everybody", async (path, { visit }) => {
  const page = await visit(path, { width: 360 });
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await measureSidewaysScroll(page)).toBe(0);
});
