import { deflateSync, crc32 } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Site } from "#worker/local/site.ts";
import { newSite } from "../site.ts";
import { newPage } from "./support/browser.ts";
import { launch } from "./support/chromium.ts";
import { ADMIN, signedInPage } from "./support/signed-in.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([newSite(), launch()]);
});
afterAll(async () => {
  await browser.close();
  await site.dispose();
});

const editor = (page: Page) => page.getByRole("textbox", { name: "내용" });
const title = (page: Page) => page.getByRole("textbox", { name: /^제목/ });
const submit = (page: Page, name = "등록") => page.getByRole("button", { name, exact: true }).click();
const close = (page: Page) => page.context().close();

/** A PNG of one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7a)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n`);

test("the administrator writes a notice with two attachments and a picture; it stands on the home page at once", async () => {
  const page = await signedInPage(browser, site.url, ADMIN);
  await page.goto("/board/notice/List/");
  await page.getByRole("link", { name: "글쓰기" }).click();
  await title(page).fill("희귀질환 등록사업 설명회 안내");
  await page.getByRole("checkbox", { name: "메인 노출" }).check();
  await editor(page).click();
  await page.keyboard.type("설명회를 엽니다.");

  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "그림 넣기" }).click();
  await (await chosen).setFiles({ name: "약도.png", mimeType: "image/png", buffer: png(320, 200) });
  const picture = editor(page).locator("img[src]");
  await picture.waitFor();
  await picture.click();
  await page.getByRole("button", { name: "그림 설명" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("설명회장 약도");
  await page.getByRole("dialog").getByRole("button", { name: "저장" }).click();

  // As a Mac names it: the syllables taken apart.
  const files = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "파일 선택" }).click();
  await (
    await files
  ).setFiles([
    { name: "설명회 일정.pdf".normalize("NFD"), mimeType: "application/pdf", buffer: pdf("a") },
    { name: "참가 신청서.pdf", mimeType: "application/pdf", buffer: pdf("b") },
  ]);
  await page.getByRole("button", { name: "참가 신청서.pdf 삭제" }).waitFor();
  await page.getByRole("button", { name: "설명회 일정.pdf 삭제" }).waitFor();
  await page.getByRole("button", { name: "참가 신청서.pdf 위로" }).click();
  await submit(page);

  await page.waitForURL("**/board/notice/View/**");
  await page.getByRole("heading", { level: 1, name: "희귀질환 등록사업 설명회 안내" }).waitFor();
  expect(await page.locator(".article img").getAttribute("alt")).toBe("설명회장 약도");
  expect(
    await page
      .locator(".article img")
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(320);
  const links = page.locator("section[aria-labelledby=attachments] a");
  expect(await links.evaluateAll((all) => all.map((link) => link.textContent ?? ""))).toEqual([
    expect.stringContaining("참가 신청서.pdf"),
    expect.stringContaining("설명회 일정.pdf"),
  ]);
  await close(page);

  const visitor = await newPage(browser, site.url);
  await visitor.goto("/");
  expect(await visitor.getByRole("link", { name: /희귀질환 등록사업 설명회 안내/ }).count()).toBeGreaterThan(0);
  await close(visitor);
});
