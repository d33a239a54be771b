import { and, eq, getTableColumns, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { boardItem, boardItemComment } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { idsIn } from "#db/sql.ts";
import type { SiteExportInput } from "#worker/contract/moving/input.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { duesText, seesDues } from "../alumni/dues/person.server.ts";
import type { AppContext, View } from "../kernel/context.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";
import type { MemberStatus } from "#worker/contract/account/rules.ts";
import type { ZipEntry } from "#worker/adapters/zip.server.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";

/** Limits of one response, below those of an invocation. */
export const PART = {
  items: 40_000,
  contentBytes: 200 * 1024 * 1024,
  members: 40_000,
  files: 2000,
  bytes: 300 * 1024 * 1024,
} as const;
const PORTION = { rows: 200, bytes: 4 * 1024 * 1024, notes: 500 } as const;
/** D1's limit of a value, the most that a range's last item adds. */
const ITEM_BYTES_MAX = 2_000_000;

export type Range = Pick<SiteExportInput, "first" | "last">;

const partNotFound = () => invalidInput({ first: "없는 묶음입니다. 내보내기를 다시 준비해 주십시오." });

export type PartRow = { first: string | number; last: string | number; count: number; bytes: number };

export const keyRangesSql = (from: string, size: string, most: { rows: number; bytes: number }): SQL =>
  sql.raw(
    `SELECT min(id) AS first, max(id) AS last, count(*) AS count, sum(size) AS bytes FROM (
       SELECT id, ${size} AS size, (row_number() OVER o - 1) / ${most.rows} AS part, sum(${size}) OVER o / ${most.bytes} AS weight FROM ${from} WINDOW o AS (ORDER BY id)
     ) GROUP BY part, weight ORDER BY first`,
  );

export const EXPORTED_MEMBERS = "user WHERE status NOT IN ('retired', 'refused')";
export const EXPORTED_ITEMS = "board_item WHERE deleted_date IS NULL";
export const EXPORTED_FILES =
  "file WHERE status = 'attached' AND purpose IN ('board', 'image') AND item_id IN (SELECT id FROM board_item WHERE deleted_date IS NULL)";

export async function listMemberIds(ctx: AppContext, { first, last }: Range): Promise<string[]> {
  const rows = await ctx.db.all<{ id: string }>(
    sql`SELECT id FROM user WHERE status NOT IN ('retired', 'refused') AND id BETWEEN ${first} AND ${last} ORDER BY id LIMIT ${PART.members + 1}`,
  );
  if (rows.length > PART.members) throw partNotFound();
  return rows.map(({ id }) => id);
}

export interface MemberRow {
  id: string;
  userName: string;
  userType: "Member" | "Admin";
  status: MemberStatus;
  profile: string;
  createdDate: number;
  passwordHash: string;
  roleName: string;
  /** A line each, for an exporter who sees dues. */
  dues: string | null;
  userId: string | null;
  email: string | null;
  mobile: string | null;
}

export async function* readMembers(
  ctx: AppContext,
  { first, last }: Range,
  withPasswords = false,
): AsyncGenerator<MemberRow> {
  for (let after = ""; ;) {
    const rows = await ctx.db.all<MemberRow>(sql`
      SELECT u.id, u.user_name AS userName, u.user_type AS userType, u.status, u.profile, u.created_date AS createdDate, CASE WHEN ${withPasswords ? 1 : 0} THEN u.password_hash ELSE '' END AS passwordHash, r.role_name AS roleName, ${seesDues(ctx) ? duesText(sql`u.id`) : sql`NULL`} AS dues,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Id') AS userId,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Email') AS email,
        (SELECT user_key_code FROM user_key WHERE user_id = u.id AND user_key_type = 'Mobile') AS mobile
      FROM user AS u JOIN role AS r USING (role_code)
      WHERE u.status NOT IN ('retired', 'refused') AND u.id > ${after} AND u.id BETWEEN ${first} AND ${last} ORDER BY u.id LIMIT ${PORTION.rows}`);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PORTION.rows) return;
    after = end.id;
  }
}

export interface OldNoteRow {
  no: number;
  folder: "inbox" | "sent";
  otherName: string;
  title: string;
  content: string;
  sentDate: number | null;
  readDate: number | null;
  ownerId: string;
  userId: string | null;
  email: string | null;
}

export async function* readOldNotes(ctx: AppContext, { first, last }: Range): AsyncGenerator<OldNoteRow> {
  for (let after = 0; ;) {
    const rows = await ctx.db.all<OldNoteRow>(sql`
      SELECT n.rowid AS no, n.folder, n.other_name AS otherName, n.title, n.content, n.sent_date AS sentDate, n.read_date AS readDate, n.user_id AS ownerId,
        (SELECT user_key_code FROM user_key WHERE user_id = n.user_id AND user_key_type = 'Id') AS userId,
        (SELECT user_key_code FROM user_key WHERE user_id = n.user_id AND user_key_type = 'Email') AS email
      FROM old_note AS n WHERE n.rowid > ${after} AND n.user_id BETWEEN ${first} AND ${last} ORDER BY n.rowid LIMIT ${PORTION.notes}`);
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PORTION.notes) return;
    after = end.no;
  }
}

export interface ItemRange {
  ids: number[];
  boardCode: string;
}

/** @throws AppError INVALID_INPUT if one answer cannot hold them */
export async function listItemRanges(ctx: AppContext, { first, last }: Range): Promise<ItemRange[]> {
  const rows = await ctx.db.all<{ id: number; boardCode: string; size: number }>(
    sql`SELECT id, board_code AS boardCode, octet_length(content) AS size FROM board_item
        WHERE deleted_date IS NULL AND id BETWEEN ${Number(first)} AND ${Number(last)} ORDER BY board_code, item_no LIMIT ${PART.items + 1}`,
  );
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  if (rows.length > PART.items || bytes > PART.contentBytes + ITEM_BYTES_MAX) throw partNotFound();
  const found: ItemRange[] = [];
  let filled = Infinity;
  for (const { id, boardCode, size } of rows) {
    let itemRange = found.at(-1);
    const isFull = filled + size > PORTION.bytes;
    if (!itemRange || itemRange.boardCode !== boardCode || itemRange.ids.length >= PORTION.rows || isFull) {
      itemRange = { ids: [], boardCode };
      found.push(itemRange);
      filled = 0;
    }
    itemRange.ids.push(id);
    filled += size;
  }
  return found;
}

const WRITER_ID = sql<
  string | null
>`(SELECT user_key_code FROM user_key WHERE user_id = created_user_id AND user_key_type = 'Id')`;
const PARENT_NO = sql<
  number | null
>`(SELECT p.rowid FROM board_item_comment AS p WHERE p.id = board_item_comment.parent_comment_id AND p.deleted_date IS NULL)`;
const COMMENT_NO = sql<number>`board_item_comment.rowid`;

export type WholeItem = View<typeof readItems>[number];

export async function readItems({ db }: AppContext, { ids }: ItemRange) {
  const items = await db
    .select({ ...getTableColumns(boardItem), writerId: WRITER_ID })
    .from(boardItem)
    .where(and(isNull(boardItem.deletedDate), idsIn(boardItem.id, ids)));
  const comments = await db
    .select({ ...getTableColumns(boardItemComment), no: COMMENT_NO, parentNo: PARENT_NO, writerId: WRITER_ID })
    .from(boardItemComment)
    .where(and(isNull(boardItemComment.deletedDate), idsIn(boardItemComment.itemId, ids)))
    .orderBy(boardItemComment.itemId, boardItemComment.createdDate, COMMENT_NO);
  const files = await db
    .select({ ...getTableColumns(file), no: sql<number>`file.rowid` })
    .from(file)
    .where(and(eq(file.status, "attached"), inArray(file.purpose, ["board", "image"]), idsIn(file.itemId, ids)))
    .orderBy(file.itemId, file.sortOrder);
  const itemOf = new Map(items.map((item) => [item.id, item]));
  const commentsOf = groupedBy(comments, ({ itemId }) => itemId);
  const filesOf = groupedBy(files, ({ itemId }) => itemId);
  return ids.flatMap((id) => {
    const item = itemOf.get(id);
    return item ? [{ item, comments: commentsOf.get(id) ?? [], files: filesOf.get(id) ?? [] }] : [];
  });
}

interface ExportedFile {
  id: string;
  purpose: string;
  fileName: string;
  storageKey: string;
  createdDate: number;
}

export async function listFiles(ctx: AppContext, { first, last }: Range): Promise<ExportedFile[]> {
  const rows = await ctx.db.all<ExportedFile>(sql`
    SELECT f.id, f.purpose, f.file_name AS fileName, f.storage_key AS storageKey, f.created_date AS createdDate
    FROM file AS f JOIN board_item AS i ON i.id = f.item_id
    WHERE f.status = 'attached' AND f.purpose IN ('board', 'image') AND i.deleted_date IS NULL AND f.id BETWEEN ${first} AND ${last}
    ORDER BY f.id LIMIT ${PART.files + 1}`);
  if (rows.length > PART.files) throw partNotFound();
  return rows;
}

const encoder = new TextEncoder();
export const encodeText = (text: string) => encoder.encode(text);

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield encodeText(text);
}

export const textEntry = (ctx: AppContext, name: string, contents: ZipEntry["contents"]): ZipEntry => ({
  name,
  lastModified: toKoreanClock(ctx.now()),
  contents,
  deflate: true,
});

/** Rhymix's own path, so that other importers find the file. */
export const exportedPath = ({ id, purpose, fileName }: { id: string; purpose: string; fileName: string }): string =>
  `files/attach/${purpose === "image" ? "images" : "binaries"}/${id}.${extensionOf(fileName) || "bin"}`;

/** Missing files become empty and are listed in a file at the end. */
export function* storedEntries(ctx: AppContext, rows: readonly ExportedFile[]): Generator<ZipEntry> {
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
  if (missing.length > 0) yield textEntry(ctx, "저장소에 없는 파일.txt", bytesOf(`${missing.join("\n")}\n`));
}

async function* storedBytes(files: R2Bucket, storageKey: string, lose: () => void): AsyncGenerator<Uint8Array> {
  const object = await files.get(storageKey);
  if (object) yield* object.body as unknown as AsyncIterable<Uint8Array>;
  else lose();
}
