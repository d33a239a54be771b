import { expect, test } from "vitest";
import {
  alimtalkAsTemplate,
  alimtalkVariables,
  textMessageBytes,
  textMessageType,
  unsendableLetters,
} from "#worker/contract/mail/text-message.ts";

test("a text message is measured in EUC-KR bytes", () => {
  expect(["", "abc 1\n", "총회", "3월 2일(월)", "（전각）", "龍"].map(textMessageBytes)).toEqual([0, 6, 4, 11, 8, 2]);
  expect(["가".repeat(45), `${"가".repeat(45)}.`].map((text) => textMessageType(textMessageBytes(text)))).toEqual([
    "SMS",
    "LMS",
  ]);
});

test("letters that phones cannot show are reported", () => {
  const hangul = Array.from({ length: 11_172 }, (_, at) => String.fromCodePoint(0xac00 + at)).join("");
  expect(unsendableLetters(`${hangul}「총회」·※○①㈜∼“”‘’…ㆍ ABC 123 大韓民國 ♥`)).toEqual([]);
  expect(unsendableLetters("총회 😀 알림 😀 Ş ᄀ")).toEqual(["😀", "Ş", "ᄀ"]);
});

test("decomposed Mac letters are measured in composed form", () => {
  const apart = "총회 알림".normalize("NFD");
  expect([textMessageBytes(apart), unsendableLetters(`${apart} 😀`)]).toEqual([9, ["😀"]]);
});

test("a Kakao template lists each variable once", () => {
  const template = "#{이름}님, #{ 장소 }에서 뵙겠습니다. #{이름}님 #{} {이름}";
  expect(alimtalkVariables(template)).toEqual(["이름", "장소"]);
  expect(alimtalkAsTemplate(template)).toBe("{{이름}}님, {{장소}}에서 뵙겠습니다. {{이름}}님 #{} {이름}");
  expect(alimtalkVariables("#{".repeat(100_000))).toEqual([]);
});
