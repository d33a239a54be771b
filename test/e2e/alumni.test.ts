import { readFileSync } from "node:fs";
import { read, utils, type WorkBook, write } from "@e965/xlsx";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Site } from "#worker/local/site.ts";
import { newSite } from "../site.ts";
import { sidewaysScroll } from "./support/account.ts";
import { axe } from "./support/browser.ts";
import { launch } from "./support/chromium.ts";
import { ADMIN, MEMBER, signedInPage } from "./support/signed-in.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([newSite(), launch()]);
});
afterAll(async () => {
  await browser.close();
  await site.dispose();
});

async function exported(page: Page): Promise<WorkBook> {
  await page.getByRole("button", { name: "내보내기", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /명 내보내기/ }).click();
  await dialog.getByText("내보내는 까닭을 적어 주십시오.").waitFor();
  await dialog.getByLabel("모든 항목").check();
  await dialog.getByLabel(/내보내는 까닭/).fill("정기총회 안내문 발송");
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /명 내보내기/ }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^동문주소록_20\d{6}\.xlsx$/);
  return read(readFileSync(await download.path()));
}

const saved = (book: WorkBook) => ({
  name: "고친 주소록.xlsx",
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer: write(book, { type: "buffer", bookType: "xlsx" }) as Buffer,
});

test("the office exports, edits two cells, and the import changes those two people, until it is taken back", async () => {
  const page = await signedInPage(browser, site.url, ADMIN);
  await page.goto("/Alumni");
  const book = await exported(page);
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
  const rows = utils.sheet_to_json<Record<string, string | number>>(sheet);
  expect(rows).toHaveLength(400);
  expect(rows[0]).toMatchObject({ 기수: expect.any(Number), 휴대전화: expect.stringMatching(/^010-0000-\d{4}$/) });
  sheet.E2 = { t: "s", v: "새로 옮긴 병원" };
  // As Excel keeps a number whose zero it took away.
  sheet.I3 = { t: "n", v: 1000009999 };
  sheet.B4 = { t: "s", v: "열기" };

  await page.goto("/Alumni/Import");
  const input = page.locator("input[type=file]");
  await input.setInputFiles(saved(book));
  await page.getByLabel("‘소속’ 열의 항목").waitFor();
  expect(await page.getByLabel("‘소속’ 열의 항목").inputValue()).toBe("affiliation");
  await page.getByRole("button", { name: "미리 보기", exact: true }).click();
  const facts = page.locator("dl dd");
  await facts.first().waitFor();
  expect(await facts.allInnerTexts()).toEqual(["0명", "2명", "397명", "1명"]);
  expect(await axe(page)).toEqual([]);
  expect(await page.getByRole("button", { name: "2명 가져오기" }).isDisabled()).toBe(true);

  await page.getByLabel("4행 기수").fill(String(rows[2]?.["기수"]));
  await page.getByLabel("4행 기수").blur();
  await page.getByRole("button", { name: "고친 내용으로 다시 확인" }).click();
  await page.getByText("오류 행 내려받기").waitFor({ state: "detached" });
  expect(await facts.allInnerTexts()).toEqual(["0명", "2명", "398명", "0명"]);
  await page.locator("ins", { hasText: "새로 옮긴 병원" }).waitFor();
  await page.locator("ins", { hasText: "010-0000-9999" }).waitFor();
  await page.getByRole("button", { name: "2명 가져오기" }).click();
  await page.getByText("0명을 추가하고 2명을 바꾸었습니다.").waitFor();

  await page.goto("/Alumni?affiliation=새로 옮긴");
  await page
    .getByRole("link", { name: String(rows[0]?.["이름"]) })
    .first()
    .waitFor();
  await page.goto("/Alumni/Import");
  await page.getByRole("button", { name: "되돌리기" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "되돌리기" }).click();
  await page.getByText("0명을 지우고 2명을 전의 내용으로 돌려놓았습니다.").waitFor();
  await page.goto("/Alumni?affiliation=새로 옮긴");
  await page.getByText("조건에 맞는 동문이 없습니다.").waitFor();
  await page.context().close();
}, 120_000);

test("the office adds a person beside the list, is told what is wrong, corrects and deletes", async () => {
  const page = await signedInPage(browser, site.url, ADMIN);
  await page.goto("/Alumni");
  await page.getByRole("link", { name: "동문 추가" }).click();
  await page.getByLabel("이름", { exact: false }).first().waitFor();
  await page.locator("#alumni-name").fill("표본인");
  await page.locator("#alumni-mobile").fill("1234");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("휴대전화번호를 형식에 맞게 입력해 주십시오.").waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("alumni-mobile");
  await page.locator("#alumni-mobile").fill("01000007777");
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("동문을 추가하였습니다.").waitFor();

  await page.getByRole("searchbox").fill("ㅍㅂㅇ");
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL("**keyword=**");
  await page.getByRole("link", { name: "표본인" }).first().click();
  await page.getByRole("heading", { name: "표본인" }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "삭제", exact: true }).click();
  await page.getByText("동문 1명을 삭제하시겠습니까?").waitFor();
  await page.getByRole("button", { name: "1명 삭제" }).click();
  await page.getByText("조건에 맞는 동문이 없습니다.").waitFor();
  await page.context().close();
}, 60_000);

test("a member on a phone finds people, calls whom he may, and opens his own number to others", async () => {
  const page = await signedInPage(browser, site.url, MEMBER, { width: 360 });
  await page.goto("/Alumni?keyword=ㄱㅎㄴ");
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await axe(page)).toEqual([]);
  await page.locator('ul a[href="tel:01000000001"]').waitFor();
  await page.locator('ul a[href="mailto:member01@pid.example.kr"]').waitFor();
  await page.getByRole("link", { name: "내 정보" }).click();
  await page.getByRole("button", { name: "수정", exact: true }).click();
  expect(await page.locator("#alumni-name").count()).toBe(0);
  await page.locator("aside [name=openFields][value=mobile]").check();
  await page.getByRole("button", { name: "저장", exact: true }).click();
  await page.getByText("저장하였습니다.").waitFor();
  await page.goto("/Alumni/Import");
  await page.getByText("접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다").waitFor();
  await page.context().close();
}, 60_000);

test("without JavaScript the book is read, searched and opened all the same", async () => {
  const session = await signedInPage(browser, site.url, MEMBER);
  const cookies = await session.context().cookies();
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto("/Alumni");
  await page.getByRole("searchbox").fill("ㄱㅎㄴ");
  await page.getByRole("button", { name: "검색" }).click();
  await page.getByRole("link", { name: "김하늘" }).first().click();
  await page.getByRole("heading", { name: "김하늘" }).waitFor();
  await page.goto("/Alumni/Import");
  expect(await page.getByText("접근 권한이 없습니다").count()).toBeGreaterThan(0);
  await Promise.all([context.close(), session.context().close()]);
});

test("the desk's pages have no finding and no sideways scroll", async () => {
  const page = await signedInPage(browser, site.url, ADMIN);
  for (const path of ["/Alumni", "/Alumni/Import"]) {
    await page.goto(path);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    expect(await axe(page)).toEqual([]);
  }
  await page.context().close();
});

test("a guest is sent to sign in and comes back", async () => {
  for (const path of ["/Alumni", "/alumni/import"]) {
    const response = await fetch(`${site.url}${path}`, { redirect: "manual" });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/account/signin?returnUrl=${encodeURIComponent(path)}`);
  }
});
