/** @module-tag full */
import { expect } from "vitest";
import { makePdf, makePlainPng } from "../support/sample-files.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { findEditor, submitItem, typeItem } from "../support/write-form.ts";
import { test } from "../fixtures.ts";

test("a failed file is retried, an upload cancelled, a forbidden file refused", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findEditor(page).waitFor();
  let broken = true;
  await page.route("**/api/file/upload/**", (route) => (broken ? route.abort() : route.continue()));
  const choose = async (files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "파일 선택" }).click();
    await (await chooser).setFiles(files);
  };
  const one = { name: "보고서.pdf", mimeType: "application/pdf", buffer: makePdf("a") };
  await choose([
    one,
    { name: "위험.exe", mimeType: "application/octet-stream", buffer: makePdf("b") },
    { name: "빈 파일.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) },
  ]);
  await page.getByText("연결이 끊어졌습니다.").waitFor();
  await page.getByText("위험.exe: 첨부할 수 없는 파일 형식입니다.").waitFor();
  await page.getByText("빈 파일.pdf: 빈 파일은 첨부할 수 없습니다.").waitFor();
  await typeItem(page, "첨부가 있는 글", "본문");
  await submitItem(page);
  await page.getByText("올리지 못한 파일이 있습니다.").first().waitFor();

  broken = false;
  await page.getByRole("button", { name: "보고서.pdf 다시 올리기" }).click();
  await page.getByRole("button", { name: "보고서.pdf 삭제" }).waitFor();
  await page.unroute("**/api/file/upload/**");
  await page.route("**/api/file/upload/**", () => new Promise<void>(() => {}));
  await choose([{ ...one, name: "큰 파일.pdf" }]);
  await page.getByRole("button", { name: "큰 파일.pdf 올리기 취소" }).click();
  await page.getByText("1개").first().waitFor();
  await submitItem(page);
  await page.getByRole("heading", { level: 1, name: "첨부가 있는 글" }).waitFor();
  await expect.poll(() => page.locator("section[aria-labelledby=attachments] li").count()).toBe(1);
});

test("pictures dropped on the text are inserted, other files are attached", async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  await page.goto("/board/free/Write");
  await findEditor(page).click();
  const image = makePlainPng(8, 8).toString("base64");
  await findEditor(page).evaluate((area, base64) => {
    const dataTransfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], "사진.png", { type: "image/png" }));
    dataTransfer.items.add(new File(["%PDF-1.4\n%%EOF\n"], "안내.pdf", { type: "application/pdf" }));
    const { left, top } = area.getBoundingClientRect();
    const at = { clientX: left + 40, clientY: top + 30, bubbles: true, cancelable: true, dataTransfer };
    area.dispatchEvent(new DragEvent("dragover", at));
    area.dispatchEvent(new DragEvent("drop", at));
  }, image);
  await findEditor(page).locator("img[src^='/api/file/']").waitFor();
  await page.getByRole("button", { name: "안내.pdf 삭제" }).waitFor();
  await expect.poll(() => page.getByRole("list", { name: "첨부한 파일" }).getByRole("listitem").count()).toBe(1);
});
