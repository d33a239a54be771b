import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { EXPORT_HOURS } from "#worker/contract/file/rules.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import { inquiry } from "#db/schema/inquiry.ts";
import { proposal } from "#db/schema/proposal.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { columnsOf } from "#db/sql.ts";
import { type BoardRow, can, itemResource } from "../kernel/authorize.server.ts";
import { proposalFacts, proposalResource } from "../kernel/proposal-facts.server.ts";
import { identityOf } from "../kernel/site-identity.server.ts";

export interface FileToServe {
  id: string;
  fileName: string;
  contentType: string;
  size: number;
  storageKey: string;
  etag: string;
  pixelWidth: number | null;
  pixelHeight: number | null;
  /** Readable without a session, so a shared cache can keep it. */
  isPublic: boolean;
}

const fileNotFound = () => new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });

/** A file has the permissions of its owner object; an unattached one is its uploader's. Others get NOT_FOUND. */
export async function getFileToServe(scope: RequestScope, id: string): Promise<FileToServe> {
  const now = scope.now().getTime();
  // Separate statements, because a D1 join loses columns of the same name.
  const itemId = sql`(SELECT item_id FROM ${file} WHERE ${file.id} = ${id})`;
  const proposalId = sql`(SELECT proposal_id FROM proposal_file WHERE file_id = ${id})`;
  const { ctx, rows } = await scope.read((viewerId) => [
    scope.db.select().from(file).where(eq(file.id, id)),
    scope.db.select().from(boardItem).where(eq(boardItem.id, itemId)),
    scope.db
      .select()
      .from(board)
      .where(sql`${board.boardCode} = (SELECT board_code FROM ${boardItem} WHERE ${boardItem.id} = ${itemId})`),
    pagesOfFileStatement(scope.db, id, now),
    scope.db
      .select({ ownerUserId: inquiry.userId })
      .from(inquiry)
      .where(sql`${inquiry.id} = (SELECT inquiry_id FROM inquiry_file WHERE file_id = ${id})`),
    scope.db
      .select({
        ...columnsOf(proposal, "userId", "status"),
        ...proposalFacts(viewerId, scope.now(), sql`p.id = ${proposalId}`),
      })
      .from(proposal)
      .where(eq(proposal.id, proposalId)),
  ]);
  const [[found], [item], [parent], pages, [asked], [proposed]] = rows;
  const gone = !found || found.status === "pending" || found.status === "swept";
  if (gone || !canReadFile(ctx, found, { item, parent, pages, asked, proposed })) throw fileNotFound();
  const { fileName, contentType, size, storageKey, hash, pixelWidth, pixelHeight } = found;
  return {
    id,
    fileName,
    contentType,
    size,
    storageKey,
    etag: `"${hash ?? storageKey}"`,
    pixelWidth,
    pixelHeight,
    isPublic: ctx.actor.kind === "guest",
  };
}

/** Pages of a file, and whether it is public: in a current or announced text, or any version of a legal page. */
const pagesOfFileStatement = (db: RequestScope["db"], id: string, now: number) =>
  db
    .select({
      code: contentFile.code,
      // Qualified names, because a bare column would refer to the subquery's table.
      isShown: sql<number>`(EXISTS (SELECT 1 FROM content AS c JOIN content_version AS v ON v.code = c.code
          WHERE c.code = content_file.code AND c.status = 'published' AND instr(v.value, content_file.file_id) > 0
            AND (c.code IN ('terms', 'privacy') OR v.effective_date >= coalesce(
              (SELECT max(n.effective_date) FROM content_version AS n WHERE n.code = c.code AND n.effective_date <= ${now}), 0)))
        OR EXISTS (SELECT 1 FROM agreement AS a WHERE 'agreement.' || a.code = content_file.code AND a.is_current = 1
          AND instr(a.content, content_file.file_id) > 0)
        OR EXISTS (SELECT 1 FROM popup AS p WHERE 'popup.' || p.id = content_file.code AND p.is_closed = 0
          AND p.start_date <= ${now} AND p.end_date > ${now}))`,
    })
    .from(contentFile)
    .where(eq(contentFile.fileId, id));

type PageOfFile = { code: string; isShown: number };
type FileRow = typeof file.$inferSelect;
interface FilePlace {
  item: typeof boardItem.$inferSelect | undefined;
  parent: BoardRow | undefined;
  pages: PageOfFile[];
  asked: { ownerUserId: string } | undefined;
  proposed: (Parameters<typeof proposalResource>[0] & Parameters<typeof proposalResource>[1]) | undefined;
}

function canReadFile(ctx: AppContext, row: FileRow, { item, parent, pages, asked, proposed }: FilePlace): boolean {
  if (row.status !== "attached")
    return canReadAlumniFile(ctx, row) && can(ctx.actor, { action: "Upload.Use", ownerUserId: row.ownerUserId });
  if (row.purpose === "inquiry") return asked !== undefined && can(ctx.actor, { action: "Inquiry.Read", ...asked });
  if (row.purpose === "proposal") {
    if (!proposed || !identityOf(ctx).hasProposals) return false;
    return can(ctx.actor, { action: "Proposal.Papers", proposal: proposalResource(proposed, proposed) });
  }
  if (!item && PAGE_PURPOSES.includes(row.purpose)) return canReadPageFile(ctx, row, pages);
  if (!item || !parent) return false;
  const action = row.purpose === "image" ? "Item.Read" : "Item.Download";
  return can(ctx.actor, { action, item: itemResource(parent, item), now: ctx.now() });
}

const PAGE_PURPOSES: FileRow["purpose"][] = ["content", "image", "general"];

/** Files of a published page are public; those of a draft are for its editors. */
function canReadPageFile(ctx: AppContext, row: FileRow, pages: PageOfFile[]): boolean {
  if (row.purpose === "content" && pages.some((page) => page.isShown)) return true;
  if (can(ctx.actor, { action: "ADMIN_Access" })) return row.purpose !== "general" || pages.length > 0;
  const regions = pages.flatMap(({ code }) => /^center\.(.+)$/.exec(code)?.[1] ?? []);
  return (
    regions.some((regionCode) => can(ctx.actor, { action: "Center.Manage", regionCode })) ||
    can(ctx.actor, { action: "Upload.Use", ownerUserId: row.ownerUserId })
  );
}

/** Ends access to files with personal data on time, even before the clean-up, and after a lost permission. */
function canReadAlumniFile(ctx: AppContext, { purpose, createdDate }: FileRow): boolean {
  if (purpose !== "alumni-export" && purpose !== "alumni-import") return true;
  const keptMs = purpose === "alumni-export" ? exportHoursOf(ctx) * HOUR_MS : DAY_MS;
  if (ctx.now().getTime() - createdDate.getTime() > keptMs) return false;
  const either = ["Alumni_Export", "Alumni_Import"] as const;
  return either.some((action) => can(ctx.actor, { action }));
}

const exportHoursSetting = z
  .object({ exportHours: z.number().positive().catch(EXPORT_HOURS) })
  .catch({ exportHours: EXPORT_HOURS });

/** Hours from the address book's settings; parsed here, because this area must not import a later one. */
const exportHoursOf = ({ storedSettings: { alumni } }: Pick<AppContext, "storedSettings">): number =>
  exportHoursSetting.parse(alumni === null ? {} : JSON.parse(alumni)).exportHours;

export const fileUnavailable = (cause: unknown) =>
  new AppError("UPSTREAM_UNAVAILABLE", {
    message: "파일을 지금 불러올 수 없습니다. 잠시 후 다시 시도해 주십시오.",
    cause,
  });

/**
 * Streams a file, or a range, that `fileToServe` allowed. @throws AppError UPSTREAM_UNAVAILABLE when R2 fails or lacks
 * the object
 */
export async function fetchStoredFile(
  files: R2Bucket,
  storageKey: string,
  range: { offset: number; length: number } | null,
): Promise<ReadableStream> {
  let object: R2ObjectBody | null;
  try {
    object = await files.get(storageKey, range ? { range } : undefined);
  } catch (cause) {
    throw fileUnavailable(cause);
  }
  if (!object) throw fileUnavailable(new Error(`no object ${storageKey}`));
  return object.body;
}
