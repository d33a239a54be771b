import { keywordWords, STARTS_WITH_CJK } from "./search-terms.ts";

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
