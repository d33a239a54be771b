import { DomUtils } from "htmlparser2";
import type { DiffLine } from "#worker/contract/kernel/diff.ts";
import type { ContentSection } from "#worker/contract/content/view.ts";
import { htmlLines, htmlToText } from "../kernel/html-text.server.ts";
import { readHtml, writeHtml } from "../kernel/html-tree.server.ts";
import { sentenceDifference } from "../kernel/sentence-difference.ts";

/** Adds IDs to the headings as link targets. */
export function withSections(cleaned: string): { content: string; sections: ContentSection[] } {
  const document = readHtml(cleaned);
  const sections = DomUtils.getElementsByTagName("h2", document).map((heading, at) => {
    const id = `section-${at + 1}`;
    heading.attribs.id = id;
    return { id, title: htmlToText(DomUtils.getInnerHTML(heading)) };
  });
  return { content: writeHtml(document), sections };
}

export function compareHtmlTexts(older: string, newer: string): DiffLine[] {
  return sentenceDifference(htmlLines(older, { pictures: true }), htmlLines(newer, { pictures: true }));
}
