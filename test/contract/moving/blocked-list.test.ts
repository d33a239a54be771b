import { expect, test } from "vitest";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import { blockedIdsOf, splitIds } from "#worker/contract/moving/rules.ts";

const idsIn = async (text: string) => {
  const limits = { rows: 1000, message: "", inflatedBytes: 1e6, cellsPerRow: 50 };
  return blockedIdsOf(await readFileSheets(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>, limits));
};

test.each([
  ["kim\nlee\n\npark\n", ["kim", "lee", "park"]],
  ["kim, lee, park", ["kim", "lee", "park"]],
  ["아이디,이름,사유\nkim,김,광고\nlee,이,욕설\n", ["kim", "lee"]],
  ["차단 명단\n번호,회원 아이디\n1,kim\n2,lee\n", ["kim", "lee"]],
  ["mb_no,mb_id,mb_intercept_date\n1,kim,20240101\n2,lee,\n3,park,00000000\n", ["kim"]],
  ["이메일\nkim@old.example.kr\n", ["kim@old.example.kr"]],
  ["kim\t광고\nlee\t욕설\n", ["kim", "lee"]],
])("%j names %j", async (text, ids) => {
  expect(await idsIn(text)).toEqual(ids);
});

test("a pasted list is split at every separator", () => {
  expect(splitIds(" kim,lee;park\n\tchoi kim ")).toEqual(["kim", "lee", "park", "choi"]);
});
