import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { isKoreanName } from "../korean-name.ts";
import type { NameColumns } from "./header-words.ts";

const COMPOUND_FAMILIES = "남궁 황보 제갈 사공 선우 서문 독고 동방 어금 망절".split(" ");
const SEX_WORDS = new Set("남 여 男 女 남자 여자 m f male female".split(" "));

const isHangul = (text: string) => /^[가-힣]+$/.test(text);

/** 홍 as the given name of 길동: the columns of a Latin form, filled in the Korean order. */
const isTurned = (family: string, given: string) =>
  family.length >= 2 && !COMPOUND_FAMILIES.includes(family) && given.length === 1 && isKoreanName(given + family);

/** One name in the order of its script; a given name that holds the whole name stays. */
function joinName(family: string, given: string, middle: string): string {
  const parts = [family, given, middle].filter(Boolean);
  if (!parts.every(isHangul)) {
    const isKorean = parts.some((part) => /[가-힣\p{Script=Han}]/u.test(part));
    return isKorean ? parts.join(" ") : [given, middle, family].filter(Boolean).join(" ");
  }
  if (family !== "" && given.length >= 3 && given.startsWith(family)) return given;
  return isTurned(family, given + middle) ? given + middle + family : parts.join("");
}

/** Joins the columns of a name into that of the given name. */
export class JoinedNames {
  /** Rows with more than one part. */
  count = 0;
  sample = "";
  private readonly places: NameColumns;

  constructor(places: NameColumns) {
    this.places = places;
  }

  join(cells: readonly string[]): string[] {
    const at = (place: number) => normaliseUnicode(cells[place] ?? "", "NFC").trim();
    const [family, given, middle] = [at(this.places.family), at(this.places.given), at(this.places.middle)];
    const name = joinName(family, given, middle);
    if (family !== "" && given !== "") {
      this.count += 1;
      this.sample ||= `‘${family}’ + ‘${given}’ → ‘${name}’`;
    }
    const joined = Array.from(
      { length: Math.max(cells.length, this.places.given + 1) },
      (_, place) => cells[place] ?? "",
    );
    joined[this.places.given] = name;
    return joined;
  }
}

/** A column 성 of 남 and 여 is no family name. */
export const isSexColumn = (values: readonly string[]): boolean => {
  const filled = values.map((value) => value.trim().toLowerCase()).filter(Boolean);
  return filled.length > 0 && filled.every((value) => SEX_WORDS.has(value));
};
