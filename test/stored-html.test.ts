import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { decorateArticle, withSections } from "#app/features/file/article.server.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { highlightHtml } from "#worker/contract/board/search-terms.ts";
import { messageBodyHtml } from "#worker/contract/mail/message-html.ts";
import { withoutMissingPictures } from "#worker/domain/content/html-text.server.ts";
import { launchBrowser } from "./e2e/support/chromium.ts";
import { isFull } from "./support/sample.ts";

// Cleans and decorates generated texts, with `FULL=1` 100,000; Chromium parses each and checks that only allowed markup remains.
const ROUNDS = isFull ? 100 : 3;
const TEXTS = 1000;
const FILE = "0b0e7c1e-0000-4000-8000-000000000000";
const PICTURE = { fileId: FILE, width: 1500, height: 500 };

const SIGNS = ["$&", "$`", "$'", "$1", "$$", "$<a>", '"', "'", "`", "<", ">", "&", "&quot;", "&#34;", "&lt;", "&gt;"];
const TEXT_PARTS = [
  ...SIGNS,
  "&#x3c;script>",
  "&amp;lt;",
  "&nbsp;",
  "\u0000",
  "\u2028",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?x",
  "가나다",
  " ",
  "\n",
  "연락처",
  "2026. 12. 11.",
  "May 2026",
  "02-740-1234",
  "a@b.kr",
  "www.a.kr/$'",
  "010-1234-5678",
  'https://a.kr/"onload=1',
  "https://a.kr/?a=1&b='",
  " onmouseover=alert(1) x=",
  "javascript:alert(1)",
];
const VALUE_PARTS = [
  ...SIGNS,
  " ",
  "2",
  "100",
  "99999",
  "-1",
  "1e3",
  "0x2",
  "2 onclick=x",
  "50%",
  "row",
  "_self",
  "연락처",
  "javascript:alert(1)",
  "java&#9;script:x",
  " JaVaScRiPt:x",
  "data:text/html,x",
  "vbscript:x",
  "//evil.kr",
  "/\\evil",
  "https://a.kr/",
  "mailto:a@b.kr",
  "tel:02",
  "#a",
  "/board/a",
  `/api/file/${FILE}`,
  "/api/file/../x",
  "color:red",
  "color:#f00",
  "text-align:center",
  "position:fixed;inset:0",
  "background:url(x)",
  "width:expression(x)",
];
const TAGS = [
  ..."p br hr h1 h2 h3 h4 h5 strong b em i u s sub sup blockquote ul ol li a img code pre span div figure figcaption".split(
    " ",
  ),
  ..."table caption colgroup col thead tbody tfoot tr th td table tr th td td ul li li a img".split(" "),
  ..."script style svg math iframe object embed form input textarea title template noscript select option base meta".split(
    " ",
  ),
  ..."xmp plaintext noembed noframes foreignobject mi annotation-xml picture source video details summary marquee x-y".split(
    " ",
  ),
];
const ATTRIBUTES = [
  ..."style href src alt width height colspan rowspan scope span start rel target id class title onclick onerror".split(
    " ",
  ),
  ..."onmouseover data-head data-found role srcset srcdoc action formaction xlink:href is slot autofocus tabindex".split(
    " ",
  ),
];

/** Mulberry32: the same texts in each run. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const one = <T>(of: readonly T[]) => of[below(of.length)] as T;
  const many = (most: number, make: () => string) => Array.from({ length: below(most + 1) }, make).join("");
  return { below, one, many };
}
type Random = ReturnType<typeof randomFrom>;

const words = ({ one, many }: Random) => many(4, () => one(TEXT_PARTS));

function attribute(random: Random): string {
  const { one, many } = random;
  const value = many(3, () => one(VALUE_PARTS));
  return ` ${one(ATTRIBUTES)}${one([`="${value}"`, `='${value}'`, `=${value}`, "", `= "${value}`])}`;
}

const openTag = (random: Random, name: string) =>
  `<${name}${random.many(3, () => attribute(random))}${random.one([">", ">", ">", ">", "/>", "", " "])}`;

function markup(random: Random, depth: number): string {
  const { one, many, below } = random;
  if (depth === 0 || below(4) === 0) return words(random);
  if (below(6) === 0) return table(random, depth);
  const name = one(TAGS);
  const inner = many(3, () => markup(random, depth - 1));
  return openTag(random, name) + inner + one([`</${name}>`, `</${name}>`, `</${name}>`, "", `</${one(TAGS)}>`, "</"]);
}

function table(random: Random, depth: number): string {
  const { one, many } = random;
  const cell = (name: string) => `<${name}${many(2, () => attribute(random))}>${markup(random, depth - 1)}</${name}>`;
  const row = (name: string) => `<tr>${many(3, () => cell(name))}${one(["</tr>", ""])}`;
  const caption = one(["<caption>연락처</caption>", `<caption>${words(random)}</caption>`, ""]);
  return `${openTag(random, "table")}${caption}${row("th")}${many(2, () => row("td"))}${one(["</table>", "</table>", ""])}`;
}

interface Shown {
  kind: "article" | "hits" | "mail";
  html: string;
}

function shown(random: Random, text: string): Shown[] {
  const { one, below } = random;
  const cleaned = cleanHtml(text);
  const pictures = one([[], [{ ...PICTURE, isAnimated: false }], [{ ...PICTURE, isAnimated: true }]]);
  const options = {
    language: one(["ko", "en"] as const),
    look: one([undefined, "chart", "steps", "timeline"] as const),
  };
  const article = below(2)
    ? decorateArticle(cleaned, { ...options, pictures })
    : withSections({ content: cleaned, pictures }, options).content;
  const outcome: Shown[] = [{ kind: "article", html: article }];
  if (below(20) > 0) return outcome;
  return [
    ...outcome,
    { kind: "article", html: withoutMissingPictures(text, new Set()).html },
    { kind: "hits", html: highlightHtml(text, [one(SIGNS), "가나다", "a"]) },
    { kind: "mail", html: messageBodyHtml({ subject: words(random), text, origin: "https://a.kr" }) },
  ];
}

/** Runs in Chromium, whose parser is independent of the cleaner's. */
function faultsOf(texts: Shown[]): string[] {
  const INLINE_STYLE = /^(?:(?:color|background-color|text-align):[^;:()]*(?:rgb\([\d, ]*\))?;?)*$/;
  const link = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/;
  const picture = /^\/api\/file\/[0-9a-f-]{36}(?:\?thumbnail=true&width=\d+)?$/;
  const anyText = /^/;
  const number = /^[1-9]\d{0,2}$/;
  const length = /^\d{1,5}%?$/;
  const cell = { colspan: number, rowspan: number, "data-head": anyText };
  const own: Record<string, Record<string, RegExp>> = {
    a: { href: link, rel: /^noopener noreferrer nofollow$/, target: /^_blank$/, title: anyText, "data-found": /^$/ },
    img: {
      src: picture,
      alt: anyText,
      width: length,
      height: length,
      loading: /^lazy$/,
      decoding: /^async$/,
      sizes: anyText,
    },
    source: { media: /^\(prefers-reduced-motion:reduce\)$/, srcset: picture },
    th: { ...cell, scope: /^(?:row|col)(?:group)?$/ },
    td: cell,
    col: { span: number },
    colgroup: { span: number },
    ol: { start: /^-?\d{1,5}$/ },
    h2: { id: /^section-\d+$/ },
    div: { class: /^(?:table-frame(?: contacts| timeline)?|node)$/, "aria-label": anyText, tabindex: /^0$/ },
  };
  const tags =
    "p br hr h2 h3 h4 strong b em i u s sub sup blockquote ul ol li a img table caption colgroup col thead tbody tfoot tr th td code pre span div figure figcaption picture source".split(
      " ",
    );
  const allowed = {
    article: new Set(tags),
    hits: new Set(["mark"]),
    mail: new Set([
      "div",
      "p",
      "a",
      "br",
      "table",
      "tbody",
      "tr",
      "td",
      "h1",
      "h2",
      "hr",
      "span",
      "strong",
      "ul",
      "li",
    ]),
  };
  const isAllowed = (kind: Shown["kind"], element: Element, { name, value }: Attr) => {
    if (kind === "hits") return false;
    if (name === "style") return kind === "mail" || INLINE_STYLE.test(value);
    if (kind === "mail")
      return name === "href" ? link.test(value) : /^(?:role|cellpadding|cellspacing|width|lang|class)$/.test(name);
    if (name === "role") return /^(?:region|table|row|cell|columnheader|list)$/.test(value);
    if (name === "srcset" && element.localName === "img")
      return value.split(", ").every((each) => picture.test(each.split(" ")[0] ?? ""));
    return own[element.localName]?.[name]?.test(value) ?? false;
  };
  return texts.flatMap(({ kind, html }) => {
    const { body } = new DOMParser().parseFromString(`<body><main>${html}</main><footer></footer>`, "text/html");
    const faults =
      [...body.children].map(({ localName }) => localName).join(" ") === "main footer" ? [] : ["leaves its place"];
    for (const element of body.querySelectorAll("main *")) {
      if (!allowed[kind].has(element.localName)) faults.push(`<${element.localName}>`);
      for (const each of element.attributes)
        if (!isAllowed(kind, element, each)) faults.push(`<${element.localName} ${each.name}="${each.value}">`);
    }
    return faults.length > 0 ? [`${kind}: ${faults.join(", ")} in ${html}`] : [];
  });
}

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage({ javaScriptEnabled: true });
});
afterAll(() => browser.close());

test("a table header cannot become an attribute of its cells", async () => {
  const html = `<table><caption>연락처</caption><tr><th>$'</th></tr><tr><td colspan=' onmouseover=alert(1) style=position:fixed;inset:0 x='>값</td></tr></table>`;
  expect(cleanHtml(html)).toContain("<td>값</td>");
  // Imitates a text stored before these values were cleaned.
  const stored = html.replaceAll(/colspan='([^']*)'/g, (_whole, value: string) => `colspan="${value}"`);
  const decorated = decorateArticle(stored);
  const attributes = await page.evaluate(
    (text) =>
      [...(new DOMParser().parseFromString(text, "text/html").querySelector("td")?.attributes ?? [])].map(
        ({ name }) => name,
      ),
    decorated,
  );
  expect(attributes).toEqual(["colspan", "role", "data-head"]);
});

test("cleaning never adds a forbidden tag", { tags: "sampled" }, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const random = randomFrom(round);
    const texts = Array.from({ length: TEXTS }, () => random.many(2, () => markup(random, 2)));
    const faults = await page.evaluate(
      faultsOf,
      texts.flatMap((text) => shown(random, text)),
    );
    expect(faults, `seed ${round}`).toEqual([]);
  }
});
