import { expect, test } from "vitest";
import { picturePaths, rewriteAddresses } from "#worker/domain/moving/old-link.server.ts";

const OLD = "https://old.example.kr";
const idOf = (path: string) => (path.endsWith("none.png") ? null : "the-id");

const PICTURES: [html: string, paths: string[]][] = [
  [`<img src="/data/editor/1601/그림.png">`, ["data/editor/1601/그림.png"]],
  [`<IMG alt=x SRC='../data/editor/a.png'>`, ["data/editor/a.png"]],
  [`<img\n  width=3 src = data/file/free/b.gif />`, ["data/file/free/b.gif"]],
  [`<img src="${OLD}/files/attach/images/1/2/c.jpg?x=1#y">`, ["files/attach/images/1/2/c.jpg"]],
  [`<img src="/data/editor/a.png"><img src='/data/editor/a.png'>`, ["data/editor/a.png"]],
  [`<img data-src="/data/editor/lazy.png" src="/data/editor/now.png">`, ["data/editor/lazy.png"]],
  [`<img src="" src="/data/editor/second.png">`, []],
  [`<img src= src="/data/editor/second.png">`, []],
  [`<image src="/data/editor/a.png"><imgx src="/data/editor/a.png">`, []],
  [`<img src="/data/editor/a.png"`, []],
  [`<img src="/data/editor/a.png" <b>`, []],
  [`<img src="/data/editor/a.png>`, []],
  [`<img src="https://other.example/picture.png">`, []],
  [`<img src="/data/editor/../../../etc/passwd">`, []],
  [`<p>src="/data/editor/a.png"</p>`, []],
];

test.each(PICTURES)("%s shows what it shows", (html, paths) => {
  expect(picturePaths(html, OLD)).toEqual(paths);
});

const REWRITTEN: [html: string, rewritten: string][] = [
  [
    `<p>a<img alt="꽃 &amp; 나무" src="/data/editor/a.png" onerror=x>b</p>`,
    `<p>a<img src="/api/file/the-id" alt="꽃 &amp; 나무">b</p>`,
  ],
  [`<img src="/data/editor/a.png" alt='그"림'>`, `<img src="/api/file/the-id" alt="그&quot;림">`],
  [`a<img src="/data/editor/none.png">b<img src=x>c`, "abc"],
  [
    `<a href="${OLD}/bbs/board.php?bo_table=free&amp;wr_id=2">둘</a>`,
    `<a href="/bbs/board.php?bo_table=free&amp;wr_id=2">둘</a>`,
  ],
  [
    `<A class=b HREF = './board.php?bo_table=free&wr_id=2' target=_blank>둘</A>`,
    `<A class=b HREF = "/bbs/board.php?bo_table=free&amp;wr_id=2" target=_blank>둘</A>`,
  ],
  [`<a href=../free/3>셋</a>`, `<a href="/free/3">셋</a>`],
  [
    `<a href="/free/3" title="x">셋</a><a href="https://other.example/">밖</a>`,
    `<a href="/free/3" title="x">셋</a><a href="https://other.example/">밖</a>`,
  ],
  [`<a title="a > b" href="../free/3">셋</a>`, `<a title="a > b" href="../free/3">셋</a>`],
  [`<a href="../x?<b>=1">꺾쇠</a>`, `<a href="/x?&lt;b&gt;=1">꺾쇠</a>`],
  [`<a href="../x?<a href='../y'>">안</a>`, `<a href="/x?&lt;a href='../y'&gt;">안</a>`],
  [`<a href="끝 없는 따옴표>글</a>`, `<a href="끝 없는 따옴표>글</a>`],
  [
    `<a href>없음</a><a href=>빈</a><abbr href="../x">약</abbr>`,
    `<a href>없음</a><a href=>빈</a><abbr href="../x">약</abbr>`,
  ],
  [`<a data-href="../x" href="../y">둘</a>`, `<a data-href="/x" href="../y">둘</a>`],
];

test.each(REWRITTEN)("%s becomes what leads on", (html, rewritten) => {
  expect(rewriteAddresses(html, OLD, idOf)).toBe(rewritten);
});

const PIECES = [
  "<a ",
  "<img ",
  `<a href="`,
  "<a href='",
  `<img src="`,
  "src=",
  "href =",
  "<a href= ",
  "\n \t",
  "<",
  `"'`,
];

test.each(PIECES)("a text that repeats %j thirty thousand times is read once", (piece) => {
  const html = piece.repeat(30_000);
  expect(picturePaths(html, OLD)).toEqual([]);
  expect(rewriteAddresses(html, OLD, idOf).length).toBeGreaterThan(0);
});
