/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { newTab } from "../support/browser.ts";
import { openConsolePage } from "../support/console.ts";
import { signInByForm } from "../support/account.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { findEditor, findTitle, submitItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

/** Ends the sessions while this browser keeps its tokens and cookie. */
async function endSessionsElsewhere(db: D1Database): Promise<void> {
  await db.prepare("UPDATE session SET revoked_date = 1 WHERE revoked_date IS NULL").run();
}
const accessToken = (page: Page) => page.evaluate(() => localStorage.getItem("accessToken"));
const signInAgain = async (page: Page, id: string | null, password: string) => {
  const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await dialog.waitFor();
  if (id) await dialog.getByLabel("아이디나 이메일").fill(id);
  await dialog.getByLabel("비밀번호", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
};

test("a member signs in again at the first try", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  const dead = await accessToken(page);
  await endSessionsElsewhere(db);
  await page.goto("/account/signin?returnUrl=%2Fboard%2Ffree%2FList%2F");
  expect(await accessToken(page)).toBe(dead);
  await signInByForm(page);
  await page.waitForURL("**/board/free/List/");
  expect(await accessToken(page)).not.toBe(dead);
  expect(await page.locator("header").getByRole("button", { name: "로그아웃" }).isVisible()).toBe(true);
});

test("the sign-in dialog of the editor asks once", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findTitle(page).fill("다른 곳에서 끊긴 글");
  await findEditor(page).click();
  await page.keyboard.type("잃으면 안 되는 본문");
  const dead = await accessToken(page);
  await endSessionsElsewhere(db);
  await submitItem(page);
  await signInAgain(page, null, MEMBER_CREDENTIALS.password);
  await page.getByRole("heading", { level: 1, name: "다른 곳에서 끊긴 글" }).waitFor();
  expect(await page.locator(".article").first().innerText()).toContain("잃으면 안 되는 본문");
  expect(await accessToken(page)).not.toBe(dead);
});

test("the sign-in dialog of the console asks once", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await openConsolePage(page, 1280, "사이트 정보");
  const name = page.getByLabel("사업 이름");
  await name.fill("한빛연구망");
  await endSessionsElsewhere(db);
  await page.getByRole("button", { name: "저장", exact: true }).first().click();
  await signInAgain(page, ADMIN_CREDENTIALS.userKeyCode, ADMIN_CREDENTIALS.password);
  await expect
    .poll(() =>
      db.prepare("SELECT json_extract(value, '$.productName') AS n FROM site_setting WHERE key = 'site'").first("n"),
    )
    .toBe("한빛연구망");
});

test("typed text stays when its author lost the console", async ({ db, openAs }) => {
  const setRole = (userType: string, role: string) =>
    db
      .prepare(
        "UPDATE user SET user_type = ?, role_code = ? WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'member05')",
      )
      .bind(userType, role)
      .run();
  await setRole("Admin", "administrator");
  const person = { ...MEMBER_CREDENTIALS, userKeyCode: "member05" };
  const page = await openAs(person);
  await openConsolePage(page, 1280, "사이트 정보");
  const name = page.getByLabel("사업 이름");
  await name.fill("적던 이름");
  await setRole("Member", "member");
  await endSessionsElsewhere(db);
  // An answer to a reload would replace the form.
  const reloads: string[] = [];
  page.on("request", (request) => void (/\.data\b/.test(request.url()) && reloads.push(request.url())));
  await page.getByRole("button", { name: "저장", exact: true }).first().click();
  await signInAgain(page, person.userKeyCode, person.password);
  await page.getByRole("main").getByRole("alert").getByText("접근 권한이 없습니다").waitFor();
  expect(reloads).toEqual([]);
  expect(await name.inputValue()).toBe("적던 이름");
});

test("a refused call drops the token, a wrong password does not", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Password");
  const change = async () => {
    await page.locator("#currentPassword").fill("Wrong!2345");
    await page.locator("#password").fill("Zk7!mQ2x");
    await page.locator("#passwordConfirmation").fill("Zk7!mQ2x");
    await page.getByRole("button", { name: "비밀번호 변경" }).click();
  };
  await change();
  await page.getByText("비밀번호가 일치하지 않습니다.").first().waitFor();
  expect(await accessToken(page)).not.toBeNull();
  await endSessionsElsewhere(db);
  await change();
  await expect.poll(() => accessToken(page)).toBeNull();
});

test("a renewal with a lost answer keeps the person signed in", async ({ db, openGuest }) => {
  const page = await openGuest();
  await page.clock.install();
  await page.goto("/account/signin?returnUrl=%2FAccount%2FFindId");
  await signInByForm(page);
  await page.waitForURL("**/Account/FindId");
  let lost = 0;
  await page.route("**/signin-by-refresh-token", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  const first = await page.evaluate(() => localStorage.getItem("refreshToken"));
  await page.getByLabel("이름").press("End");
  await page.clock.fastForward("21:00");
  await expect.poll(() => lost).toBe(1);
  // Exceeds the ten second grace period for concurrent tabs.
  await db.prepare("UPDATE refresh_token SET used_date = used_date - 60000 WHERE used_date IS NOT NULL").run();
  expect(await page.evaluate(() => localStorage.getItem("refreshToken"))).toBe(first);
  await page.getByLabel("이름").press("End");
  await page.clock.fastForward("01:00");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("refreshToken"))).not.toBe(first);
  expect(await accessToken(page)).not.toBeNull();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("refreshAttempt"))).toBeNull();
  expect(await page.getByText("로그인이 만료되었습니다.").count()).toBe(0);
});

test("all other devices are signed out with the password", async ({ openAs }) => {
  const [here, there] = await Promise.all([openAs(MEMBER_CREDENTIALS), openAs(MEMBER_CREDENTIALS)]);
  await here.goto("/Mypage/Sessions");
  await here.getByRole("button", { name: "다른 기기에서 모두 로그아웃" }).click();
  const dialog = here.getByRole("dialog", { name: "다른 기기에서 모두 로그아웃하시겠습니까?" });
  await dialog.getByRole("button", { name: "모두 로그아웃" }).click();
  await dialog.getByText("비밀번호를 입력해 주십시오.").waitFor();
  await dialog.locator("#currentPassword").fill(MEMBER_CREDENTIALS.password);
  await here.keyboard.press("Enter");
  await here.getByText("곳에서 로그아웃하였습니다.").waitFor();
  await dialog.waitFor({ state: "hidden" });
  await there.goto("/Mypage/Info");
  expect(new URL(there.url()).pathname).toBe("/account/signin");
  await here.goto("/Mypage/Info");
  expect(new URL(here.url()).pathname).toBe("/Mypage/Info");
});

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "마이페이지" }).getByRole("link", { name, exact: true });

/** Start page, step after the end of the session and wanted page. */
const STEPS: [step: string, from: string, take: (page: Page) => Promise<unknown>, wanted: string][] = [
  ["a link", "/Mypage", (page) => tab(page, "회원정보").click(), "/Mypage/Info"],
  ["the way back", "/Mypage/Info#main", (page) => page.goBack({ waitUntil: "commit" }), "/Mypage/Info#main"],
  ["a reload", "/Mypage/Info?a=1#main", (page) => page.reload(), "/Mypage/Info?a=1#main"],
  ["an address", "/Mypage", (page) => page.goto("/Mypage/Email#main"), "/Mypage/Email#main"],
];

test.for(STEPS)("%s leads where it was meant to after signing in", async (row, { db, openAs }) => {
  const [step, from, take, wanted] = row;
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto(from);
  if (step === "the way back") {
    await tab(page, "비밀번호").click();
    await page.waitForURL("**/Mypage/Password");
  }
  await endSessionsElsewhere(db);
  await take(page);
  await page.waitForURL(/\/account\/signin/i);
  const returnUrl = new URL(page.url()).searchParams.get("returnUrl");
  expect(returnUrl?.replace(/#.*/, "")).toBe(wanted.replace(/#.*/, ""));
  await signInByForm(page);
  await page.waitForURL((url) => url.pathname + url.search + url.hash === wanted);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("a sign-out in another tab returns to the open page after sign-in", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Sessions");
  const other = await newTab(page.context());
  await other.goto("/");
  // Holds the sign-out until the first tab has reloaded its page.
  const readAgain = page.waitForResponse(/Sessions\.data/i);
  await other.route("**/api/user/signout", async (route) => {
    await readAgain;
    await route.continue();
  });
  await other.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
  await page.waitForURL(/\/account\/signin/i);
  await signInByForm(page);
  await page.waitForURL("**/Mypage/Sessions");
});

test("unsaved input of a member is not sent by another", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findTitle(page).fill("첫 회원의 글");
  await page.getByText(/임시저장됨/).waitFor();
  const request = await newTab(page.context());
  await request.goto("/Mypage/Privacy");
  await request.locator("#content").fill("첫 회원의 요구");
  const dialog = request.getByRole("dialog", { name: "다시 로그인해 주십시오" });

  const other = await newTab(page.context());
  await other.goto("/");
  await other.getByRole("banner").getByRole("button", { name: "로그아웃" }).first().click();
  await dialog.waitFor();
  await other.goto("/account/signin");
  await signInByForm(other, "member02");
  await other.waitForURL((url) => url.pathname === "/");
  await dialog.getByText("다른 계정으로 로그인되어 있습니다").waitFor();

  await findTitle(page).fill("첫 회원이 고친 글");
  await page.getByText("로그인 시간이 지나 이 브라우저에만 임시저장하였습니다.").waitFor();
  await dialog.getByLabel("아이디나 이메일").fill("member02");
  await dialog.getByLabel("비밀번호", { exact: true }).fill("Member!2345");
  await request.keyboard.press("Enter");
  await dialog.getByText("이 화면을 쓰던 계정이 아닙니다.").waitFor();
  await signInAgain(request, MEMBER_CREDENTIALS.userKeyCode, MEMBER_CREDENTIALS.password);
  await request.getByRole("main").locator("form").getByRole("button").last().click();
  await request.getByText("요청을 접수하였습니다.").first().waitFor();
  await page.getByText(/임시저장됨/).waitFor();

  const writers = "SELECT DISTINCT user_id AS id FROM";
  const draftWriters = await db.prepare(`${writers} item_draft`).all();
  const askers = await db.prepare(`${writers} privacy_request WHERE content = '첫 회원의 요구'`).all();
  expect(draftWriters.results).toEqual(askers.results);
  expect(askers.results.length).toBe(1);
});

test("a comment is sent after signing in again", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/View/1");
  const field = page.getByRole("textbox", { name: "댓글", exact: true });
  await field.fill("끊긴 뒤의 댓글");
  await endSessionsElsewhere(db);
  await page.getByRole("button", { name: "등록", exact: true }).click();
  await signInAgain(page, MEMBER_CREDENTIALS.userKeyCode, MEMBER_CREDENTIALS.password);
  await page.locator("li").getByText("끊긴 뒤의 댓글").waitFor();

  await field.fill("다른 탭에서 로그아웃한 댓글");
  const other = await newTab(page.context());
  await other.goto("/");
  await other.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
  await page.getByRole("dialog", { name: "다시 로그인해 주십시오" }).waitFor();
  expect(await field.inputValue()).toBe("다른 탭에서 로그아웃한 댓글");
});

test("the own information asks for the password once after the session ended", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/Mypage/Info");
  await page.locator("[name='profile.phone']").fill("02-000-7777");
  await endSessionsElsewhere(db);
  await page.getByRole("button", { name: "저장", exact: true }).click();
  const confirm = page.getByRole("dialog", { name: "현재 비밀번호를 확인해 주십시오" });
  await confirm.locator("#confirmPassword").fill(MEMBER_CREDENTIALS.password);
  await confirm.getByRole("button", { name: "확인" }).click();
  await page.getByText("회원정보를 저장하였습니다.").waitFor();
  expect(await page.getByRole("dialog", { name: "다시 로그인해 주십시오" }).count()).toBe(0);
});

test("the sign-in dialog over another form keeps the ID of the sign-in", async ({ db, openGuest }) => {
  const page = await openGuest();
  await page.goto("/account/signin?returnUrl=%2FMypage%2FPrivacy");
  await signInByForm(page);
  await page.waitForURL("**/Mypage/Privacy");
  await page.locator("#content").fill("보관 중인 정보를 알려 주십시오.");
  await endSessionsElsewhere(db);
  await page.getByRole("main").locator("form").getByRole("button").last().click();
  const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await dialog.waitFor();
  expect(await dialog.getByLabel("아이디나 이메일").inputValue()).toBe("member01");
});

test("a person's entry being edited survives the end of a session", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni");
  await page.locator("#main tbody tr a").first().click();
  const panel = page.getByRole("complementary");
  await panel.getByRole("button", { name: "수정" }).click();
  const field = panel.getByLabel("소속", { exact: true });
  await field.fill("잃으면 안 되는 소속");
  const leave: (() => Promise<unknown>)[] = [
    () => panel.getByRole("link", { name: "닫기" }).click(),
    () => page.locator("#main tbody tr").nth(2).locator("a").first().click(),
    () => page.locator("#main thead a").first().click(),
    () => page.goBack({ waitUntil: "commit" }),
    () => page.locator("header a").first().click(),
  ];
  for (const act of leave) {
    await act();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: "계속 쓰기" }).click();
    // Going back while it closes would end its navigation without a question.
    await question.waitFor({ state: "detached" });
    expect(await field.inputValue()).toBe("잃으면 안 되는 소속");
  }
  const other = await newTab(page.context());
  await other.goto("/");
  await other.locator("header").getByRole("button", { name: "로그아웃" }).first().click();
  await signInAgain(page, ADMIN_CREDENTIALS.userKeyCode, ADMIN_CREDENTIALS.password);
  await panel.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByRole("status").getByText("저장하였습니다.").waitFor();
  const saved = db.prepare("SELECT count(*) AS n FROM alumni WHERE affiliation = '잃으면 안 되는 소속'");
  expect(await saved.first("n")).toBe(1);
  // Saved, it is left without a question.
  await panel.getByRole("link", { name: "닫기" }).click();
  await panel.waitFor({ state: "detached" });
});

test("the columns chosen for an import survive the session", async ({ db, openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/Alumni/Import");
  const file = { name: "명부.csv", mimeType: "text/csv", buffer: Buffer.from("이름,기수\n가나다라,3\n") };
  await page.locator("#main input[type=file]").setInputFiles([file]);
  const look = page.getByRole("button", { name: "미리보기" });
  await look.waitFor();
  await page.locator("header a").first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "계속 쓰기" }).click();
  await endSessionsElsewhere(db);
  await look.click();
  await signInAgain(page, ADMIN_CREDENTIALS.userKeyCode, ADMIN_CREDENTIALS.password);
  await page.getByText("가나다라").first().waitFor();
});

test("a report of an item is sent after signing in again", async ({ db, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/View/1");
  await page.locator("#item-actions").getByRole("button", { name: "신고" }).click();
  const dialog = page.getByRole("dialog", { name: "이 글을 신고하시겠습니까?" });
  await dialog.getByRole("radio").first().check();
  await dialog.getByLabel("내용").fill("끊긴 뒤의 신고");
  await endSessionsElsewhere(db);
  await dialog.getByRole("button", { name: "신고" }).click();
  await signInAgain(page, MEMBER_CREDENTIALS.userKeyCode, MEMBER_CREDENTIALS.password);
  await page.getByText("신고하였습니다.", { exact: false }).waitFor();
});
