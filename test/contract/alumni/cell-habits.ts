import { HONG, KIM, TWO, HEAD_1, type SheetHabit } from "./habit-words.ts";
import { sheetFile } from "./sheet-files.ts";

const wide = Array.from({ length: 30 }, (_, at) => `값${at}`);

const many = Array.from({ length: 70 }, (_, at) => [
  `김${String.fromCodePoint(0xac00 + at * 28)}영`,
  `010-1000-${1000 + at}`,
]);

/** Cells that a reader misses easily. */
export const CELL_HABITS: SheetHabit[] = [
  {
    habit: "cells far to the right of the last header",
    bytes: () => sheetFile([["이름", "휴대전화"], [...HONG, ...wide], KIM]),
    people: TWO,
    says: [HEAD_1, "열의 오른쪽 밖에 있어 읽지 않는 값이 10칸 있습니다: W2, X2, Y2, Z2, AA2 외 5"],
  },
  {
    habit: "marks beside the table in a column without a header",
    bytes: () => sheetFile([["이름", "휴대전화"], [...HONG, null, "확인"], KIM]),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "a remark far below in a column without a header",
    bytes: () => sheetFile([["이름", "휴대전화"], ...many, [...HONG, null, "회장"]]),
    people: ["name mobile", ...many, HONG],
    says: [HEAD_1],
  },
  {
    habit: "columns known by their values, and a remark behind them far below",
    bytes: () => sheetFile([...many, [...HONG, null, "회장"]]),
    people: ["name mobile", ...many, HONG],
    says: [
      "머리글이 없어 값을 보고 열을 짐작했습니다. 첫 행부터 사람으로 읽었습니다.",
      "열의 오른쪽 밖에 있어 읽지 않는 값이 1칸 있습니다: D71",
    ],
  },
  {
    habit: "a row that says something in columns alone that nobody uses",
    bytes: () =>
      sheetFile([
        ["이름", "휴대전화", "참석", "식사"],
        [...HONG, "O", "O"],
        [null, null, "X", "X"],
        [...KIM, "O", "X"],
      ]),
    people: ["name mobile", HONG, ["", ""], KIM],
    says: [HEAD_1],
  },
  {
    habit: "a second table below with its columns in another order",
    bytes: () =>
      sheetFile([
        ["이름", "소속", "직위"],
        ["홍길동", "한빛병원", "과장"],
        [],
        ["이름", "직위", "소속"],
        ["김하나", "원장", "새봄의원"],
      ]),
    people: ["name affiliation position", ["홍길동", "한빛병원", "과장"], ["김하나", "새봄의원", "원장"]],
    says: [HEAD_1, "차례가 다른 머리글 1행을 뺐습니다: 4행 ‘이름 직위 소속’. 그 아래는 그 차례로 읽었습니다."],
  },
  {
    habit: "a second table below with other columns",
    bytes: () =>
      sheetFile([
        ["이름", "소속"],
        ["홍길동", "한빛병원"],
        ["이름", "전공"],
        ["김하나", "내과"],
      ]),
    people: ["name affiliation", ["홍길동", "한빛병원"], ["김하나", "내과"]],
    says: [HEAD_1, "다른 머리글 1행을 뺐습니다: 3행 ‘이름 전공’. 그 아래도 첫 머리글의 열로 읽었으니 확인해 주십시오."],
  },
  {
    habit: "two tables side by side",
    bytes: () =>
      sheetFile([
        ["이름", "휴대전화", null, "이름", "휴대전화"],
        [...HONG, null, ...KIM],
      ]),
    people: ["name mobile", HONG],
    says: [HEAD_1, "같은 머리글을 번호로 나누었습니다: ‘이름 (2)’, ‘휴대전화 (2)’"],
  },
  {
    habit: "more rows numbered in advance than are named",
    bytes: () =>
      sheetFile([["연번", "이름", "휴대전화"], [1, ...HONG], ...Array.from({ length: 600 }, (_, at) => [at + 2])]),
    people: ["name mobile", HONG],
    says: [
      HEAD_1,
      "번호만 있는 행 500행을 뺐습니다: 3행 ‘2’, 4행 ‘3’, 5행 ‘4’ 외 497",
      "503행부터 뺀 행이 100행 더 있습니다.",
    ],
  },
  {
    habit: "one person twice",
    bytes: () =>
      sheetFile([
        ["이름", "휴대전화", "메모"],
        [...HONG, "총무"],
        [...HONG, "감사"],
      ]),
    people: ["name mobile memo", [...HONG, "총무"], [...HONG, "감사"]],
    says: [HEAD_1],
  },
  {
    habit: "what a rule changes and what it cannot read",
    bytes: () =>
      sheetFile([
        ["이름", "휴대전화", "졸업연도", "기수", "이메일", "우편번호", "전화"],
        [" 홍 길동", 1000000001, "2004-02-25", "제3기", "Hong@PID.example.kr", 3080, "02)740-1234"],
        ["김하나", "010-0000-0002, 010-0000-0003", "'99", "삼기", "a@b", "12", "내선 5"],
      ]),
    people: [
      "name mobile graduationYear cohort email zipCode phone",
      [" 홍 길동", "1000000001", "2004-02-25", "제3기", "Hong@PID.example.kr", "3080", "02)740-1234"],
      ["김하나", "010-0000-0002, 010-0000-0003", "'99", "삼기", "a@b", "12", "내선 5"],
    ],
    says: [HEAD_1],
  },
];
