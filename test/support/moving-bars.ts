import { createHash } from "node:crypto";
import { oldComment, oldDocument, oldFile, oldMember, oldNote, type OldSite } from "../samples/moving-archive.ts";

// An artificial old site of any size, its expected result and a digest of every table.

export interface MovingSizes {
  items: number;
  members: number;
  files: number;
}

const BOARDS = 10;
export const barBoards = Array.from({ length: BOARDS }, (_, board) => `board_${board}`);
export const barMapping = {
  boards: Object.fromEntries(
    barBoards.map((key, board) => [
      key,
      { to: "new", boardCode: `large-${board}`, boardName: `게시판 ${board}`, boardType: "list", access: "public" },
    ]),
  ),
  groups: {},
  fields: {},
};
const wrIdOf = (at: number) => at * 2 + 1;
const titleOf = (number: number) => `${number}번째 글입니다`;
const pathOf = (board: number, at: number) => `data/file/board_${board}/${at}.txt`;

/** Ten boards with a comment on every third item. The first board has the losses. */
export function makeBarSite({ items, members, files }: MovingSizes): OldSite {
  const perBoard = Math.ceil(items / BOARDS);
  const bytes: Record<string, string> = {};
  const boards = barBoards.map((key, board) => {
    const count = Math.max(0, Math.min(perBoard, items - board * perBoard));
    const documents: (Record<string, unknown> | string)[] = Array.from({ length: count }, (_, at) => {
      const number = board * perBoard + at;
      const hasFile = number < files;
      if (hasFile) bytes[pathOf(board, at)] = `파일 ${number}의 내용입니다.\n`.repeat(50);
      return oldDocument(wrIdOf(at), {
        title: titleOf(number),
        content: `<p>${`회의 ${number}에서 다룬 내용입니다. `.repeat(20)}</p>`,
        user_id: `past${number % members}`,
        comments: number % 3 === 0 ? [oldComment(wrIdOf(at) + 1)] : [],
        files: hasFile ? [oldFile(1, `자료 ${number}.txt`, pathOf(board, at))] : [],
      });
    });
    if (board === 0)
      documents.push(
        oldDocument(1, { title: "번호가 겹치는 글" }),
        oldDocument(wrIdOf(perBoard), {
          title: "잃은 것이 있는 글",
          comments: [oldComment(wrIdOf(perBoard) + 1, { status: "SECRET" })],
          files: [oldFile(1, "없는 파일.pdf", "data/file/board_0/none.pdf")],
        }),
        "{broken",
      );
    return [key, { title: `게시판 ${board}`, documents }] as const;
  });
  return {
    members: [...Array.from({ length: members }, (_, at) => oldMember(`past${at}`)), oldMember("PAST0")],
    notes: [oldNote(1, "past0", "past1"), oldNote(2, "past1", "nobody-here")],
    boards: Object.fromEntries(boards),
    files: bytes,
  };
}

export function barOutcome({ items, members, files }: MovingSizes) {
  const comments = Math.ceil(items / 3);
  return {
    committed: { members, boards: BOARDS, items: items + 1, comments, files: Math.min(files, items), notes: 1 },
    lost: { members: 1, items: 1, comments: 1, files: 1, notes: 1 },
    issues: {
      "line-broken": 1,
      "member-twice": 1,
      "item-twice": 1,
      "comment-secret": 1,
      "file-missing": 1,
      "note-owner": 1,
    },
  };
}

export async function barAddresses(
  db: D1Database,
  sizes: MovingSizes,
  most: number,
): Promise<{ address: string; path: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT i.board_code AS boardCode, i.item_no AS itemNo, i.title, f.id AS fileId FROM board_item AS i JOIN file AS f ON f.item_id = i.id
       WHERE i.board_code LIKE 'large-%' AND f.file_name LIKE '자료 %' ORDER BY i.id`,
    )
    .all<{ boardCode: string; itemNo: number; title: string; fileId: string }>();
  const perBoard = Math.ceil(sizes.items / BOARDS);
  const wanted = Math.ceil(most / 8);
  const every = Math.max(1, Math.floor(results.length / wanted));
  const chosen = results.filter((_, at) => at % every === 0).slice(0, wanted);
  return chosen
    .flatMap(({ boardCode, itemNo, title, fileId }) => {
      const number = Number.parseInt(title, 10);
      const [board, at] = [Math.floor(number / perBoard), number % perBoard];
      const [key, id] = [`board_${board}`, wrIdOf(at)];
      const item = `/board/${boardCode}/View/${itemNo}`;
      return [
        [`/bbs/board.php?bo_table=${key}&wr_id=${id}`, item],
        [`/gnuboard5/bbs/board.php?wr_id=${id}&bo_table=${key}&page=3`, item],
        [`/bbs/board.php?bo_table=${key}&wr_id=${id}&sca=&sfl=wr_subject&stx=x`, item],
        [`/${key}/${id}`, item],
        [`/index.php?mid=${key}&document_srl=${id}`, item],
        [`/?mid=${key}&document_srl=${id}`, item],
        [`/bbs/download.php?bo_table=${key}&wr_id=${id}&no=0`, `/api/file/${fileId}`],
        [`/${pathOf(board, at)}`, `/api/file/${fileId}`],
      ] as const;
    })
    .slice(0, most)
    .map(([address, path]) => ({ address, path }));
}

/**
 * Tables that a move and its undo change permanently. Search index pages differ, so its content is compared instead.
 */
const NOT_COMPARED =
  /^(?:moving|moving_issue|audit_log|audit_subject|audit_person|rate_limit|page_stamp|session|refresh_token|job|kept_answer|activity|sqlite_.*|_cf.*|d1_.*|board_search_.*)$/;
/** This version only increases. */
const WITHOUT: Record<string, string[]> = { role: ["version"] };
const PORTION = 5000;

/** Row count and order-independent digest sum of every table. */
export async function digestTables(db: D1Database): Promise<Record<string, string>> {
  const { results: tables } = await db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all<{ name: string; sql: string }>();
  const digests: Record<string, string> = {};
  for (const { name, sql } of tables.filter((table) => !NOT_COMPARED.test(table.name))) {
    const isByRow = !/WITHOUT ROWID/i.test(sql);
    const columns = /USING fts5/.test(sql) ? "rowid AS term_row" : "*";
    let [count, sum, after] = [0, 0n, 0];
    for (;;) {
      const page = isByRow
        ? db.prepare(
            `SELECT rowid AS row_position, ${columns} FROM "${name}" WHERE rowid > ?1 ORDER BY rowid LIMIT ${PORTION}`,
          )
        : db.prepare(`SELECT ${columns} FROM "${name}" LIMIT ${PORTION} OFFSET ?1`);
      const { results } = await page.bind(after).all<Record<string, unknown>>();
      for (const { row_position: position, ...row } of results) {
        for (const column of WITHOUT[name] ?? []) delete row[column];
        const digest = createHash("sha256").update(JSON.stringify(row)).digest();
        sum = (sum + digest.readBigUInt64BE(0)) % 2n ** 64n;
        count += 1;
        after = isByRow ? Number(position) : after + 1;
      }
      if (results.length < PORTION) break;
    }
    digests[name] = `${count} ${sum.toString(16)}`;
  }
  return digests;
}
