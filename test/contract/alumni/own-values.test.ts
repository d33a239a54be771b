import { expect, test } from "vitest";
import { type OwnField, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import { guessOwnField } from "#worker/contract/alumni/own-values.ts";

const times = (values: string[], count: number) => Array.from({ length: count }, () => values).flat();

test.each<[string, string[], string, string[]]>([
  ["days", ["1970.2.5", "", "19710306"], "date", []],
  ["one day that reads two ways", ["1970.2.5", "02/03/1971"], "text", []],
  ["amounts", ["30,000", "5000"], "number", []],
  ["numbers that begin with zero", ["00123", "00456"], "text", []],
  ["years", ["2004", "2005"], "number", []],
  ["telephone numbers", ["02-740-1234", "031)123-4567"], "phone", []],
  ["addresses of mail", ["a@pid.example.kr"], "email", []],
  ["marks", ["O", "X", "O"], "yesNo", []],
  ["ones and zeros, which may be amounts", ["1", "0", "1"], "number", []],
  ["few words again and again", times(["정회원", "준회원"], 4), "choice", ["정회원", "준회원"]],
  ["few words, each once", ["정회원", "준회원"], "text", []],
  ["sentences", times(["가, 나", "다"], 5), "text", []],
  ["nothing", ["", " "], "text", []],
])("%s get the kind that fits all values", (_, values, kind, choices) => {
  expect(guessOwnField(values)).toEqual({ kind, choices });
});

test("a header equal to an own field name maps to that field, and other columns keep theirs", () => {
  const field = {
    kind: "text" as const,
    choices: [],
    required: false,
    access: "office" as const,
    personEdits: false,
    inList: false,
  };
  const own: OwnField[] = [
    { ...field, code: "own1", name: "사무실 번호" },
    { ...field, code: "own2", name: "생년월일" },
  ];
  expect(
    withOwnColumns(
      ["이름", "전화", "사무실번호", "생년 월일", "생년월일"],
      ["name", "phone", "phone", null, null],
      own,
    ),
  ).toEqual(["name", "phone", "own1", "own2", null]);
});
