import { expect, test } from "vitest";
import { withParticle } from "#worker/contract/kernel/wording.ts";

test.for([
  ["아이디", "을/를", "아이디를"],
  ["이메일", "을/를", "이메일을"],
  ["이메일", "으로/로", "이메일로"],
  ["부산", "으로/로", "부산으로"],
  ["휴대전화번호", "으로/로", "휴대전화번호로"],
  ["010-1234-5670", "으로/로", "010-1234-5670으로"],
  ["010-1234-5671", "으로/로", "010-1234-5671로"],
  ["010-1234-5672", "으로/로", "010-1234-5672로"],
  ["hong@example.com", "으로/로", "hong@example.com으로"],
  ["hong@example.or.kr", "으로/로", "hong@example.or.kr로"],
  ["'광고 수신'", "은/는", "'광고 수신'은"],
  ["약관(선택)", "이/가", "약관(선택)이"],
  ["공지", "과/와", "공지와"],
  ["", "을/를", "를"],
  ["!!!", "이/가", "!!!가"],
] as const)("%s %s", ([word, pair, whole]) => {
  expect(withParticle(word, pair)).toBe(whole);
});
