import { expect, test } from "vitest";
import { containsResidentNumber, replaceResidentNumbers } from "#worker/contract/kernel/text.ts";
import { noFindings, oldLine } from "#worker/domain/moving/old-text.server.ts";

// One a member of the rule: without it, exactly that text goes through.
const NUMBERS: [text: string, rest: string][] = [
  ["900101-1234567", ""],
  ["9001011234567", ""],
  ...Array.from("12345678", (sex): [string, string] => [`900101-${sex}234567`, ""]),
  ...["‐", "‑", "‒", "–", "—", "―", "−", "－", "﹣"].map((dash): [string, string] => [`900101${dash}1234567`, ""]),
  ["900101 1234567", ""],
  ["900101   1234567", ""],
  ["900101   -   1234567", ""],
  ["９００１０１-１２３４５６７", ""],
  ["000101-3234567", ""],
  ["901231-1234567", ""],
  ["901010-1234567", ""],
  ["900930-1234567", ""],
  ["메모 900101-1234567로", "메모 로"],
  ["900101-1234567, 910202-2345678", ", "],
  // What looks like one and is none stands before it.
  ["991301-1234567 900101-1234567", "991301-1234567 "],
];
const OTHERS = [
  "900101-0234567",
  "900101-9234567",
  "901301-1234567",
  "900001-1234567",
  "900132-1234567",
  "900100-1234567",
  "900141-1234567",
  "900101-123456",
  "900101-12345678",
  "1900101-1234567",
  "１900101-1234567",
  "900101-1234567８",
  "900101--1234567",
  "900101    1234567",
  "900101/1234567",
  "010-1234-5678",
  "",
];

test.each(NUMBERS)("%s is a resident registration number, and is taken out", (text, rest) => {
  expect(containsResidentNumber(text)).toBe(true);
  expect(replaceResidentNumbers(text, () => "")).toBe(rest);
  const findings = noFindings();
  expect(containsResidentNumber(oldLine(text, findings, 200))).toBe(false);
  expect(findings.hasResidentNumber).toBe(true);
});

test.each(OTHERS)("%s is none, and stays", (text) => {
  expect(containsResidentNumber(text)).toBe(false);
  expect(replaceResidentNumbers(text, () => "")).toBe(text);
});

test("what stood around and between is handed on as it was written", () => {
  expect(
    replaceResidentNumbers("가９００１０１ – １２３４５６７나", (birthday, between) => `${birthday}${between}*`),
  ).toBe("가900101 – *나");
});
