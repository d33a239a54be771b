/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { readSentCode, measureSidewaysScroll, signInByForm } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { requirePresent } from "../../support/require-present.ts";
import { test as browserTest } from "../fixtures.ts";

const PASSWORD = "Member!2345";

const test = browserTest
  /** Opens a page without a session, so that it passes the sign-in. */
  .extend("visitAsMember", ({ visit }) => async (path: string, { id = "member01", width = 1280 } = {}) => {
    const page = await visit(path, { width });
    expect(new URL(page.url()).search).toBe(`?returnUrl=${encodeURIComponent(path)}`);
    await page.getByText("로그인 후 이용해 주시기 바랍니다.").waitFor();
    await signInByForm(page, id, PASSWORD);
    await page.waitForURL(`**${path}`);
    return page;
  });

async function api(
  site: RunningSite,
  path: string,
  body: object,
  token?: string,
): Promise<{ code: string; data: never }> {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  return (await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify(body) })).json() as never;
}
const keyOf = (userKeyCode: string, password = PASSWORD) => ({ userKeyType: "Id", userKeyCode, password });

async function memberId(db: D1Database, at: number): Promise<string> {
  const { results } = await db
    .prepare(
      "SELECT user_key_code AS id FROM user_key WHERE user_key_type = 'Id' AND user_key_code NOT IN ('admin', 'member01') ORDER BY id",
    )
    .all<{ id: string }>();
  return results[at]?.id ?? "";
}

const main = (page: Page) => page.getByRole("main");
const press = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true }).click();

async function confirmByPassword(page: Page, button: string): Promise<void> {
  await page.locator("#currentPassword").fill("wrong");
  await press(page, button);
  await main(page).getByText("비밀번호가 일치하지 않습니다.").waitFor();
  await page.locator("#currentPassword").fill(PASSWORD);
  await press(page, button);
}

test("the frame shows a changed name at once", async ({ visitAsMember }) => {
  const page = await visitAsMember("/Mypage/Info");
  const phone = page.locator("[name='profile.phone']");
  // A vertical column of tabs must not scroll the page to the current tab.
  await page.reload();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect
    .poll(() => page.getByRole("link", { name: "회원정보", exact: true }).getAttribute("aria-current"))
    .toBe("page");
  await page.locator("#userName").fill("김");
  await phone.fill("1234");
  await press(page, "저장");
  await main(page).getByText("연락처를 형식에 맞게 입력해주세요.").first().waitFor();
  await expect.poll(() => page.locator("#userName").inputValue()).toBe("김");
  await page.locator("#userName").fill("김바다");
  await phone.fill("02-000-7777");
  await page.getByRole("link", { name: "비밀번호", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "계속 쓰기" }).click();
  await expect.poll(() => phone.inputValue()).toBe("02-000-7777");
  await press(page, "저장");
  const confirm = page.getByRole("dialog", { name: "현재 비밀번호를 확인해 주십시오" });
  await confirm.locator("#confirmPassword").fill("Wrong!2345");
  await confirm.getByRole("button", { name: "확인" }).click();
  await confirm.getByText("비밀번호가 일치하지 않습니다.").waitFor();
  await confirm.locator("#confirmPassword").fill(PASSWORD);
  await confirm.getByRole("button", { name: "확인" }).click();
  await page.getByText("회원정보를 저장하였습니다.").waitFor();
  await page.locator("header").getByText("김바다").filter({ visible: true }).waitFor();
  await phone.fill("02-000-8888");
  // The message of the first save may still be visible.
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
  await press(page, "저장");
  await saved;
  await page.reload();
  await expect.poll(() => phone.inputValue()).toBe("02-000-8888");

  const before = await page.getByRole("checkbox", { name: "소식지 이메일 수신 동의" }).isChecked();
  await page.getByRole("checkbox", { name: "소식지 이메일 수신 동의" }).setChecked(!before);
  await press(page, "동의 저장");
  await page.getByText("선택 동의를 저장하였습니다.").waitFor();
  await page.reload();
  await expect.poll(() => page.getByRole("checkbox", { name: "소식지 이메일 수신 동의" }).isChecked()).toBe(!before);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByText("내려받기", { exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("내 정보.json");
});

test("the start page shows own drafts, pending things, sessions", async ({ visitAsMember }) => {
  const page = await visitAsMember("/Mypage");
  await page.getByRole("heading", { level: 1, name: "마이페이지" }).waitFor();
  await page.getByRole("region", { name: "한눈에 보기" }).getByText("님, 안녕하십니까.").waitFor();
  await page.goto("/board/free/Write");
  await page.getByRole("textbox", { name: /^제목/ }).fill("쓰다 둔 글");
  await page.getByText(/^임시저장됨 \d\d:\d\d/).waitFor();
  await page.goto("/Mypage");
  await page
    .getByRole("region", { name: "작성하던 글" })
    .getByRole("link", { name: /쓰다 둔 글/ })
    .click();
  await page.waitForURL("**/board/free/Write");
  await page.goto("/Mypage");
  expect(await findAxeViolations(page)).toEqual([]);
});

test("a form whose session ended asks for the password in place", async ({ db, visitAsMember }) => {
  const id = await memberId(db, 3);
  const page = await visitAsMember("/Mypage/Privacy", { id });
  await page.locator("#content").fill("보관 중인 정보를 알려 주십시오.");
  await db
    .prepare(
      "UPDATE session SET revoked_date = ? WHERE user_id = (SELECT user_id FROM user_key WHERE user_key_code = ?)",
    )
    .bind(Date.now(), id)
    .run();
  await main(page).locator("form").getByRole("button").last().click();
  const signin = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await signin.getByLabel("아이디나 이메일").fill(id);
  await signin.getByLabel("비밀번호", { exact: true }).fill(PASSWORD);
  await signin.getByRole("button", { name: "로그인" }).click();
  await page.getByText("요청을 접수하였습니다.").waitFor();
});

test.for([true, false])(
  "on a phone the current tab is visible at once (script: %s)",
  async (javaScriptEnabled, { site, openGuest }) => {
    const page = await openGuest({ width: 360, javaScriptEnabled });
    const { data } = await api(site, "/api/user/signin", keyOf("member01"));
    const { accessToken: value } = data as { accessToken: string };
    await page.context().addCookies([{ name: "accessToken", value, url: site.url }]);
    const strip = page.getByRole("navigation", { name: "마이페이지" }).locator("ul").first();
    const isSeen = async (name: string) => {
      const tab = strip.getByRole("link", { name });
      await expect.poll(() => tab.getAttribute("aria-current")).toBe("page");
      const [outer, inner] = [requirePresent(await strip.boundingBox()), requirePresent(await tab.boundingBox())];
      expect(inner.x).toBeGreaterThanOrEqual(outer.x - 1);
      expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width + 1);
    };
    await page.goto("/Mypage/Retire");
    await isSeen("탈퇴");
    await page.goto("/Mypage/Info");
    await isSeen("회원정보");
    await strip.getByRole("link", { name: "개인정보 열람·정정 요청" }).click();
    await page.waitForURL("**/Mypage/Privacy");
    await isSeen("개인정보 열람·정정 요청");
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await page.context().close();
  },
);

test("the password tab asks for the current password", async ({ site, db, visitAsMember }) => {
  const id = await memberId(db, 0);
  const other = (await api(site, "/api/user/signin", keyOf(id))).data as { refreshToken: string };
  const page = await visitAsMember("/Mypage/Password", { id });
  const change = async (current: string, next: string) => {
    await page.locator("#currentPassword").fill(current);
    await page.locator("#password").fill(next);
    await page.locator("#passwordConfirmation").fill(next);
    await press(page, "비밀번호 변경");
  };
  await change("wrong", "Kyul#58pa");
  await main(page).getByText("비밀번호가 일치하지 않습니다.").waitFor();
  await change(PASSWORD, `${id.slice(0, 12)}!A1`);
  await main(page).getByText("비밀번호에 아이디, 이메일, 이름을 넣을 수 없습니다.").waitFor();
  await change(PASSWORD, "Kyul#58pa");
  await main(page).getByText("비밀번호를 변경하였습니다.").waitFor();
  expect((await api(site, "/api/user/signin-by-refresh-token", { refreshToken: other.refreshToken })).code).toBe(
    "UNAUTHORIZED",
  );
  await page.reload();
  expect(new URL(page.url()).pathname).toBe("/Mypage/Password");
});

test("a new e-mail replaces the old one after its proof", async ({ site, visitAsMember }) => {
  const page = await visitAsMember("/Mypage/Email", { width: 390 });
  await press(page, "이메일 변경");
  await main(page).getByText("이메일 인증을 진행해주세요.").waitFor();
  await page.locator("#email").fill("admin@pid.example.kr");
  await press(page, "인증번호 받기");
  await main(page).getByText("이미 사용 중인 이메일입니다.").waitFor();
  await page.locator("#email").fill("ocean@pid.example.kr");
  await press(page, "인증번호 받기");
  const dialog = page.getByRole("dialog", { name: "이메일 인증" });
  await dialog.waitFor();
  await dialog.getByLabel("인증번호").fill(await readSentCode(site, "ocean@pid.example.kr"));
  await dialog.getByRole("button", { name: "인증 확인" }).click();
  await main(page).getByText("인증에 성공하였습니다.").waitFor();
  await confirmByPassword(page, "이메일 변경");
  await page.getByText("이메일을 변경하였습니다.").waitFor();
  await main(page).locator("dd", { hasText: "ocean@pid.example.kr" }).waitFor();
});

test("another device can be signed out", async ({ site, visitAsMember }) => {
  const other = (await api(site, "/api/user/signin", keyOf("member01"))).data as { refreshToken: string };
  const page = await visitAsMember("/Mypage/Sessions");
  await expect.poll(() => main(page).getByText("현재 기기").count()).toBe(1);
  await main(page).getByRole("button").first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "로그아웃" }).click();
  await page.getByText("선택하신 기기에서 로그아웃하였습니다.").waitFor();
  expect((await api(site, "/api/user/signin-by-refresh-token", { refreshToken: other.refreshToken })).code).toBe(
    "UNAUTHORIZED",
  );
  await page.reload();
  await main(page).getByText("현재 기기").waitFor();
});

test("closing the account needs the password", async ({ site, db, visitAsMember }) => {
  const id = await memberId(db, 1);
  const page = await visitAsMember("/Mypage/Retire", { id });
  await main(page).getByText("바로 파기되는 것").waitFor();
  await main(page).getByText("‘탈퇴한 회원’").waitFor();
  await press(page, "탈퇴하기");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("understood");
  await page.getByLabel("위 내용을 모두 확인하였으며").check();
  await confirmByPassword(page, "탈퇴하기");
  await page.getByRole("heading", { name: "탈퇴가 완료되었습니다" }).waitFor();
  await page.locator("header").getByRole("link", { name: "로그인" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/Account/Left");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
  expect((await api(site, "/api/user/signin", keyOf(id))).code).toBe("NOT_FOUND");
});

test("a new version of required terms must be accepted before continuing", async ({ db, visit }) => {
  await db.batch([
    db.prepare("UPDATE agreement SET is_current = 0 WHERE code = 'terms'"),
    db.prepare(
      "INSERT INTO agreement (code, version, title, required, content, text_hash, effective_date, is_current, sort_order) VALUES ('terms', '2026-12', '이용약관', 1, '<p>새 약관</p>', 'x', 0, 1, 1)",
    ),
  ]);
  const page = await visit("/account/signin?returnUrl=%2FMypage%2FSessions", { width: 360 });
  await signInByForm(page);
  await page.waitForURL("**/Account/Agreements?returnUrl=%2FMypage%2FSessions");
  await page.getByRole("heading", { level: 1, name: "약관 동의" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await measureSidewaysScroll(page)).toBe(0);
  await press(page, "동의하고 계속하기");
  await page.getByText("'이용약관'에 동의해 주십시오.").waitFor();
  await page.getByLabel("[필수] 이용약관").check();
  await press(page, "동의하고 계속하기");
  await page.waitForURL("**/Mypage/Sessions");
  await page.goto("/Account/Agreements");
  expect(new URL(page.url()).pathname).toBe("/");
});

test.for(["Info", "Password", "Email", "Sessions", "Retire"])(
  "the %s tab can be used by everybody",
  async (tab, { visitAsMember }) => {
    const page = await visitAsMember(`/Mypage/${tab}`, { width: 360 });
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await measureSidewaysScroll(page)).toBe(0);
  },
);
