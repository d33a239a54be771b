import { expect, test } from "vitest";
import { periodOfHead, readPastFile } from "#worker/contract/alumni/dues/past-file.ts";

const rowsOf = (...lines: string[][]) => [{ rows: lines.map((cells, at) => ({ row: at + 1, cells })) }];

test("a head is a year with words of dues alone", () => {
  const heads = {
    "2024": [
      "2024",
      "2024년",
      "2024년도 회비",
      "회비(2024)",
      "24년",
      "’24년도 연회비 납부여부",
      "２０２４",
      "2024학년도",
    ],
    "2024-상반기": ["2024 상반기", "2024년 상반기 회비"],
    "1998": ["98년도"],
  };
  for (const [period, all] of Object.entries(heads))
    for (const head of all) expect([head, periodOfHead(head)]).toEqual([head, period]);
  for (const head of ["24", "졸업 2024", "2024 이사", "2024년 입학", "2024-03-02", "20245", "2023~2024", "기수", ""])
    expect([head, periodOfHead(head)]).toEqual([head, null]);
});

test("each year's column says a word of each person", () => {
  const { periods, refused } = readPastFile(
    rowsOf(
      ["회비 납부 현황"],
      ["연번", "성명", "기수", "2023년", "2024년", "비고"],
      ["1", "강나율 ", "제3기", "납부", "30,000", ""],
      ["2", "", "", "납부", "", ""],
      ["3", "나다솜", "삼", "", "미납", ""],
      ["", "", "", "", "", "메모"],
      ["4", "다라니", "", "", "면제", ""],
    ),
  );
  expect([...periods]).toEqual([
    [
      "2023",
      [
        { name: "강나율", cohort: 3, word: "납부" },
        { name: "다라니", cohort: null, word: "" },
      ],
    ],
    [
      "2024",
      [
        { name: "강나율", cohort: 3, word: "30,000" },
        { name: "다라니", cohort: null, word: "면제" },
      ],
    ],
  ]);
  expect(refused).toEqual([4, 5]);
});

test("a sheet without names or years says nothing", () => {
  for (const heads of [
    ["이름", "기수"],
    ["회비", "2024"],
  ])
    expect(readPastFile(rowsOf(heads, ["강나율", "3"])).periods.size).toBe(0);
});
