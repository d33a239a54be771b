import { describe, expect, test } from "vitest";
import { cellRuleOf } from "#worker/contract/alumni/import/cell-changes.ts";
import { cleanCell, holdsResidentNumber, maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import { type AlumniField, dialableNumber } from "#worker/contract/alumni/columns.ts";

const stored = (field: AlumniField, raw: string) => {
  const cell = cleanCell(field, raw);
  return "error" in cell ? cell.fault : cell.value;
};

describe("an ambiguous phone number is kept as typed or reported", () => {
  test.each([
    ["02-740-1234 (내선 5)", "02-740-1234 (내선 5)"],
    ["053-200-5114~6", "053-200-5114~6"],
    ["02-740-1234, 02-740-1235", "02-740-1234, 02-740-1235"],
    ["02-740-1234 ext. 5", "02-740-1234 ext. 5"],
    ["02-740-1234/5", "02-740-1234/5"],
    // Grouped unlike any phone number.
    ["053-200-51146", "format"],
    ["0532005114 6", "format"],
    ["02-740-1234 (교환 1번, 내과 외래)", "02-740-1234 (교환 1번, 내과 외래)"],
    ["02-740-1234 (교환 1번, 내과 외래 간호사실 김 선생님)", "length"],
    ["내선 5", "format"],
  ])("phone %s", (raw, value) => expect(stored("phone", raw)).toBe(value));

  test.each([
    ["010-0000-0001, 010-0000-0002", "several"],
    ["010-0000-0001 / 02-740-1234", "several"],
    ["010-0000-00012", "format"],
    ["010-0000-0001 (배우자)", "format"],
  ])("mobile %s", (raw, fault) => expect(stored("mobile", raw)).toBe(fault));

  test.each([
    ["99", "shortYear"],
    ["'04", "shortYear"],
    ["04년", "shortYear"],
    ["05.03.02", "twoWays"],
    ["03/04/2005", 2005],
    ["2004학년도", 2004],
    ["200402", 2004],
    ["2001~2004", "format"],
  ])("graduation year %s", (raw, value) => expect(stored("graduationYear", raw)).toBe(value));

  test("two mail addresses", () => {
    expect(stored("email", "a@pid.example.kr; b@pid.example.kr")).toBe("several");
    expect(stored("email", "a@pid.example.kr b")).toBe("format");
    expect(stored("email", "A @pid. example.kr")).toBe("a@pid.example.kr");
  });
});

describe("an unambiguous phone number is formatted", () => {
  test.each([
    ["01000000001", "010-0000-0001", "hyphen"],
    ["1000000001", "010-0000-0001", "zero"],
    ["+82 10 0000 0001", "010-0000-0001", "country"],
    ["+82-(0)10-0000-0001", "010-0000-0001", "country"],
    ["010.0000.0001", "010-0000-0001", "hyphen"],
    ["010–0000–0001", "010-0000-0001", "hyphen"],
    ["HP) 010-0000-0001", "010-0000-0001", "label"],
    ["０１０-0000-0001", "010-0000-0001", "width"],
    [" 010-0000-0001 ", "010-0000-0001", "space"],
    ["010-0000-0001", "010-0000-0001", null],
  ] as const)("%s", (raw, value, rule) => {
    expect([stored("mobile", raw), cellRuleOf("mobile", raw, value)]).toEqual([value, rule]);
  });

  test.each([
    ["02)740-1234", "02-740-1234"],
    ["(02) 740-1234", "02-740-1234"],
    ["1588-1234", "1588-1234"],
    ["+1 617 555 0100", "+1 617 555 0100"],
  ])("phone %s", (raw, value) => expect(stored("phone", raw)).toBe(value));

  test.each([
    ["+1 617 555 0100", "+1 617 555 0100"],
    ["+1 (617) 555-0100", "+1 617 555-0100"],
    ["+1.617.555.0100", "+1 617 555 0100"],
    ["+81-90-1234-5678", "+81-90-1234-5678"],
    ["+82 2 740 1234", "format"],
    ["+82 10 1234", "format"],
    ["0082 10 0000 0001", "010-0000-0001"],
    ["(+82) 10-0000-0001", "010-0000-0001"],
    ["+1", "format"],
    ["+1 617 555 0100 0100 0100", "format"],
  ])("mobile %s", (raw, value) => expect(stored("mobile", raw)).toBe(value));
});

test("every change has a name, and an unchanged value has none", () => {
  const changes: [AlumniField, string, string | null][] = [
    ["email", "Hong@PID.example.kr", "case"],
    ["graduationYear", "2004-02-25", "year"],
    ["cohort", "제3기", "unit"],
    ["zipCode", "3080", "zero"],
    ["name", "홍길동".normalize("NFD"), "letters"],
    ["name", "홍\u200b길동", "removed"],
    ["affiliation", "ＡＢＣ병원", "width"],
    ["affiliation", "한빛  병원", "space"],
    ["affiliation", "한빛병원", null],
    ["memo", "한 줄\n두 줄", null],
    ["cohort", "3", null],
  ];
  for (const [field, raw, rule] of changes) {
    const cell = cleanCell(field, raw);
    expect([raw, "value" in cell && cellRuleOf(field, raw, cell.value)]).toEqual([raw, rule]);
  }
});

describe("a resident registration number with a masked second half", () => {
  test.each([
    "900101-1******",
    "900101-2*******",
    "900101-8******",
    "900101-*******",
    "900101-1●●●●●●",
    "900101-1○○○○○○",
    "900101-1xxxxxx",
    "900101-1XXXXXX",
    "900101-1＊＊＊＊＊＊",
    "900101-1ＸＸＸＸＸＸ",
    "９００１０１-１******",
    "900101 - 1******",
    "900101–1******",
    "900101−1******",
    "메모 900101-1****** 참고",
  ])("%s is known", (text) => {
    expect(holdsResidentNumber(text)).toBe(true);
    expect(stored("memo", text)).toBe("resident");
  });

  test.each([
    "900101-9******",
    "900101-1*****",
    "9900101-1******",
    "900101 1******",
    "010-0000-0001",
    "2004-02-25",
    "123456",
  ])("%s is no masked resident number", (text) => expect(holdsResidentNumber(text)).toBe(false));
});

test("a resident registration number is masked even with invisible characters in it", () => {
  expect(maskedCell("연락 900101-1234567 로, 9001012234567")).toBe("연락 900101-1****** 로, 900101-2******");
  expect(maskedCell("９００１０１－１２３４５６７ 끝")).toBe("900101-1****** 끝");
  expect(maskedCell("900101-123\u200b4567")).toBe("900101-1******");
  expect(stored("memo", "900101-123\u200b4567")).toBe("resident");
  expect(maskedCell("123456-1234")).toBe("123456-1234");
  expect(maskedCell("가 \u200b나다라마바사아자차카타")).toBe("가 \u200b나다라마바사아자차카타");
});

test("the number to dial is the first complete one", () => {
  expect(dialableNumber("02-740-1234 (내선 5)")).toBe("02-740-1234");
  expect(dialableNumber("053-200-5114~6")).toBe("053-200-5114");
});
