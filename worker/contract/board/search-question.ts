import { STARTS_WITH_CJK } from "./search-terms.ts";

/** Words that ask or fill, which answers do not contain. */
const ASKING =
  /^(?:언제|어디|어디서|어디에|어디에서|어디로|어떻게|어떤|어느|무슨|무엇|무엇을|무엇이|뭐|뭔가|왜|누가|누구|누구에게|얼마|얼마나|몇|좀|및|또는|그리고|관련|관한|대한|대해|대하여|위한|위해|등|것|수|안|못|더|꼭|제가|저는|혹시|관하여|때|경우|하고|하는|할|한|된|되는|있는|없는|하려면|하려고|방법|궁금|최신|최신호|최근|요즘|이번|필요|가능|가능한)$/;

/** Words for a kind of answer; each family shares a meaning. They order answers, but select none. */
const KIND_FAMILIES: readonly (readonly string[])[] = [
  ["방법", "절차", "요령", "순서"],
  ["비용", "돈", "요금", "가격", "수수료", "금액"],
  ["전화번호", "전화", "연락처", "번호"],
  ["위치", "주소", "오시는길", "가는길"],
  ["언제", "일정", "일시", "날짜", "기간", "기한", "시간", "마감"],
  ["양식", "서식"],
  ["내려받기", "다운로드"],
  ["어떻게", "안내"],
  ["수", "현황", "명"],
];
const KIND_WORDS = KIND_FAMILIES.flat().filter((word) => word.length > 1);
/** The end of a compound: "작성법", "이용법". */
const WAY = /^(.{2,}(?:성|용|청|력|록|급|입|수|출))법$/u;

/** Endings of a sentence or of a clause that asks. */
const SENTENCE_END = /(?:요|니다|니까|십시오|려면|려고|는데|은데|는지|은지|다가|면서)$/u;
const ASKED_VERB =
  /^(?:(?:맞|찾|보|보내|배우|바꾸|받|내|만들|고치|지우|쓰|적|알|알아보|묻|열|사|살|잊|잊어버리|올리|내리|읽|듣|빌리|옮기|쉬|드|들|되|하|있|없|계시|구하|얻|버리|그만두|나오|열리|뽑)(?:기|는|을|은|으면|면)|(?:받|알|찾|쓰|내|맞|바꾸|배우)고|(?:가|해|와|봐|써|내|받아)야)$/u;

/** From a verb to the syllables which its forms share: "바뀌었어요", "잊어버렸어요". */
const VERB_ENDINGS =
  /(?:(?:어|아)?(?:버렸|버리|봤|졌)|었|았|였|했|됐|렸|셨|겠)?(?:습니다|습니까|어요|아요|해요|나요|까요|세요|네요|고싶습니다|고싶어요|으려면|려면|려고|는데|는지|기|는|을|은|고|면)$/u;

/** Longest first; at least two syllables remain. */
const ENDINGS = [
  /^(.{2,})(?:하려면|하였나요|했습니까|합니까|합니다|했나요|하나요|해야|하기|하는|하고|할|되나요|됩니까|됩니다|되었나요|인가요|입니까|입니다|이에요|예요|에서는|에게서|으로는|으로서|받으려면|받을|받는|받고|받기|이란|이나)$/u,
  /^(.{2,})(?:에서|에게|에는|까지|부터|처럼|보다|마다|으로|로서|로는|과의|와의|들의|들을|들이|이나)$/u,
  /^(.{2,})(?:은|는|이|가|을|를|의|에|로|와|과|도|만|란|나)$/u,
];

/** Removes a particle or ending: "심포지엄의", "신청서를", "등록하려면", "MRI는". */
export function bareWord(word: string): string {
  if (!STARTS_WITH_CJK.test(word.slice(-1))) return word;
  for (const ending of ENDINGS) {
    const stem = ending.exec(word)?.[1];
    if (stem) return stem;
  }
  return word;
}

const hasNoEnding = (word: string): boolean => bareWord(word) === word;

const ofFamily = (word: string) => KIND_FAMILIES.find((family) => family.includes(word));

/** Nouns of one syllable that keep their particle in `bareWord`: "돈이", "집에서". */
const SHORT_NOUN = /^(돈|집|병|약|피|수|곳|글|책|때|것|값|시|명)(?:은|는|이|가|을|를|에|에서|으로|도|만)$/u;
const withoutParticle = (word: string): string => SHORT_NOUN.exec(word)?.[1] ?? bareWord(word);

/** Words of the same kind of question, or nothing. */
export const kindFamily = (word: string): readonly string[] => ofFamily(word) ?? ofFamily(withoutParticle(word)) ?? [];

/** Whether a word tells only how something is asked, so that it does not select answers. */
export function isKindWord(word: string): boolean {
  if (!STARTS_WITH_CJK.test(word)) return false;
  const bare = withoutParticle(word);
  const isShort = word.length === 1 || bare.length === 1;
  if (isShort || ASKING.test(word) || ASKING.test(bareWord(word)) || kindFamily(word).length > 0) return true;
  // "등록하려면" and "공모합니까" name a thing before their ending.
  const isNamed =
    !hasNoEnding(word) && /(?:하|합|했|해|받|되|됩|입|인가|이에|예).{0,3}$/u.test(word) && bare.length >= 2;
  return ASKED_VERB.test(word) || (SENTENCE_END.test(word) && !isNamed);
}

/** A compound of a thing and a kind of question: "등록비용", "작성법". */
export function splitKind(word: string): { thing: string; kind: string } | null {
  const bare = bareWord(word);
  const way = WAY.exec(bare)?.[1];
  if (way) return { thing: way, kind: "방법" };
  const kind = KIND_WORDS.find((each) => bare.endsWith(each) && bare.length >= each.length + 2);
  return kind ? { thing: bare.slice(0, -kind.length), kind } : null;
}

/** The common beginning of a verb's forms, or the word itself. */
export const verbRoot = (word: string): string => word.replace(VERB_ENDINGS, "") || word;
