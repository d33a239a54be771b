import { expect, test } from "vitest";
import { fillWords } from "#worker/contract/kernel/wording.ts";

test.each([
  [{}, "{동문:을/를} 추가", "동문을 추가"],
  [{ 동문: "졸업생" }, "{동문:을/를} 추가", "졸업생을 추가"],
  [{ 동문: "친구" }, "{동문:을/를} 추가, {동문:이/가} 없음", "친구를 추가, 친구가 없음"],
  [{ 센터: "지부" }, "서울 {센터:으로/로}", "서울 지부로"],
  [{ 센터: "" }, "서울 {센터}", "서울 센터"],
  [{ 동문: "회원" }, "{이름}님과 {{동문}}", "{이름}님과 {회원}"],
])("%j makes of '%s' '%s'", (words, text, filled) => {
  expect(fillWords(words, text)).toBe(filled);
});
