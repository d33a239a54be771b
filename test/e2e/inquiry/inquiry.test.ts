import { describe, expect } from "vitest";
import { measureSidewaysScroll } from "../support/account.ts";
import { findAxeViolations } from "../support/browser.ts";
import { makePlainPng } from "../support/sample-files.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

describe("a question to the office", () => {
  test("the bell links to the answer of an inquiry", async ({ admin, openAs }) => {
    const page = await openAs(MEMBER_CREDENTIALS, { width: 390 });
    await page.goto("/Mypage/Inquiries");
    await page.getByText("보내신 문의가 없습니다.").waitFor();
    await page.getByRole("link", { name: "문의하기" }).click();
    await page.getByRole("button", { name: "문의 보내기" }).click();
    await page.getByText("제목을 입력해 주십시오.").waitFor();
    await page.getByRole("textbox", { name: "제목 (필수)" }).fill("이수증이 열리지 않습니다");
    await page.getByRole("textbox", { name: "내용 (필수)" }).fill("내려받은 이수증 파일이 열리지 않습니다.");
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "화면.png", mimeType: "image/png", buffer: makePlainPng(20, 20) });
    await page.getByRole("button", { name: "화면.png 삭제" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await measureSidewaysScroll(page)).toBe(0);
    await page.getByRole("button", { name: "문의 보내기" }).click();
    await page.getByRole("heading", { name: "이수증이 열리지 않습니다" }).waitFor();
    await page.getByRole("link", { name: /화면\.png/ }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);

    await admin.goto("/Admin");
    await admin.getByRole("link", { name: "답변을 기다리는 문의가 1건 있습니다." }).click();
    await admin.getByRole("link", { name: "이수증이 열리지 않습니다" }).click();
    await admin.getByRole("textbox", { name: "답변 내용 (필수)" }).fill("다시 올려 두었습니다.");
    expect(await findAxeViolations(admin)).toEqual([]);
    await admin.getByRole("button", { name: "답변 보내기" }).click();
    await admin.getByText("답변을 등록하고 메일로 보냈습니다.").waitFor();

    await page.goto("/Mypage/Activity");
    await page.getByRole("link", { name: "이수증이 열리지 않습니다" }).click();
    await page.getByText("다시 올려 두었습니다.").waitFor();
    expect(await measureSidewaysScroll(page)).toBe(0);
  });
});

test("visitors see a greeting that the office added", { tags: "full" }, async ({ admin, openGuest }) => {
  await admin.goto("/Admin/Contents/rules");
  const text = admin.getByRole("textbox", { name: "내용" });
  await text.click();
  await admin.keyboard.press("Control+End");
  await admin.keyboard.press("Enter");
  const chooser = admin.waitForEvent("filechooser");
  await admin.getByRole("button", { name: "인사말 넣기(사진과 글)" }).click();
  await (await chooser).setFiles({ name: "위원장.png", mimeType: "image/png", buffer: makePlainPng(40, 50) });
  await text.locator('blockquote > p:first-child > img[src^="/api/file/"]').waitFor();
  await admin.keyboard.press("Control+End");
  await admin.getByRole("button", { name: "연락처 카드 넣기" }).click();
  await text.locator("td", { hasText: "이름" }).first().click();
  await admin.keyboard.press("End");
  await admin.keyboard.type(" 김사무");
  await admin.getByRole("button", { name: "게시", exact: true }).click();
  await admin.getByLabel("바뀐 점").fill("인사말과 연락처");
  await admin.getByRole("dialog").getByRole("button", { name: "게시", exact: true }).click();
  await admin.getByRole("status").getByText("게시하였습니다.").waitFor();

  const guest = await openGuest({ width: 390 });
  await guest.goto("/research/rules");
  const card = guest.locator(".contacts").getByRole("cell", { name: "이름 김사무" });
  await card.waitFor();
  const portrait = guest.locator("blockquote:has(img) img");
  expect(await portrait.evaluate((image) => getComputedStyle(image).objectFit)).toBe("cover");
  expect(await findAxeViolations(guest)).toEqual([]);
  expect(await measureSidewaysScroll(guest)).toBe(0);
});
