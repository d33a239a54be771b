import { expect, test } from "vitest";
import { highlightHtml, splitAtHits } from "#worker/contract/board/search-terms.ts";

const hitsOf = (text: string, ...words: string[]) =>
  splitAtHits(text, words)
    .filter(({ hit }) => hit)
    .map((part) => part.text);

test("a hit may have up to three signs between its letters; the longer word has priority", () => {
  expect(hitsOf("연구 결과와 연-구, 연  /구, 연    구", "연구")).toEqual(["연구", "연-구", "연  /구"]);
  expect(hitsOf("연구결과 연구", "연구", "연구결과")).toEqual(["연구결과", "연구"]);
  expect(hitsOf("COVID-19 covid 19", "covid19")).toEqual(["COVID-19", "covid 19"]);
  expect(hitsOf("가가가가가나", "가가나")).toEqual(["가가나"]);
  expect(hitsOf("가나가나", "가나")).toEqual(["가나", "가나"]);
  expect(highlightHtml("a<b>글", ["글"])).toBe("a&lt;b&gt;<mark>글</mark>");
  expect(
    splitAtHits("앞 글 뒤", ["글"])
      .map(({ text }) => text)
      .join(""),
  ).toBe("앞 글 뒤");
});
