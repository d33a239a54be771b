import { normaliseUnicode } from "../kernel/text.ts";

// Parses Korean addresses word by word. Free of zod and I/O.

export interface AddressParts {
  /** 서울, 경기, … ; empty when omitted. */
  province: string;
  /** 종로구, 수원시 장안구; empty in 세종. */
  district: string;
  /** An 읍 or 면. */
  town: string;
  /** By road name or by lot. */
  place: { road: string; isUnderground: boolean } | { village: string; isMountain: boolean };
  main: number;
  sub: number;
  rest: string;
}

const PROVINCES: Record<string, readonly string[]> = {
  서울: ["서울", "서울시", "서울특별시"],
  부산: ["부산", "부산시", "부산광역시"],
  대구: ["대구", "대구시", "대구광역시"],
  인천: ["인천", "인천시", "인천광역시"],
  광주: ["광주광역시"],
  대전: ["대전", "대전시", "대전광역시"],
  울산: ["울산", "울산시", "울산광역시"],
  세종: ["세종", "세종시", "세종특별자치시"],
  경기: ["경기", "경기도"],
  강원: ["강원", "강원도", "강원특별자치도"],
  충북: ["충북", "충청북도"],
  충남: ["충남", "충청남도"],
  전북: ["전북", "전라북도", "전북특별자치도"],
  전남: ["전남", "전라남도"],
  경북: ["경북", "경상북도"],
  경남: ["경남", "경상남도"],
  제주: ["제주", "제주도", "제주특별자치도"],
};

const PROVINCE_BY_NAME = new Map(
  Object.entries(PROVINCES).flatMap(([province, names]) => names.map((name) => [name, province] as const)),
);

export const provinceOf = (name: string): string => PROVINCE_BY_NAME.get(name) ?? "";

const NUMBER = /^(지하)?(\d{1,5})(?:-(\d{1,5}))?(번지)?(,?)$/;
const ROAD_AND_NUMBER = /^([가-힣\dA-Za-z·.]{1,30}(?:로|길))(지하)?(\d{1,5})(?:-(\d{1,5}))?(,?)$/;
const isDistrict = (word: string) => /^[가-힣]{1,9}[시군구]$/.test(word);
const isTown = (word: string) => /^[가-힣]{1,9}[읍면]$/.test(word);
const isVillage = (word: string) => /^[가-힣]{1,9}\d{0,2}(?:동|가|리)$/.test(word);
const isRoad = (word: string) => /^[가-힣\dA-Za-z·.]{1,30}(?:로|길)$/.test(word);
/** 23길, 12번길, 3가길: the second word of a road's name. */
const isSideRoad = (word: string) => /^\d{1,4}[가-힣]{0,2}길$/.test(word);

/** Null for an ambiguous or foreign address. */
export function readAddress(text: string): AddressParts | null {
  const words = normaliseUnicode(text, "NFC").trim().split(/\s+/);
  let at = /^[([]?\d{5}[)\]]?$/.test(words[0] ?? "") ? 1 : 0;
  const next = () => words[at] ?? "";
  const take = () => words[at++] ?? "";
  const province = provinceOf(next());
  if (province !== "") at += 1;
  const districts: string[] = [];
  while (districts.length < 2 && isDistrict(next())) districts.push(take());
  const town = isTown(next()) ? take() : "";
  if (districts.length === 0 && province !== "세종") return null;
  const base = { province, district: districts.join(" "), town };
  const behind = (comma: string) => {
    const rest = words.slice(at).join(" ");
    if (rest === "") return "";
    return `${comma} ${rest}`;
  };
  const joined = ROAD_AND_NUMBER.exec(next());
  if (joined) {
    at += 1;
    const [, road = "", underground, main, sub = "0", comma = ""] = joined;
    const place = { road, isUnderground: underground !== undefined };
    return { ...base, place, main: Number(main), sub: Number(sub), rest: behind(comma) };
  }
  const numbered = (place: AddressParts["place"]): AddressParts | null => {
    if (next() === "지하" && "road" in place) {
      at += 1;
      return numbered({ ...place, isUnderground: true });
    }
    const found = NUMBER.exec(next());
    if (!found) return null;
    at += 1;
    const [, underground, main, sub = "0", lot, comma = ""] = found;
    if ("road" in place ? lot !== undefined : underground !== undefined) return null;
    const isUnderground = "road" in place && (place.isUnderground || underground !== undefined);
    return {
      ...base,
      place: "road" in place ? { road: place.road, isUnderground } : place,
      main: Number(main),
      sub: Number(sub),
      rest: behind(comma),
    };
  };
  if (isRoad(next())) {
    const road = take() + (isSideRoad(next()) ? take() : "");
    return numbered({ road, isUnderground: false });
  }
  if (!isVillage(next())) return null;
  const village = take();
  const isMountain = next() === "산";
  if (isMountain) at += 1;
  return numbered({ village, isMountain });
}
