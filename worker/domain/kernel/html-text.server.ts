import { DomUtils, parseDocument, Parser } from "htmlparser2";
import type { Document } from "domhandler";

/** Inline tags keep a word whole; every other tag ends a line. */
const INLINE = new Set(["a", "b", "code", "em", "i", "mark", "s", "span", "strong", "sub", "sup", "u"]);
const SUMMARY_LENGTH = 120;

interface LineOptions {
  pictures?: boolean;
  enough?: number;
}

const TAG_START = /<(\/?)([a-z][a-z\d]*)/gi;
/** The rest of a tag, whose quoted values may contain ">". */
const TAG_REST = /[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*>/y;
const ALT = /\salt="([^"]*)"/i;

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  let decoded = "";
  new Parser({ ontext: (part) => (decoded += part) }).end(text);
  return decoded;
}

export function htmlLines(html: string, { pictures = false, enough = Infinity }: LineOptions = {}): string[] {
  const lines: string[] = [];
  let letters = 0;
  let line = "";
  const endLine = () => {
    const text = decodeEntities(line).replace(/\s+/g, " ").trim();
    line = "";
    if (text === "") return;
    lines.push(text);
    letters += text.length + 1;
  };
  let at = 0;
  for (const { 0: start, 1: end, 2: name = "", index } of html.matchAll(TAG_START)) {
    TAG_REST.lastIndex = index + start.length;
    const rest = index < at ? undefined : TAG_REST.exec(html)?.[0];
    if (rest === undefined) continue;
    line += html.slice(at, index);
    at = TAG_REST.lastIndex;
    const isPicture = pictures && /^img$/i.test(name);
    if (isPicture && !end) {
      const alt = ALT.exec(rest)?.[1];
      line += alt ? ` [그림: ${alt}] ` : " [그림] ";
    }
    if (!isPicture && !INLINE.has(name.toLowerCase())) endLine();
    if (letters > enough) return lines;
  }
  line += html.slice(at);
  endLine();
  return lines;
}

export function htmlToText(html: string): string {
  return htmlLines(html).join(" ");
}

/** Ends at a word. */
export function summaryOf(html: string): string {
  const text = htmlLines(html, { enough: SUMMARY_LENGTH }).join(" ");
  if (text.length <= SUMMARY_LENGTH) return text;
  const part = text.slice(0, SUMMARY_LENGTH - 1);
  const end = part.lastIndexOf(" ");
  return `${end > SUMMARY_LENGTH / 2 ? part.slice(0, end) : part}…`;
}

export function isBlankHtml(html: string): boolean {
  return htmlLines(html, { pictures: true, enough: 0 }).length === 0;
}

export const readHtml = (html: string): Document => {
  // Skips whole texts instead of single letters if there are no entities.
  return parseDocument(html, { decodeEntities: html.includes("&") });
};

export const writeHtml = (document: Document): string =>
  DomUtils.getInnerHTML(document, { encodeEntities: "utf8", emptyAttrs: true });
