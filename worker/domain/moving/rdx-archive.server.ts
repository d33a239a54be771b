import { sql } from "drizzle-orm";
import type { ZipEntry } from "#worker/adapters/zip.server.ts";
import type { SiteExportInput } from "#worker/contract/moving/input.ts";
import { RDX_VERSION } from "#worker/contract/moving/rules.ts";
import type { AppContext } from "../kernel/context.ts";
import { documentRecord, memberRecord, noteRecord } from "./rdx-write.server.ts";
import { bytesOf, encodeText, storedEntries, textEntry } from "./site-archive.server.ts";
import {
  type ItemRange,
  listFiles,
  listItemRanges,
  type Range,
  readItems,
  readMembers,
  readOldNotes,
} from "./site-rows.server.ts";

const jsonLine = (record: object) => encodeText(`${JSON.stringify(record)}\n`);

interface IndexLine {
  filename: string;
  type: "member" | "message" | "board";
  title: string;
  count: number;
}

function indexEntry(ctx: AppContext, entries: IndexLine[]): ZipEntry {
  const index = {
    version: RDX_VERSION,
    source: "Hoewon",
    tz: "Asia/Seoul",
    entries: entries.map(({ count, ...entry }) => ({ ...entry, range: `1-${count}` })),
  };
  return textEntry(ctx, "index.json", bytesOf(JSON.stringify(index, null, 2)));
}

export async function rdxMemberEntries(
  ctx: AppContext,
  range: Range & Pick<SiteExportInput, "withPasswords">,
  count: number,
): Promise<ZipEntry[]> {
  const { first, last, withPasswords } = range;
  const [notes] = await ctx.db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM old_note WHERE user_id BETWEEN ${first} AND ${last}`,
  );
  const lists: [IndexLine, AsyncGenerator<Uint8Array>][] = [
    [{ filename: "members/member_1.jsonl", type: "member", title: "", count }, memberLines(ctx, range, withPasswords)],
  ];
  if (notes?.count)
    lists.push([
      { filename: "messages/message_1.jsonl", type: "message", title: "", count: notes.count },
      noteLines(ctx, range),
    ]);
  return [
    ...lists.map(([{ filename }, lines]) => textEntry(ctx, filename, lines)),
    indexEntry(
      ctx,
      lists.map(([line]) => line),
    ),
  ];
}

async function* memberLines(ctx: AppContext, range: Range, withPasswords: boolean): AsyncGenerator<Uint8Array> {
  for await (const row of readMembers(ctx, range, withPasswords)) yield jsonLine(memberRecord(row));
}

async function* noteLines(ctx: AppContext, range: Range): AsyncGenerator<Uint8Array> {
  for await (const row of readOldNotes(ctx, range)) yield jsonLine(noteRecord(row));
}

export async function rdxItemEntries(ctx: AppContext, range: Range): Promise<ZipEntry[]> {
  const itemRanges = await listItemRanges(ctx, range);
  const names = await ctx.db.all<{ boardCode: string; boardName: string }>(
    sql`SELECT board_code AS boardCode, board_name AS boardName FROM board ORDER BY sort_order`,
  );
  const found = names.flatMap(({ boardCode, boardName }) => {
    const own = itemRanges.filter((itemRange) => itemRange.boardCode === boardCode);
    const filename = `boards/${encodeURIComponent(boardCode)}_1.jsonl`;
    const count = own.reduce((sum, { ids }) => sum + ids.length, 0);
    return own.length === 0 ? [] : [{ line: { filename, type: "board" as const, title: boardName, count }, own }];
  });
  return [
    ...found.map(({ line, own }) => textEntry(ctx, line.filename, documentLines(ctx, own))),
    indexEntry(
      ctx,
      found.map(({ line }) => line),
    ),
  ];
}

async function* documentLines(ctx: AppContext, itemRanges: readonly ItemRange[]): AsyncGenerator<Uint8Array> {
  for (const itemRange of itemRanges)
    for (const { item, comments, files } of await readItems(ctx, itemRange))
      yield jsonLine(documentRecord(item, comments, files, ctx.now()));
}

export const rdxFileEntries = async (ctx: AppContext, range: Range): Promise<Iterable<ZipEntry>> =>
  storedEntries(ctx, await listFiles(ctx, range));
