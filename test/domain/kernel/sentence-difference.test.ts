import { centerValue } from "#worker/contract/content/center-input.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CenterDifference } from "#app/features/content/edit/center-difference.tsx";
import { compareHtmlTexts } from "#worker/domain/content/html-text.server.ts";
import { sentenceDifference, splitSentences } from "#worker/domain/kernel/sentence-difference.ts";

const changed = (older: string, newer: string) => compareHtmlTexts(older, newer).filter(({ kind }) => kind !== "same");
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

test("one appended sentence is one change, even when the editor adds paragraphs to table cells", () => {
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

test("the changed sentences of a long centre text are marked and its paragraphs are kept", () => {
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
