/** @module-tag full */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { parseOldAddress } from "#worker/contract/moving/old-address.ts";
import { findOldAddress } from "#worker/domain/moving/old-address.server.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { commitMove, sendArchives } from "../../support/move.ts";
import { oldComment, oldDocument, oldFile, rdxArchive } from "../../samples/moving-archive.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { isFull } from "../../support/sample.ts";

const at = async (address: string, session: TestSession | null = null) => {
  const parsed = parseOldAddress(new URL(address, "https://new.example.kr"));
  return parsed ? findOldAddress(scopeFor(session), parsed) : null;
};
const pathOf = async (...of: Parameters<typeof at>) => (await at(...of))?.path ?? null;

const ITEMS = isFull ? 250 : 25;
const WAYS = 8;

async function moveBoards(token: string) {
  const documents = Array.from({ length: ITEMS }, (_, index) =>
    oldDocument(1000 + index * 4, {
      comments: [oldComment(1001 + index * 4)],
      files: [oldFile(1, `문서 ${index}.txt`, `data/file/free_talk/${index}.txt`)],
      status: index === 0 ? "SECRET" : "PUBLIC",
    }),
  );
  const files = Object.fromEntries(documents.map((_, index) => [`data/file/free_talk/${index}.txt`, `내용 ${index}`]));
  const boards = {
    free_talk: { title: "자유", documents },
    closed: { title: "회원", documents: [oldDocument(5000)] },
  };
  return commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive({ boards, files }) }]), {
    boards: {
      free_talk: { to: "new", boardCode: "talk", boardName: "자유", boardType: "list", access: "public" },
      closed: { to: "new", boardCode: "closed", boardName: "회원", boardType: "list", access: "members" },
    },
  });
}

test(`${ITEMS * WAYS} old addresses redirect to the right places`, async () => {
  const { accessToken: token } = await createAdministratorSession();
  expect((await moveBoards(token)).committed).toMatchObject({ items: ITEMS + 1, comments: ITEMS, files: ITEMS });
  const { results } = await env.DB.prepare(
    `SELECT m.old_number AS number, i.item_no AS itemNo, f.id AS fileId, f.file_name AS fileName FROM moved_thing AS m
     JOIN board_item AS i ON i.id = CAST(m.target_id AS INTEGER) JOIN file AS f ON f.item_id = i.id WHERE m.kind = 'item' ORDER BY m.old_number`,
  ).all<{ number: number; itemNo: number; fileId: string; fileName: string }>();
  expect(results).toHaveLength(ITEMS);
  const wrong: unknown[] = [];
  let tried = 0;
  for (const [index, { number, itemNo, fileId, fileName }] of results.entries()) {
    expect(fileName).toBe(`문서 ${index}.txt`);
    const item = `/board/talk/View/${itemNo}`;
    const expected: [string, string | null][] = [
      [`/bbs/board.php?bo_table=free_talk&wr_id=${number}`, item],
      [`/gnuboard5/bbs/board.php?wr_id=${number}&bo_table=free_talk&page=3`, item],
      [`/free_talk/${number}`, item],
      [`/index.php?mid=free_talk&document_srl=${number}`, item],
      [`/?document_srl=${number}`, item],
      [`/${number}`, item],
      [
        `/bbs/download.php?bo_table=free_talk&wr_id=${number}&no=0`,
        index === 0 ? "/board/talk/List/" : `/api/file/${fileId}`,
      ],
      [`/data/file/free_talk/${index}.txt`, index === 0 ? null : `/api/file/${fileId}`],
    ];
    for (const [address, path] of expected) {
      tried += 1;
      const found = await pathOf(address);
      if (found !== path) wrong.push([address, found, path]);
    }
  }
  expect([tried, wrong]).toEqual([ITEMS * WAYS, []]);
  // Comment numbers share the board's sequence.
  expect(await pathOf("/bbs/board.php?bo_table=free_talk&wr_id=1001")).toMatch(/^\/board\/talk\/View\/1#comment-/);
  expect(await at("/bbs/board.php?bo_table=free_talk")).toEqual({ path: "/board/talk/List/", isLasting: true });
  expect(await at("/free_talk")).toEqual({ path: "/board/talk/List/", isLasting: true });
});

test("a hidden target is answered like a nonexistent one", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveBoards(token);
  const member = await createMemberSession();
  const hidden = await at("/bbs/board.php?bo_table=closed&wr_id=5000");
  expect(hidden).toEqual({ path: "/board/closed/List/", isLasting: false });
  expect(await at("/bbs/board.php?bo_table=closed&wr_id=5999")).toEqual(hidden);
  expect(await pathOf("/bbs/board.php?bo_table=closed&wr_id=5000", member)).toBe("/board/closed/View/1");
  expect(await at("/5000")).toBeNull();
  expect(await pathOf("/5000", member)).toBe("/board/closed/View/1");
});

test("a current address is not treated as old", async () => {
  const { accessToken: token } = await createAdministratorSession();
  await moveBoards(token);
  for (const address of [
    "/",
    "/Admin/Members",
    "/board/notice/View/60",
    "/search?keyword=x",
    "/sitemap.xml",
    "/api/file/1",
    "/bbs/board.php",
    "/bbs/board.php?bo_table=../x&wr_id=1",
    "/bbs/board.php?bo_table=none&wr_id=1",
    "/bbs/board.php?bo_table=free_talk%00&wr_id=1",
    "/data/file/../../etc/passwd",
    "/data/file/%2e%2e%2f%2e%2e%2fetc",
    "/wp-login.php",
    `/${"1".repeat(30)}`,
    "/%ff%fe",
  ])
    expect([address, await at(address)]).toEqual([address, null]);
  const foreign = await at("//evil.example/bbs/board.php?bo_table=free_talk&wr_id=1004");
  expect(foreign?.path.startsWith("/board/talk/")).toBe(true);
});
