import { expect, test } from "vitest";
import { decorateArticle } from "#app/features/file/article.server.ts";
import { findTextLinks } from "#app/ui/linked-text.tsx";

const linked = (text: string) =>
  findTextLinks(text).map(({ start, end, href }) => `${text.slice(start, end)} → ${href}`);

test.for([
  ["전화 02-740-1234로 문의", ["02-740-1234 → tel:027401234"]],
  ["010-1234-5678, 1588-0000", ["010-1234-5678 → tel:01012345678", "1588-0000 → tel:15880000"]],
  [
    "(02) 740-1234 / 02)740-1234 / 02.740.1234",
    ["(02) 740-1234 → tel:027401234", "02)740-1234 → tel:027401234", "02.740.1234 → tel:027401234"],
  ],
  ["+82-2-740-1234", ["+82-2-740-1234 → tel:+8227401234"]],
  ["053-200-5114~6", ["053-200-5114 → tel:0532005114"]],
  ["문의: office@example.or.kr.", ["office@example.or.kr → mailto:office@example.or.kr"]],
  ["<a.b+c@mail.example.com>으로", ["a.b+c@mail.example.com → mailto:a.b+c@mail.example.com"]],
  [
    "https://example.or.kr/a?b=1&amp;c=2에서",
    ["https://example.or.kr/a?b=1&amp;c=2 → https://example.or.kr/a?b=1&amp;c=2"],
  ],
  ["(www.example.kr)", ["www.example.kr → https://www.example.kr"]],
  ["https://example.org/a_(b).", ["https://example.org/a_(b) → https://example.org/a_(b)"]],
  ["https://example.kr/010-1234-5678", ["https://example.kr/010-1234-5678 → https://example.kr/010-1234-5678"]],
  ["2026-11-21 10:00, 제2026-0123-4567호, 1,234건, a@b, http://, 12-34", []],
  ["https://a.kr&lt;b&gt;", ["https://a.kr → https://a.kr"]],
] as const)("%s", ([text, links]) => {
  expect(linked(text)).toEqual(links);
});

test("takes time linear in the text, even with repetitions", () => {
  for (const sign of ["a@", "02-", "www.", "https://", ")", "010-1234-", "http://a.b(", "&lt;", "<a", "@.", "1"]) {
    const text = sign.repeat(400_000 / sign.length);
    const started = performance.now();
    findTextLinks(text);
    decorateArticle(`<p>${text}</p>`);
    expect(performance.now() - started, sign).toBeLessThan(2_000);
  }
});

test("links are made only in text, not in a link, code or a tag", () => {
  expect(
    decorateArticle('<p><a href="tel:02">02-740-1234</a> <code>a@b.kr</code> <strong>02-740-1234</strong></p>'),
  ).toBe(
    '<p><a href="tel:02">02-740-1234</a> <code>a@b.kr</code> <strong><a href="tel:027401234" data-found="">02-740-1234</a></strong></p>',
  );
  expect(decorateArticle("<p>www.example.kr</p>")).toBe(
    '<p><a href="https://www.example.kr" data-found="" title="새 창 열림" rel="noopener noreferrer nofollow" target="_blank">www.example.kr</a></p>',
  );
});

test("tables are named by their caption, the heading above or their number", () => {
  const names = (html: string) => [...decorateArticle(html).matchAll(/aria-label="([^"]*)"/g)].map((found) => found[1]);
  expect(names("<table><caption>설명회 일정</caption><tr><td>a</td></tr></table>")).toEqual(["설명회 일정"]);
  expect(
    names("<table><tr><td>a</td></tr></table><h2>모집 <strong>인원</strong></h2><table><tr><td>a</td></tr></table>"),
  ).toEqual(["표 1", "모집 인원 표"]);
  expect(names('<h2>"A" &amp; B</h2><table></table>')).toEqual(["&quot;A&quot; &amp; B 표"]);
});

test("a table of contacts shows a card for each row, with labelled values and callable numbers", () => {
  const row = (tag: string, ...texts: string[]) =>
    `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
  const table = (caption: string) =>
    `<table><caption>${caption}</caption><tbody>${row("th", "부서", "전화 &amp; 팩스")}${row("td", "사무국", "02-740-1234")}</tbody></table>`;
  const cards = decorateArticle(table("연락처"));
  expect(cards).toContain('<div class="table-frame contacts"><table role="table">');
  expect(cards).toContain('<td role="cell" data-head="부서">사무국</td>');
  expect(cards).toContain('<td role="cell" data-head="전화 &amp; 팩스"><a href="tel:027401234" data-found="">');
  expect(decorateArticle(table("연락처 변경"))).not.toMatch(/contacts|data-head/);
  expect(decorateArticle(table("연락처") + table("일정")).split("data-head")).toHaveLength(3);
});
