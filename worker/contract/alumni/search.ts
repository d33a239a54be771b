import { cleanLine, normaliseUnicode, withoutKoreanCode } from "../kernel/text.ts";
import type { AlumniValues, PrivateField } from "./columns.ts";
import type { OpenField } from "./view.ts";

const INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";

const SYLLABLES_PER_INITIAL = 588;

/** 홍길동 to ㅎㄱㄷ; skips everything that is no Hangul syllable. */
export function initialsOf(name: string): string {
  let initials = "";
  for (const letter of normaliseUnicode(name, "NFC")) {
    const at = letter.charCodeAt(0) - 0xac00;
    if (at >= 0 && at < 11_172) initials += INITIALS[Math.floor(at / SYLLABLES_PER_INITIAL)];
  }
  return initials;
}

const foldText = (value: string) => cleanLine(normaliseUnicode(value, "NFKC")).toLowerCase().replace(/\s/g, "");

const digitsOf = (value: string) => value.replace(/\D/g, "");

type SearchedField = "name" | "affiliation" | "department" | "major" | "position" | "email" | "mobile" | "phone";

export function alumniSearchTexts(values: Pick<AlumniValues, SearchedField>, openFields: readonly OpenField[]) {
  const common = [values.name, values.affiliation, values.department, values.major, values.position];
  const contact = (show: (field: PrivateField) => boolean) => [
    show("email") ? values.email : "",
    show("mobile") ? digitsOf(values.mobile) : "",
    show("phone") ? digitsOf(values.phone) : "",
  ];
  // Joined by a character that no keyword contains, so that fields do not run together.
  const join = (parts: string[]) => parts.map(foldText).filter(Boolean).join("\n");
  return {
    searchAll: join([...common, ...contact(() => true)]),
    searchOpen: join([...common, ...contact((field) => openFields.includes(field))]),
  };
}

export interface AlumniSearchWord {
  text: string;
  isInitials: boolean;
}

/** The words of a keyword, combined by AND: "ㅎㄱㄷ", "한빛 내과", "010-1234", "+82 10". */
export function alumniSearchWords(keyword: string): AlumniSearchWord[] {
  const words = withoutKoreanCode(cleanLine(keyword)).split(" ").filter(Boolean).slice(0, 5);
  return words.map((word) => {
    // NFKC would turn the compatibility consonants of a keyboard into conjoining ones.
    if (/^[ㄱ-ㅎ]+$/.test(word)) return { text: word, isInitials: true };
    const text = /^[\d().+-]+$/.test(word) && digitsOf(word) ? digitsOf(word) : foldText(word);
    return { text, isInitials: false };
  });
}
