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

/** Those of the files that hang on an item still. */
const attachedFiles = (db: AppContext["db"], chosen: SQL) =>
  db
    .select({ file, item: boardItem, board })
    .from(file)
    .innerJoin(boardItem, eq(boardItem.id, file.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(chosen, eq(file.status, "attached"), eq(file.purpose, "board"), isNull(boardItem.deletedDate)));

async function readFiles(ctx: Pick<AppContext, "db">, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return attachedFiles(ctx.db, idsIn(file.id, ids));
}

/** Those of a mailing, to be read with it. */
export const mailingFilesStatement = (db: AppContext["db"], mailingId: string) =>
  attachedFiles(
    db,
    sql`${file.id} IN (SELECT value FROM mailing, json_each(mailing.file_ids) WHERE mailing.id = ${mailingId})`,
  );

/** @param ids in the order in which they were named */
export const mailingFiles = (
  rows: Awaited<ReturnType<typeof mailingFilesStatement>>,
  ids: readonly string[],
): MailingFile[] =>
  rows
    .map(({ file: { id, fileName, size } }) => ({ id, fileName, size }))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

/** @throws AppError INVALID_INPUT unless each is a file of an item that the caller may download */
export async function requireAttachable(ctx: AppContext, ids: readonly string[]): Promise<void> {
  const rows = await readFiles(ctx, ids);
  const readable = rows.filter((row) =>
    can(ctx.actor, { action: "Item.Download", item: itemResource(row.board, row.item), now: ctx.now() }),
  );
  if (readable.length < new Set(ids).size)
    throw invalidInput({ fileIds: "게시판 글에 붙은 파일 가운데 내려받으실 수 있는 것만 붙일 수 있습니다." });
}

export async function readAttachedFiles(ctx: Pick<AppContext, "db">, ids: readonly string[]): Promise<MailingFile[]> {
  return mailingFiles(await readFiles(ctx, ids), ids);
}

/** What stands under the text of a mail: the links ask for the right of the item that each file hangs on. */
export function describeAttachedFiles(files: readonly MailingFile[], origin: string): string {
  if (files.length === 0) return "";
  const lines = files.map(({ id, fileName, size }) => `${fileName} (${formatBytes(size)})\n${origin}/api/file/${id}`);
  return `\n\n첨부파일\n${lines.join("\n")}`;
}
