import { Parser } from "htmlparser2";

/** Inline tags keep a word whole; every other tag ends a line. */
const INLINE = new Set(["a", "b", "code", "em", "i", "mark", "s", "span", "strong", "sub", "sup", "u"]);
const SUMMARY_LENGTH = 120;

interface LineOptions {
  pictures?: boolean;
  enough?: number;
}

export function htmlLines(html: string, { pictures = false, enough = Infinity }: LineOptions = {}): string[] {
  const lines: string[] = [];
  let letters = 0;
  let line = "";
  const endLine = (tag: string) => {
    if (INLINE.has(tag) || (pictures && tag === "img")) return;
    const text = line.replace(/\s+/g, " ").trim();
    line = "";
    if (text === "") return;
    lines.push(text);
    letters += text.length + 1;
    if (letters > enough) parser.pause();
  };
  const parser = new Parser({
    ontext(text) {
      line += text;
    },
    onopentag(tag, { alt }) {
      endLine(tag);
      if (pictures && tag === "img") line += alt ? ` [그림: ${alt}] ` : " [그림] ";
    },
    onclosetag: endLine,
  });
  parser.end(html);
  endLine("");
  return lines;
}

export function htmlToText(html: string): string {
  return htmlLines(html).join(" ");
}

export function summaryOf(html: string): string {
  return htmlLines(html, { enough: SUMMARY_LENGTH }).join(" ").slice(0, SUMMARY_LENGTH);
}

export function isBlankHtml(html: string): boolean {
  return htmlLines(html, { pictures: true, enough: 0 }).length === 0;
}
