import { bareWord, isKindWord, kindFamily, splitKind, verbRoot } from "./search-question.ts";
import { foldSearchText, keywordTokens, queryTerms, STARTS_WITH_CJK } from "./search-terms.ts";

export interface PartWording {
  label: string;
  words: readonly string[];
  terms: readonly string[];
}

/** The typed wording first, then its synonyms; one of them must match. */
export type SearchPart = readonly [PartWording, ...PartWording[]];

/** Limits synonyms and the index terms of each. */
const OTHER_WORDINGS_MAX = 8;
const OTHER_TERMS_MAX = 8;
const TYPED_TERMS_MAX = 32;

/** Shorter Korean words are replaced only as a whole: they occur within too many others. */
const INNER_WORD_MIN = 3;

interface Synonym {
  label: string;
  word: string;
}

const IS_LATIN = /\p{Script=Latin}/u;
const IS_DIGIT = /\p{N}/u;

const sameKind = (a: string, b: string) => [IS_LATIN, IS_DIGIT].some((kind) => kind.test(a) && kind.test(b));

/** Finds a synonym within a word: "mri" in "mri검사", not in "mribody". */
function placeWithin(word: string, inner: string): number {
  const at = word.indexOf(inner);
  if (at < 0 || word === inner) return -1;
  if (STARTS_WITH_CJK.test(inner)) return inner.length >= INNER_WORD_MIN ? at : -1;
  const [before, after] = [word.slice(0, at), word.slice(at + inner.length)];
  const isCut = sameKind(before.slice(-1), inner.slice(0, 1)) || sameKind(after.slice(0, 1), inner.slice(-1));
  return isCut ? -1 : at;
}

const otherWording = (label: string, word: string): PartWording => ({
  label,
  words: [word],
  terms: queryTerms(label).slice(0, OTHER_TERMS_MAX),
});

function otherWordings(word: string, isOne: boolean, groups: readonly (readonly Synonym[])[]): PartWording[] {
  const whole = groups.find((group) => group.some((each) => each.word === word));
  if (whole) return whole.filter((each) => each.word !== word).map((each) => otherWording(each.label, each.word));
  if (!isOne) return [];
  const inner = groups
    .flatMap((group) => group.map((each) => ({ group, each, at: placeWithin(word, each.word) })))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => b.each.word.length - a.each.word.length)[0];
  if (!inner) return [];
  const [before, after] = [word.slice(0, inner.at), word.slice(inner.at + inner.each.word.length)];
  return inner.group
    .filter(({ word: other }) => other !== inner.each.word)
    .map(({ label, word: other }) => {
      const wording = [before, label, after].filter(Boolean).join(" ");
      return otherWording(wording, before + other + after);
    });
}

/**
 * Splits a keyword into parts, combined by AND. Spaces do not matter: "자기 공명 영상" matches "자기공명영상". @param groups
 * synonyms
 */
export function searchParts(keyword: string, groups: readonly (readonly string[])[]): SearchPart[] {
  const known = groups.map((group) =>
    group.map((label): Synonym => ({ label, word: foldSearchText(label) })).filter(({ word }) => word !== ""),
  );
  const tokens = keywordTokens(keyword);
  const parts: SearchPart[] = [];
  let [terms, others] = [TYPED_TERMS_MAX, OTHER_WORDINGS_MAX];
  for (let at = 0; at < tokens.length;) {
    let [length, wordings] = [1, [] as PartWording[]];
    for (let count = tokens.length - at; count > 0 && wordings.length === 0; count -= 1) {
      const together = tokens.slice(at, at + count);
      wordings = otherWordings(together.map(({ word }) => word).join(""), count === 1, known);
      if (wordings.length > 0) length = count;
    }
    const typed = tokens.slice(at, (at += length));
    const label = typed.map(({ text }) => text).join(" ");
    const own = queryTerms(label).slice(0, terms);
    terms -= own.length;
    const more = wordings.slice(0, others);
    others -= more.length;
    parts.push([{ label, words: typed.map(({ word }) => word), terms: own }, ...more]);
  }
  return parts;
}

export const partWords = (parts: readonly SearchPart[]): string[] => [
  ...new Set(parts.flat().flatMap(({ words }) => words)),
];

export const otherLabels = (parts: readonly SearchPart[]): string[] =>
  parts.flatMap(([, ...others]) => others.map(({ label }) => label));

/** A keyword as it is asked: every part must match, and the other words only order the answers. */
export interface SearchQuestion {
  parts: readonly SearchPart[];
  asides: readonly (readonly string[])[];
  /** All words in one, or empty for a single word. */
  phrase: string;
}

export const questionWords = ({ parts, phrase }: SearchQuestion): string[] => [
  ...partWords(parts),
  ...(phrase ? [phrase] : []),
];

const SPLIT_MIN = 2;
const SPLITS_MAX = 6;

/** A compound also matches its two halves apart: "등록비용" in "등록하면 비용이". */
function splitWordings(word: string): PartWording[] {
  if (!STARTS_WITH_CJK.test(word)) return [];
  const places = Array.from({ length: Math.max(0, word.length - 2 * SPLIT_MIN + 1) }, (_, at) => at + SPLIT_MIN);
  return places.slice(-SPLITS_MAX).map((at) => {
    const halves = [word.slice(0, at), word.slice(at)];
    return { label: word, words: halves, terms: halves.flatMap(queryTerms) };
  });
}

/** The typed text up to the last letter of its word: "v3.2" of "v3.2?". */
function wholeWord({ text, word }: { text: string; word: string }): string {
  const end = text.toLowerCase().lastIndexOf(word.slice(-1));
  return end < 0 ? text : text.slice(0, end + 1);
}

/**
 * Readings of a keyword from the closest to the widest; a wider one is for a keyword without answers. @param groups
 * synonyms
 */
export function readQuestions(keyword: string, groups: readonly (readonly string[])[]): SearchQuestion[] {
  const tokens = keywordTokens(keyword);
  const telling = tokens.filter(({ word }) => !isKindWord(word));
  const asked = telling.length > 0 ? telling : tokens;
  const things = asked.map(wholeWord).map((text) => splitKind(text)?.thing ?? bareWord(text));
  const asides = [
    ...tokens.filter((token) => !asked.includes(token)).map(({ word }) => [verbRoot(word), ...kindFamily(word)]),
    ...asked.flatMap(({ word }) => {
      const split = splitKind(word);
      return split ? [[word, ...kindFamily(split.kind)]] : [];
    }),
  ].map((words) => [...new Set(words)]);
  const phrase = tokens.length > 1 ? tokens.map(({ word }) => word).join("") : "";
  const readingOf = (parts: readonly SearchPart[]): SearchQuestion => ({ parts, asides, phrase });
  const typed = searchParts(asked.map(({ text }) => text).join(" "), groups);
  const bare = searchParts([...new Set(things)].join(" "), groups);
  const apart = bare.map(([own, ...others]): SearchPart => [own, ...others, ...splitWordings(own.words.join(""))]);
  const readings = (tokens.length > 1 ? [bare, apart] : [typed, bare, apart]).map(readingOf);
  const keys = readings.map(({ parts }) => JSON.stringify(parts));
  return readings.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
}
