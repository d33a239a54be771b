import { normaliseUnicode } from "../kernel/text.ts";

/** In EUC-KR bytes: SMS up to the first, LMS up to the second. */
export const TEXT_MESSAGE_BYTES = { sms: 90, lms: 2000 } as const;

export const ALIMTALK_LIMITS = { templateCode: 60, values: 40, valueName: 60, value: 200, template: 1000 } as const;

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

/** Characters that phones cannot show, such as emoji. */
export function unsendableLetters(text: string): string[] {
  twoByteLetters ??= readTwoByteLetters();
  const known = twoByteLetters;
  return [...new Set(normaliseUnicode(text, "NFC"))].filter((letter) => !isOneByte(letter) && !known.has(letter));
}

const VARIABLE = /#\{([^{}]{1,60})\}/g;

export const alimtalkVariables = (template: string): string[] => [
  ...new Set([...template.matchAll(VARIABLE)].map((match) => match[1]?.trim() ?? "")),
];

/** `#{이름}` becomes `{{이름}}`. */
export const alimtalkAsTemplate = (template: string): string =>
  template.replace(VARIABLE, (_, name: string) => `{{${name.trim()}}}`);
