import { normaliseUnicode } from "../kernel/text.ts";
/** The 17 provinces of the map, in the order of the official list: our code (the spec's), statutory codes, ISO 3166-2. */
export const PROVINCES = [
  {
    regionCode: "seoul",
    regionName: "서울",
    names: ["서울특별시", "서울시"],
    codes: ["11"],
    iso: "kr11",
    latin: ["seoul"],
  },
  {
    regionCode: "pusan",
    regionName: "부산",
    names: ["부산광역시", "부산시"],
    codes: ["26"],
    iso: "kr26",
    latin: ["busan"],
  },
  {
    regionCode: "daegu",
    regionName: "대구",
    names: ["대구광역시", "대구시"],
    codes: ["27"],
    iso: "kr27",
    latin: ["taegu"],
  },
  {
    regionCode: "incheon",
    regionName: "인천",
    names: ["인천광역시", "인천시"],
    codes: ["28"],
    iso: "kr28",
    latin: ["inchon"],
  },
  {
    regionCode: "kwangju",
    regionName: "광주",
    names: ["광주광역시", "광주시"],
    codes: ["29"],
    iso: "kr29",
    latin: ["gwangju"],
  },
  {
    regionCode: "daejeon",
    regionName: "대전",
    names: ["대전광역시", "대전시"],
    codes: ["30"],
    iso: "kr30",
    latin: ["taejon"],
  },
  { regionCode: "ulsan", regionName: "울산", names: ["울산광역시", "울산시"], codes: ["31"], iso: "kr31", latin: [] },
  {
    regionCode: "sejong",
    regionName: "세종",
    names: ["세종특별자치시", "세종시"],
    codes: ["36"],
    iso: "kr50",
    latin: [],
  },
  {
    regionCode: "kyunggi",
    regionName: "경기",
    names: ["경기도"],
    codes: ["41"],
    iso: "kr41",
    latin: ["gyeonggi", "gyeonggido"],
  },
  {
    regionCode: "kangwon",
    regionName: "강원",
    names: ["강원도", "강원특별자치도"],
    codes: ["51", "42"],
    iso: "kr42",
    latin: ["gangwon", "gangwondo"],
  },
  {
    regionCode: "chungbuk",
    regionName: "충북",
    names: ["충청북도"],
    codes: ["43"],
    iso: "kr43",
    latin: ["chungcheongbuk", "northchungcheong"],
  },
  {
    regionCode: "chungnam",
    regionName: "충남",
    names: ["충청남도"],
    codes: ["44"],
    iso: "kr44",
    latin: ["chungcheongnam", "southchungcheong"],
  },
  {
    regionCode: "jeonbuk",
    regionName: "전북",
    names: ["전라북도", "전북특별자치도"],
    codes: ["52", "45"],
    iso: "kr45",
    latin: ["jeollabuk", "northjeolla"],
  },
  {
    regionCode: "jeonnam",
    regionName: "전남",
    names: ["전라남도"],
    codes: ["46"],
    iso: "kr46",
    latin: ["jeollanam", "southjeolla"],
  },
  {
    regionCode: "gyungbuk",
    regionName: "경북",
    names: ["경상북도"],
    codes: ["47"],
    iso: "kr47",
    latin: ["gyeongbuk", "gyeongsangbuk", "northgyeongsang"],
  },
  {
    regionCode: "gyungnam",
    regionName: "경남",
    names: ["경상남도"],
    codes: ["48"],
    iso: "kr48",
    latin: ["gyeongnam", "gyeongsangnam", "southgyeongsang"],
  },
  {
    regionCode: "jeju",
    regionName: "제주",
    names: ["제주도", "제주특별자치도"],
    codes: ["50"],
    iso: "kr49",
    latin: ["cheju"],
  },
] as const;

/** Where the service counts people whom no province of ours takes in. */
export const OTHER_REGION = { regionCode: "other", regionName: "기타" } as const;

const PROVINCE_BY_NAME = new Map<string, (typeof PROVINCES)[number]>();

for (const province of PROVINCES) {
  const { regionCode, regionName, names, codes, iso, latin } = province;
  for (const name of [regionCode, regionName, ...names, ...codes, iso, ...latin]) PROVINCE_BY_NAME.set(name, province);
}

/** '서울', '서울특별시', 'seoul', 'Busan', 'KR-26', '26', 'Gyeonggi-do': the province that is meant. */
export function provinceOf(location: string): { regionCode: string; regionName: string } {
  const key = normaliseUnicode(location, "NFC")
    .toLowerCase()
    .replace(/[\s_.-]/g, "");
  return PROVINCE_BY_NAME.get(key) ?? PROVINCE_BY_NAME.get(key.replace(/do$/, "")) ?? OTHER_REGION;
}

/** Of the provinces in the Revised Romanisation; a region of the office's own is called by its code. */
const ENGLISH_REGION_NAMES: Record<string, string> = {
  seoul: "Seoul",
  pusan: "Busan",
  daegu: "Daegu",
  incheon: "Incheon",
  kwangju: "Gwangju",
  daejeon: "Daejeon",
  ulsan: "Ulsan",
  sejong: "Sejong",
  kyunggi: "Gyeonggi",
  kangwon: "Gangwon",
  chungbuk: "Chungbuk",
  chungnam: "Chungnam",
  jeonbuk: "Jeonbuk",
  jeonnam: "Jeonnam",
  gyungbuk: "Gyeongbuk",
  gyungnam: "Gyeongnam",
  jeju: "Jeju",
  other: "Elsewhere",
};

export const englishRegionName = (regionCode: string): string =>
  ENGLISH_REGION_NAMES[regionCode] ?? regionCode.charAt(0).toUpperCase() + regionCode.slice(1);
