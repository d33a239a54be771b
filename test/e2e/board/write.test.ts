import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findAxeViolations } from "../support/browser.ts";
import { makePdf, makePlainPng } from "../support/sample-files.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectNoDraft, findEditor, findTitle, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

const close = (page: Page) => page.context().close();

test("a notice with attachments appears on the home page at once", async ({ openAs, openGuest }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/notice/List/");
  await page.getByRole("link", { name: "글쓰기" }).click();
  await findTitle(page).fill("희귀질환 등록사업 설명회 안내");
  await page.getByRole("checkbox", { name: "메인 노출" }).check();
  await findEditor(page).click();
  await page.keyboard.type("설명회를 엽니다.");

  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "그림 넣기" }).click();
  await (await chosen).setFiles({ name: "약도.png", mimeType: "image/png", buffer: makePlainPng(320, 200) });
  const picture = findEditor(page).locator("img[src]");
  await picture.waitFor();
  await picture.click();
  await page.getByText("설명(대체 텍스트)이 없는 그림이 있습니다.").waitFor();
  await page.getByRole("button", { name: "그림 설명" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("설명회장 약도");
  await page.getByRole("dialog").getByRole("button", { name: "저장" }).click();
  await page.getByText("설명(대체 텍스트)이 없는 그림이 있습니다.").waitFor({ state: "detached" });

  // A file name in decomposed Hangul, as from a Mac.
  const files = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "파일 선택" }).click();
  await (
    await files
  ).setFiles([
    { name: "설명회 일정.pdf".normalize("NFD"), mimeType: "application/pdf", buffer: makePdf("a") },
    { name: "참가 신청서.pdf", mimeType: "application/pdf", buffer: makePdf("b") },
  ]);
  await page.getByRole("button", { name: "참가 신청서.pdf 삭제" }).waitFor();
  await page.getByRole("button", { name: "설명회 일정.pdf 삭제" }).waitFor();
  await page.getByRole("button", { name: "참가 신청서.pdf 위로" }).click();
  await submitItem(page);

  await page.waitForURL("**/board/notice/View/**");
  await page.getByRole("heading", { level: 1, name: "희귀질환 등록사업 설명회 안내" }).waitFor();
  await expect.poll(() => page.locator(".article img").getAttribute("alt")).toBe("설명회장 약도");
  expect(
    await page
      .locator(".article img")
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(320);
  const links = page.locator("section[aria-labelledby=attachments] a[href*='download=true']");
  expect(await links.evaluateAll((all) => all.map((link) => link.textContent ?? ""))).toEqual([
    expect.stringContaining("참가 신청서.pdf"),
    expect.stringContaining("설명회 일정.pdf"),
  ]);
  await close(page);

  const visitor = await openGuest();
  await visitor.goto("/");
  await visitor
    .getByRole("link", { name: /희귀질환 등록사업 설명회 안내/ })
    .first()
    .click();
  await visitor.getByRole("heading", { level: 1, name: "희귀질환 등록사업 설명회 안내" }).waitFor();
  const path = new URL(visitor.url()).pathname;
  const [download] = await Promise.all([
    visitor.waitForEvent("download"),
    visitor.getByRole("link", { name: /설명회 일정\.pdf .*내려받기/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("설명회 일정.pdf");
  await close(visitor);

  const member = await openAs(MEMBER_CREDENTIALS);
  await member.goto(path);
  await member.getByRole("textbox", { name: /댓글/ }).fill("참석하겠습니다.");
  await member.getByRole("button", { name: /등록/ }).click();
  await member.getByText("참석하겠습니다.").first().waitFor();
  await expect.poll(() => member.getByRole("textbox", { name: /댓글/ }).inputValue()).toBe("");
});

test("the page has no axe finding or sideways scroll", { tags: "full" }, async ({ openAs }) => {
  for (const width of [1280, 390, 360]) {
    const page = await openAs(ADMIN_CREDENTIALS, { width });
    await page.goto("/board/notice/Write");
    await page.getByRole("checkbox", { name: "공지 고정" }).check();
    await page.getByRole("checkbox", { name: "예약 발행" }).check();
    await findEditor(page).click();
    await page.getByRole("button", { name: "표 넣기" }).click();
    await page.getByRole("button", { name: "글자색", exact: true }).click();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      `${width}`,
    ).toBeLessThanOrEqual(0);
    if (width !== 360) expect(await findAxeViolations(page), `${width}`).toEqual([]);
    await close(page);
  }
});

test("errors are shown at their field without losing input", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findEditor(page).waitFor();
  await submitItem(page);
  await page.getByText("제목을 입력해 주십시오.").nth(1).waitFor();
  await expect.poll(() => page.getByRole("alert").innerText()).toContain("내용을 입력해 주십시오.");
  await expect.poll(() => findTitle(page).evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => findEditor(page).getAttribute("aria-invalid")).toBe("true");

  const long = "가".repeat(201);
  await typeItem(page, long, "본문은 그대로 남습니다.");
  await submitItem(page);
  await page.getByText("제목은 200자까지 입력할 수 있습니다. (지금 201자)").nth(1).waitFor();
  await expect.poll(() => findTitle(page).inputValue()).toBe(long);
  await expect.poll(() => findEditor(page).innerText()).toContain("본문은 그대로 남습니다.");
});

test("a draft is offered until it is published", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await typeItem(page, "쓰다 만 글", "나중에 이어 쓸 본문");
  await page.getByText(/임시저장됨 \d\d:\d\d/).waitFor();

  await page.getByRole("navigation", { name: "현재 위치" }).getByRole("link", { name: "홈" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "계속 쓰기" }).click();
  await expect.poll(() => findTitle(page).inputValue()).toBe("쓰다 만 글");
  await page.getByRole("navigation", { name: "현재 위치" }).getByRole("link", { name: "홈" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "나가기" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  const other = await openAs(MEMBER_CREDENTIALS);
  await other.goto("/board/free/Write");
  await other.getByText("작성하던 글이 있습니다.").waitFor();
  await expect.poll(() => findTitle(other).inputValue()).toBe("");
  await other.getByRole("button", { name: "이어 쓰기" }).click();
  await other.getByText("나중에 이어 쓸 본문").waitFor();
  await expect.poll(() => findTitle(other).inputValue()).toBe("쓰다 만 글");
  await submitItem(other);
  await other.getByRole("heading", { level: 1, name: "쓰다 만 글" }).waitFor();
  await expectNoDraft(other);
});

test("text typed before an older draft is restored is kept", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findTitle(page).fill("첫 번째 글");
  await page.getByText(/^임시저장됨 \d\d:\d\d/).waitFor();
  await page.reload();
  await page.getByText("작성하던 글이 있습니다.").waitFor();
  await findTitle(page).fill("두 번째 글");
  await page.getByText(/이 브라우저에 임시저장됨 \d\d:\d\d/).waitFor();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect.poll(() => page.getByText("작성하던 글이 있습니다.").count()).toBe(2);
  await findTitle(page).fill("세 번째 글");
  const offers = page.getByRole("note").or(page.locator("div")).filter({ hasText: "제목: 첫 번째 글" }).last();
  await offers.getByRole("button", { name: "이어 쓰기" }).click();
  await expect.poll(() => findTitle(page).inputValue()).toBe("첫 번째 글");
  await page.getByText("제목: 세 번째 글").waitFor();
  await page.getByText("제목: 두 번째 글").waitFor();
  await page.getByRole("button", { name: "버리기" }).first().click();
  await expect.poll(() => page.getByText("작성하던 글이 있습니다.").count()).toBe(1);
  await page.getByRole("button", { name: "버리기" }).click();
  await findEditor(page).click();
  await page.keyboard.type("본문");
  await submitItem(page);
  await page.getByRole("heading", { level: 1, name: "첫 번째 글" }).waitFor();
  await expectNoDraft(page);
});

test("closing the page with changes shows the dialog of the browser", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findTitle(page).fill("닫기 전에 묻습니다");
  const asked = page.waitForEvent("dialog");
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
});

test("the toolbar works by keyboard", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findEditor(page).click();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id);
  await page.keyboard.press("Alt+F10");
  await expect.poll(focused).toBe("실행 취소");
  for (let at = 0; at < 5; at += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toBe("굵게");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("button", { name: "굵게" }).getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.type("진하게");
  await expect.poll(() => findEditor(page).locator("strong").innerText()).toBe("진하게");

  await page.getByRole("button", { name: "글자색", exact: true }).click();
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("글자색");

  await page.getByRole("button", { name: "표 넣기" }).click();
  await page.keyboard.press("Tab");
  await expect.poll(focused).toBe("내용");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect.poll(focused).toBe("files");
});
