import { normaliseUnicode } from "../kernel/text.ts";

/** A short message (SMS) holds so many bytes of EUC-KR, a long one (LMS) the other; longer is none. */
export const TEXT_MESSAGE_BYTES = { sms: 90, lms: 2000 } as const;

/** What an approved template of Kakao holds. */
export const ALIMTALK_LIMITS = { templateCode: 60, values: 40, valueName: 60, value: 200, template: 1000 } as const;

/** The letters of two bytes that telephone companies take, as their character set has them. */
let twoByteLetters: ReadonlySet<string> | undefined;

function readTwoByteLetters(): ReadonlySet<string> {
  const decoder = new TextDecoder("euc-kr");
  const letters = new Set<string>();
  const row = new Uint8Array(2);
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x41; trail <= 0xfe; trail += 1) {
      row.set([lead, trail]);
      const letter = decoder.decode(row);
      if ([...letter].length === 1 && letter !== "\ufffd") letters.add(letter);
    }
  return letters;
}

const isOneByte = (letter: string) => letter <= "\u007f";

export const textMessageBytes = (text: string): number =>
  [...normaliseUnicode(text, "NFC")].reduce((sum, letter) => sum + (isOneByte(letter) ? 1 : 2), 0);

export const textMessageType = (bytes: number): "SMS" | "LMS" => (bytes <= TEXT_MESSAGE_BYTES.sms ? "SMS" : "LMS");

/** Each letter of the text that no telephone shows: emoji, for one. */
export function unsendableLetters(text: string): string[] {
  twoByteLetters ??= readTwoByteLetters();
  const known = twoByteLetters;
  return [...new Set(normaliseUnicode(text, "NFC"))].filter((letter) => !isOneByte(letter) && !known.has(letter));
}

const VARIABLE = /#\{([^{}]{1,60})\}/g;

/** The variables of a template of Kakao, each once. */
export const alimtalkVariables = (template: string): string[] => [
  ...new Set([...template.matchAll(VARIABLE)].map((match) => match[1]?.trim() ?? "")),
];

/** The same text with the fields of this site: `#{이름}` is `{{이름}}`. */
export const alimtalkAsTemplate = (template: string): string =>
  template.replace(VARIABLE, (_, name: string) => `{{${name.trim()}}}`);
