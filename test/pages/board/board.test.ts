import { expect } from "vitest";
import { makePlainPng } from "../../e2e/support/sample-files.ts";
import { type SignedInPerson, test as pageTest } from "../fixtures.ts";

const test = pageTest
  .extend("call", ({ site, admin }) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read what came over the wire
    async (method: string, path: string, body?: object, headers: HeadersInit = admin.bearer): Promise<any> => {
      const response = await fetch(site.url + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const answer = (await response.json()) as { code: string; data: unknown };
      if (answer.code !== "SUCCESS") throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer.data;
    },
  )
  .extend("page", ({ get }) => async (path: string, as?: SignedInPerson): Promise<string> => {
    const { status, text } = await get(path, as?.cookie);
    expect(status, path).toBe(200);
    return text.replaceAll("<!-- -->", "");
  })
  .extend("write", ({ call }) => async (boardCode: string, fields: object): Promise<number> => {
    const item = { title: "제목", content: "<p>본문</p>", fileIds: [], ...fields };
    return (await call("PUT", `/api/board-item/${boardCode}`, item)).itemNo;
  })
  .extend("newBoard", ({ call }) => async (boardCode: string, boardType: string) => {
    const board = { boardCode, boardName: `${boardCode} 게시판`, boardType, useSecret: true };
    await call("PUT", "/api/admin/board", board);
    await call("POST", `/api/admin/board/${boardCode}/state`, { isClosed: false, version: 1 });
  });
const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("a list is a table with a caption", async ({ call, page }) => {
  const html = await page("/board/notice/List/?size=10&page=2");
  expect(html).toContain("<caption");
  const heads = [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map((match) => textOf(match[1] ?? ""));
  expect(heads.map((head) => /번호|제목|작성자|등록일|조회/.exec(head)?.[0])).toEqual([
    "번호",
    "제목",
    "작성자",
    "등록일",
    "조회",
  ]);
  const { totalElements, totalPages, pinned, content } = await call(
    "GET",
    "/api/board-item?boardCode=notice&size=10&page=2",
  );
  expect(textOf(html)).toMatch(new RegExp(`총 ${totalElements} 건 · 2/${totalPages} 페이지`));
  const body = html.slice(html.indexOf("<tbody"));
  const rows = [...body.matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)].map((match) => textOf(match[1] ?? "").trim());
  expect(rows.slice(0, pinned.length).every((row) => row.startsWith("공지 "))).toBe(true);
  const numbers = rows.slice(pinned.length).map((row) => Number(/^\d+/.exec(row)?.[0]));
  expect(numbers).toEqual(content.map((_row: unknown, index: number) => totalElements - 10 - index));
});

test("a page beyond the end links to the last pages", async ({ page }) => {
  const html = await page("/board/notice/List/?size=10&page=999");
  const text = textOf(html);
  expect(text).toContain("이 페이지에는 게시물이 없습니다.");
  expect(text).toMatch(/건 · [67] 페이지/);
  const pager = html.slice(html.indexOf("공지사항 페이지 이동"));
  const pages = [...pager.matchAll(/href="[^"]*[?&;]page=(\d+)[^"]*"/g)].map((match) => Number(match[1]));
  expect(Math.max(...pages)).toBeLessThan(10);
  expect(pages).toContain(6);
});

test("a row links to its item by a real address", async ({ write, call, page }) => {
  const itemNo = await write("notice", { title: "표시가 있는 글" });
  await call("PUT", `/api/board-item-comment/notice/${itemNo}`, { content: "댓글" });
  const html = await page("/board/notice/List/?size=50");
  expect(html).toMatch(new RegExp(`<a [^>]*href="/board/notice/View/${itemNo}[^"]*"[^>]*>표시가 있는 글</a>`));
  const rows = html.split("<tr").filter((row) => row.includes("표시가 있는 글"));
  expect(textOf(rows[0] ?? "")).toMatch(/댓글 \[ 1 \] 개/);
  expect(rows[0]).toContain("새 글");
  expect(html).toContain("첨부파일 있음");
});

test("pages are numbered in blocks of ten", async ({ page }) => {
  const html = await page("/board/notice/List/?size=10&page=2");
  const pager = html.slice(html.indexOf("공지사항 페이지 이동"));
  for (const word of ["처음", "이전", "다음", "마지막"]) expect(pager, word).toContain(`title="${word}"`);
  expect(pager).toMatch(/aria-current="page"[^>]*>2</);
});

test("the feed of a public board is linked on its pages", async ({ member, page }) => {
  const link = '<link rel="alternate" type="application/rss+xml" title="공지사항" href="/board/notice/rss.xml"/>';
  for (const path of ["/", "/board/notice/List/", "/board/notice/View/60"]) {
    expect(await page(path), path).toContain(link);
    expect(await page(path, member), path).toContain(link);
  }
  expect(await page("/board/free/List/", member)).not.toContain("application/rss+xml");
  expect(await page("/board/reference/List/")).not.toContain("/board/notice/rss.xml");
});

test.for(["/board/notice/rss.xml", "/board/notice/calendar.ics"])(
  "%s is answered by 304 until it changes",
  async (path, { db, get }) => {
    await db.exec("UPDATE board SET use_events = 1");
    const first = await get(path);
    expect([first.status, first.headers.get("Cache-Control")]).toEqual([200, "private, no-cache, no-transform"]);
    const [etag, date] = [first.headers.get("ETag") ?? "", first.headers.get("Last-Modified") ?? ""];
    const again = async (headers: Record<string, string>) => {
      const { status, text } = await get(path, headers);
      return [status, text === "" ? "" : "text"];
    };
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      expect([known, ...(await again({ "If-None-Match": known }))]).toEqual([known, 304, ""]);
    expect(await again({ "If-None-Match": '"other"', "If-Modified-Since": date })).toEqual([200, "text"]);
    expect(await again({ "If-Modified-Since": date })).toEqual([304, ""]);
    const anotherMinute = new Date(Date.parse(date) + 60_000).toUTCString();
    expect(await again({ "If-Modified-Since": anotherMinute })).toEqual([200, "text"]);
    expect(await again({})).toEqual([200, "text"]);
  },
);

test("a view shows author, date, views above the text", async ({ call, page }) => {
  const list = await call("GET", "/api/board-item?boardCode=notice&sort=itemNo,ASC&size=100");
  const withFiles = list.content.find((row: { fileCount: number }) => row.fileCount > 0);
  const html = await page(`/board/notice/View/${withFiles.itemNo}`);
  const places = ["<h1", "작성자", "등록일", "조회", 'class="article"', "첨부파일", "이전글", "다음글"].map((word) =>
    html.indexOf(word, html.indexOf("<article")),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(html).toMatch(/<time [^>]*>\d{4}\.\d\d\.\d\d \d\d:\d\d<\/time>/);

  const oldest = await call("GET", "/api/board-item?boardCode=notice&sort=createdDate,ASC&size=1");
  expect(await page(`/board/notice/View/${oldest.content[0].itemNo}`)).toContain("이전글이 없습니다.");
});

test("an item's markup keeps no style or script", async ({ write, page }) => {
  const itemNo = await write("notice", {
    content:
      '<table><tbody><tr><td>칸</td></tr></tbody></table><p><a href="https://example.org/">밖</a></p><script>alert(1)</script><p style="position:fixed" onclick="x()">본문</p>',
  });
  const html = await page(`/board/notice/View/${itemNo}`);
  expect(html).toContain('<div class="table-frame" role="region" aria-label="표 1" tabindex="0"><table>');
  expect(html).toMatch(/<a href="https:\/\/example\.org\/" [^>]*title="새 창 열림"/);
  expect(html).not.toMatch(/alert\(1\)|position:fixed|onclick/);
});

test("markup in a title, comment or search stays text", async ({ site, write, call, page }) => {
  const attack = `</script><script>alert(1)</script><img src=x onerror=alert(1)>'"&`;
  const itemNo = await write("notice", { title: attack });
  await call("PUT", `/api/board-item-comment/notice/${itemNo}`, { content: attack });
  const asked = encodeURIComponent(attack);
  for (const path of [
    `/board/notice/View/${itemNo}`,
    "/board/notice/List/?size=50",
    `/board/notice/List/?keyword=${asked}`,
    `/search?keyword=${asked}`,
    `/board/notice/List/?category=${asked.slice(0, 40)}`,
    "/board/notice/rss.xml",
  ]) {
    const html = await page(path);
    expect(html, path).not.toMatch(/<script>alert|<img src=x|<\/script><script>alert/);
  }
  expect(await page(`/board/notice/View/${itemNo}`)).toContain("&lt;img src=x onerror=alert(1)&gt;");
  const response = await fetch(`${site.url}/board/notice/View/${itemNo}`);
  expect(response.headers.get("Content-Security-Policy")).toMatch(/script-src 'self' 'nonce-[0-9a-f]+'(;|$)/);
});

test("a guest returns to the item after signing in to comment", async ({ page }) => {
  const html = await page("/board/notice/View/60");
  expect(html).toContain("로그인 후 이용해 주시기 바랍니다.");
  expect(html).toContain(`/Account/Signin?returnUrl=${encodeURIComponent("/board/notice/View/60")}`);
  expect(html).not.toContain("댓글을 남겨 주십시오");
});

test("a gallery shows nothing of a secret item", async ({ site, admin, write, page, newBoard }) => {
  await newBoard("photo", "gallery");
  const form = new FormData();
  form.set("file", new File([new Uint8Array(makePlainPng(8, 8))], "사진.png", { type: "image/png" }));
  const headers = { Authorization: admin.bearer.Authorization };
  const response = await fetch(`${site.url}/api/board-item/images`, { method: "PUT", headers, body: form });
  const { fileId: pictureId } = ((await response.json()) as { data: { fileId: string } }).data;
  const content = `<p>행사</p><img src="/api/file/${pictureId}" alt="행사장">`;
  await write("photo", { title: "행사 사진", content });
  await write("photo", { title: "비밀 사진", content: "<p>비밀</p>", isSecret: true });
  await write("photo", { title: "그림 없는 글" });
  const html = await page("/board/photo/List/");
  expect(html).toContain(`<img src="/api/file/${pictureId}?thumbnail=true`);
  expect(html.match(/<img src="\/api\/file/g)).toHaveLength(1);
  for (const word of ["행사 사진", "그림 없는 글", "비밀글입니다."]) expect(html).toContain(word);
  expect(html).not.toContain("비밀 사진");
  expect(html).not.toContain("<caption");
});

test("a FAQ opens its answers without script", async ({ admin, write, page, newBoard }) => {
  await newBoard("faq", "faq");
  await write("faq", { title: "가입은 어떻게 합니까?", content: "<p>회원가입에서 합니다.</p>" });
  await write("faq", { title: "비밀 질문", content: "<p>비밀 대답</p>", isSecret: true });
  const html = await page("/board/faq/List/");
  expect(html).toMatch(/<details[^>]*><summary[\s\S]*가입은 어떻게 합니까\?[\s\S]*회원가입에서 합니다\./);
  expect(html.slice(html.indexOf("<main"), html.indexOf("</main>")).match(/<details/g)).toHaveLength(1);
  expect(html).toContain("비밀글입니다.");
  expect(html).not.toMatch(/비밀 질문|비밀 대답/);
  expect(await page("/board/faq/List/", admin)).toContain("비밀 대답");
});

test("a long list by views continues to its end", async ({ site, page }) => {
  const { DB } = await site.mf.getBindings<Env>();
  await DB.prepare(
    `INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     SELECT 'reference', 1000 + value, '글 ' || value, '<p>본문</p>', 'x', '편집부', 1700000000000 + value, 1700000000000 FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array.from({ length: 1100 }, (_, at) => at)))
    .run();
  let path: string | undefined = "/board/reference/List/?sort=viewCount,DESC&size=50&page=20";
  const seen = new Set<string>();
  for (let pages = 0; path && pages < 10; pages += 1) {
    const html = await page(path);
    for (const [, itemNo = ""] of html.matchAll(/href="\/board\/reference\/View\/(\d+)/g)) seen.add(itemNo);
    path = /<a[^>]*href="([^"]+)"[^>]*title="다음"|title="다음"[^>]*href="([^"]+)"/.exec(html)?.slice(1).find(Boolean);
    path = path?.replaceAll("&amp;", "&");
  }
  expect(path).toBeUndefined();
  expect([...seen].filter((itemNo) => Number(itemNo) < 1100 && Number(itemNo) >= 1000)).toHaveLength(100);
  const beyond = await fetch(`${site.url}/board/reference/List/?sort=title,ASC&size=10&page=101`);
  expect([beyond.status, (await beyond.text()).includes("1,000건까지 쪽 번호로")]).toEqual([400, true]);
});
