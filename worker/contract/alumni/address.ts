import { OTHER_REGION, provinceOf as regionOf } from "../kernel/provinces.ts";
import { valuesOf } from "../kernel/labels.ts";
import { ALUMNI_MAX_LENGTHS } from "./columns.ts";
import { normaliseUnicode } from "../kernel/text.ts";

// Compares addresses with the road-name address files (도로명주소 한글, fields separated by |). Free of zod and I/O for the
// browser's worker.

export interface PersonAddress {
  id: string;
  name: string;
  zipCode: string;
  address: string;
}

export const ADDRESS_FINDING_LABELS = {
  zip: "우편번호만 고침",
  form: "도로명주소의 표기를 맞춤",
  lot: "지번을 도로명으로 바꿈",
  several: "두 곳 이상이 맞아 그대로 둠",
  unknown: "파일에서 찾지 못해 그대로 둠",
} as const;

export type AddressFindingKind = keyof typeof ADDRESS_FINDING_LABELS;

export const ADDRESS_FINDING_KINDS = valuesOf(ADDRESS_FINDING_LABELS);

export interface AddressFinding {
  person: PersonAddress;
  kind: AddressFindingKind;
  zipCode: string;
  address: string;
}

export const isRepaired = ({ kind }: AddressFinding) => kind === "zip" || kind === "form" || kind === "lot";

const fold = (text: string) => text.replaceAll(" ", "");

const placeKey = (district: string, town: string, place: string, main: number, sub: number) =>
  [fold(district), town, place, main, sub].join("|");

/** A road's name is unique in its district, even across towns. */
const keyOf = ({ district, town, place, main, sub }: AddressParts) =>
  "road" in place
    ? placeKey(district, "", `${place.isUnderground ? "지하" : ""}${place.road}`, main, sub)
    : placeKey(district, town, `${place.village}${place.isMountain ? " 산" : ""}`, main, sub);

/** Column indexes of the address file. */
const FIELD = {
  province: 2,
  district: 3,
  legalTown: 4,
  legalVillage: 5,
  isMountain: 6,
  lotMain: 7,
  lotSub: 8,
  road: 10,
  underground: 11,
  main: 12,
  sub: 13,
  zipCode: 16,
} as const;

/** Keeps only the buildings that occur in the address book, of millions in the files. */
export class AddressCheck {
  lines = 0;
  unreadable = 0;
  private readonly people: { person: PersonAddress; parts: AddressParts | null }[];
  private readonly found = new Map<string, { province: string; address: string; zipCode: string }[]>();

  constructor(people: readonly PersonAddress[]) {
    this.people = people
      .filter(({ address }) => address !== "")
      .map((person) => ({ person, parts: readAddress(person.address) }));
    for (const { parts } of this.people) if (parts) this.found.set(keyOf(parts), []);
  }

  addLine(line: string): void {
    const fields = line.split("|");
    const zipCode = fields[FIELD.zipCode] ?? "";
    if (!/^\d{5}$/.test(zipCode) || !provinceOf(fields[FIELD.province] ?? "")) {
      if (line.trim() !== "") this.unreadable += 1;
      return;
    }
    this.lines += 1;
    const text = (field: keyof typeof FIELD) => fields[FIELD[field]] ?? "";
    const number = (field: keyof typeof FIELD) => Number(text(field));
    const isUnderground = text("underground") === "1";
    const district = text("district");
    const isTown = /[읍면]$/.test(text("legalTown"));
    const road = `${isUnderground ? "지하" : ""}${text("road")}`;
    const lot = `${isTown ? text("legalVillage") : text("legalTown")}${text("isMountain") === "1" ? " 산" : ""}`;
    const keys = [
      placeKey(district, "", road, number("main"), number("sub")),
      placeKey(district, isTown ? text("legalTown") : "", lot, number("lotMain"), number("lotSub")),
    ];
    const known = keys.map((key) => this.found.get(key)).filter((buildings) => buildings !== undefined);
    if (known.length === 0) return;
    const building = {
      province: provinceOf(text("province")),
      address: [
        text("province"),
        district,
        isTown ? text("legalTown") : "",
        text("road"),
        `${isUnderground ? "지하 " : ""}${number("main")}${number("sub") > 0 ? `-${number("sub")}` : ""}`,
      ]
        .filter(Boolean)
        .join(" "),
      zipCode,
    };
    for (const buildings of known) buildings.push(building);
  }

  /** Lists every person whose address differs from the files. */
  findings(): AddressFinding[] {
    return this.people.flatMap(({ person, parts }) => this.findingOf(person, parts) ?? []);
  }

  private findingOf(person: PersonAddress, parts: AddressParts | null): AddressFinding | null {
    const as = (kind: AddressFindingKind, zipCode = person.zipCode, address = person.address) => ({
      person,
      kind,
      zipCode,
      address,
    });
    if (!parts) return as("unknown");
    const there = (this.found.get(keyOf(parts)) ?? []).filter(
      ({ province }) => parts.province === "" || province === parts.province,
    );
    const [first] = there;
    if (!first) return as("unknown");
    const zips = new Set(there.map(({ zipCode }) => zipCode));
    const addresses = new Set(there.map(({ address }) => address));
    if (zips.size > 1) return as("several");
    // Several buildings share the lot: only the postcode is certain.
    const address = addresses.size > 1 ? person.address : first.address + parts.rest;
    if (address !== person.address && address.length <= ALUMNI_MAX_LENGTHS.address)
      return as("road" in parts.place ? "form" : "lot", first.zipCode, address);
    return first.zipCode === person.zipCode ? null : as("zip", first.zipCode);
  }
}

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

/** 광주 alone may be the city in 경기. @returns 서울, 경기 …, or empty */
function provinceOf(name: string): string {
  const known = /^[가-힣]+$/.test(name) && !/^광주시?$/.test(name) ? regionOf(name) : OTHER_REGION;
  return known === OTHER_REGION ? "" : known.regionName;
}

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
