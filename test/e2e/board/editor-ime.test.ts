/** @module-tag full */
import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";
import { test } from "../fixtures.ts";

// Sends Hangul like an input method: growing compositions, then a commit.
let page: Page;
let keys: CDPSession;
test.beforeAll(async ({ member }) => {
  page = member;
  keys = await page.context().newCDPSession(page);
});

const editor = () => page.getByRole("textbox", { name: "내용" });
const html = () =>
  editor().evaluate((area) => {
    const copy = area.cloneNode(true) as HTMLElement;
    for (const own of copy.querySelectorAll("br.ProseMirror-trailingBreak,img.ProseMirror-separator")) own.remove();
    for (const node of copy.querySelectorAll("*")) {
      for (const name of ["class", "data-placeholder", "style", "contenteditable"]) node.removeAttribute(name);
    }
    return copy.innerHTML;
  });

test.beforeEach(async ({ site }) => {
  await page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith("draft:"))
      .forEach((key) => localStorage.removeItem(key)),
  );
  await page.goto("about:blank");
  await page.goto(`${site.url}/board/free/Write`);
  await editor().click();
});

async function compose(...steps: string[]): Promise<void> {
  for (const text of steps) {
    await keys.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  }
}
async function type(word: string): Promise<void> {
  for (const syllable of word) {
    if (/[가-힣]/.test(syllable)) await compose(...jamoSteps(syllable));
    await keys.send("Input.insertText", { text: syllable });
  }
}
/** ㅎ, 하, 한 */
function jamoSteps(syllable: string): string[] {
  const at = syllable.charCodeAt(0) - 0xac00;
  const initial = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"[Math.floor(at / 588)] ?? "";
  const open = String.fromCharCode(0xac00 + at - (at % 28));
  return at % 28 === 0 ? [initial, open] : [initial, open, syllable];
}
const commit = (text: string) => keys.send("Input.insertText", { text });
/** Sends Enter like a Korean input method: commits the syllable, then handles the key. */
async function enterWhileComposing(text: string): Promise<void> {
  await keys.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  await commit(text);
  await page.keyboard.press("Enter");
}

async function linkSelection() {
  await page.getByRole("button", { name: "링크", exact: true }).click();
  await page.getByRole("textbox", { name: "링크 주소" }).fill("https://pid.example.kr");
  await page.keyboard.press("Enter");
}

test("a composed syllable appears once", async () => {
  await type("한글");
  await expect.poll(html).toBe("<p>한글</p>");
});

test("a final consonant moves to the next syllable", async () => {
  await compose("ㄱ", "가", "각");
  await commit("가");
  await compose("ㄱ", "가");
  await commit("가");
  await expect.poll(html).toBe("<p>가가</p>");
});

test("Enter after a composed syllable keeps the syllable once", async () => {
  await type("첫");
  await compose("ㅈ", "주", "줄");
  await enterWhileComposing("줄");
  await type("둘째");
  await expect.poll(html).toBe("<p>첫줄</p><p>둘째</p>");
});

test("an empty item ends the list", async () => {
  await page.getByRole("button", { name: "글머리 기호 목록" }).click();
  await type("하나");
  await compose("ㄷ", "두", "둘");
  await enterWhileComposing("둘");
  await type("셋");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await type("끝");
  await expect.poll(html).toBe("<ul><li><p>하나둘</p></li><li><p>셋</p></li></ul><p>끝</p>");
});

test("in a table cell the syllable stays in its cell", async () => {
  await page.getByRole("button", { name: "표 넣기" }).click();
  await type("이름");
  await page.keyboard.press("Tab");
  await type("소속");
  await expect.poll(() => editor().locator("th").allTextContents()).toEqual(["이름", "소속", ""]);
});

test("the next syllable after a link is outside the link", async () => {
  await type("누리집");
  await page.keyboard.press("Shift+Home");
  await linkSelection();
  await page.keyboard.press("End");
  await type("입니다");
  await expect.poll(html).toBe('<p><a href="https://pid.example.kr">누리집</a>입니다</p>');
});

test("typing on a slow screen is not lost", async () => {
  await page.evaluate(() => {
    window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 1_000);
  });
  await page.getByRole("button", { name: "굵게" }).click();
  await type("누리집");
  await page.keyboard.press("Shift+Home");
  await page.getByRole("button", { name: "굵게" }).click();
  await linkSelection();
  await type("입니다");
  await expect.poll(html).toBe('<p><a href="https://pid.example.kr">누리집</a>입니다</p>');
});

test("no syllable is doubled in bold text", async () => {
  await page.getByRole("button", { name: "굵게" }).click();
  await type("강조");
  await page.keyboard.press("ArrowLeft");
  await type("의");
  await page.keyboard.press("End");
  await type("함");
  await expect.poll(html).toBe("<p><strong>강의조함</strong></p>");
});

test("undo removes composed text, redo restores it", async () => {
  await type("되돌리기");
  await page.keyboard.press("Control+z");
  await expect.poll(html).not.toContain("되돌리기");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(html).toBe("<p>되돌리기</p>");
});

test("Backspace within a composition keeps the text before it", async () => {
  await type("앞");
  await compose("ㄷ", "뒤");
  await compose("ㄷ", "");
  await type("말");
  await expect.poll(html).toBe("<p>앞말</p>");
});

test("composing over a selection replaces it once", async () => {
  await type("바꿀 말");
  await page.keyboard.press("Control+a");
  await type("새말");
  await expect.poll(html).toBe("<p>새말</p>");
});

test("a composition interrupted by a click keeps the syllable once", async () => {
  await type("첫");
  await compose("ㄱ", "그", "글");
  await title().click();
  expect((await editor().innerText()).trim()).toBe("첫글");
});

const title = () => page.getByRole("textbox", { name: /^제목/ });

test("Enter while composing a title does not leave the field", async () => {
  await title().click();
  await type("제");
  await compose("ㅁ", "모", "목");
  await keys.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Enter",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  await expect.poll(() => title().evaluate((field) => field === document.activeElement)).toBe(true);
  await commit("목");
  await expect.poll(() => title().inputValue()).toBe("제목");
  expect(new URL(page.url()).pathname).toBe("/board/free/Write");
  await expect.poll(() => page.getByRole("alert").filter({ hasText: "확인해" }).count()).toBe(0);
});

test("Enter in the title moves to the text", async () => {
  await title().click();
  await type("제목");
  await page.keyboard.press("Enter");
  await type("본문");
  await expect.poll(() => title().inputValue()).toBe("제목");
  await expect.poll(html).toBe("<p>본문</p>");
  expect(new URL(page.url()).pathname).toBe("/board/free/Write");
});

test("composed text is published unchanged", async () => {
  await title().click();
  await type("한글 제목");
  await editor().click();
  await type("첫째");
  await page.keyboard.press("Enter");
  await compose("ㄷ", "두", "둘");
  await enterWhileComposing("둘");
  await type("끝");
  await page.getByRole("button", { name: "등록", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "한글 제목" }).waitFor();
  expect(
    await page
      .locator(".article")
      .first()
      .evaluate((area) => area.innerHTML),
  ).toBe("<p>첫째</p><p>둘</p><p>끝</p>");
});
