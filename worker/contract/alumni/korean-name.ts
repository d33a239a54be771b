/** First letters of Korean family names. */
const FAMILY_NAMES =
  "김이박최정강조윤장임한오서신권황안송류유홍전고문손양배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마길연위표명기반나라왕금옥육인맹제모탁국어은편용예경봉사부독동궁갈";

/** Spaces do not count. */
export function isKoreanName(text: string): boolean {
  const name = text.replace(/\s/g, "");
  return /^[가-힣]{2,4}$/.test(name) && FAMILY_NAMES.includes(name[0] ?? "?");
}
