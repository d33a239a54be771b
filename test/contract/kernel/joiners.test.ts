import { expect, test } from "vitest";
import { cleanLine, cleanText } from "#worker/contract/kernel/text.ts";
import { containsResidentNumber } from "#worker/contract/kernel/resident-number.ts";

const JOINED = ["👩‍⚕️", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "🧑🏽‍🔬", "❤️‍🔥", "👁️‍🗨️", "می‌خواهم", "क्‍ष", "श्‌र"];

test.each(JOINED)("%s keeps its joiners in a line and in a text", (sign) => {
  for (const text of [sign, `${sign}${sign}`, `회의 ${sign} 안내`, `안내${sign}`]) {
    expect(cleanLine(text)).toBe(text.normalize("NFC"));
    expect(cleanText(`${text}\n끝`)).toBe(`${text.normalize("NFC")}\n끝`);
  }
});

test.each(["\u200d", "\u200c", "\u200b", "\u2060", "\u3164", "\ufeff", "\u202e"])(
  "%j outside of a joined sign is removed",
  (sign) => {
    for (const [raw, clean] of [
      [`홍${sign}길동`, "홍길동"],
      [`${sign}관리자${sign}`, "관리자"],
      [`ad${sign}min`, "admin"],
      [`👩${sign}`, "👩"],
      [`${sign}👩`, "👩"],
      [sign.repeat(5), ""],
    ] as const)
      expect(cleanLine(raw)).toBe(clean);
    expect(containsResidentNumber(cleanText(`900101${sign}-${sign}1234567`))).toBe(true);
  },
);
