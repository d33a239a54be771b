import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { MailingFile } from "#worker/contract/mailing/view.ts";
import { can } from "../kernel/authorize.server.ts";
import { itemResource } from "../kernel/resource.server.ts";

const isAttached = and(eq(file.status, "attached"), eq(file.purpose, "board"), isNull(boardItem.deletedDate));

const attachedFiles = (db: AppContext["db"], chosen: SQL) =>
  db
    .select({ id: file.id, fileName: file.fileName, size: file.size })
    .from(file)
    .innerJoin(boardItem, eq(boardItem.id, file.itemId))
    .where(and(chosen, isAttached));

/** Selects file columns only, since columns in a batch need unique names. */
export const mailingFilesStatement = (db: AppContext["db"], mailingId: string) =>
  attachedFiles(
    db,
    sql`${file.id} IN (SELECT value FROM mailing, json_each(mailing.file_ids) WHERE mailing.id = ${mailingId})`,
  );

/** @param ids in their given order */
export const mailingFiles = (rows: readonly MailingFile[], ids: readonly string[]): MailingFile[] =>
  rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

/** @throws AppError INVALID_INPUT unless each is a file of an item that the caller may download */
export async function requireAttachable(ctx: AppContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await ctx.db
    .select({ item: boardItem, board })
    .from(file)
    .innerJoin(boardItem, eq(boardItem.id, file.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(idsIn(file.id, ids), isAttached));
  const readable = rows.filter((row) =>
    can(ctx.actor, { action: "Item.Download", item: itemResource(row.board, row.item), now: ctx.now() }),
  );
  if (readable.length < new Set(ids).size)
    throw invalidInput({ fileIds: "게시판 글에 붙은 파일 가운데 내려받으실 수 있는 것만 붙일 수 있습니다." });
}

export async function readAttachedFiles(ctx: Pick<AppContext, "db">, ids: readonly string[]): Promise<MailingFile[]> {
  return ids.length === 0 ? [] : mailingFiles(await attachedFiles(ctx.db, idsIn(file.id, ids)), ids);
}

/** Links to files; each link requires access to the file's item. */
export function describeAttachedFiles(files: readonly MailingFile[], origin: string): string {
  if (files.length === 0) return "";
  const lines = files.map(({ id, fileName, size }) => `${fileName} (${formatBytes(size)})\n${origin}/api/file/${id}`);
  return `\n\n첨부파일\n${lines.join("\n")}`;
}
