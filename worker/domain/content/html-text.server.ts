import type { DiffLine } from "#worker/contract/kernel/diff.ts";
import type { ContentSection } from "#worker/contract/content/view.ts";
import { htmlLines, htmlToText } from "../kernel/html-text.server.ts";
import { sentenceDifference } from "../kernel/sentence-difference.ts";

/** A heading up to the next one, so that many that are not closed are not each read to the end of the text. */
const H2_SECTION = /<h2((?: [^<>]*)?)>((?:[^<]|<(?!\/?h2[ >]))*)<\/h2>/g;

/** Gives the headings of a cleaned text names to jump to. */
export function withSections(cleaned: string): { content: string; sections: ContentSection[] } {
  const sections: ContentSection[] = [];
  const content = cleaned.replace(H2_SECTION, (_whole, attributes: string, inner: string) => {
    const id = `section-${sections.length + 1}`;
    sections.push({ id, title: htmlToText(inner) });
    return `<h2${attributes} id="${id}">${inner}</h2>`;
  });
  return { content, sections };
}

/** What changed from the older HTML to the newer one. */
export function compareHtmlTexts(older: string, newer: string): DiffLine[] {
  return sentenceDifference(htmlLines(older, { pictures: true }), htmlLines(newer, { pictures: true }));
}
