import { streamOf, type ZipEntry, zipPieces } from "#worker/adapters/zip.server.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import type { SiteExportInput } from "#worker/contract/moving/input.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize } from "../kernel/authorize.server.ts";
import { countExport } from "../kernel/sheet-download.server.ts";
import type { AppContext, View } from "../kernel/context.ts";
import { requireRecentIdentity } from "../kernel/recent-proof.server.ts";
import {
  bytesOf,
  encodeText,
  EXPORTED_FILES,
  EXPORTED_ITEMS,
  EXPORTED_MEMBERS,
  type ItemRange,
  keyRangesSql,
  listFiles,
  listItemRanges,
  listMemberIds,
  PART,
  type PartRow,
  type Range,
  readItems,
  readMembers,
  readOldNotes,
  storedEntries,
  textEntry,
} from "./site-rows.server.ts";
import { sql } from "drizzle-orm";
import { RDX_VERSION } from "#worker/contract/moving/rules.ts";
import { documentRecord, memberRecord, noteRecord } from "./rdx-write.server.ts";

export async function listSiteExport(ctx: AppContext) {
  authorize(ctx, { action: "Site.Export" });
  const listOf = async (
    kind: SiteExportInput["kind"],
    from: string,
    size: string,
    most: { rows: number; bytes: number },
  ) => {
    const rows = await ctx.db.all<PartRow>(keyRangesSql(from, size, most));
    return rows.map(({ first, last, count, bytes }) => ({
      kind,
      first: String(first),
      last: String(last),
      count,
      bytes: kind === "files" ? bytes : null,
    }));
  };
  return [
    ...(await listOf("members", EXPORTED_MEMBERS, "1", { rows: PART.members, bytes: 2 ** 52 })),
    ...(await listOf("items", EXPORTED_ITEMS, "octet_length(content)", { rows: PART.items, bytes: PART.contentBytes })),
    ...(await listOf("files", EXPORTED_FILES, "size", { rows: PART.files, bytes: PART.bytes })),
  ];
}

export type SiteExportPart = View<typeof listSiteExport>[number];

type Entries = Iterable<ZipEntry> | Promise<Iterable<ZipEntry>>;

function entriesOf(ctx: AppContext, part: SiteExportInput, memberCount: number): Entries {
  switch (part.kind) {
    case "members":
      return rdxMemberEntries(ctx, part, memberCount);
    case "files":
      return rdxFileEntries(ctx, part);
    case "items":
      return rdxItemEntries(ctx, part);
  }
}

/** Streams one archive, without holding its rows in memory. */
export async function exportSite(ctx: AppContext, part: SiteExportInput) {
  authorize(ctx, { action: "Site.Export" });
  // Exports all password hashes, so it requires a second factor or the password.
  if (part.withPasswords) requireRecentIdentity(ctx);
  // File archives belong to counted exports and are not counted again.
  if (part.kind !== "files") await countExport(ctx);
  const people = part.kind === "members" ? await listMemberIds(ctx, part) : [];
  const { kind, first, last, withPasswords } = part;
  const entries = await entriesOf(ctx, part, people.length);
  const detail = { kind, first, last, ...(withPasswords && { withPasswords }) };
  const { reason } = part;
  await ctx.db.batch(auditPeople(ctx, { action: "moving.export", targetType: "export", reason, detail }, people));
  return {
    fileName: `사이트_${koreanDayStamp(ctx.now())}_${kind}_${part.partNo}.zip`,
    contentType: "application/zip",
    body: streamOf(zipPieces(entries)),
  };
}

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

async function rdxMemberEntries(ctx: AppContext, range: Range & Pick<SiteExportInput, "withPasswords">, count: number) {
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

async function rdxItemEntries(ctx: AppContext, range: Range): Promise<ZipEntry[]> {
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
    for (const item of await readItems(ctx, itemRange)) yield jsonLine(documentRecord(item, ctx.now()));
}

const rdxFileEntries = async (ctx: AppContext, range: Range): Promise<Iterable<ZipEntry>> =>
  storedEntries(ctx, await listFiles(ctx, range));
