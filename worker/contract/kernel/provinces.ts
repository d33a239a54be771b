import { isKorean } from "./language.ts";
import { normaliseUnicode } from "./text.ts";

/** The spec's code, name, Revised Romanisation, and aliases, including statutory codes and ISO 3166-2. */
const PROVINCE_ROWS = [
  ["seoul", "서울", "Seoul", ["서울특별시", "서울시", "11", "kr11"]],
  ["pusan", "부산", "Busan", ["부산광역시", "부산시", "26", "kr26", "busan"]],
  ["daegu", "대구", "Daegu", ["대구광역시", "대구시", "27", "kr27", "taegu"]],
  ["incheon", "인천", "Incheon", ["인천광역시", "인천시", "28", "kr28", "inchon"]],
  ["kwangju", "광주", "Gwangju", ["광주광역시", "광주시", "29", "kr29", "gwangju"]],
  ["daejeon", "대전", "Daejeon", ["대전광역시", "대전시", "30", "kr30", "taejon"]],
  ["ulsan", "울산", "Ulsan", ["울산광역시", "울산시", "31", "kr31"]],
  ["sejong", "세종", "Sejong", ["세종특별자치시", "세종시", "36", "kr50"]],
  ["kyunggi", "경기", "Gyeonggi", ["경기도", "41", "kr41", "gyeonggi", "gyeonggido"]],
  ["kangwon", "강원", "Gangwon", ["강원도", "강원특별자치도", "51", "42", "kr42", "gangwon", "gangwondo"]],
  ["chungbuk", "충북", "Chungbuk", ["충청북도", "43", "kr43", "chungcheongbuk", "northchungcheong"]],
  ["chungnam", "충남", "Chungnam", ["충청남도", "44", "kr44", "chungcheongnam", "southchungcheong"]],
  ["jeonbuk", "전북", "Jeonbuk", ["전라북도", "전북특별자치도", "52", "45", "kr45", "jeollabuk", "northjeolla"]],
  ["jeonnam", "전남", "Jeonnam", ["전라남도", "46", "kr46", "jeollanam", "southjeolla"]],
  ["gyungbuk", "경북", "Gyeongbuk", ["경상북도", "47", "kr47", "gyeongbuk", "gyeongsangbuk", "northgyeongsang"]],
  ["gyungnam", "경남", "Gyeongnam", ["경상남도", "48", "kr48", "gyeongnam", "gyeongsangnam", "southgyeongsang"]],
  ["jeju", "제주", "Jeju", ["제주도", "제주특별자치도", "50", "kr49", "cheju"]],
] as const;

/** The 17 provinces, in the order of the official list. */
export const PROVINCES = PROVINCE_ROWS.map(([regionCode, regionName]) => ({ regionCode, regionName }));

export const OTHER_REGION = { regionCode: "other", regionName: "기타" } as const;

/** Korean names of every province, long and short. */
export const PROVINCE_NAMES: readonly string[] = PROVINCE_ROWS.flatMap(([, regionName, , others]) => [
  regionName,
  ...others.filter(isKorean),
]);

const PROVINCE_BY_NAME = new Map<string, (typeof PROVINCES)[number]>();

for (const [regionCode, regionName, , others] of PROVINCE_ROWS) {
  const province = { regionCode, regionName };
  for (const name of [regionCode, regionName, ...others]) PROVINCE_BY_NAME.set(name, province);
}

/** Accepts '서울', '서울특별시', 'seoul', 'Busan', 'KR-26', '26', 'Gyeonggi-do'. */
export function provinceOf(location: string): { regionCode: string; regionName: string } {
  const key = normaliseUnicode(location, "NFC")
    .toLowerCase()
    .replace(/[\s_.-]/g, "");
  return PROVINCE_BY_NAME.get(key) ?? PROVINCE_BY_NAME.get(key.replace(/do$/, "")) ?? OTHER_REGION;
}

const ENGLISH_REGION_NAMES = new Map<string, string>([
  ...PROVINCE_ROWS.map(([regionCode, , englishName]) => [regionCode, englishName] as const),
  [OTHER_REGION.regionCode, "Elsewhere"],
]);

export const englishRegionName = (regionCode: string): string =>
  ENGLISH_REGION_NAMES.get(regionCode) ?? regionCode.charAt(0).toUpperCase() + regionCode.slice(1);
