/** @module-tag full */
import { expect } from "vitest";
import { findAxeViolations } from "../support/browser.ts";
import { ADMIN_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

const shoot = process.env.SHOOT;

test("a manager restores several items from the bin", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/reference/List/");
  const boxes = page.locator("tbody input[type=checkbox]");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  if (shoot) await page.screenshot({ path: `${shoot}/list.png` });
  await page.getByRole("button", { name: "선택 삭제" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "삭제", exact: true }).click();
  await page.getByText("2건을 휴지통으로 보냈습니다.").waitFor();
  await page.getByRole("link", { name: "휴지통" }).click();
  await page.getByRole("heading", { name: "휴지통" }).waitFor();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
  expect(await findAxeViolations(page)).toEqual([]);
  if (shoot) await page.screenshot({ path: `${shoot}/bin.png` });
  await page.getByLabel("모두 고르기").check();
  await page.getByRole("button", { name: "선택 되살리기" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "되살리기", exact: true }).click();
  await page.getByText("휴지통이 비어 있습니다.").waitFor();
});

test("an edit can be undone from the history", async ({ openAs }) => {
  const page = await openAs(ADMIN_CREDENTIALS);
  await page.goto("/board/notice/View/3");
  const title = (await page.locator("h1").textContent()) ?? "";
  await page.evaluate(async () => {
    const headers = {
      "Content-Type": "application/json",
      Authorization: `Bearer ${localStorage.getItem("accessToken")}`,
    };
    const body = JSON.stringify({ title: "고친 제목", version: 1 });
    await fetch("/api/board-item/notice/3", { method: "PATCH", headers, body });
  });
  await page.reload();
  await page.getByRole("link", { name: "수정 이력" }).click();
  await page.getByText("더해진 문장: 제목: 고친 제목").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  if (shoot) await page.screenshot({ path: `${shoot}/history.png` });
  await page.getByRole("link", { name: /처음 쓴 판/ }).click();
  await page.getByRole("button", { name: "이 버전으로 되돌리기" }).click();
  await page.getByRole("button", { name: "되돌리기", exact: true }).click();
  await page.getByRole("heading", { name: title }).waitFor();
});

test("a guest is sent from the bin to sign in", async ({ openGuest }) => {
  const page = await openGuest();
  await page.goto("/board/notice/List/");
  await expect.poll(() => page.getByRole("group", { name: "게시판 관리" }).count()).toBe(0);
  await page.goto("/board/notice/Bin");
  expect(page.url()).toMatch(/\/account\/signin\?returnUrl=/i);
});
