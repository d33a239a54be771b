import { eq } from "drizzle-orm";
import { board, boardItem, file } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import { AppError } from "#worker/contract/errors.ts";
import { can } from "../access.server.ts";
import { itemResource } from "../board/row.server.ts";

export interface FileToServe {
  fileName: string;
  contentType: string;
  size: number;
  storageKey: string;
  etag: string;
  /** Alike for every guest: no session was needed to read it. */
  isPublic: boolean;
}

const missing = () => new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });

/** A file obeys the right of what it hangs on; what hangs on nothing is its owner's alone. For others it is not there. */
export async function fileToServe(door: Door, id: string): Promise<FileToServe> {
  const { ctx, rows } = await door.read([
    door.db
      .select({ file, item: boardItem, board })
      .from(file)
      .leftJoin(boardItem, eq(boardItem.id, file.itemId))
      .leftJoin(board, eq(board.boardCode, boardItem.boardCode))
      .where(eq(file.id, id)),
  ]);
  const row = rows[0][0];
  if (!row || row.file.status === "pending" || !mayRead(ctx, row)) throw missing();
  const { fileName, contentType, size, storageKey, hash } = row.file;
  return {
    fileName,
    contentType,
    size,
    storageKey,
    etag: `"${hash ?? storageKey}"`,
    isPublic: ctx.actor.kind === "guest",
  };
}

interface FileRow {
  file: typeof file.$inferSelect;
  item: typeof boardItem.$inferSelect | null;
  board: typeof board.$inferSelect | null;
}

function mayRead(ctx: AppContext, row: FileRow): boolean {
  if (row.file.status !== "attached")
    return can(ctx.actor, { action: "Upload.Use", ownerUserId: row.file.ownerUserId });
  if (!row.item || !row.board) return false;
  const action = row.file.purpose === "image" ? "Item.Read" : "Item.Download";
  return can(ctx.actor, { action, item: itemResource(row.board, row.item), now: ctx.now() });
}

/** The bytes of a file that `fileToServe` allowed, or a part of them. */
export async function fetchStored(
  files: R2Bucket,
  storageKey: string,
  range: { offset: number; length: number } | null,
): Promise<ReadableStream> {
  const object = await files.get(storageKey, range ? { range } : undefined);
  if (!object) throw missing();
  return object.body;
}
