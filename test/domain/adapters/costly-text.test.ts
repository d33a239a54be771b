import { expect, test, vi } from "vitest";
import { cleanHtml, HTML_LIMITS } from "#worker/adapters/clean-html.server.ts";
import { cleanLine, cleanText } from "#worker/contract/kernel/text.ts";
import { normalisePhone, normaliseUserKey } from "#worker/contract/account/rules.ts";
import { foldSearchText, queryTerms } from "#worker/contract/board/search-terms.ts";
import { sentenceDifference } from "#worker/domain/kernel/sentence-difference.ts";
import { htmlLines } from "#worker/domain/kernel/html-text.server.ts";

/** Counts elements moved by array insertions at the front; a parser's cost of depth. */
function movedPlaces(act: () => void): number {
  let moved = 0;
  const unshift = Array.prototype.unshift;
  vi.spyOn(Array.prototype, "unshift").mockImplementation(function (this: unknown[], ...items: unknown[]) {
    moved += this.length;
    return unshift.apply(this, items);
  });
  try {
    act();
  } finally {
    vi.restoreAllMocks();
  }
  return moved;
}

test.each([
  ["nested tables", "<table><tr><td>".repeat(50_000)],
  ["nested boxes", "<div>".repeat(100_000)],
  ["nested words", "<p>" + "<b><i>".repeat(100_000)],
  ["what is not allowed either", "<x>".repeat(200_000)],
  ["drawings", "<svg><g>".repeat(60_000)],
  ["many tags side by side", "<br>".repeat(200_000)],
  ["many attributes of one tag", `<p ${Array.from({ length: 60_000 }, (_, at) => `a${at}`).join(" ")}>글</p>`],
])("a text of %s is refused before parsing", (_name, html) => {
  const moved = movedPlaces(() => {
    expect(() => cleanHtml(html)).toThrow(
      expect.objectContaining({ code: "PAYLOAD_TOO_LARGE", message: expect.stringMatching(/지나치게 복잡/) }),
    );
  });
  expect(moved).toBeLessThan(HTML_LIMITS.depth * HTML_LIMITS.depth);
});

test("a long text of many paragraphs and a large table is cleaned as usual", () => {
  const row = `<tr>${"<td><p>칸</p></td>".repeat(10)}</tr>`;
  const html = `${"<p>문장입니다.</p>".repeat(5000)}<table><tbody>${row.repeat(500)}</tbody></table>`;
  expect(cleanHtml(html)).toBe(html);
});

test("unclosed paragraphs and list items do not count as nested", () => {
  expect(cleanHtml("<p>글".repeat(1000))).toBe("<p>글</p>".repeat(1000));
  expect(htmlLines(cleanHtml(`<ul>${"<li>글".repeat(1000)}</ul>`))).toHaveLength(1000);
});

function longestRunOfMarks(act: () => void): number {
  let longest = 0;
  const normalize = String.prototype.normalize;
  vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
    for (const [run] of this.matchAll(/\p{M}+/gu)) longest = Math.max(longest, run.length);
    return longest > 100 ? String(this) : normalize.call(this, form as "NFC");
  });
  act();
  vi.restoreAllMocks();
  return longest;
}

const MARKED = "a" + "\u0301\u0316".repeat(50_000);
test.each(
  Object.entries({
    cleanLine,
    cleanText,
    cleanHtml,
    normalisePhone,
    foldSearchText,
    queryTerms,
    userKey: (text: string) => normaliseUserKey("Email", text),
  }),
)("%s normalizes no endless run of marks in quadratic time", (_name, normalise) => {
  expect(longestRunOfMarks(() => void normalise(MARKED))).toBeLessThanOrEqual(30);
});

test("combining marks of written languages stay", () => {
  const marked = "e\u0301 q\u0307\u0323 \u0e01\u0e33 नमस्ते";
  expect(cleanText(marked)).toBe(marked.normalize("NFC"));
});

test("comparing two long texts takes a bounded number of sentences and steps", () => {
  const lines = (word: string) => Array.from({ length: 50_000 }, (_, at) => `${word} ${at} 문장입니다.`);
  const changed = sentenceDifference(lines("앞"), lines("뒤"));
  expect(changed.length).toBeLessThanOrEqual(4000);
});
