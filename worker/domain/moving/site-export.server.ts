import { type SQL, sql } from "drizzle-orm";
import { streamOf, type ZipEntry, zipPieces } from "#worker/adapters/zip.server.ts";
import { koreanDayStamp, toKoreanClock } from "#worker/contract/kernel/korea.ts";
import type { SiteExportInput } from "#worker/contract/moving/input.ts";
import { RDX_VERSION } from "#worker/contract/moving/rules.ts";
import type { SiteExportPart } from "#worker/contract/moving/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { recordExportSubjects } from "../audit/export-subject.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import type { AppContext } from "../kernel/context.ts";
import {
  documentRecord,
  exportedPath,
  memberRecord,
  type CommentRow,
  type FileRow,
  type ItemRow,
  type MemberRow,
} from "./rdx-write.server.ts";

/** What one answer reads and sends: statements, objects and bytes below what one invocation may. */
const PART = { items: 40_000, members: 40_000, files: 2000, bytes: 300 * 1024 * 1024 } as const;
const PORTION = { rows: 200, bytes: 4 * 1024 * 1024, sizes: 5000 } as const;

type PartRow = { first: string | number; last: string | number; count: number; bytes: number };

/** Rows in stretches of at most so many and so many bytes, by their order. */
const stretches = (key: string, size: string, from: string, most: { rows: number; bytes: number }): SQL =>
  sql.raw(
    `SELECT min(id) AS first, max(id) AS last, count(*) AS count, sum(size) AS bytes FROM (
       SELECT ${key} AS id, ${size} AS size, (row_number() OVER o - 1) / ${most.rows} AS part, sum(${size}) OVER o / ${most.bytes} AS weight FROM ${from} WINDOW o AS (ORDER BY ${key})
     ) GROUP BY part, weight ORDER BY first`,
  );

/** The archives that the site as a whole makes: members, boards with their items, then the files. */
export async function listSiteExport(ctx: AppContext): Promise<SiteExportPart[]> {
  authorize(ctx, { action: "Site.Export" });
  const large = { bytes: 2 ** 52 };
  const members = await ctx.db.all<PartRow>(
    stretches("id", "1", "user WHERE status <> 'retired'", { rows: PART.members, ...large }),
  );
  const items = await ctx.db.all<PartRow>(
    stretches("id", "1", "board_item WHERE deleted_date IS NULL", { rows: PART.items, ...large }),
  );
  const files = await ctx.db.all<PartRow>(
    stretches("id", "size", EXPORTED_FILES, { rows: PART.files, bytes: PART.bytes }),
  );
  const partsOf = (kind: SiteExportPart["kind"], rows: PartRow[]) =>
    rows.map(({ first, last, count, bytes }) => ({
      kind,
      first: String(first),
      last: String(last),
      count,
      bytes: kind === "files" ? bytes : null,
    }));
  return [...partsOf("members", members), ...partsOf("items", items), ...partsOf("files", files)];
}

/** Attachments and pictures of items that are there. */
const EXPORTED_FILES =
  "file WHERE status = 'attached' AND purpose IN ('board', 'image') AND item_id IN (SELECT id FROM board_item WHERE deleted_date IS NULL)";

/**
 * One of these archives: RDX 1.0 for members and items, and a zip in which their files stand where the records say.
 * Rows are read as the archive is sent; none of it is held.
 */
export async function exportSite(ctx: AppContext, part: SiteExportInput) {
  authorize(ctx, { action: "Site.Export" });
  // Files follow the records that name them: a large site has many archives of them.
  if (part.kind !== "files") await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const people = part.kind === "members" ? await listMemberIds(ctx, part) : [];
  const exportId = crypto.randomUUID();
  const { kind, first, last } = part;
  const entriesOf = {
    members: () => memberEntries(ctx, part, people),
    items: () => itemEntries(ctx, part),
    files: () => fileEntries(ctx, part),
  };
  const entries = await entriesOf[kind]();
  const record = audit(ctx, {
    action: "moving.export",
    targetType: "export",
    targetId: exportId,
    subjectCount: people.length,
    reason: part.reason,
    detail: { kind, first, last },
  });
  await ctx.db.batch([record, ...recordExportSubjects(ctx, exportId, "user", people)]);
  return {
    fileName: `사이트_${koreanDayStamp(ctx.now())}_${part.kind}_${part.partNo}.zip`,
    contentType: "application/zip",
    body: streamOf(zipPieces(entries)),
  };
}

type Range = Pick<SiteExportInput, "first" | "last">;
const encoder = new TextEncoder();
const jsonLine = (record: object) => encoder.encode(`${JSON.stringify(record)}\n`);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text);
}

function indexEntry(
  ctx: AppContext,
  entries: { filename: string; type: string; title: string; count: number }[],
): ZipEntry {
  const index = {
    version: RDX_VERSION,
    source: "Hoewon",
    tz: "Asia/Seoul",
    entries: entries.map(({ count, ...entry }) => ({ ...entry, range: `1-${count}` })),
  };
  return entryOf(ctx, "index.json", bytesOf(JSON.stringify(index, null, 2)));
}

const entryOf = (ctx: AppContext, name: string, contents: ZipEntry["contents"]): ZipEntry => ({
  name,
  lastModified: toKoreanClock(ctx.now()),
  contents,
  deflate: true,
});

const noSuchPart = () => invalidInput({ first: "없는 묶음입니다. 내보내기를 다시 준비해 주십시오." });

async function listMemberIds(ctx: AppContext, { first, last }: Range): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string }>(
    sql`SELECT id FROM user WHERE status <> 'retired' AND id BETWEEN ${first} AND ${last} ORDER BY id LIMIT ${PART.members + 1}`,
  );
  if (rows.length > PART.members) throw noSuchPart();
  return rows.map(({ id }) => id);
}

function memberEntries(ctx: AppContext, range: Range, people: readonly string[]): ZipEntry[] {
  const name = "members/member_1.jsonl";
  return [
    entryOf(ctx, name, memberLines(ctx, range)),
    indexEntry(ctx, [{ filename: name, type: "member", title: "", count: people.length }]),
  ];
}

async function* memberLines(ctx: AppContext, { first, last }: Range): AsyncGenerator<Uint8Array> {
  for (let after = ""; ;) {
    const rows = await ctx.db.all<MemberRow>(sql`
      SELECT u.id, u.user_name AS userName, u.user_type AS userType, u.status, u.profile, u.created_date AS createdDate, r.role_name AS roleName,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Id') AS userId,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Email') AS email,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Mobile') AS mobile
      FROM user AS u JOIN role AS r USING (role_code)
      WHERE u.status <> 'retired' AND u.id > ${after} AND u.id BETWEEN ${first} AND ${last} ORDER BY u.id LIMIT ${PORTION.rows}`);
    for (const row of rows) yield jsonLine(memberRecord(row));
    const end = rows.at(-1);
    if (!end || rows.length < PORTION.rows) return;
    after = end.id;
  }
}

async function itemEntries(ctx: AppContext, range: Range): Promise<ZipEntry[]> {
  const boards = await ctx.db.all<{ boardCode: string; boardName: string; count: number }>(sql`
    SELECT b.board_code AS boardCode, b.board_name AS boardName, count(*) AS count FROM board_item AS i JOIN board AS b USING (board_code)
    WHERE i.deleted_date IS NULL AND i.id BETWEEN ${Number(range.first)} AND ${Number(range.last)} GROUP BY b.board_code ORDER BY b.sort_order`);
  if (boards.reduce((sum, { count }) => sum + count, 0) > PART.items) throw noSuchPart();
  const nameOf = (boardCode: string) => `boards/${encodeURIComponent(boardCode)}_1.jsonl`;
  return [
    ...boards.map(({ boardCode }) => entryOf(ctx, nameOf(boardCode), documentLines(ctx, boardCode, range))),
    indexEntry(
      ctx,
      boards.map(({ boardCode, boardName, count }) => ({
        filename: nameOf(boardCode),
        type: "board",
        title: boardName,
        count,
      })),
    ),
  ];
}

/** The items of a board by number, in stretches that memory holds whatever stands in them. */
async function* documentLines(ctx: AppContext, boardCode: string, range: Range): AsyncGenerator<Uint8Array> {
  const within = sql`board_code = ${boardCode} AND deleted_date IS NULL AND id BETWEEN ${Number(range.first)} AND ${Number(range.last)}`;
  for (let after = 0; ;) {
    const sizes = await ctx.db.all<{ itemNo: number; size: number }>(
      sql`SELECT item_no AS itemNo, length(content) AS size FROM board_item WHERE ${within} AND item_no > ${after} ORDER BY item_no LIMIT ${PORTION.sizes}`,
    );
    for (let at = 0; at < sizes.length;) {
      let end = at;
      for (let bytes = 0; end < sizes.length && end - at < PORTION.rows; end++) {
        bytes += (sizes[end]?.size ?? 0) * 3;
        if (end > at && bytes > PORTION.bytes) break;
      }
      yield* documentPortion(
        ctx,
        sql`${within} AND item_no BETWEEN ${sizes[at]?.itemNo} AND ${sizes[end - 1]?.itemNo}`,
      );
      at = end;
    }
    const last = sizes.at(-1);
    if (!last || sizes.length < PORTION.sizes) return;
    after = last.itemNo;
  }
}

const WRITER_ID = sql.raw(
  "(SELECT user_key_code FROM user_key WHERE user_id = created_user_id AND user_key_type = 'Id') AS userId",
);

async function* documentPortion(ctx: AppContext, within: SQL): AsyncGenerator<Uint8Array> {
  const ids = sql`SELECT id FROM board_item WHERE ${within}`;
  const items = await ctx.db.all<ItemRow>(sql`
    SELECT id, item_no AS itemNo, title, content, category, is_pinned AS isPinned, is_secret AS isSecret, created_user_name AS userName,
      created_date AS createdDate, modified_date AS modifiedDate, view_count AS viewCount, ${WRITER_ID}
    FROM board_item WHERE ${within} ORDER BY item_no`);
  const comments = await ctx.db.all<CommentRow>(sql`
    SELECT c.rowid AS id, c.item_id AS itemId, (SELECT p.rowid FROM board_item_comment AS p WHERE p.id = c.parent_comment_id AND p.deleted_date IS NULL) AS parentId,
      c.content, c.created_user_name AS userName, c.created_date AS createdDate, ${WRITER_ID}
    FROM board_item_comment AS c WHERE c.deleted_date IS NULL AND c.item_id IN (${ids}) ORDER BY c.item_id, c.created_date, c.rowid`);
  const files = await ctx.db.all<FileRow>(sql`
    SELECT rowid AS no, id, item_id AS itemId, purpose, file_name AS fileName, size, content_type AS contentType, created_date AS createdDate
    FROM file WHERE status = 'attached' AND purpose IN ('board', 'image') AND item_id IN (${ids}) ORDER BY item_id, sort_order`);
  const commentsOf = byItem(comments);
  const filesOf = byItem(files);
  for (const item of items)
    yield jsonLine(documentRecord(item, commentsOf.get(item.id) ?? [], filesOf.get(item.id) ?? [], ctx.now()));
}

function byItem<Row extends { itemId: number }>(rows: Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const known = found.get(row.itemId);
    if (known) known.push(row);
    else found.set(row.itemId, [row]);
  }
  return found;
}

async function fileEntries(ctx: AppContext, { first, last }: Range): Promise<Iterable<ZipEntry>> {
  const rows = await ctx.db.all<ExportedFile>(
    sql`SELECT id, purpose, file_name AS fileName, storage_key AS storageKey, created_date AS createdDate FROM ${sql.raw(EXPORTED_FILES)} AND id BETWEEN ${first} AND ${last} ORDER BY id LIMIT ${PART.files + 1}`,
  );
  if (rows.length > PART.files) throw noSuchPart();
  return storedEntries(ctx, rows);
}

interface ExportedFile {
  id: string;
  purpose: string;
  fileName: string;
  storageKey: string;
  createdDate: number;
}

/** What the storage has lost comes empty, and is named in a list at the end. */
function* storedEntries(ctx: AppContext, rows: readonly ExportedFile[]): Generator<ZipEntry> {
  const missing: string[] = [];
  for (const row of rows) {
    const name = exportedPath(row);
    const lose = () => void missing.push(`${name}\t${row.fileName}`);
    yield {
      name,
      lastModified: toKoreanClock(new Date(row.createdDate)),
      contents: storedBytes(ctx.files, row.storageKey, lose),
      deflate: false,
    };
  }
  if (missing.length > 0) yield entryOf(ctx, "저장소에 없는 파일.txt", bytesOf(`${missing.join("\n")}\n`));
}

async function* storedBytes(files: R2Bucket, storageKey: string, lose: () => void): AsyncGenerator<Uint8Array> {
  const object = await files.get(storageKey);
  if (object) yield* object.body as unknown as AsyncIterable<Uint8Array>;
  else lose();
}
