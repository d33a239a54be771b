import { normaliseUnicode } from "../kernel/text.ts";
/** Word splitting that is shared by the index, the query and the highlighting. */
const CJK = "[\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";

export const WORD_RUNS = new RegExp(`${CJK}+|(?:(?!${CJK})[\\p{L}\\p{M}])+|\\p{N}+`, "gu");

export const STARTS_WITH_CJK = new RegExp(`^${CJK}`, "u");

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** Prefixes of Latin words and numbers are indexed, so that 'covid' is found while it is typed. */
const PREFIX_MAX = 12;

const WORDS_MAX = 10;

export const SEARCH_TARGETS = ["all", "title", "content", "titleContent", "writer", "file"] as const;

/** Orders the last thousand hits by date or relevance. */
export const SEARCH_ORDERS = ["date", "match"] as const;

export type SearchTarget = (typeof SEARCH_TARGETS)[number];

/** Keeps only lower-case letters and digits: spaces and signs do not affect a match. */
export function foldSearchText(text: string): string {
  return normaliseUnicode(text, "NFKC").toLowerCase().replace(SEPARATORS, "");
}

const scriptRuns = (text: string): string[] => normaliseUnicode(text, "NFKC").toLowerCase().match(WORD_RUNS) ?? [];

/** Index terms: syllables and bigrams, also across spaces; Latin words and numbers with their prefixes. */
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

export function keywordTokens(keyword: string): { text: string; word: string }[] {
  const texts = new Map<string, string>();
  for (const text of keyword.split(/\s+/)) {
    const word = foldSearchText(text);
    if (word && !texts.has(word)) texts.set(word, text);
  }
  return [...texts].slice(0, WORDS_MAX).map(([word, text]) => ({ text, word }));
}

export const keywordWords = (keyword: string): string[] => keywordTokens(keyword).map(({ word }) => word);

/** Terms for the first selection of items. Numbers end at a sign, as in the index: "v3.2". */
export function queryTerms(keyword: string): string[] {
  const terms = new Set<string>();
  for (const word of keyword.split(/\s+/).filter(foldSearchText).slice(0, WORDS_MAX)) {
    for (const run of scriptRuns(word)) {
      const signs = [...run];
      if (!STARTS_WITH_CJK.test(run)) terms.add(signs.slice(0, PREFIX_MAX).join(""));
      else if (signs.length === 1) terms.add(run);
      else for (const [index, sign] of signs.slice(1).entries()) terms.add(`${signs[index]}${sign}`);
    }
  }
  return [...terms];
}

export interface HighlightSegment {
  text: string;
  hit: boolean;
}

interface HitRange {
  from: number;
  to: number;
}

const IS_LETTER = /[\p{L}\p{M}\p{N}]/u;
const isLetter = (sign: string) => IS_LETTER.test(sign);
/** The maximum number of signs between two letters of a hit. */
const GAP_MAX = 3;

/** The prefix table of Knuth, Morris and Pratt. */
function repeatsOf(word: readonly string[]): number[] {
  const repeats = [0];
  for (let at = 1, length = 0; at < word.length; at += 1) {
    while (length > 0 && word[at] !== word[length]) length = repeats[length - 1] ?? 0;
    if (word[at] === word[length]) length += 1;
    repeats.push(length);
  }
  return repeats;
}

export const firstLetters = (words: readonly string[]): RegExp =>
  new RegExp(`[${words.flatMap((word) => [...word].slice(0, 1).filter(isLetter)).join("")}]`, "giu");

/** Linear time: each letter from the first of a word on is compared about twice per word. */
function* hitsIn(text: string, words: readonly string[]): Generator<HitRange> {
  const searched = words.map((each) => [...each]).map((word) => ({ word, repeats: repeatsOf(word), length: 0 }));
  const first = firstLetters(words);
  const next = (from: number): number => {
    first.lastIndex = from;
    return first.exec(text)?.index ?? text.length;
  };
  const starts: number[] = [];
  let between = 0;
  let isWithin = false;
  for (let from = next(0), to = from; from < text.length; from = isWithin ? to : next(to)) {
    const sign = String.fromCodePoint(text.codePointAt(from) ?? 0);
    to = from + sign.length;
    between += 1;
    if (!isLetter(sign)) continue;
    const letter = sign.toLowerCase();
    starts.push(from);
    isWithin = false;
    for (const one of searched) {
      const { word, repeats } = one;
      if (between > GAP_MAX + 1) one.length = 0;
      while (one.length > 0 && letter !== word[one.length]) one.length = repeats[one.length - 1] ?? 0;
      if (letter === word[one.length]) one.length += 1;
      if (one.length > 0 && one.length === word.length) {
        yield { from: starts.at(-one.length) ?? 0, to };
        one.length = 0;
      }
      isWithin ||= one.length > 0;
    }
    between = 0;
  }
}

function findHits(text: string, words: readonly string[]): HitRange[] {
  const hits = [...hitsIn(text, words)];
  let end = 0;
  // The longer of two hits with the same start comes first: 연구결과 before 연구.
  return hits
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false;
      end = to;
      return true;
    });
}

/** Signs between the letters of a hit belong to it. */
export function splitAtHits(text: string, words: readonly string[]): HighlightSegment[] {
  const segments: HighlightSegment[] = [];
  let at = 0;
  for (const { from, to } of findHits(text, words)) {
    if (from > at) segments.push({ text: text.slice(at, from), hit: false });
    segments.push({ text: text.slice(from, to), hit: true });
    at = to;
  }
  if (at < text.length || segments.length === 0) segments.push({ text: text.slice(at), hit: false });
  return segments;
}

/** About `length` characters around the first hit, or the start. */
export function excerptAroundHit(text: string, words: readonly string[], length = 120): string {
  const found = hitsIn(text, words).next().value?.from ?? -1;
  const from = found > length / 3 ? Math.max(0, Math.min(found - Math.floor(length / 3), text.length - length)) : 0;
  const part = text.slice(from, from + length).trim();
  return `${from > 0 ? "…" : ""}${part}${from + length < text.length ? "…" : ""}`;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);

export function highlightHtml(text: string, words: readonly string[]): string {
  return splitAtHits(text, words)
    .map((part) => (part.hit ? `<mark>${escapeHtml(part.text)}</mark>` : escapeHtml(part.text)))
    .join("");
}
