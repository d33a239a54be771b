import { foldSearchText, keywordTokens, keywordWords, queryTerms, STARTS_WITH_CJK } from "./search-terms.ts";

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

/** Question words and filler words, which answers do not contain. */
const ASKING =
  /^(?:언제|어디|어디서|어디에|어디에서|어디로|어떻게|어떤|무엇|무엇을|무엇이|뭐|뭔가|왜|누가|누구|얼마|얼마나|몇|좀|및|또는|그리고|관련|관한|대한|대해|대하여|위한|등|것|수|싶어요|싶습니다|싶은데|알려줘|알려주세요|알려주십시오|궁금합니다|궁금해요|찾습니다|해주세요|주세요|하나요|한가요|되나요|됩니까|인가요|입니까|있나요|있습니까|하는|하고|할|한|된|되는|있는|하려면|하려고|보려면|받으려면|나오나요|열리나요|받나요|봅니까|보나요|방법)$/;

/** Longest first; at least two syllables remain. */
const ENDINGS = [
  /^(.{2,})(?:하려면|하였나요|했습니까|합니까|했나요|하나요|해야|하기|하는|하고|되나요|됩니까|되었나요|인가요|입니까|에서는|에게서|으로는|으로서|이란|이나)$/u,
  /^(.{2,})(?:에서|에게|에는|까지|부터|처럼|보다|마다|으로|로서|로는|과의|와의|들의|들을|들이)$/u,
  /^(.{2,})(?:은|는|이|가|을|를|의|에|로|와|과|도|만|란|나)$/u,
];

/** Removes a particle or ending: "심포지엄의", "신청서를", "등록하려면", "MRI는". */
function withoutEnding(word: string): string {
  if (!STARTS_WITH_CJK.test(word.slice(-1))) return word;
  for (const ending of ENDINGS) {
    const stem = ending.exec(word)?.[1];
    if (stem) return stem;
  }
  return word;
}

/** A fallback for a question without results: searches stems. Empty when that changes nothing. */
export function bareWords(keyword: string): string[] {
  const words = keywordWords(keyword);
  const asked = words.filter((word) => !ASKING.test(word));
  const stems = (asked.length > 0 ? asked : words).map(withoutEnding).filter((word) => !ASKING.test(word));
  // One-syllable words count only when there are no longer ones.
  const whole = stems.filter((word) => word.length > 1);
  const bare = [...new Set(whole.length > 0 ? whole : stems)];
  return bare.join(" ") === words.join(" ") ? [] : bare;
}
