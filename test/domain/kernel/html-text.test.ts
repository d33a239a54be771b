import { expect, test } from "vitest";
import { htmlLines, htmlToText, isBlankHtml, summaryOf } from "#worker/domain/kernel/html-text.server.ts";

test("a partly bold word stays whole, blocks are separated, and entities are decoded", () => {
  expect(
    htmlToText("<h2>제1조</h2><p>회<strong>원</strong>은&nbsp;&#44032; &lt;b&gt; &amp;amp; &quot;예&quot;</p>"),
  ).toBe('제1조 회원은 가 <b> &amp; "예"');
  expect(htmlToText("<ul><li>하나<ul><li>둘</li></ul></li><li>셋<br>넷</li></ul>")).toBe("하나 둘 셋 넷");
  expect(htmlToText("&#x1F600;&#99999999; 끝")).toBe("😀\ufffd 끝");
});

test("table cells are separate lines, with or without paragraphs", () => {
  const plain = "<table><tbody><tr><th>항목</th><td>기간</td></tr></tbody></table>";
  const edited = "<table><tbody><tr><th><p>항목</p></th>\n<td><p>기간</p></td></tr></tbody></table>";
  expect(htmlLines(plain)).toEqual(["항목", "기간"]);
  expect(htmlLines(edited)).toEqual(["항목", "기간"]);
});

test("pictures are read by their alternative texts on request", () => {
  const html = '<p>앞 <img src="/api/file/x" alt="지도 &gt; 서울"> 뒤</p><p><img src="/api/file/y" alt=""></p>';
  expect(htmlLines(html)).toEqual(["앞", "뒤"]);
  expect(htmlLines(html, { pictures: true })).toEqual(["앞 [그림: 지도 > 서울] 뒤", "[그림]"]);
});

test("a comparison sign in a text or an attribute is no tag", () => {
  expect(htmlToText("<p>5 &lt; 6 그리고 7 > 6</p>")).toBe("5 < 6 그리고 7 > 6");
  expect(htmlToText('<p style="color:red" title="a>b">글</p>')).toBe("글");
});

test("a text without letters and pictures is blank", () => {
  expect(isBlankHtml("<p>&nbsp; </p><ul><li><p></p></li></ul><hr>")).toBe(true);
  expect(isBlankHtml('<p><img src="/api/file/x" alt=""></p>')).toBe(false);
  expect(isBlankHtml("<p>글</p>")).toBe(false);
});

test("a summary is the first 120 letters", () => {
  expect(summaryOf(`<p>${"가".repeat(80)}</p><p>${"나".repeat(80)}</p>`)).toBe(`${"가".repeat(80)} ${"나".repeat(39)}`);
  expect(summaryOf(`<p>${"가".repeat(60)}</p><p>${"나".repeat(59)}</p><p>다</p>`)).toHaveLength(120);
  expect(summaryOf("<p></p>")).toBe("");
  expect(htmlLines("<p>하나</p><p>둘</p><p>셋</p>", { enough: 3 })).toEqual(["하나", "둘"]);
});
