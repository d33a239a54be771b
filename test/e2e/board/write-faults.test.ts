/** @module-tag full */
import { expect } from "vitest";
import { holdRequests } from "../support/browser.ts";
import { makePlainPng } from "../support/sample-files.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectOneItem, findEditor, findTitle, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

const shoot = process.env.SHOOT;

test("a resent draft after a lost answer makes no second item", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await typeItem(page, "다시 불러온 글", "잃지 않은 본문");
  await page.route("**/api/board-item/free", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await route.fetch();
    await route.abort();
  });
  await submitItem(page);
  await page.getByText("사이트에 연결하지 못했습니다.").first().waitFor();
  await page.unroute("**/api/board-item/free");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "이어 쓰기" }).click();
  await page.getByText("잃지 않은 본문").waitFor();
  await submitItem(page);
  await expectOneItem(page, "다시 불러온 글");
});

test("the typed text stays when the item is deleted meanwhile", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/notice/Write/5");
  await findEditor(page).waitFor();
  await findTitle(page).fill("지워진 줄 모르고 고친 제목");
  await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("accessToken")}` };
    await fetch("/api/board-item/notice/5", { method: "DELETE", headers });
  });
  await submitItem(page, "수정");
  await page.getByText("그사이 글이 삭제되었거나 게시판이 닫혀 저장하지 못했습니다.").first().waitFor();
  await expect.poll(() => findTitle(page).inputValue()).toBe("지워진 줄 모르고 고친 제목");
  expect((await findEditor(page).innerText()).length).toBeGreaterThan(10);
  if (shoot) await page.screenshot({ path: `${shoot}/gone.png` });
});

test("a picture that is still loading is resized once loaded", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findEditor(page).click();
  const release = await holdRequests(page, "**/api/file/**");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "그림 넣기" }).click();
  await (await chosen).setFiles({ name: "벽.png", mimeType: "image/png", buffer: makePlainPng(3000, 200) });
  const picture = findEditor(page).locator("img[src^='/api/file/']");
  await picture.click();
  const tools = page.getByRole("group", { name: "그림", exact: true });
  await tools.getByRole("button", { name: "그림 중간" }).click();
  await tools.getByRole("button", { name: "그림 작게" }).click();
  expect(await picture.getAttribute("width")).toBe("3000");
  release();
  await expect.poll(() => picture.getAttribute("width")).toBe("240");
  await expect.poll(() => picture.getAttribute("height")).toBe("16");
});

test("a wide picture fits the column", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390 });
  await page.goto("/board/free/Write");
  await findTitle(page).fill("큰 그림");
  await findEditor(page).click();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "그림 넣기" }).click();
  await (await chosen).setFiles({ name: "벽.png", mimeType: "image/png", buffer: makePlainPng(3000, 200) });
  const picture = findEditor(page).locator("img[src^='/api/file/']");
  await picture.waitFor();
  const widths = () =>
    page.evaluate(() => [
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      document.querySelector(".ProseMirror img")?.getBoundingClientRect().width ?? 0,
      document.querySelector(".ProseMirror")?.clientWidth ?? 0,
    ]);
  const [sideways, width, column] = await widths();
  expect(sideways).toBe(0);
  expect(width).toBeLessThanOrEqual(column ?? 0);
  await picture.click();
  const tools = page.getByRole("group", { name: "그림", exact: true });
  await tools.getByRole("button", { name: "그림 작게" }).click();
  await expect.poll(() => picture.getAttribute("width")).toBe("240");
  await expect.poll(() => tools.getByRole("button", { name: "그림 작게" }).getAttribute("aria-pressed")).toBe("true");
  await tools.getByRole("button", { name: "그림 제목" }).click();
  await page.keyboard.type("긴 담");
  await findEditor(page).locator("figure figcaption").getByText("긴 담").waitFor();
  await submitItem(page);
  const dialog = page.getByRole("alertdialog", { name: "설명이 없는 그림이 있습니다" });
  await dialog.getByRole("button", { name: "설명 입력하기" }).click();
  await page.getByText("설명(대체 텍스트)이 없는 그림이 있습니다.").waitFor();
  await submitItem(page);
  await dialog.getByRole("button", { name: "설명 없이 등록" }).click();
  await page.getByRole("heading", { level: 1, name: "큰 그림" }).waitFor();
  expect(await page.locator(".article figure figcaption").textContent()).toBe("긴 담");
  const shown = await page.locator(".article figure img").boundingBox();
  expect(Math.round(shown?.width ?? 0)).toBe(240);
  expect((shown?.x ?? 0) + (shown?.width ?? 999)).toBeLessThanOrEqual(390);
});
