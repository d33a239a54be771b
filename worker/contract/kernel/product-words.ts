import { type ParticlePair, withParticle } from "./particles.ts";

/** What one society calls its things; another calls them otherwise. The name is the word that a new site begins with. */
export const PRODUCT_WORDS = {
  연구망: "모임 전체를 부르는 말입니다. 예: 연구망, 학회, 동문회",
  동문: "주소록에 있는 사람입니다. 예: 동문, 졸업생, 회원",
  동문주소록: "주소록의 이름입니다. 예: 동문주소록, 졸업생 명부",
  권역센터: "지역마다 있는 곳을 모두 부르는 말입니다. 예: 권역센터, 지부",
  센터: "지역 한 곳을 부르는 말입니다. 예: 센터, 지부",
  환자: "연계 서비스가 세는 사람입니다. 예: 환자, 참여자",
  증례등록: "밖에 있는 연계 서비스의 이름입니다. 예: 증례등록, 성적 조회",
} as const;

export type ProductWord = keyof typeof PRODUCT_WORDS;

export const PRODUCT_WORD_NAMES = Object.keys(PRODUCT_WORDS) as ProductWord[];

/** Those that are other than at the beginning. */
export type OwnWords = Partial<Record<ProductWord, string>>;

export const PRODUCT_WORD_MAX = 15;

const PLACE = /\{([가-힣]{1,9})(?::([가-힣]{1,3}\/[가-힣]{1,3}))?\}/g;

/** Puts the society's words into a text of ours: "{동문:을/를} 추가" becomes "동문을 추가" or "회원을 추가". */
export function fillWords(words: OwnWords, text: string): string {
  return text.replace(PLACE, (place, name: string, pair: ParticlePair | undefined) => {
    if (!(name in PRODUCT_WORDS)) return place;
    const word = words[name as ProductWord] || name;
    return pair ? withParticle(word, pair) : word;
  });
}
