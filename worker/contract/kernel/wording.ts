/** The particle after a consonant comes first. */
export type ParticlePair = "은/는" | "이/가" | "을/를" | "과/와" | "으로/로" | "이라/라";

const SYLLABLES = { first: 0xac00, count: 11_172, finals: 28, rieul: 8 };
const DIGITS: Record<string, "none" | "rieul" | "other"> = {
  0: "other",
  1: "rieul",
  2: "none",
  3: "other",
  4: "none",
  5: "none",
  6: "other",
  7: "rieul",
  8: "rieul",
  9: "none",
};
const LETTERS: Record<string, "rieul" | "other"> = { l: "rieul", r: "rieul", m: "other", n: "other" };

/** By the last character's reading, ignoring brackets and quotes. */
function finalSound(word: string): "none" | "rieul" | "other" {
  const last = /[\p{L}\p{N}](?=[^\p{L}\p{N}]{0,9}$)/u.exec(word.slice(-10))?.[0]?.toLowerCase() ?? "";
  const syllable = last.charCodeAt(0) - SYLLABLES.first;
  if (syllable >= 0 && syllable < SYLLABLES.count) {
    const final = syllable % SYLLABLES.finals;
    return final === 0 ? "none" : final === SYLLABLES.rieul ? "rieul" : "other";
  }
  return DIGITS[last] ?? LETTERS[last] ?? "none";
}

/** Appends the particle that the last syllable requires: "아이디를", "이메일을", "부산으로", "서울로". */
export function withParticle(word: string, pair: ParticlePair): string {
  return `${word}${particleOf(word, pair)}`;
}

export function particleOf(word: string, pair: ParticlePair): string {
  const [afterConsonant = "", afterVowel = ""] = pair.split("/");
  const sound = finalSound(word);
  return sound === "none" || (sound === "rieul" && pair === "으로/로") ? afterVowel : afterConsonant;
}

/** Words that a society can replace; each name is the default word. */
export const PRODUCT_WORD_NAMES = ["연구망", "동문", "동문주소록", "권역센터", "센터", "환자", "증례등록"] as const;

export type ProductWord = (typeof PRODUCT_WORD_NAMES)[number];

export type SiteWords = Partial<Record<ProductWord, string>>;

export const PRODUCT_WORD_MAX = 15;

const PLACE = /\{([가-힣]{1,9})(?::([가-힣]{1,3}\/[가-힣]{1,3}))?\}/g;

/** Fills in the society's words: "{동문:을/를} 추가" becomes "동문을 추가" or "회원을 추가". */
export function fillWords(words: SiteWords, text: string): string {
  return text.replace(PLACE, (place, name: string, pair: ParticlePair | undefined) => {
    if (!PRODUCT_WORD_NAMES.some((known) => known === name)) return place;
    const word = words[name as ProductWord] || name;
    return pair ? withParticle(word, pair) : word;
  });
}

/** 1,234; avoids `toLocaleString`, whose locale data takes tens of milliseconds to load. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
