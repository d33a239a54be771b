import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
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

const INLINE = ["a", "b", "code", "em", "i", "mark", "s", "span", "strong", "sub", "sup", "u", "img"];
const TAGS = `<p>|</p>|<b>|</b>|<td title='a>b'>|</td>|<a href="/?a=1&b=2" title="'>">|</a>|<br>|<img src="/x" alt="지도 &gt; &quot;서울">|<table><tr>|<li>|</ul>|<script>1 < 2</script>|<!-- > -->`;
const TEXTS = `글| 둘 |&|&amp;lt;|&nbsp;|&#44032;|1 < 2 > 1|<|>|"|'|\n|&copy;|\u0000`;
const PIECES = `${TAGS}|${TEXTS}`.split("|");

/** The same lines, by a parser that reads letter by letter. */
function parsedLines(html: string): string[] {
  const lines = [""];
  const end = (tag: string) => void (INLINE.includes(tag) || lines.push(""));
  const onopentag = (tag: string, { alt }: Record<string, string>) => {
    end(tag);
    if (tag === "img") lines.push(`${lines.pop()}${alt ? ` [그림: ${alt}] ` : " [그림] "}`);
  };
  new Parser({ ontext: (text) => void lines.push(`${lines.pop()}${text}`), onopentag, onclosetag: end }).end(html);
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean);
}

test("3,000 generated texts have the lines that a parser reads, once they are cleaned", () => {
  let state = 1;
  const next = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  for (let at = 0; at < 3000; at += 1) {
    const cleaned = cleanHtml(Array.from({ length: 1 + next(30) }, () => PIECES[next(PIECES.length)]).join(""));
    expect([cleaned, htmlLines(cleaned, { pictures: true })]).toEqual([cleaned, parsedLines(cleaned)]);
  }
});
