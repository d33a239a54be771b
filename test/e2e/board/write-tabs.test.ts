/** @module-tag full */
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { newTab } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectOneItem, findEditor, findTitle, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

const openWrite = async (context: BrowserContext) => {
  const page = await newTab(context);
  await page.goto("/board/free/Write");
  await findEditor(page).waitFor();
  return page;
};
const isStored = (page: Page) => page.getByText(/임시저장됨/).waitFor();
const findOffer = (page: Page, title: string) =>
  page.locator(".alert").filter({ hasText: "작성하던 글이 있습니다." }).filter({ hasText: title });

test("each of two tabs keeps its own draft", async ({ openAs }) => {
  const first = await openAs(MEMBER_CREDENTIALS);
  await first.goto("/board/free/Write");
  await typeItem(first, "첫 탭의 글", "첫 탭의 본문");
  await isStored(first);
  const second = await openWrite(first.context());
  expect(await findOffer(second, "첫 탭의 글").count()).toBe(0);
  await typeItem(second, "둘째 탭의 글", "둘째 탭의 본문");
  await isStored(second);
  await submitItem(first);
  await expectOneItem(first, "첫 탭의 글");

  second.on("dialog", (dialog) => void dialog.accept());
  await second.reload();
  await findOffer(second, "둘째 탭의 글").getByRole("button", { name: "이어 쓰기" }).click();
  await expect.poll(() => findTitle(second).inputValue()).toBe("둘째 탭의 글");
  await findEditor(second).getByText("둘째 탭의 본문").waitFor();
  await second.close({ runBeforeUnload: true });
  await expect.poll(() => first.context().pages().length).toBe(1);
  const third = await openWrite(first.context());
  await findOffer(third, "둘째 탭의 글").getByRole("button", { name: "이어 쓰기" }).click();
  await expect.poll(() => findTitle(third).inputValue()).toBe("둘째 탭의 글");
  await findEditor(third).getByText("둘째 탭의 본문").waitFor();
  await submitItem(third);
  await expectOneItem(third, "둘째 탭의 글");
  const fourth = await openWrite(first.context());
  await fourth.waitForFunction(() => Object.keys(localStorage).every((key) => !key.startsWith("draft:")));
  expect(await fourth.getByText("작성하던 글이 있습니다.").count()).toBe(0);
});

test("a half-written comment survives leaving the page", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/View/1");
  const fieldOf = (at: Page) => at.getByRole("textbox", { name: "댓글", exact: true });
  const field = fieldOf(page);
  await field.fill("쓰다 만 댓글");
  await page.getByRole("main").getByRole("link", { name: "목록", exact: true }).first().click();
  await page.waitForURL("**/List/**");
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe("쓰다 만 댓글");
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("쓰다 만 댓글");
  const beside = await newTab(page.context());
  await beside.goto("/board/free/View/1");
  await fieldOf(beside).waitFor();
  expect(await fieldOf(beside).inputValue()).toBe("");
  await page.close();
  await beside.reload();
  await expect.poll(() => fieldOf(beside).inputValue()).toBe("쓰다 만 댓글");
  await beside.getByRole("button", { name: "등록", exact: true }).click();
  await beside.locator("li").getByText("쓰다 만 댓글").waitFor();
  await beside.reload();
  await beside.locator("li").getByText("쓰다 만 댓글").waitFor();
  expect(await fieldOf(beside).inputValue()).toBe("");
});

test("a half-written answer is open again after a reload", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/View/1");
  await page.getByRole("textbox", { name: "댓글", exact: true }).fill("답글을 받을 댓글");
  await page.getByRole("button", { name: "등록", exact: true }).click();
  const comment = page.locator("li").filter({ hasText: "답글을 받을 댓글" });
  await comment.getByRole("button", { name: "답글" }).click();
  const answer = page.getByRole("textbox", { name: /에게 답글$/ });
  await answer.fill("쓰다 만 답글");
  await page.reload();
  await expect.poll(() => answer.inputValue()).toBe("쓰다 만 답글");
});
