/** @module-tag full */
import { expect } from "vitest";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS, MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { expectOneItem, findEditor, findTitle, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

test("a double click makes one item", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await typeItem(page, "두 번 누른 글", "본문");
  await page.getByRole("button", { name: "등록", exact: true }).dblclick();
  await expectOneItem(page, "두 번 누른 글");
});

test("a second attempt after a lost answer makes no second item", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await typeItem(page, "답을 잃은 글", "본문");
  let lost = 0;
  await page.route("**/api/board-item/free", async (route) => {
    // The browser itself retries twice before the error appears.
    if (route.request().method() !== "PUT" || lost > 2) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await submitItem(page);
  await page.getByText("사이트에 연결하지 못했습니다.").first().waitFor();
  await submitItem(page);
  await expectOneItem(page, "답을 잃은 글");
});

test("an expired session is renewed without leaving the form", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await typeItem(page, "로그인이 끊긴 글", "한 시간 동안 쓴 본문");
  await page.evaluate(() => localStorage.removeItem("accessToken"));
  await submitItem(page);
  const dialog = page.getByRole("dialog", { name: "다시 로그인해 주십시오" });
  await dialog.getByLabel("비밀번호", { exact: true }).fill("Wrong!2345");
  await dialog.getByRole("button", { name: "로그인" }).click();
  await dialog.getByText("계정 정보가 일치하지 않습니다. 다시 입력해주세요.").waitFor();
  await dialog.getByLabel("비밀번호", { exact: true }).fill(MEMBER_CREDENTIALS.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "로그인이 끊긴 글" }).waitFor();
  await expect.poll(() => page.locator(".article").first().innerText()).toContain("한 시간 동안 쓴 본문");
});

test("the later of two editors decides between both texts", async ({ openAs }) => {
  const [first, second] = await Promise.all([openAs(ADMIN_CREDENTIALS), openAs(ADMIN_CREDENTIALS)]);
  await first.goto("/board/notice/Write");
  await typeItem(first, "함께 고치는 공지", "처음 본문");
  await submitItem(first);
  await first.getByRole("heading", { level: 1, name: "함께 고치는 공지" }).waitFor();
  const path = `/board/notice/Write/${first.url().split("/").pop()}`;

  await first.goto(path);
  await second.goto(path);
  for (const [page, text] of [
    [first, "먼저 저장한 제목"],
    [second, "나중에 저장한 제목"],
  ] as const) {
    await findEditor(page).waitFor();
    await findTitle(page).fill(text);
  }
  await submitItem(first, "수정");
  await first.getByRole("heading", { level: 1, name: "먼저 저장한 제목" }).waitFor();
  await submitItem(second, "수정");
  const dialog = second.getByRole("dialog", { name: "그사이 다른 곳에서 글이 바뀌었습니다" });
  await dialog.getByText("나중에 저장한 제목").waitFor();
  await dialog.getByText("먼저 저장한 제목").waitFor();
  expect(await findAxeViolations(second)).toEqual([]);

  await dialog.getByRole("button", { name: "저장된 글 불러오기" }).click();
  await second.waitForFunction(() => document.querySelector<HTMLInputElement>("#title")?.value === "먼저 저장한 제목");
  await findTitle(second).fill("합친 제목");
  await submitItem(second, "수정");
  await second.getByRole("heading", { level: 1, name: "합친 제목" }).waitFor();
});

test("the own text replaces the newest version on request of its author", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/notice/Write/60");
  await findEditor(page).waitFor();
  await findTitle(page).fill("내가 이긴 제목");
  await page.evaluate(async () => {
    const headers = {
      "Content-Type": "application/json",
      Authorization: `Bearer ${localStorage.getItem("accessToken")}`,
    };
    const path = "/api/board-item/notice/60";
    const { data } = (await (await fetch(path)).json()) as { data: { version: number } };
    const body = JSON.stringify({ title: "남이 바꾼 제목", version: data.version });
    await fetch(path, { method: "PATCH", headers, body });
  });
  await submitItem(page, "수정");
  await page.getByRole("button", { name: "내 글로 저장" }).click();
  await page.getByRole("heading", { level: 1, name: "내가 이긴 제목" }).waitFor();
});
