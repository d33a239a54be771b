/** @module-tag full */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HwpDocument } from "@rhwp/core";
import { unzipSync } from "fflate";
import { expect } from "vitest";
import { readOffice, readPdf } from "#app/features/file/upload/read-file-text.ts";
import { wordFile } from "#db/demo/files.ts";
import { startEngine } from "#db/demo/hangul.ts";
import { readDemoItems } from "#db/demo/texts.ts";
import { htmlLines } from "#worker/domain/kernel/html-text.server.ts";
import { requirePresent } from "../../support/require-present.ts";
import { removeLimits } from "../../support/test-site.ts";
import { test } from "../fixtures.ts";

/** `FILES=60` tests all; the default tests a few of each kind. */
const FILES = Number(process.env.FILES || 10);
const PHRASES_A_FILE = 10;
/** Attachments of the demo notices, five kinds in turn. LibreOffice Calc wrote those of `test/fixtures/file-text.zip`. */
const KINDS = ["docx", "xlsx", "pdf", "hwp", "hwpx"] as const;
const WRITTEN_BY_CALC = unzipSync(readFileSync(join(import.meta.dirname, "../../fixtures/file-text.zip")));
const NOTICES = readDemoItems("notice");

function hangulText(lines: readonly string[], format: "hwp" | "hwpx"): Uint8Array {
  startEngine();
  const document = HwpDocument.createEmpty();
  document.createBlankDocument();
  for (const [at, line] of lines.entries()) {
    document.insertText(0, at, 0, line);
    if (at < lines.length - 1) document.splitParagraph(0, at, line.length);
  }
  const bytes = format === "hwp" ? document.exportHwp() : document.exportHwpx();
  document.free();
  return bytes;
}

function readHangulText(bytes: Uint8Array): string {
  startEngine();
  const document = new HwpDocument(bytes);
  const text = JSON.parse(document.getTextFileUnicode()) as string;
  document.free();
  return text;
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

async function makeFile(at: number) {
  const number = String(at + 1).padStart(2, "0");
  const lines = htmlLines(NOTICES[at]?.content ?? "");
  const kind = KINDS[at % KINDS.length] ?? "docx";
  const bytes =
    kind === "docx"
      ? wordFile(lines.map((line) => `<w:p><w:r><w:t>${escapeXml(line)}</w:t></w:r></w:p>`).join(""))
      : kind === "hwp" || kind === "hwpx"
        ? hangulText(lines, kind)
        : requirePresent(WRITTEN_BY_CALC[`${number}.${kind}`]);
  const buffer = Uint8Array.from(bytes).buffer;
  const text =
    kind === "pdf"
      ? await readPdf(buffer)
      : kind === "hwp" || kind === "hwpx"
        ? readHangulText(bytes)
        : readOffice(kind, buffer);
  return { title: `${kind} ${number}`, fileName: `자료 ${number}.${kind}`, bytes, text, phrases: phrasesOf(lines) };
}

function phrasesOf(lines: readonly string[]): string[] {
  const windows = lines.flatMap((line) => {
    const words = line.split(" ");
    return words.flatMap((_word, at) => {
      const phrase = words.slice(at, at + 2 + (at % 3)).join(" ");
      return words.length - at >= 2 && /[가-힣]{2}/.test(phrase) && phrase.length <= 60 ? [phrase] : [];
    });
  });
  return Array.from(
    { length: PHRASES_A_FILE },
    (_each, at) => windows[Math.floor((at * windows.length) / PHRASES_A_FILE)] ?? "",
  );
}

test("at least 95 percent of phrases find their file", async ({ site, db, admin }) => {
  await removeLimits(db);
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = admin.bearer) => {
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    return (await (await fetch(site.url + path, init)).json()) as {
      code: string;
      data: { fileId: string; uploadUrl: string; content: { title: string; boardCode: string }[] };
    };
  };
  const files = await Promise.all(Array.from({ length: FILES }, (_each, at) => makeFile(at)));
  for (const { title, fileName, bytes, text } of files) {
    const search = new URLSearchParams({ boardCode: "free", fileName, size: String(bytes.byteLength) });
    const { data } = await call("GET", `/api/board-item-file/upload-url?${search}`);
    await (await fetch(site.url + data.uploadUrl, { method: "PUT", body: Uint8Array.from(bytes) })).text();
    expect((await call("PUT", `/api/board-item-file/${data.fileId}/text`, { text })).code).toBe("SUCCESS");
    const item = { title, content: "<p>첨부</p>", fileIds: [data.fileId] };
    expect((await call("PUT", "/api/board-item/free", item)).code).toBe("SUCCESS");
  }
  const missed: string[] = [];
  for (const { title, phrases } of files) {
    for (const [at, keyword] of phrases.entries()) {
      const { data } = await call("POST", "/api/board-item/search", { keyword, boardCode: "free", size: 10 });
      if (!data?.content.some((hit) => hit.title === title)) missed.push(`${title}: ${keyword}`);
      if (at > 0) continue;
      const asGuest = await call("POST", "/api/board-item/search", { keyword }, { "Content-Type": "application/json" });
      expect([keyword, asGuest.data.content.filter(({ boardCode }) => boardCode === "free")]).toEqual([keyword, []]);
    }
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(FILES * PHRASES_A_FILE * 0.05);
});
