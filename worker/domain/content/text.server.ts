import type { DiffLine, Section } from "#worker/contract/content.ts";
import { htmlLines, htmlToText } from "../kernel/html-text.server.ts";

/** Gives the headings of a cleaned text names to jump to. */
export function withSections(cleaned: string): { content: string; sections: Section[] } {
  const sections: Section[] = [];
  const content = cleaned.replace(/<h2([^>]*)>([\s\S]*?)<\/h2>/g, (_whole, attributes: string, inner: string) => {
    const id = `section-${sections.length + 1}`;
    sections.push({ id, title: htmlToText(inner) });
    return `<h2${attributes} id="${id}">${inner}</h2>`;
  });
  return { content, sections };
}

const LINES_MAX = 2000;

/** What changed from the older text to the newer one, line by line (longest common subsequence). */
export function compareTexts(older: string, newer: string): DiffLine[] {
  const a = htmlLines(older).slice(0, LINES_MAX);
  const b = htmlLines(newer).slice(0, LINES_MAX);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i++] ?? "" });
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ kind: "removed", text: a[i++] ?? "" });
    else lines.push({ kind: "added", text: b[j++] ?? "" });
  }
  return lines;
}
