import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { htmlLines, htmlToText, isBlankHtml, summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import { centerValue } from "#worker/contract/content/center-input.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CenterDifference } from "#app/features/content/edit/center-difference.tsx";
import { compareHtmlTexts } from "#worker/domain/content/html-text.server.ts";
import { sentenceDifference, splitSentences } from "#worker/domain/kernel/sentence-difference.ts";

test("a partly bold word stays whole", () => {
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

test("a text without letters or pictures is blank", () => {
  expect(isBlankHtml("<p>&nbsp; </p><ul><li><p></p></li></ul><hr>")).toBe(true);
  expect(isBlankHtml('<p><img src="/api/file/x" alt=""></p>')).toBe(false);
  expect(isBlankHtml("<p>글</p>")).toBe(false);
});

test("a summary is the first 120 letters", () => {
  expect(summaryOf(`<p>${"가".repeat(80)}</p><p>${"나".repeat(80)}</p>`)).toBe(`${"가".repeat(80)}…`);
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

test("3,000 generated texts have the lines that a parser reads", { tags: "full" }, () => {
  let state = 1;
  const next = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  for (let at = 0; at < 3000; at += 1) {
    const cleaned = cleanHtml(Array.from({ length: 1 + next(30) }, () => PIECES[next(PIECES.length)]).join(""));
    expect([cleaned, htmlLines(cleaned, { pictures: true })]).toEqual([cleaned, parsedLines(cleaned)]);
  }
});

const changed = (older: string, newer: string) => compareHtmlTexts(older, newer).filter(({ kind }) => kind !== "same");
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

test("one appended sentence is one change", () => {
  const stored =
    `<h2>제3조</h2><p>이름을 모읍니다. 2026. 1. 1.부터 시행합니다.</p>` +
    `<table><tbody>${row("항목", "기간")}${row("이름", "2년")}${row("전화번호", "탈퇴할 때까지")}</tbody></table>`;
  const edited = stored
    .replace("시행합니다.</p>", "시행합니다. 주소는 모으지 않습니다.</p>")
    .replaceAll(/<td>(.*?)<\/td>/g, "<td><p>$1</p></td>");
  expect(changed(stored, edited)).toEqual([{ kind: "added", text: "주소는 모으지 않습니다." }]);
  expect(changed(edited, stored)).toEqual([{ kind: "removed", text: "주소는 모으지 않습니다." }]);
});

test("one table cell is one change, with the deletion before the insertion", () => {
  const table = (period: string) => `<table><tbody>${row("이름", period, "동의")}</tbody></table>`;
  expect(changed(table("2년"), table("3년"))).toEqual([
    { kind: "removed", text: "2년" },
    { kind: "added", text: "3년" },
  ]);
});

test("a different picture or picture description is a change", () => {
  const picture = (alt: string) => `<p>글<img src="/api/file/x" alt="${alt}"></p>`;
  expect(changed(picture("지도"), picture("약도")).map(({ text }) => text)).toEqual([
    "글 [그림: 지도]",
    "글 [그림: 약도]",
  ]);
});

test.each([
  ["하나입니다. 둘입니다.", ["하나입니다.", " ", "둘입니다."]],
  ["“그렇습니까?” 물었다.", ["“그렇습니까?”", " ", "물었다."]],
  ["1. 목적 2026. 11. 22. 시행", ["1. 목적 2026. 11. 22. 시행"]],
  ["제목\n\n첫 줄", ["제목", "\n\n", "첫 줄"]],
  ["hoewon.kr을 보십시오", ["hoewon.kr을 보십시오"]],
  ["", [""]],
])("%j is split into sentences", (text, parts) => {
  expect(splitSentences(text)).toEqual(parts);
});

test("work is bounded: beyond 600 changed sentences the whole text is replaced", () => {
  const kinds = (count: number) => {
    const sentences = (word: string) => Array.from({ length: count }, (_, index) => [`${word} ${index}`, `${index}`]);
    return sentenceDifference(sentences("앞").flat(), sentences("뒤").flat()).map(({ kind }) => kind);
  };
  expect(kinds(300).filter((kind) => kind === "same")).toHaveLength(300);
  expect(kinds(301)).toEqual([...Array(602).fill("removed"), ...Array(602).fill("added")]);
});

test("only the changed sentences of a long text are marked", () => {
  const value = {
    regionName: "서울",
    centerName: "서울 센터",
    introduction: "1990년에 열었습니다.\n\n진료합니다. 연구합니다.",
  };
  const before = centerValue.parse(value);
  const after = { ...before, introduction: "1990년에 열었습니다.\n\n진료합니다. 가르칩니다." };
  const html = renderToStaticMarkup(
    createElement(CenterDifference, { before, after, names: { before: "버전 1", after: "지금" } }),
  );
  expect(html).toMatch(/1990년에 열었습니다\.\n\n진료합니다\. <del [^>]*>연구합니다\.<\/del>/);
  expect(html).toMatch(/1990년에 열었습니다\.\n\n진료합니다\. <ins [^>]*>가르칩니다\.<\/ins>/);
});
