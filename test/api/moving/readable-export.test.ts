import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { SiteExportPart } from "#worker/contract/moving/view.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import { MOVING } from "../../support/move.ts";
import { moveSite } from "../../support/moving-site.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
} from "../../support/people.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const REASON = "보관용 사본";

async function requestPart(token: string, part: object) {
  const body = JSON.stringify({ format: "readable", reason: REASON, partNo: 1, ...part });
  return fetchApi("POST", `${MOVING}/export`, { token, body, headers: { "Content-Type": "application/json" } });
}

async function unpackAll(token: string): Promise<{ kinds: string[]; files: Map<string, Uint8Array> }> {
  const listed = await callJson("POST", `${MOVING}/export/parts`, { token, body: { format: "readable" } });
  const parts = listed.data as SiteExportPart[];
  const files = new Map<string, Uint8Array>();
  for (const { kind, first, last } of parts) {
    const answer = await requestPart(token, { kind, first, last });
    expect(answer.status, kind).toBe(200);
    for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await answer.arrayBuffer()))))
      files.set(name, bytes);
  }
  return { kinds: parts.map(({ kind }) => kind), files };
}

const textOf = (files: Map<string, Uint8Array>, name: string) => strFromU8(files.get(name) ?? new Uint8Array());

/** Targets of a page's links and pictures, relative to the common folder; absolute URLs unchanged. */
function placesOf(page: string, html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = ""]) =>
    /^[a-z]+:/.test(address)
      ? address
      : decodeURIComponent(new URL(address, new URL(encodeURI(page), "http://folder/")).pathname.slice(1)),
  );
}

const BOARD = "게시판/자유게시판 (old-free-talk)";

test("the readable export is a folder of pages with working links, pictures and attachments", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  const [{ id: first } = {}] = await readRows(
    "SELECT id FROM board_item WHERE item_no = 1 AND board_code = 'old-free-talk'",
  );
  await runSql(
    `UPDATE board_item SET content = content || '<p><a href="/board/old-free-talk/View/3">셋째</a> <a href="/Alumni">주소록</a> <a href="https://example.kr/?a=1&amp;b=2" target="_blank">밖</a></p>', event_start = 1767225600000, event_end = 1767232800000, event_place = '대강당 <2층>' WHERE id = ${Number(first)}`,
  );
  await runSql(
    "UPDATE board_item SET title = '<script>alert(1)</script> & \"따옴표\"' WHERE item_no = 3 AND board_code = 'old-free-talk'",
  );
  const { kinds, files } = await unpackAll(token);
  expect(kinds).toEqual(["members", "lists", "items", "files"]);

  const names = [...files.keys()];
  expect(names).toContain("index.html");
  expect(names).toContain("회원.csv");
  expect(names.filter((name) => name.startsWith(`${BOARD}/`) && name.endsWith(".html")).toSorted()).toEqual(
    ["1.html", "2.html", "3.html", "4.html", "목록 1-500.html"].map((name) => `${BOARD}/${name}`),
  );
  expect(
    names
      .filter((name) => name.startsWith(`${BOARD}/첨부/1/`))
      .map((name) => name.replace(/^.*\/\d+_/, ""))
      .toSorted(),
  ).toEqual(["회의록 2016.hwp", "그림.png", "사진.png"].toSorted());

  const pages = names.filter((name) => name.endsWith(".html"));
  const places = pages.flatMap((page) => placesOf(page, textOf(files, page)).map((place) => [page, place] as const));
  expect(places.filter(([, place]) => !/^[a-z]+:/.test(place) && !files.has(place))).toEqual([]);
  const firstPlaces = placesOf(`${BOARD}/1.html`, textOf(files, `${BOARD}/1.html`));
  expect(firstPlaces).toContain(`${BOARD}/3.html`);
  expect(firstPlaces.filter((place) => place.endsWith("그림.png"))).toHaveLength(1);
  expect(firstPlaces.find((place) => place.endsWith("/Alumni"))).toMatch(/^https?:\/\//);

  const page = textOf(files, `${BOARD}/1.html`);
  for (const text of [
    "옛날이",
    "조회 12",
    "2016-01-02 03:04",
    "첫 댓글 &lt;b&gt;",
    "답글의 답글",
    "[공지] 옛 글 1",
    "대강당 &lt;2층&gt;",
    "2026-01-01 09:00",
  ])
    expect(page).toContain(text);
  expect(textOf(files, `${BOARD}/2.html`)).toContain("[비밀글] 옛 글 2");
  for (const name of pages) {
    expect(textOf(files, name), name).not.toMatch(/<script|onclick|javascript:/i);
    expect(textOf(files, name), name).toContain("default-src 'none'");
  }
  expect(textOf(files, `${BOARD}/목록 1-500.html`)).toContain(
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;따옴표&quot;",
  );
  expect(textOf(files, "index.html")).toContain("자유게시판");
});

test("members and board items are exported as sheets without formulas", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  await runSql(
    "UPDATE user SET user_name = '=cmd|1' WHERE id IN (SELECT user_id FROM user_key WHERE user_key_code = 'lee')",
  );
  const { files } = await unpackAll(token);
  const people = textOf(files, "회원.csv");
  expect(people.split("\r\n")[0]).toMatch(/^\ufeff?아이디,이름,이메일,휴대전화,역할,상태,가입일/);
  expect(people).toContain("kim_1,김옛날,kim_1@old.example.kr");
  expect(people).toContain("'=cmd|1");
  expect(people).not.toMatch(/argon2|pbkdf2|sha256|imported\$/);
  const [{ n } = {}] = await readRows("SELECT count(*) AS n FROM user WHERE status <> 'retired'");
  expect(people.trim().split("\r\n")).toHaveLength(Number(n) + 1);
  const list = textOf(files, `${BOARD}/목록.csv`).trim().split("\r\n");
  expect(list).toHaveLength(5);
  expect(list[1]).toMatch(/^1,질문,옛 글 1,옛날이,2016-01-02 03:04:05,.*,12,4,2,예,,1\.html$/);
});

test("lists are paged with navigation and contain nothing from the bin", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveSite(token);
  await runSql(`WITH RECURSIVE n(i) AS (VALUES (5) UNION ALL SELECT i + 1 FROM n WHERE i < 1201)
    INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
    SELECT 'old-free-talk', i, '글 ' || i, '<p>본문 ' || i || '</p>', 'nobody', '아무개', 0, 0 FROM n`);
  await runSql("UPDATE board SET last_item_no = 1201 WHERE board_code = 'old-free-talk'");
  await runSql("UPDATE board_item SET deleted_date = 1 WHERE board_code = 'old-free-talk' AND item_no IN (2, 700)");
  const { files } = await unpackAll(token);
  const rows = ["목록 1-500.html", "목록 501-1000.html", "목록 1001-1500.html"].map((name) => [
    ...textOf(files, `${BOARD}/${name}`).matchAll(/id="n(\d+)"/g),
  ]);
  expect(rows.map((each) => each.length)).toEqual([499, 499, 201]);
  expect(rows[2]?.[0]?.[1]).toBe("1201");
  expect(files.has(`${BOARD}/700.html`)).toBe(false);
  expect(textOf(files, `${BOARD}/1201.html`)).toContain("본문 1201");
  expect(textOf(files, `${BOARD}/목록.csv`).trim().split("\r\n")).toHaveLength(1200);
  const middle = `${BOARD}/목록 501-1000.html`;
  expect(placesOf(middle, textOf(files, middle))).toEqual(
    expect.arrayContaining([`${BOARD}/목록 1-500.html`, `${BOARD}/목록 1001-1500.html`, "index.html"]),
  );
  const every = [...files.keys()].filter((name) => name.endsWith(".html"));
  const broken = every.flatMap((name) =>
    placesOf(name, textOf(files, name)).filter((place) => !/^[a-z]+:/.test(place) && !files.has(place)),
  );
  expect(broken).toEqual([]);
});

test("only system administrators export the pages, with a reason and at most ten times a day", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const role = await createTestRole(["ADMIN_Access", "Board_notice_Manage"]);
  const { accessToken: partial } = await createSession({ roleCode: role });
  const { accessToken: member } = await createMemberSession();
  const body = { format: "readable", kind: "lists", first: "a", last: "z", partNo: 1, reason: REASON };
  for (const [by, code] of [
    [{}, "UNAUTHORIZED"],
    [{ token: member }, "FORBIDDEN"],
    [{ token: partial }, "FORBIDDEN"],
  ] as const)
    for (const kind of ["members", "lists", "items", "files"])
      expect(
        (await callJson("POST", `${MOVING}/export`, { ...by, body: { ...body, kind, first: "1", last: "9" } })).code,
      ).toBe(code);
  for (const bad of [{ reason: "" }, { format: "rdx" }, { format: "pdf" }, { kind: "items" }])
    expect((await callJson("POST", `${MOVING}/export`, { token, body: { ...body, ...bad } })).code).toBe(
      "INVALID_INPUT",
    );

  await moveSite(token);
  await unpackAll(token);
  const rows = await readRows(
    "SELECT reason, json_extract(detail, '$.format') || ' ' || json_extract(detail, '$.kind') AS what, (SELECT json_array_length(ids) FROM export_subject WHERE export_id = target_id) AS named FROM audit_log WHERE action = 'moving.export' ORDER BY id",
  );
  const [{ n } = {}] = await readRows("SELECT count(*) AS n FROM user WHERE status <> 'retired'");
  expect(rows).toEqual([
    { reason: REASON, what: "readable members", named: n },
    ...["lists", "items", "files"].map((kind) => ({ reason: REASON, what: `readable ${kind}`, named: null })),
  ]);
  for (let turn = 3; turn < 10; turn += 1)
    expect((await requestPart(token, { kind: "lists", first: "a", last: "z" })).status).toBe(200);
  expect((await requestPart(token, { kind: "lists", first: "a", last: "z" })).status).toBe(429);
  expect((await requestPart(token, { kind: "files", first: "0", last: "z" })).status).toBe(200);
});
