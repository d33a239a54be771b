import { expect, test } from "vitest";
import {
  alimtalkAsTemplate,
  alimtalkVariables,
  textMessageBytes,
  textMessageType,
  unsendableLetters,
} from "#worker/contract/mail/text-message.ts";

test("a text message is measured in bytes of EUC-KR: letters of ASCII one, all others two", () => {
  expect(["", "abc 1\n", "총회", "3월 2일(월)", "（전각）", "龍"].map(textMessageBytes)).toEqual([0, 6, 4, 11, 8, 2]);
  expect(["가".repeat(45), `${"가".repeat(45)}.`].map((text) => textMessageType(textMessageBytes(text)))).toEqual([
    "SMS",
    "LMS",
  ]);
});

test("letters that no telephone shows are named; all of Hangul and what a Korean text has beside it are not", () => {
  const hangul = Array.from({ length: 11_172 }, (_, at) => String.fromCodePoint(0xac00 + at)).join("");
  expect(unsendableLetters(`${hangul}「총회」·※○①㈜∼“”‘’…ㆍ ABC 123 大韓民國 ♥`)).toEqual([]);
  expect(unsendableLetters("총회 😀 알림 😀 Ş ᄀ")).toEqual(["😀", "Ş", "ᄀ"]);
});

test("letters that a Mac takes apart are measured as they are sent: put together", () => {
  const apart = "총회 알림".normalize("NFD");
  expect([textMessageBytes(apart), unsendableLetters(`${apart} 😀`)]).toEqual([9, ["😀"]]);
});

test("a template of Kakao has its variables, each once, and reads with the fields of the site", () => {
  const template = "#{이름}님, #{ 장소 }에서 뵙겠습니다. #{이름}님 #{} {이름}";
  expect(alimtalkVariables(template)).toEqual(["이름", "장소"]);
  expect(alimtalkAsTemplate(template)).toBe("{{이름}}님, {{장소}}에서 뵙겠습니다. {{이름}}님 #{} {이름}");
  expect(alimtalkVariables("#{".repeat(100_000))).toEqual([]);
});
