import { DomUtils } from "htmlparser2";
import type { DiffLine } from "#worker/contract/kernel/text.ts";
import { htmlLines, readHtml, writeHtml } from "../kernel/html-text.server.ts";
import { sentenceDifference } from "../kernel/sentence-difference.ts";
import { isTag } from "domhandler";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";

export function compareHtmlTexts(older: string, newer: string): DiffLine[] {
  return sentenceDifference(htmlLines(older, { pictures: true }), htmlLines(newer, { pictures: true }));
}

const FILE_PATH = "/api/file/";
const FRAMES = new Set(["p", "figure"]);

/** Removes pictures that this site lacks, and returns their names. */
export function withoutMissingPictures(html: string, files: ReadonlySet<string>): { html: string; left: string[] } {
  const left: string[] = [];
  const cleaned = cleanHtml(html);
  const document = readHtml(cleaned);
  for (const picture of DomUtils.getElementsByTagName("img", document)) {
    const { alt, src = "" } = picture.attribs;
    if (files.has(src.slice(FILE_PATH.length))) continue;
    left.push(`사진 '${alt || "설명 없음"}'`);
    const frame = picture.parent;
    DomUtils.removeElement(picture);
    if (frame && isTag(frame) && FRAMES.has(frame.name) && DomUtils.getInnerHTML(frame).trim() === "")
      DomUtils.removeElement(frame);
  }
  return { html: left.length === 0 ? cleaned : cleanHtml(writeHtml(document)), left };
}

export function withoutMissingPicturesIn(
  texts: { content: string; englishContent: string },
  files: ReadonlySet<string>,
) {
  const korean = withoutMissingPictures(texts.content, files);
  const english = withoutMissingPictures(texts.englishContent, files);
  return { content: korean.html, englishContent: english.html, left: [...korean.left, ...english.left] };
}
