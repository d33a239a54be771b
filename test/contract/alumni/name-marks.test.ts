import { expect, test } from "vitest";
import { isOtherBreak, isSameMemo, withMemoLines } from "#worker/contract/alumni/import/cell-changes.ts";
import { splitValues } from "#worker/contract/alumni/cell-rules.ts";
import { deathNote, nameMarksIn, withoutNameMarks } from "#worker/contract/alumni/import/name-marks.ts";

test.each([
  ["문재지 교수", "title", "문재지"],
  ["문재지교수님", "title", "문재지"],
  ["홍길동 명예교수", "title", "홍길동"],
  ["홍길동 원장님", "title", "홍길동"],
  ["홍길동님", "title", "홍길동"],
  ["홍길동(선생님)", "title", "홍길동"],
  ["홍길동 박사", "title", "홍길동"],
  ["Dr. John Smith", "title", "John Smith"],
  ["Dr.홍길동", "title", "홍길동"],
  ["Prof. 홍길동", "title", "홍길동"],
  ["홍길동, Ph.D.", "title", "홍길동"],
  ["John Smith, M.D.", "title", "John Smith"],
  ["서연선(女)", "sex", "서연선"],
  ["서연선 (여)", "sex", "서연선"],
  ["홍길동[남]", "sex", "홍길동"],
  ["홍길동(F)", "sex", "홍길동"],
  ["홍길동 여", "sex", "홍길동"],
  ["문 지혜", "inner", "문지혜"],
  ["홍 길 동", "inner", "홍길동"],
  ["남궁 민수", "inner", "남궁민수"],
  ["이수 남", "inner", "이수남"],
  ["고 영희", "inner", "고영희"],
  ["故 정민희", "death", "정민희"],
  ["故정민희", "death", "정민희"],
  ["(故)정민희", "death", "정민희"],
  ["고(故) 정민희", "death", "정민희"],
  ["고 정민희", "death", "정민희"],
  ["손은지(작고)", "death", "손은지"],
  ["손은지 (2019 작고)", "death", "손은지"],
  ["손은지(작고하심)", "death", "손은지"],
  ["손은지 사망", "death", "손은지"],
  ["사망 손은지", "death", "손은지"],
  ["손은지/별세", "death", "손은지"],
  ["†손은지", "death", "손은지"],
  ["손은지†", "death", "손은지"],
  ["故 팽현숙", "death", "팽현숙"],
  ["팽현숙 교수", "title", "팽현숙"],
  ["Dr. 마이클 존슨", "title", "마이클 존슨"],
  ["故 洪吉童", "death", "洪吉童"],
  ["故 홍 길동 교수(男)", "death title sex inner", "홍길동"],
])("%s has the marks %s around %s", (written, marks, name) => {
  expect(nameMarksIn(written).toSorted()).toEqual(marks.split(" ").toSorted());
  expect(withoutNameMarks(written, nameMarksIn(written))).toBe(name);
});

test.each([
  "홍길동",
  "고영희",
  "남궁민수",
  "황보이사",
  "이대표",
  "김 교수",
  "이 박사",
  "홍길동(A)",
  "홍길동(개명)",
  "이사장",
  "남여",
  "사람 12",
  "John Smith",
  "Mark Twain",
  "Kim Chul Soo",
  "한빛병원 총무과",
])("%s is a name as it is written", (name) => expect(nameMarksIn(name)).toEqual([]));

test("one kind of mark leaves the others as they are written", () => {
  expect(withoutNameMarks("故 홍길동 교수 (男)", ["death"])).toBe("홍길동 교수 (男)");
  expect(withoutNameMarks("故 홍길동 교수 (男)", ["title", "sex"])).toBe("故 홍길동");
});

test("a mark of death keeps its year", () => {
  expect(["손은지 (2019 작고)", "손은지(작고)", "홍길동(A 2019)"].map((name) => deathNote(name))).toEqual([
    "2019 작고",
    null,
    null,
  ]);
});

test.each(["\n", "\r\n", ",", ", ", "/", " / ", ";", " ", "  ", " ::: ", "|"])(
  "two numbers or addresses are parted by %j",
  (sign) => {
    expect(splitValues(`010-0000-0001${sign}02-740-1234`)).toEqual(["010-0000-0001", "02-740-1234"]);
    expect(splitValues(`a@pid.example.kr${sign}b@pid.example.kr`)).toEqual(["a@pid.example.kr", "b@pid.example.kr"]);
  },
);

test.each(["010 0000 0001", "02 740 1234", "053-200-5114 6", "010-0000-0001 (배우자)", "1588 1234"])(
  "%s is one number",
  (text) => expect(splitValues(text)).toEqual([text]),
);

test("a memo is compared by its lines", () => {
  expect(isSameMemo("가\n나", "나\r\n\r\n 가 ")).toBe(true);
  expect(isSameMemo("가\n나", "가 나")).toBe(false);
  expect(withMemoLines("가\n나", ["나", "전화: 1\r\n2", "전화: 1"])).toBe("가\n나\n전화: 1\n2");
});

test("only other line breaks are such a change", () => {
  expect(isOtherBreak("가\n나", "가 나")).toBe(true);
  for (const [before, after] of [
    ["가 나", "가  나"],
    ["가\n나", "가\n다"],
    ["가\n나", "가\n나"],
  ] as const)
    expect(isOtherBreak(before, after)).toBe(false);
});
