/** @module-tag full */
import { expect } from "vitest";
import { newTab } from "../support/browser.ts";
import { findButton, findDialog } from "../support/console.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { begin, kept, test } from "./calls-for-proposals.ts";

test("a draft saved on another device is compared, not overwritten", async ({ openCall, openAs }) => {
  await openCall("두 기기의 공모");
  const one = await openAs(MEMBER_CREDENTIALS);
  await begin(one, "두 기기의 공모");
  const other = await openAs(MEMBER_CREDENTIALS);
  await other.goto(one.url());
  await other.getByLabel("연구 제목").fill("둘째 기기의 제목");
  await kept(other);
  await one.getByLabel("연구 제목").fill("첫 기기의 제목");
  const dialog = findDialog(one);
  await dialog.getByText("둘째 기기의 제목").waitFor();
  await dialog.getByText("첫 기기의 제목").waitFor();
  await findButton(dialog, "내 내용으로 저장").click();
  await kept(one);
  await other.reload();
  await expect.poll(() => other.getByLabel("연구 제목").inputValue()).toBe("첫 기기의 제목");
});

test("text of a draft written without a connection is offered again", async ({ openCall, openAs }) => {
  await openCall("끊긴 연결의 공모");
  const page = await openAs(MEMBER_CREDENTIALS);
  await begin(page, "끊긴 연결의 공모");
  const { href } = new URL(page.url());
  await page.context().setOffline(true);
  await page.getByLabel("연구 제목").fill("연결이 끊긴 동안 쓴 제목");
  await page.getByText(/이 브라우저에만 임시저장하였습니다/).waitFor();
  const beside = await newTab(page.context());
  await page.close();
  await beside.context().setOffline(false);
  await beside.goto(href);
  await beside.getByRole("button", { name: "이어 쓰기" }).click();
  await expect.poll(() => beside.getByLabel("연구 제목").inputValue()).toBe("연결이 끊긴 동안 쓴 제목");
  await kept(beside);
});
