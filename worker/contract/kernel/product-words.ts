import { type ParticlePair, withParticle } from "./particles.ts";

/** Words that a society can replace; each name is the default word. */
export const PRODUCT_WORD_NAMES = ["연구망", "동문", "동문주소록", "권역센터", "센터", "환자", "증례등록"] as const;

export type ProductWord = (typeof PRODUCT_WORD_NAMES)[number];

export type OwnWords = Partial<Record<ProductWord, string>>;

export const PRODUCT_WORD_MAX = 15;

const PLACE = /\{([가-힣]{1,9})(?::([가-힣]{1,3}\/[가-힣]{1,3}))?\}/g;

/** Fills in the society's words: "{동문:을/를} 추가" becomes "동문을 추가" or "회원을 추가". */
export function fillWords(words: OwnWords, text: string): string {
  return text.replace(PLACE, (place, name: string, pair: ParticlePair | undefined) => {
    if (!PRODUCT_WORD_NAMES.some((known) => known === name)) return place;
    const word = words[name as ProductWord] || name;
    return pair ? withParticle(word, pair) : word;
  });
}
