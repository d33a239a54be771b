import { normaliseUnicode } from "../kernel/text.ts";
/** What the words of a search are, the same for the index, for the query and for the mark in the page. */
const CJK = "[\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";

export const WORD_RUNS = new RegExp(`${CJK}+|(?:(?!${CJK})[\\p{L}\\p{M}])+|\\p{N}+`, "gu");

export const STARTS_WITH_CJK = new RegExp(`^${CJK}`, "u");

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Beginnings of a Latin word or number that are indexed, so that 'covid' is found while it is being typed. */
const PREFIX_MAX = 12;

const QUERY_TERMS_MAX = 32;

export const SEARCH_TARGETS = ["all", "title", "content", "titleContent", "writer", "file"] as const;

export type SearchTarget = (typeof SEARCH_TARGETS)[number];

/** Letters and digits alone, in lower case: spaces and signs make no difference to a hit. */
export function foldSearchText(text: string): string {
  return normaliseUnicode(text, "NFKC").toLowerCase().replace(SEPARATORS, "");
}

const scriptRuns = (text: string): string[] => normaliseUnicode(text, "NFKC").toLowerCase().match(WORD_RUNS) ?? [];

/** Every word that an item can be found by: syllables and pairs of them, across spaces too; Latin words and numbers with their beginnings. */
export function indexTerms(text: string): Set<string> {
  const terms = new Set<string>();
  let last = "";
  for (const run of scriptRuns(text)) {
    const signs = [...run];
    if (STARTS_WITH_CJK.test(run)) {
      for (const sign of signs) {
        terms.add(sign);
        if (last) terms.add(last + sign);
        last = sign;
      }
    } else {
      for (let length = 1; length <= Math.min(signs.length, PREFIX_MAX); length++)
        terms.add(signs.slice(0, length).join(""));
      last = "";
    }
  }
  return terms;
}

/** The words of a keyword as a hit must hold them, every one. */
export function keywordWords(keyword: string): string[] {
  return [...new Set(keyword.split(/\s+/).map(foldSearchText).filter(Boolean))].slice(0, 10);
}

/** The terms that an item must hold to be worth looking at. */
export function queryTerms(keyword: string): string[] {
  const terms = new Set<string>();
  for (const word of keywordWords(keyword)) {
    for (const run of scriptRuns(word)) {
      const signs = [...run];
      if (!STARTS_WITH_CJK.test(run)) terms.add(signs.slice(0, PREFIX_MAX).join(""));
      else if (signs.length === 1) terms.add(run);
      else for (const [index, sign] of signs.slice(1).entries()) terms.add(`${signs[index]}${sign}`);
    }
  }
  return [...terms].slice(0, QUERY_TERMS_MAX);
}

export interface HighlightSegment {
  text: string;
  hit: boolean;
}

export function hitPattern(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  // Longer words first: 연구결과 before 연구.
  const sources = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) =>
      [...word].map((sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`).join("[^\\p{L}\\p{M}\\p{N}]{0,3}"),
    );
  return new RegExp(sources.join("|"), "giu");
}

/** Cuts a text at the words that were searched; what stands between their letters belongs to the hit. */
export function splitAtHits(text: string, words: readonly string[]): HighlightSegment[] {
  const pattern = hitPattern(words);
  if (!pattern) return [{ text, hit: false }];
  const segments: HighlightSegment[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) segments.push({ text: text.slice(at, match.index), hit: false });
    segments.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  if (at < text.length || segments.length === 0) segments.push({ text: text.slice(at), hit: false });
  return segments;
}

/** About `length` characters around the first hit, or the beginning. */
export function excerptAroundHit(text: string, words: readonly string[], length = 120): string {
  const pattern = hitPattern(words);
  const found = pattern ? text.search(pattern) : -1;
  const from = found > length / 3 ? Math.max(0, Math.min(found - Math.floor(length / 3), text.length - length)) : 0;
  const part = text.slice(from, from + length).trim();
  return `${from > 0 ? "…" : ""}${part}${from + length < text.length ? "…" : ""}`;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);

/** The same as HTML, escaped, with `<mark>` around the hits. */
export function highlightHtml(text: string, words: readonly string[]): string {
  return splitAtHits(text, words)
    .map((part) => (part.hit ? `<mark>${escapeHtml(part.text)}</mark>` : escapeHtml(part.text)))
    .join("");
}
