/** @module-tag full */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { test } from "../fixtures.ts";

let page: Page;
test.beforeAll(async ({ admin }) => {
  page = admin;
});

const editor = () => page.getByRole("textbox", { name: "내용" });
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function open(site: RunningSite, path = "/board/notice/Write"): Promise<void> {
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("draft:")) localStorage.removeItem(key);
  });
  await page.goto("about:blank");
  await page.goto(site.url + path);
  await editor().click();
}

async function paste(
  html: string,
  files: { name: string; type: string; base64: string }[] = [],
  text = "",
): Promise<void> {
  await editor().evaluate(
    (area, given) => {
      const clipboardData = new DataTransfer();
      if (given.html) clipboardData.setData("text/html", given.html);
      if (given.text) clipboardData.setData("text/plain", given.text);
      for (const { name, type, base64 } of given.files) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        clipboardData.items.add(new File([bytes], name, { type }));
      }
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { html, files, text },
  );
}

async function publish(name: string): Promise<string> {
  await page.getByRole("textbox", { name: /^제목/ }).fill(name);
  const button = page.getByRole("button", { name: /^(등록|수정)$/ });
  await button.click();
  const heading = page.getByRole("heading", { level: 1, name });
  // A confirmation appears if a picture has no description.
  const undescribed = page.getByRole("alertdialog").getByRole("button", { name: /^설명 없이/ });
  await heading.or(undescribed).first().waitFor();
  if (await undescribed.isVisible()) await undescribed.click();
  await heading.waitFor();
  const path = page.url().replace(/.*\/View\//, "/api/board-item/notice/");
  return page.evaluate(
    async (at) => ((await (await fetch(at)).json()) as { data: { content: string } }).data.content,
    path,
  );
}

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><style>p.MsoNormal{margin:0}</style></head><body><!--StartFragment-->
<p class=MsoNormal style='text-align:center'><b><span style='font-size:16pt;color:#A61D24'>회의 안내<o:p></o:p></span></b></p>
<p class=MsoListParagraph style='text-indent:-20pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>첫째</p>
<p class=MsoListParagraph style='text-indent:-20pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>안쪽</p>
<p class=MsoListParagraph style='text-indent:-20pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp;&nbsp; </span></span><![endif]>둘째</p>
<table class=MsoTableGrid border=1 width=600><tr><td colspan=2 style='background:#D6EEDF'><p class=MsoNormal><span style='font-weight:bold'>두 칸</span></p></td></tr>
<tr><td rowspan=2><p class=MsoNormal>세로</p></td><td><p class=MsoNormal>가</p></td></tr><tr><td><p class=MsoNormal>나</p></td></tr></table>
<p class=MsoNormal><img width=10 src="file:///C:/Users/a/msohtmlclip1/01/clip_image001.png"></p>
<!--EndFragment--></body></html>`;

test("a paste from Word keeps its markup", async ({ site }) => {
  await open(site);
  await paste(WORD);
  await page.getByText("그림은 파일로 첨부해 주세요").waitFor();
  const stored = await publish("워드에서 붙인 글");
  expect(stored).toContain('<p style="text-align:center"><span style="color:#a61d24"><strong>회의 안내');
  expect(stored).toContain("<ol><li><p>첫째</p><ul><li><p>안쪽</p></li></ul></li><li><p>둘째</p></li></ol>");
  expect(stored).toMatch(/<td[^>]*colspan="2"[^>]*><p><strong>두 칸<\/strong><\/p><\/td>/);
  expect(stored).toMatch(/<td[^>]*rowspan="2"[^>]*><p>세로<\/p><\/td>/);
  expect(stored).not.toMatch(/mso|file:|<img|o:p/i);
});

test("pasted plain text keeps its empty lines", async ({ site }) => {
  await open(site);
  await paste("", [], "첫 문단\r\n둘째 줄\r\n\r\n\r\n다음 문단\n");
  expect(await publish("메모장에서 붙인 글")).toBe("<p>첫 문단</p><p>둘째 줄</p><p></p><p></p><p>다음 문단</p>");
});

const wordItem = (list: string, mark: string, text: string) =>
  `<p class=MsoListParagraph style='mso-list:${list}'><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span>${text}</p>`;

test("adjacent Word lists stay separate", async ({ site }) => {
  await open(site);
  const items = [
    wordItem("l0 level1 lfo1", "·", "점 하나"),
    wordItem("l0 level1 lfo1", "·", "점 둘"),
    wordItem("l1 level1 lfo2", "1.", "수 하나"),
    wordItem("l1 level2 lfo2", "·", "안쪽"),
    wordItem("l1 level1 lfo2", "2.", "수 둘"),
    wordItem("l2 level1 lfo3", "1.", "다른 수 하나"),
  ];
  await paste(`<html><body>${items.join("")}</body></html>`);
  expect(await publish("두 목록을 붙인 글")).toBe(
    "<ul><li><p>점 하나</p></li><li><p>점 둘</p></li></ul><ol><li><p>수 하나</p><ul><li><p>안쪽</p></li></ul></li><li><p>수 둘</p></li></ol><ol><li><p>다른 수 하나</p></li></ol>",
  );
});

const COLORED: [html: string, stored: string][] = [
  ["<p><span style='color:red'>빨강</span></p>", '<p><span style="color:#ff0000">빨강</span></p>'],
  ["<p style='color:red'>빨강</p>", '<p><span style="color:#ff0000">빨강</span></p>'],
  ["<p><font color=red>빨강</font></p>", '<p><span style="color:#ff0000">빨강</span></p>'],
  [
    "<div style='color:red'><p>하나</p><p>둘</p></div>",
    '<p><span style="color:#ff0000">하나</span></p><p><span style="color:#ff0000">둘</span></p>',
  ],
  ["<p><span style='color:hsl(0 100% 50%)'>빨강</span></p>", '<p><span style="color:#ff0000">빨강</span></p>'],
  ["<p><span style='background:yellow'>노랑</span></p>", '<p><span style="background-color:#ffff00">노랑</span></p>'],
  ["<p><span style='color:black;background:white'>검정</span></p>", "<p>검정</p>"],
  ["<p><span style='color:windowtext'>검정</span></p>", "<p>검정</p>"],
  ["<p><span style='color:var(--x)'>모름</span></p>", "<p>모름</p>"],
  ["<p><span style='color:rgba(255,0,0,.2)'>비침</span></p>", "<p>비침</p>"],
];

test("pasted colours are stored in hexadecimal form", async ({ site }) => {
  await open(site);
  await paste(COLORED.map(([html]) => html).join(""));
  expect(await publish("색을 붙인 글")).toBe(COLORED.map(([, stored]) => stored).join(""));
});

const EXCEL = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--
.xl65 {font-weight:700; text-align:center; background:#FFEBB8;}
.xl66 {mso-number-format:"\\@";}
--></style></head><body><table border=0 cellpadding=0 width=200><!--StartFragment-->
<col width=72><tr height=22><td class=xl65 height=22>이름</td><td class=xl65>전화</td></tr>
<tr height=22><td>홍길동</td><td class=xl66>010-1234-5678</td></tr><!--EndFragment--></table></body></html>`;

test("a paste from Excel keeps its cells without their picture", async ({ site }) => {
  await open(site);
  await paste(EXCEL, [{ name: "image.png", type: "image/png", base64: PIXEL }]);
  await editor().locator("td").first().waitFor();
  const stored = await publish("엑셀에서 붙인 글");
  expect(stored).toMatch(/<td[^>]*style="[^"]*text-align:center[^"]*"[^>]*><p><strong>이름<\/strong><\/p><\/td>/);
  expect(stored).toMatch(/<td><p>010-1234-5678<\/p><\/td>/);
  expect(stored).not.toContain("<img");
});

const HWP = `<html><head><meta name="generator" content="HancomOffice"></head><body>
<P CLASS=HStyle0 STYLE='text-align:justify;'><SPAN STYLE='font-family:함초롬바탕;font-weight:bold;'>1. 신청 방법</SPAN></P>
<TABLE border="1" cellspacing="0" style='border-collapse:collapse;'><TR>
<TD colspan="2" valign="middle" style='width:300px;border:solid #000000 0.4pt;'><P CLASS=HStyle0 STYLE='text-align:center;'><SPAN STYLE='color:#ff0000;'>접수 기간</SPAN></P></TD></TR>
<TR><TD><P CLASS=HStyle0>12월 1일</P></TD><TD><P CLASS=HStyle0>12월 31일</P></TD></TR></TABLE></body></html>`;

test("a paste from HWP keeps its markup", async ({ site }) => {
  await open(site);
  await paste(HWP);
  const stored = await publish("한글에서 붙인 글");
  expect(stored).toContain('<p style="text-align:justify"><strong>1. 신청 방법</strong></p>');
  expect(stored).toMatch(/<td colspan="2"><p style="text-align:center"><span style="color:#ff0000">접수 기간/);
  expect(stored).toContain("<td><p>12월 31일</p></td>");
});

test("pasted pictures become files of this site", async ({ site }) => {
  await open(site);
  const picture = { name: "image.png", type: "image/png", base64: PIXEL };
  await paste("", [picture, picture]);
  await expect.poll(() => editor().locator("img[src^='/api/file/']").count()).toBe(2);
  await paste(`<p>글 <img src="data:image/png;base64,${PIXEL}"> 끝 <img src="https://other.example/a.png"></p>`);
  await expect.poll(() => editor().locator("img[src^='/api/file/']").count()).toBe(3);
  await page.getByText("붙여 넣은 그림 1개를 넣지 못했습니다. 그림은 파일로 첨부해 주세요.").waitFor();
  await paste("", [{ name: "그림이 아님.png", type: "image/png", base64: btoa("not a picture") }]);
  await page.getByText("그림이 아님.png: 파일의 내용이 이름의 형식과 다릅니다.").waitFor();
  const stored = await publish("그림을 붙인 글");
  expect(stored.match(/<img src="\/api\/file\//g)).toHaveLength(3);
});

test("a pasted attack does not run", async ({ site }) => {
  await open(site);
  await page.evaluate(() => Object.assign(window, { hit: 0 }));
  await paste(
    `<p onclick="hit=1">글<img src=x onerror="hit=1"><svg onload="hit=1"></svg><a href="javascript:hit=1">링크</a><iframe srcdoc="<script>parent.hit=1</script>"></iframe></p>`,
  );
  await editor().getByText("링크").click();
  await expect.poll(() => page.evaluate(() => (window as unknown as { hit: number }).hit)).toBe(0);
  const stored = await publish("공격을 붙인 글");
  expect(stored).not.toMatch(/javascript|onerror|onclick|<svg|<iframe/);
});

/** Everything that the cleaner allows, in the editor's notation. */
const EVERYTHING = [
  "<h2>제목</h2>",
  '<h3 style="text-align:center">작은 제목</h3>',
  "<h4>더 작은 제목</h4>",
  '<p style="text-align:right"><strong>굵게</strong> <em>강조</em> <u>밑줄</u> <s>취소</s> H<sub>2</sub>O x<sup>2</sup> <code>a &lt; b</code></p>',
  '<p><span style="color:#a61d24">빨강</span> <span style="background-color:#ffebb8">노랑</span><br />줄바꿈</p>',
  '<ul><li><p>하나</p><ol start="3"><li><p>셋</p></li></ol></li></ul>',
  "<blockquote><p>인용</p></blockquote>",
  "<hr />",
  "<pre><code>코드\n둘째 줄</code></pre>",
  '<p><a href="https://pid.example.kr/a?b=1&amp;c=2" rel="noopener noreferrer nofollow" target="_blank">밖</a> <a href="/board/notice/List/" rel="noopener noreferrer nofollow">안</a></p>',
  '<table><caption>일정표</caption><tbody><tr><th scope="col"><p>때</p></th><th><p>곳</p></th></tr><tr><td colspan="2" style="background-color:#d6eedf"><p>두 칸</p></td></tr></tbody></table>',
  "<figure><p>그림 자리</p><figcaption>그림 1</figcaption></figure>",
  "<p>끝</p>",
].join("");

test("an item saved in the editor keeps all allowed markup", async ({ site }) => {
  await open(site);
  const path = await page.evaluate(async (content) => {
    const response = await fetch("/api/board-item/notice", {
      method: "PUT",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("accessToken")}` },
      body: JSON.stringify({ title: "모든 꾸밈", content, fileIds: [] }),
    });
    const { data } = (await response.json()) as { data: { itemNo: number } };
    return `/board/notice/Write/${data.itemNo}`;
  }, EVERYTHING);
  await open(site, path);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  expect(await publish("모든 꾸밈을 고침")).toBe(EVERYTHING.replace("<p>끝</p>", "<p>끝!</p>"));
});
