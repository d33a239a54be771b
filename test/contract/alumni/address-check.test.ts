import { expect, test } from "vitest";
import { AddressCheck, type AddressFinding, isRepaired, readAddress } from "#worker/contract/alumni/address.ts";
import { costInParts, MOST_LINEAR } from "../../support/cost-in-parts.ts";

interface Line {
  province?: string;
  district?: string;
  town?: string;
  village?: string;
  mountain?: string;
  lot?: [number, number];
  road: string;
  underground?: string;
  number: [number, number];
  zip: string;
}
/** A line in the format of the 행정안전부 database; every place is invented. */
const line = ({
  province = "서울특별시",
  district = "종로구",
  town = "가상동",
  village = "",
  mountain = "0",
  ...more
}: Line) =>
  [
    "1111011900100010001000001",
    "1111011900",
    province,
    district,
    town,
    village,
    mountain,
    ...(more.lot ?? [1, 0]),
    "111104100371",
    more.road,
    more.underground ?? "0",
    ...more.number,
    "1111051500",
    "가상동",
    more.zip,
    "",
    "20260101",
    "0",
    "",
    "",
    "",
    "",
  ].join("|");

const LINES = [
  line({ road: "가상로", number: [12, 0], zip: "03080", lot: [7, 3] }),
  line({ road: "가상로23길", number: [5, 1], zip: "03081", lot: [8, 0] }),
  line({ road: "가상대로", underground: "1", number: [77, 0], zip: "03082", lot: [9, 0] }),
  line({ district: "중구", road: "중앙로", number: [1, 0], zip: "04500" }),
  line({ province: "부산광역시", district: "중구", road: "중앙로", number: [1, 0], zip: "48900" }),
  line({
    province: "경기도",
    district: "양평군",
    town: "양평읍",
    village: "가상리",
    mountain: "1",
    lot: [15, 2],
    road: "없는길",
    number: [3, 0],
    zip: "12500",
  }),
  line({ province: "경기도", district: "수원시 장안구", road: "장안로", number: [9, 0], zip: "16300", lot: [30, 0] }),
  line({ province: "경기도", district: "수원시 장안구", road: "장안로", number: [11, 0], zip: "16300", lot: [30, 0] }),
  line({ province: "세종특별자치시", district: "", road: "세종가로", number: [4, 0], zip: "30100" }),
];

function check(people: [zipCode: string, address: string][], lines: string[] = LINES): AddressFinding[] {
  const checking = new AddressCheck(
    people.map(([zipCode, address], at) => ({ id: String(at), name: "가", zipCode, address })),
  );
  for (const each of lines) checking.addLine(each);
  return checking.findings();
}

test.each([
  ["03080", "서울특별시 종로구 가상로 12", null],
  ["03080", "서울특별시 종로구 가상로 12, 301호 (가상동)", null],
  ["", "서울특별시 종로구 가상로 12", ["zip", "03080"]],
  ["110-744", "서울특별시 종로구 가상로 12", ["zip", "03080"]],
  ["", "서울 종로구 가상로 12 301호", ["form", "03080", "서울특별시 종로구 가상로 12 301호"]],
  ["", "종로구 가상로12, 3층", ["form", "03080", "서울특별시 종로구 가상로 12, 3층"]],
  ["", "서울시 종로구 가상로 23길 5-1", ["form", "03081", "서울특별시 종로구 가상로23길 5-1"]],
  ["", "(03081) 서울특별시 종로구 가상로23길 5-1", ["form", "03081", "서울특별시 종로구 가상로23길 5-1"]],
  ["", "서울특별시 종로구 가상대로 지하77", ["form", "03082", "서울특별시 종로구 가상대로 지하 77"]],
  ["", "서울특별시 종로구 가상대로 77", ["unknown"]],
  ["", "서울 종로구 가상동 7-3", ["lot", "03080", "서울특별시 종로구 가상로 12"]],
  ["", "경기도 양평군 양평읍 가상리 산 15-2번지 2층", ["lot", "12500", "경기도 양평군 양평읍 없는길 3 2층"]],
  ["", "경기도 양평군 없는길 3", ["form", "12500", "경기도 양평군 양평읍 없는길 3"]],
  ["", "경기 수원시 장안구 가상동 30", ["zip", "16300"]],
  ["", "중구 중앙로 1", ["several"]],
  ["", "부산 중구 중앙로 1", ["form", "48900", "부산광역시 중구 중앙로 1"]],
  ["", "세종시 세종가로 4", ["form", "30100", "세종특별자치시 세종가로 4"]],
  ["", "서울특별시 종로구 가상로 13", ["unknown"]],
  ["", "사서함 12호", ["unknown"]],
  ["", "New York, 5th Avenue 1", ["unknown"]],
  ["03080", "", null],
])("%s %s is rated %j", (zipCode, address, expected) => {
  const [found] = check([[zipCode, address]]);
  const [kind, newZip = zipCode, newAddress = address] = expected ?? [];
  expect(found && [found.kind, found.zipCode, found.address]).toEqual(
    expected ? [kind, newZip, newAddress] : undefined,
  );
  expect(found ? isRepaired(found) : false).toBe(expected !== null && kind !== "several" && kind !== "unknown");
});

test("lines of an unknown file format are counted as unreadable", () => {
  const checking = new AddressCheck([{ id: "1", name: "가", zipCode: "", address: "서울 종로구 가상로 12" }]);
  for (const each of [...LINES, "", "이름|주소", "a|b|서울특별시||||||||||||||x"]) checking.addLine(each);
  expect([checking.lines, checking.unreadable]).toEqual([LINES.length, 2]);
});

test("a repaired address passes a second check", () => {
  const first = check([
    ["", "종로구 가상로12, 3층"],
    ["110-744", "경기도 양평군 양평읍 가상리 산 15-2"],
  ]);
  expect(check(first.map(({ zipCode, address }): [string, string] => [zipCode, address]))).toEqual([]);
});

test("reading a text takes time linear in its length", () => {
  for (const piece of ["가로 ", "1-", "종로구 ", "가로1가로", "("])
    expect(costInParts(readAddress, piece, 400_000), piece).toBeLessThan(MOST_LINEAR);
});
