import { streamOf, type ZipEntry, zipPieces } from "#worker/adapters/zip.server.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import type { SiteExportInput } from "#worker/contract/moving/input.ts";
import type { SiteExportPart } from "#worker/contract/moving/view.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import type { AppContext } from "../kernel/context.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { requireRecentIdentity } from "../kernel/recent-proof.server.ts";
import { rdxFileEntries, rdxItemEntries, rdxMemberEntries } from "./rdx-archive.server.ts";
import {
  EXPORTED_FILES,
  EXPORTED_ITEMS,
  EXPORTED_MEMBERS,
  listMemberIds,
  PART,
  type PartRow,
  keyRangesSql,
} from "./site-rows.server.ts";

export async function listSiteExport(ctx: AppContext): Promise<SiteExportPart[]> {
  authorize(ctx, { action: "Site.Export" });
  const listOf = async (
    kind: SiteExportPart["kind"],
    from: { key: string; size: string; rows: string },
    most: { rows: number; bytes: number },
  ): Promise<SiteExportPart[]> => {
    const rows = await ctx.db.all<PartRow>(keyRangesSql(from.key, from.size, from.rows, most));
    return rows.map(({ first, last, count, bytes }) => ({
      kind,
      first: String(first),
      last: String(last),
      count,
      bytes: kind === "files" ? bytes : null,
    }));
  };
  const content = "octet_length(content)";
  return [
    ...(await listOf(
      "members",
      { key: "id", size: "1", rows: EXPORTED_MEMBERS },
      { rows: PART.members, bytes: 2 ** 52 },
    )),
    ...(await listOf(
      "items",
      { key: "id", size: content, rows: EXPORTED_ITEMS },
      { rows: PART.items, bytes: PART.contentBytes },
    )),
    ...(await listOf(
      "files",
      { key: "id", size: "size", rows: EXPORTED_FILES },
      { rows: PART.files, bytes: PART.bytes },
    )),
  ];
}

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
  if (part.kind !== "files") await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
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
