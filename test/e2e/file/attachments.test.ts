import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect } from "vitest";
import { demoFile } from "#db/demo/files.ts";
import { findAxeViolations } from "../support/browser.ts";
import { MEMBER_CREDENTIALS } from "../support/signed-in-page.ts";
import { test } from "../fixtures.ts";

test("a member previews the documents of an item", async ({ site, openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS, { width: 390 });
  const { DB, FILES } = await site.mf.getBindings<{ DB: D1Database; FILES: R2Bucket }>();
  const hwp = await DB.prepare(
    "SELECT i.board_code, i.item_no, f.storage_key FROM file f JOIN board_item i ON i.id = f.item_id WHERE f.file_name = '결과 반출 신청서.hwp'",
  ).first<{ board_code: string; item_no: number; storage_key: string }>();
  const address = `/board/${hwp?.board_code}/View/${hwp?.item_no}`;
  await page.goto(address);
  const archive = page.getByRole("link", { name: /모두 내려받기/ });
  const downloading = page.waitForEvent("download");
  await archive.click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);
  const pdf = page.getByRole("link", { name: /\.pdf 바로보기$/ });
  await expect.poll(() => pdf.getAttribute("target")).toBe("_blank");

  const look = page.getByRole("button", { name: "결과 반출 신청서.hwp 바로보기" });
  await look.click();
  const dialog = page.getByRole("dialog", { name: "결과 반출 신청서.hwp" });
  await dialog.getByRole("img", { name: /^1쪽/ }).waitFor();
  await expect.poll(() => dialog.locator("svg text").filter({ hasText: "성" }).count()).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "글자만 보기" }).click();
  await dialog.getByText("아래와 같이 신청합니다.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => look.evaluate((button) => button === document.activeElement)).toBe(true);

  const whole = await (await FILES.get(hwp?.storage_key ?? ""))?.arrayBuffer();
  await FILES.put(hwp?.storage_key ?? "", whole?.slice(0, 3000) ?? "");
  await page.goto(address);
  await look.click();
  await page.getByRole("alert").filter({ hasText: "이 문서는 바로 볼 수 없습니다." }).waitFor();
  expect(await page.getByRole("dialog").getByRole("link", { name: "파일 내려받기" }).getAttribute("href")).toContain(
    "download=true",
  );
});

test("a preview of a hostile document cannot run or navigate", async ({ browser }) => {
  const source = readFileSync(join(import.meta.dirname, "../../../app/features/file/preview/clean-svg.ts"), "utf8");
  const page = await browser.newPage();
  const script = stripTypeScriptTypes(source).replace(
    "export function cleanSvg",
    "globalThis.cleanSvg = cleanSvg;\nfunction cleanSvg",
  );
  await page.addScriptTag({ type: "module", content: script });
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="run()" style="position:fixed" viewBox="0 0 9 9">
    <script>run()</script><style>*{background:url(//evil)}</style><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="run()"><img src="x" onerror="run()"/></body></foreignObject>
    <a xlink:href="javascript:run()"><text id="t" x="1" font-family="serif" onclick="run()">가</text></a>
    <animate attributeName="href" values="javascript:run()"/><set attributeName="onload" to="run()"/>
    <image href="//evil/x.png"/><image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/><image href="data:image/png;base64,iVBORw0K" x="1"/>
    <use href="//evil#x"/><use href="#t"/><rect fill="url(//evil#x)" clip-path="url(#c)" stroke="u\\72l(//evil)"/><clipPath id="c"/></svg>`;
  const clean = await page.evaluate((svg) => {
    const { cleanSvg } = globalThis as unknown as { cleanSvg(svg: string, prefix: string): Element | null };
    const root = cleanSvg(svg, "p0-");
    return {
      html: root?.outerHTML.replace(/\s+/g, " "),
      html2: cleanSvg("<html/>", "")?.outerHTML ?? null,
      broken: cleanSvg("<svg", "")?.outerHTML ?? null,
    };
  }, hostile);
  expect(clean.html).not.toMatch(/script|style|evil|run\(|foreign|animate|javascript|svg\+xml|<a |<set|on\w+=/i);
  expect(clean.html).toContain('<image href="data:image/png;base64,iVBORw0K" x="1"');
  expect(clean.html).toContain('<use href="#p0-t"');
  expect(clean.html).toContain('clip-path="url(#p0-c)"');
  expect([clean.html2, clean.broken]).toEqual([null, null]);
  await page.close();
});

test("a document of every format is found by its words", { tags: "full" }, async ({ openAs }) => {
  const page = await openAs(MEMBER_CREDENTIALS);
  const kept: string[] = [];
  page.on("response", (answer) => {
    if (/\/api\/board-item-file\/[^/]+\/text$/.test(answer.url()) && answer.ok()) kept.push(answer.url());
  });
  await page.goto("/board/free/Write");
  await page.getByRole("textbox", { name: /^제목/ }).fill("붙임 여섯 개");
  await page.getByRole("textbox", { name: "내용" }).click();
  await page.keyboard.type("붙임을 보아 주십시오.");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "파일 선택" }).click();
  const file = (name: string, bytes: Uint8Array) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(bytes),
  });
  await (
    await chosen
  ).setFiles([
    file("보고서.docx", demoFile("docx", "림프구아형검사 결과")),
    file("표.xlsx", demoFile("xlsx", "호중구기능검사 통계")),
    file("안내.pdf", demoFile("pdf", "")),
    file("신청서.hwp", demoFile("hwp", "보체활성도검사 신청")),
    file("그림 하나.png", demoFile("png", "")),
    file("그림 둘.png", demoFile("png", "")),
  ]);
  await expect.poll(() => kept.length).toBe(4);
  await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
  await page.getByRole("button", { name: "등록", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "붙임 여섯 개" }).waitFor();

  const look = async (name: string) => {
    await page.getByRole("button", { name: `${name} 바로보기` }).click();
    return page.getByRole("dialog", { name });
  };
  const sheet = await look("표.xlsx");
  await sheet.getByRole("cell", { name: "호중구기능검사 통계" }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const words = await look("보고서.docx");
  await words.getByText("림프구아형검사 결과").waitFor();
  await page.keyboard.press("Escape");
  const first = await look("그림 하나.png");
  await expect
    .poll(() => first.getByRole("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("ArrowRight");
  const second = page.getByRole("dialog", { name: "그림 둘.png" });
  await second.getByText("2 / 2").waitFor();
  await page.keyboard.press("ArrowLeft");
  await first.getByText("1 / 2").waitFor();
  await page.keyboard.press("Escape");
  await first.waitFor({ state: "detached" });
  for (const [keyword, name] of [
    ["림프구 아형검사", "보고서.docx"],
    ["호중구기능", "표.xlsx"],
    ["Research Network", "안내.pdf"],
    ["보체활성도", "신청서.hwp"],
  ] as const) {
    await page.goto(`/search?keyword=${encodeURIComponent(keyword)}`);
    const hit = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "붙임 여섯 개" }) });
    await hit.getByText(`첨부 ${name}`).waitFor();
  }
});

test("a Word form is previewed with its tables", async ({ visit }) => {
  const page = await visit("/research/proposal", { width: 390 });
  await page.getByRole("button", { name: "연구제안서 양식.docx 바로보기" }).click();
  const dialog = page.getByRole("dialog", { name: "연구제안서 양식.docx" });
  await dialog.getByRole("cell", { name: "연구 과제명" }).waitFor();
  expect(await dialog.getByRole("table").count()).toBeGreaterThan(3);
  expect(await findAxeViolations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
