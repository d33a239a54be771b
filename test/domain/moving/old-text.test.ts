import { expect, test } from "vitest";
import {
  noFindings,
  oldDate,
  oldHtml,
  oldLine,
  oldPlainText,
  repairMisread,
} from "#worker/domain/moving/old-text.server.ts";
import { type OldPiece, parseOldBody, videoAddress } from "#worker/domain/moving/old-body.server.ts";
import { isOutside, localAddress, oldFilePaths } from "#worker/domain/moving/old-file.server.ts";

const latin = (bytes: Uint8Array | number[]) => [...bytes].map((byte) => String.fromCharCode(byte)).join("");
const utf8 = (text: string) => new TextEncoder().encode(text);
const EUC_KR = [0xb0, 0xa1, 0xb3, 0xaa, 0xb4, 0xd9, 0x20, 0xc7, 0xd1, 0xb1, 0xdb];

test("Korean misread as Latin letters is restored", () => {
  expect(repairMisread(latin(utf8("가나다 한글")))).toBe("가나다 한글");
  expect(repairMisread(latin(EUC_KR))).toBe("가나다 한글");
  // 0x80 to 0x9f as Windows-1252 shows them: '안' is EC 95 88.
  expect(repairMisread("ì•ˆë…•í•˜ì„¸ìš”")).toBe("안녕하세요");
});

test.each([
  "가나다",
  "Café à la carte, Ärzte für Öl",
  "5 ± 0.3 µg/m² – “quoted” …",
  "Ω ≤ 3 日本語",
  "plain",
  "",
  latin([0xc3, 0x28, 0xb0, 0xa1]),
])("text that is not misread Korean stays unchanged: %s", (text) => {
  expect(repairMisread(text)).toBeNull();
});

test("an irreparable text is distinguished from a repaired one", () => {
  const [repaired, broken, sound] = [noFindings(), noFindings(), noFindings()];
  expect(oldLine(latin(EUC_KR), repaired, 100)).toBe("가나다 한글");
  expect(oldPlainText("회의\ufffd록", broken)).toBe("회의\ufffd록");
  expect(oldHtml("<p>회의록</p>", sound)).toBe("<p>회의록</p>");
  expect([repaired, broken, sound].map(({ isRepaired, isBroken }) => [isRepaired, isBroken])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test.each([
  ["줄 하나\n줄 둘\n\n문단", "<p>줄 하나<br>줄 둘</p><p>문단</p>"],
  ["a < b &lt;p&gt;", "<p>a &lt; b &lt;p&gt;</p>"],
  ["<pq>이름</pq>", "<p>&lt;pq&gt;이름&lt;/pq&gt;</p>"],
  ["<b>굵게</b>\n다음 줄", "<b>굵게</b><br>다음 줄"],
  ["<P>문단</P>\n<P>문단</P>", "<P>문단</P>\n<P>문단</P>"],
  ["앞</h3>뒤", "앞</h3>뒤"],
  ["<b 끝이 없음", "<p>&lt;b 끝이 없음</p>"],
])("%j is plain or HTML by its tags", (text, html) => {
  expect(oldHtml(text, noFindings())).toBe(html);
});

test.each([
  ["20160504030201", "Asia/Seoul", "2016-05-03T18:02:01.000Z"],
  ["20160504030201", "UTC", "2016-05-04T03:02:01.000Z"],
  ["20160704030201", "Europe/Berlin", "2016-07-04T01:02:01.000Z"],
  ["20160504030201", "Nowhere/Land", "2016-05-03T18:02:01.000Z"],
  ["19000101000000", "Asia/Seoul", undefined],
  ["20991231235959", "Asia/Seoul", undefined],
  ["20230229000000", "Asia/Seoul", undefined],
  ["20230228240000", "Asia/Seoul", undefined],
  ["2016-05-04", "Asia/Seoul", undefined],
])("%s in %s is %s", (value, zone, iso) => {
  expect(oldDate(value, zone, new Date("2026-11-22T00:00:00Z"))?.toISOString()).toBe(iso);
});

const OLD = "https://old.example.kr";
const elementsOf = (pieces: OldPiece[] | null) =>
  (pieces ?? []).flatMap((piece) => {
    if (typeof piece === "string" || piece.kind === "link-end") return [];
    if (piece.kind === "gallery") return [`gallery ${piece.ids?.join() ?? "all"}`];
    const where = "addresses" in piece ? piece.addresses.join(" ") : piece.address;
    return [`${piece.kind}${"tag" in piece ? ` ${piece.tag}` : ""} ${where}`];
  });
const textOf = (pieces: OldPiece[] | null) => (pieces ?? []).filter((piece) => typeof piece === "string").join("");

const PATHS: [address: string, paths: string[]][] = [
  ["/data/editor/1601/그림.png", ["data/editor/1601/그림.png"]],
  ["../data/editor/a.png", ["data/editor/a.png"]],
  ["/data/editor/%EA%B7%B8%EB%A6%BC.png", ["data/editor/그림.png"]],
  [`/data/editor/${encodeURIComponent("그림.png".normalize("NFD"))}`, ["data/editor/그림.png"]],
  [`${OLD}/files/attach/images/1/2/c.jpg?x=1#y`, ["files/attach/images/1/2/c.jpg"]],
  ["http://www.old.example.kr/wp-content/uploads/2024/05/a.jpg", ["wp-content/uploads/2024/05/a.jpg"]],
  ["//old.example.kr/blog/wp-content/uploads/2024/05/a.jpg", ["wp-content/uploads/2024/05/a.jpg"]],
  [
    "/wp-content/uploads/a-300x200.jpg",
    ["wp-content/uploads/a-300x200.jpg", "wp-content/uploads/a.jpg", "wp-content/uploads/a-scaled.jpg"],
  ],
  ["/data/editor/1601/thumb-a_600x400.png", ["data/editor/1601/thumb-a_600x400.png", "data/editor/1601/a.png"]],
  ["/storage/app/public/media/public/a.png", ["storage/app/public/media/public/a.png"]],
  ["https://other.example/wp-content/uploads/a.png", ["wp-content/uploads/a.png"]],
  ["https://other.example/data/notice/a.png", []],
  ["https://other.example/picture.png", []],
  ["file:///C:/a.png", []],
  ["data:image/png;base64,AAAA", []],
  ["/data/editor/../../../etc/passwd", []],
];

test.each(PATHS)("%s is sought at %j", (address, paths) => {
  expect(oldFilePaths(address, OLD).filter((path) => !path.includes("-scaled") || paths.includes(path))).toEqual(paths);
});

test("an address is external by its host, in any scheme", () => {
  expect(
    ["http://www.old.example.kr/x", "//OLD.example.kr", "/x", "x.png"].map((each) => isOutside(each, OLD)),
  ).toEqual([false, false, false, false]);
  expect(["https://other.example/x", "//old.example"].map((each) => isOutside(each, OLD))).toEqual([true, true]);
});

test.each([
  [`${OLD}/bbs/board.php?bo_table=free&wr_id=2`, "/bbs/board.php?bo_table=free&wr_id=2"],
  ["http://www.old.example.kr/free/3", "/free/3"],
  ["./board.php?bo_table=free&wr_id=2", "/bbs/board.php?bo_table=free&wr_id=2"],
  ["../free/3", "/free/3"],
  ["https://other.example/", "https://other.example/"],
  ["//other.example/x", "https://other.example/x"],
  ["www.example.com/x", "http://www.example.com/x"],
])("the link %s leads to %s", (address, local) => {
  expect(localAddress(address, OLD)).toBe(local);
});

test.each([
  ["https://www.youtube.com/embed/abcdEFGHijk?rel=0", "https://www.youtube.com/watch?v=abcdEFGHijk"],
  ["//www.youtube-nocookie.com/embed/abcdEFGHijk?start=30", "https://www.youtube.com/watch?v=abcdEFGHijk&t=30"],
  ["http://youtu.be/abcdEFGHijk", "https://www.youtube.com/watch?v=abcdEFGHijk"],
  ["https://m.youtube.com/watch?app=desktop&amp;v=abcdEFGHijk", "https://www.youtube.com/watch?v=abcdEFGHijk"],
  ["http://www.youtube.com/v/abcdEFGHijk?fs=1", "https://www.youtube.com/watch?v=abcdEFGHijk"],
  ["https://youtube.com/shorts/abcdEFGHijk", "https://www.youtube.com/watch?v=abcdEFGHijk"],
  ["https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"],
  ["https://player.vimeo.com/video/76979871?h=8272103f6e", "https://vimeo.com/76979871/8272103f6e"],
  ["https://vimeo.com/76979871", "https://vimeo.com/76979871"],
  ["https://tv.naver.com/embed/123?autoPlay=true", "https://tv.naver.com/v/123"],
  ["https://play-tv.kakao.com/embed/player/cliplink/456?service=x", "https://tv.kakao.com/v/456"],
  ["https://tv.kakao.com/channel/1/cliplink/456", "https://tv.kakao.com/v/456"],
  ["https://www.youtube.com/", null],
  ["https://constructor/embed/1", null],
  ["https://evil.example/youtube.com/embed/abc", null],
  ["javascript:alert(1)", null],
])("%s is linked to %s", (address, page) => {
  expect(videoAddress(address)).toBe(page);
});

const YOUTUBE = "https://www.youtube.com/embed/abcdEFGHijk";
const WATCH = "https://www.youtube.com/watch?v=abcdEFGHijk";

const ELEMENTS: [html: string, elements: string[], text?: string][] = [
  [`<p>앞<iframe src="${YOUTUBE}">없음</iframe>뒤</p>`, [`media iframe ${WATCH}`], "<p>앞뒤</p>"],
  [
    `<object data="x"><param name="movie" value="${YOUTUBE}"><embed src="${YOUTUBE}"></object>`,
    [`media object x ${WATCH}`],
  ],
  [
    `<video src="a.mp4"><source src="a.webm">안 보이면 <a href="/b">이것</a></video>`,
    ["media video a.mp4 a.webm", "link /b"],
  ],
  ["<video>끝나지 않는 글", ["dropped video "], "끝나지 않는 글"],
  [`<embed src="/data/a.swf"><audio src=/data/a.mp3></audio>`, ["media embed /data/a.swf", "media audio /data/a.mp3"]],
  [`<img editor_component="multimedia_link" multimedia_src="${YOUTUBE}">`, [`media img ${YOUTUBE}`]],
  [`<img editor_component="image_gallery" images_list="./a.png ./b.png">`, ["picture ./a.png", "picture ./b.png"]],
  [`<img editor_component="poll_maker" poll_srl="3">`, ["dropped img(poll_maker) "]],
  [`<img data-src="/lazy.png" src="/blank.gif">`, ["picture /lazy.png /blank.gif"]],
  [`<img src="/a.png" srcset="/a-300x200.png 300w, /a.png 600w">`, ["picture /a.png /a-300x200.png"]],
  [
    `<noscript><img src="/b.png"></noscript><img src="/a.png"><noscript><img src="/a.png"></noscript>`,
    ["picture /b.png", "picture /a.png"],
  ],
  ["<img alt=그림>", ["dropped img 그림"]],
  [`<td background="/b.png">칸</td>`, ["dropped 배경 그림 /b.png"]],
  [`<p style="background:url('/b.png')">글</p>`, ["dropped 배경 그림 /b.png"]],
  [
    `<form action="/x"><input name=a value=신청><select name=s><option>하나</select><button>확인</button></form>`,
    ["dropped form /x", "dropped input 신청", "dropped select s", "dropped button "],
    "확인",
  ],
  [
    `<script src="https://a/x.js">a<b</script><style>p{}</style><svg><text>글</text><image href=x></svg>뒤`,
    ["dropped script https://a/x.js", "dropped style ", "dropped svg "],
    "뒤",
  ],
  ["<a href='/x'>글</a><a name=y>자리</a>", ["link /x", "link "], "글자리"],
  [
    `동영상: https://youtu.be/abc. 그리고 https://example.kr/x`,
    ["media url https://youtu.be/abc"],
    "동영상: . 그리고 https://example.kr/x",
  ],
  ["<a href='/x'>https://youtu.be/abc</a>", ["link /x"], "https://youtu.be/abc"],
  ['[gallery ids="1"] <이름> a < b', [], "[gallery ids=&quot;1&quot;] &lt;이름&gt; a &lt; b"],
];

test.each(ELEMENTS)("%s has the elements %j", (html, elements, text) => {
  const pieces = parseOldBody(html, false);
  expect(elementsOf(pieces)).toEqual(elements);
  if (text !== undefined) expect(textOf(pieces)).toBe(text);
});

const WORDPRESS: [html: string, elements: string[], text: string][] = [
  [`<!-- wp:paragraph --><p>글</p><!-- /wp:paragraph -->`, [], "<p>글</p>"],
  [`<!-- wp:embed {"url":"https:\\/\\/youtu.be\\/abc"} /-->`, ["media wp:embed https://youtu.be/abc"], ""],
  [
    `<!-- wp:embed {"url":"https://youtu.be/abc"} --><figure><div>\nhttps://youtu.be/abc\n</div></figure><!-- /wp:embed -->`,
    ["media url https://youtu.be/abc"],
    "<figure><div>\n\n</div></figure>",
  ],
  ["<!-- wp:latest-posts /-->", ["dropped wp:latest-posts "], ""],
  ["<!-- wp:shortcode -->[신청]  [form]<!-- /wp:shortcode -->", ["dropped [form] [form]"], "[신청]  "],
  ["앞<!--more-->뒤", [], "앞뒤"],
  ['[gallery ids="1,2"]', ["gallery 1,2"], ""],
  ["[gallery]", ["gallery all"], ""],
  ['[caption id="a" width="3"]<img src="/a.png"> 설명[/caption]', ["picture /a.png"], " 설명"],
  ["[embed]https://youtu.be/abc[/embed]", ["media [embed] https://youtu.be/abc"], ""],
  ["[embed width=3]https://example.kr/x[/embed]", ["media [embed] https://example.kr/x"], ""],
  ['[video mp4="https://old.example.kr/a.mp4"][/video]', ["media [video] https://old.example.kr/a.mp4"], ""],
  ['[audio src="/wp-content/uploads/a.mp3"]', ["media [audio] /wp-content/uploads/a.mp3"], ""],
  [
    "[youtube https://www.youtube.com/watch?v=abc&amp;t=3]",
    ["media [youtube] https://www.youtube.com/watch?v=abc&t=3"],
    "",
  ],
  [
    '앞[contact-form-7 id="3" title="문의"]뒤',
    ['dropped [contact-form-7] [contact-form-7 id="3" title="문의"]'],
    "앞뒤",
  ],
  ["[box]안[/box]", ["dropped [box] [box]"], "안"],
  ["[공지] [1] [note] [Dx]", [], "[공지] [1] [note] [Dx]"],
  ['앞[caption id="a"]<img src="/a.png"> 설명[/caption]뒤', ["picture /a.png"], "앞<br> 설명<br>뒤"],
  [
    "앞[vc_row][vc_column width=3]하나[/vc_column][vc_column]둘[/vc_column][/vc_row]뒤",
    ["dropped [vc_row] [vc_row]", "dropped [vc_column] [vc_column width=3]", "dropped [vc_column] [vc_column]"],
    "앞<br>하나<br>둘<br>뒤",
  ],
  ["<p>앞</p>[vc_row]<p>하나</p>[/vc_row]뒤", ["dropped [vc_row] [vc_row]"], "<p>앞</p><p>하나</p>뒤"],
  ['강조한 [tooltip text="뜻"]낱말[/tooltip]입니다', ['dropped [tooltip] [tooltip text="뜻"]'], "강조한 낱말입니다"],
];

test.each([
  ["<details><summary>제목</summary>안</details>뒤", "<div><div>제목</div>안</div>뒤"],
  ["앞<section>가운데</section><address>주소</address>", "앞<div>가운데</div><div>주소</div>"],
  ["<dl><dt>말</dt><dd>뜻</dd></dl>", "<div><div>말</div><div>뜻</div></div>"],
])("texts of %s do not run together", (html, text) => {
  expect(textOf(parseOldBody(html, false))).toBe(text);
});

test.each(WORDPRESS)("%s of WordPress has the elements %j", (html, elements, text) => {
  const pieces = parseOldBody(html, true);
  expect(elementsOf(pieces)).toEqual(elements);
  expect(textOf(pieces)).toBe(text);
});

test.each([
  "<a ",
  "<img ",
  `<a href="`,
  "src=",
  "<",
  `"'`,
  "[a ",
  "[/a]",
  "[gallery ids=",
  "<!-- wp:",
  "https://",
  "<b>",
  "<object>",
  "<video><b>",
])("a text repeating %j is parsed once or refused", (piece) => {
  for (const isWordPress of [true, false])
    expect(JSON.stringify(parseOldBody(piece.repeat(30_000), isWordPress))?.length ?? 0).toBeLessThan(3_000_000);
});
