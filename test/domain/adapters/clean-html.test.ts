import { expect, test, vi } from "vitest";
import { cleanHtml, HTML_LIMITS } from "#worker/adapters/clean-html.server.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { isBlankHtml, htmlLines } from "#worker/domain/kernel/html-text.server.ts";
import { cleanLine, cleanText } from "#worker/contract/kernel/text.ts";
import { normalisePhone, normaliseUserKey } from "#worker/contract/account/rules.ts";
import { foldSearchText, queryTerms } from "#worker/contract/board/search-terms.ts";
import { sentenceDifference } from "#worker/domain/kernel/sentence-difference.ts";

const ID = "0b6c1f3e-8f0a-4c5d-9d3e-2a7b1c4d5e6f";

const KEPT = [
  "<p>본문 <strong>굵게</strong> <u>밑줄</u> <s>취소</s> <em>강조</em> H<sub>2</sub>O 10<sup>3</sup></p>",
  '<p style="text-align:center">가운데</p>',
  '<h2 style="text-align:right">제목</h2><h3>작은 제목</h3><h4>더 작은 제목</h4>',
  '<p><span style="color:#a61d24">빨강</span> <span style="background-color:#ffebb8">노랑</span></p>',
  '<p><span style="color:rgb(1, 2, 3)">옛 색</span></p>',
  "<ul><li><p>하나</p><ul><li><p>안</p></li></ul></li></ul>",
  '<ol start="3"><li><p>셋</p></li></ol>',
  "<blockquote><p>인용</p></blockquote><hr /><pre><code>a &lt; b</code></pre>",
  `<p><img src="/api/file/${ID}" alt="약도" width="320" height="200" /></p>`,
  '<p><a href="https://pid.example.kr/a?b=1&amp;c=2" rel="noopener noreferrer nofollow" target="_blank">밖</a></p>',
  '<p><a href="/board/notice/List/" rel="noopener noreferrer nofollow">안</a></p>',
  '<p><a href="mailto:office@pid.example.kr" rel="noopener noreferrer nofollow">우편</a></p>',
  '<table><caption>일정표</caption><tbody><tr><th scope="col">때</th><th scope="col">곳</th></tr><tr><td colspan="2" rowspan="1" style="background-color:#d6eedf">두 칸</td></tr></tbody></table>',
  `<figure><p><img src="/api/file/${ID}" alt="" /></p><figcaption>그림 1</figcaption></figure>`,
  "<p>줄<br />바꿈</p><div>옛 글</div>",
];

// One test for all documents, because each test creates its own database.
test("editor output is stored unchanged", () => {
  for (const html of KEPT) expect(cleanHtml(html)).toBe(html);
});

const NOT_KEPT: [html: string, cleaned: string][] = [
  ["<h1>큰 제목</h1><h5>작은 제목</h5>", "<h2>큰 제목</h2><h4>작은 제목</h4>"],
  ['<p class="x" id="y" onclick="a()" data-z="1">글</p>', "<p>글</p>"],
  ['<p style="position:fixed;color:#111111;font-size:90px">글</p>', '<p style="color:#111111">글</p>'],
  ['<img src="https://evil.example/a.png" alt="x">', ""],
  ['<img src="data:image/png;base64,AAAA">', ""],
  [`<img src="/api/file/${ID}?x=1">`, ""],
  ['<img src="file:///C:/a.png">', ""],
  ['<a href="javascript:alert(1)">글</a>', "<a>글</a>"],
  ['<a href="java\tscript:alert(1)">글</a>', "<a>글</a>"],
  ['<a href="//evil.example">글</a>', "<a>글</a>"],
  ['<a href="/\\evil.example">글</a>', "<a>글</a>"],
  ['<a href="http://[">글</a>', "<a>글</a>"],
  ['<a href="/..//evil.example">글</a>', "<a>글</a>"],
  ['<a href="/.//evil.example">글</a>', "<a>글</a>"],
  ["<a><mtext><a>글</a></mtext></a>", "<a></a><a>글</a>"],
  ["<p><math><hr>글</math></p>", "<p></p><hr />글<p></p>"],
  ["<tr><math><tr><td>글</td></tr></math></tr>", "<tr></tr><tr><td>글</td></tr>"],
  ["<iframe src=/></iframe><object></object><embed>", ""],
  ["<form action=/x><input name=a><button>보내기</button></form>", "보내기"],
  ["<style>p{color:red}</style><script>alert(1)</script>글", "글"],
  ['<svg onload="alert(1)"><a xlink:href="javascript:alert(1)"><text>글</text></a></svg>', "<a>글</a>"],
  ["<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", "<table></table>"],
];
test("a disallowed element leaves only its text", () => {
  for (const [html, cleaned] of NOT_KEPT) expect(cleanHtml(html), html).toBe(cleaned);
});

const ATTACKS = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.example></sCrIpT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  '<img """><script>alert(1)</script>">',
  `<img src="/api/file/${ID}" onload=alert(1) style="background:url(javascript:alert(1))">`,
  '<img src="/api/file/../../evil">',
  `<img src="/api/file/${ID}" srcset="https://evil.example/a 1x">`,
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><use href='data:image/svg+xml,<svg id=x onload=alert(1)>#x'/></svg>",
  "<math href='javascript:alert(1)'>x</math>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<textarea><img title='</textarea><img src onerror=alert(1)>'>",
  "<style><img title='</style><img src onerror=alert(1)>'></style>",
  "<xmp><p title='</xmp><svg/onload=alert(1)>'>",
  "<template><img src=x onerror=alert(1)></template>",
  "<a href='&#106;avascript:alert(1)'>x</a>",
  "<a href='&#x6A;&#x61;vascript&colon;alert(1)'>x</a>",
  "<a href=' \u0001javascript:alert(1)'>x</a>",
  "<a href='jAvAsCrIpT\n:alert(1)'>x</a>",
  "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
  "<a href='vbscript:msgbox(1)'>x</a>",
  "<a href='https://pid.example.kr' target='_top' rel='opener' onmouseover=alert(1)>x</a>",
  "<p style='color:expression(alert(1))'>x</p>",
  "<p style='background-color:url(https://evil.example)'>x</p>",
  "<p style='text-align:center;}</style><script>alert(1)</script>'>x</p>",
  '<p style="color:#fff\\0022 onclick=alert(1)">x</p>',
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data='javascript:alert(1)'></object>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<base href='https://evil.example/'><link rel=stylesheet href=//evil.example>",
  "<body onload=alert(1)>x",
  "<details open ontoggle=alert(1)>x</details>",
  "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
  "<input autofocus onfocus=alert(1)><select autofocus onfocus=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<form><button formaction=javascript:alert(1)>x</button></form>",
  "<table background='javascript:alert(1)'><tr><td background='javascript:alert(1)'>x</td></tr></table>",
  "<td colspan='1\" onclick=\"alert(1)'>x</td>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml-stylesheet href='javascript:alert(1)'?>",
  "<p/onclick=alert(1)>x",
  "<p\u0000onclick=alert(1)>x</p>",
  "<a href=x onclick\u000b=alert(1)>x</a>",
  "<custom-element onclick=alert(1)>x</custom-element>",
  `<p>${"<b>".repeat(500)}</p>`,
  "&lt;script&gt;alert(1)&lt;/script&gt;",
];

const TAGS =
  /^(?:p|br|hr|h[234]|strong|b|em|i|u|s|sub|sup|blockquote|ul|ol|li|a|img|table|caption|colgroup|col|thead|tbody|tfoot|tr|th|td|code|pre|span|div|figure|figcaption)$/;
const VALUES: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^"<>]*$/i,
  rel: /^noopener noreferrer nofollow$/,
  target: /^_blank$/,
  src: /^\/api\/file\/[0-9a-f-]{36}$/,
  alt: /^[^"<>]*$/,
  width: /^\d+$/,
  height: /^\d+$/,
  colspan: /^[^"<>]*$/,
  rowspan: /^[^"<>]*$/,
  scope: /^[^"<>]*$/,
  start: /^[^"<>]*$/,
  span: /^[^"<>]*$/,
  style: /^(?:(?:color|background-color):(?:#[0-9a-f]{3,6}|rgb\([\d, ]+\))|text-align:[a-z]+)(?:;|$)/i,
};

test("a document with an attack keeps only allowed markup", () => {
  for (const html of ATTACKS) {
    const cleaned = cleanHtml(html);
    // The cleaner serializes itself, so every "<" begins a tag and every value is quoted.
    for (const [, name = "", attributes = ""] of cleaned.matchAll(/<\/?([^\s/>]*)([^>]*)>/g)) {
      expect(name, html).toMatch(TAGS);
      const rest = attributes.replace(/\s([a-z-]+)="([^"]*)"/g, (_all, attribute: string, value: string) => {
        expect(VALUES[attribute], `${attribute} in ${html}`).toBeDefined();
        expect(value, html).toMatch(VALUES[attribute] ?? /^$/);
        return "";
      });
      expect(rest.trim(), html).toMatch(/^\/?$/);
    }
    expect(cleaned.replace(/<\/?[a-z][^<>]*>/g, ""), html).not.toMatch(/[<>]/);
  }
});

test("cleaning a clean document changes nothing", () => {
  for (const html of [...KEPT, ...NOT_KEPT.map(([given]) => given), ...ATTACKS]) {
    const once = cleanHtml(html);
    expect(cleanHtml(once), html).toBe(once);
  }
});

test("control characters in any notation are removed", () => {
  expect(cleanHtml("<p>\u0000가\u0008\u009f&#0;&#x1F;\ufffe나\n</p>")).toMatch(/^<p>가\ufffd?나\n<\/p>$/);
  expect(cleanHtml("<p>\ud800가😀</p>")).toBe("<p>\ufffd가😀</p>");
});

test("decomposed Hangul is composed", () => {
  expect(cleanHtml(`<p>${"한글".normalize("NFD")}</p>`)).toBe("<p>한글</p>");
});

test("a text without words or pictures is blank", () => {
  expect(
    isBlankHtml(cleanHtml("<p>&nbsp; </p><ul><li><p></p></li></ul><table><tbody><tr><td></td></tr></tbody></table>")),
  ).toBe(true);
  expect(isBlankHtml(cleanHtml(`<p><img src="/api/file/${ID}" alt=""></p>`))).toBe(false);
  expect(imageFileIds(cleanHtml(`<p><img src="/api/file/${ID}"><img src="/api/file/${ID}"></p>`))).toEqual([ID]);
});

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

test("a long text with a large table is cleaned as usual", () => {
  const row = `<tr>${"<td><p>칸</p></td>".repeat(10)}</tr>`;
  const html = `${"<p>문장입니다.</p>".repeat(5000)}<table><tbody>${row.repeat(500)}</tbody></table>`;
  expect(cleanHtml(html)).toBe(html);
});

test("unclosed elements do not count as nested", () => {
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

test("comparing two long texts takes a bounded number of steps", () => {
  const lines = (word: string) => Array.from({ length: 50_000 }, (_, at) => `${word} ${at} 문장입니다.`);
  const changed = sentenceDifference(lines("앞"), lines("뒤"));
  expect(changed.length).toBeLessThanOrEqual(4000);
});
