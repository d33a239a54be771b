import type { SearchQuestion } from "./search-parts.ts";
import { bareWord } from "./search-question.ts";
import { foldSearchText, STARTS_WITH_CJK, WORD_RUNS } from "./search-terms.ts";

/** A keyword without answers, compared with the site's own words. */
export interface Spelling {
  /** The keyword with its misspelled words replaced. */
  keyword: string;
  corrections: string[];
  suggestions: string[];
}

export const NO_SPELLING: Spelling = { keyword: "", corrections: [], suggestions: [] };

const LETTERS_MAX = 20;
const SUGGESTIONS_MAX = 3;
/** A further word is offered if half of its syllables are right. */
const SUGGESTED_SHARE = 0.5;

/** How far a word may be misspelled: one vowel of two syllables, one syllable of four. */
function correctedDistance(length: number): number {
  if (length < 3) return 0.34;
  if (length < 4) return 0.67;
  return length < 8 ? 1 : 1.34;
}

const HANGUL_FIRST = 0xac00;
const [VOWELS, FINALS] = [21, 28];

function jamoOf(sign: string): readonly number[] | null {
  const code = (sign.codePointAt(0) ?? 0) - HANGUL_FIRST;
  if (code < 0 || code >= 19 * VOWELS * FINALS) return null;
  return [Math.floor(code / (VOWELS * FINALS)), Math.floor(code / FINALS) % VOWELS, code % FINALS];
}

/** From 0 for the same syllable to 1 for another; each letter of a syllable counts a third. */
function signDistance(a: string, b: string): number {
  if (a === b) return 0;
  const [first, second] = [jamoOf(a), jamoOf(b)];
  if (!first || !second) return 1;
  return first.filter((letter, at) => letter !== second[at]).length / 3;
}

/** Edit distance over syllables. */
export function wordDistance(a: string, b: string): number {
  const [from, to] = [[...a].slice(0, LETTERS_MAX), [...b].slice(0, LETTERS_MAX)];
  let row = to.map((_, at) => at + 1);
  for (const [at, sign] of from.entries()) {
    let [diagonal, left] = [at, at + 1];
    row = row.map((above, column) => {
      const value = Math.min(diagonal + signDistance(sign, to[column] ?? ""), above + 1, left + 1);
      [diagonal, left] = [above, value];
      return value;
    });
  }
  return row.at(-1) ?? from.length;
}

/** Words of texts, also without their particle. */
function vocabularyOf(texts: readonly string[]): Set<string> {
  const runs = texts.flatMap((text) => text.toLowerCase().match(WORD_RUNS) ?? []);
  return new Set(runs.flatMap((run) => [run, bareWord(run)]).filter((word) => word.length > 1));
}

/** The word, or its beginning or end of nearly the asked length: "권역센터" of "서울권역센터". */
const piecesOf = (word: string, length: number): string[] =>
  word.length > length ? [word, word.slice(0, length), word.slice(-length)] : [word];

/** @param texts titles and texts that the reader may see */
export function spellingOf({ parts }: SearchQuestion, texts: readonly string[]): Spelling {
  const folded = texts.map(foldSearchText);
  const vocabulary = vocabularyOf(texts);
  const corrections: string[] = [];
  const suggestions: string[] = [];
  const words = parts.flatMap((wordings) => {
    const own = wordings[0].words.join("");
    const isKnown = wordings.some((each) => folded.some((text) => each.words.every((word) => text.includes(word))));
    if (isKnown || !STARTS_WITH_CJK.test(own) || own.length < 2) return [own];
    const near = [...vocabulary]
      .flatMap((word) => piecesOf(word, own.length))
      .filter((word) => word.length > 1 && Math.abs(word.length - own.length) <= 1)
      .map((word) => ({ word, distance: wordDistance(own, word) }))
      .toSorted((a, b) => a.distance - b.distance || b.word.length - a.word.length);
    const [closest] = near;
    if (closest && closest.distance <= correctedDistance(own.length)) {
      corrections.push(closest.word);
      return [closest.word];
    }
    const offered = near
      .filter(({ word, distance }) => vocabulary.has(word) && distance <= own.length * SUGGESTED_SHARE)
      .map(({ word }) => word)
      .filter((word) => [...word].some((sign) => own.includes(sign)));
    suggestions.push(...offered.slice(0, SUGGESTIONS_MAX));
    return [own];
  });
  return { keyword: words.join(" "), corrections, suggestions: [...new Set(suggestions)].slice(0, SUGGESTIONS_MAX) };
}
