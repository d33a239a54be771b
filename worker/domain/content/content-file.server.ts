import { idsIn } from "#db/sql.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ItemFile } from "#worker/contract/file/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";

// Files of pages, centers and popups. The caller authorizes.

type FileRow = typeof file.$inferSelect;
const isAmongFiles = (fileIds: readonly string[]) => idsIn(file.id, fileIds);
const isOwnFile = (ctx: AppContext) => sql`${file.ownerUserId} = ${requireSignedIn(ctx).userId}`;

export const contentFilesStatement = (db: Db, code: string) => preparedContentFiles(db, { code });

const preparedContentFiles = prepareOnce((db) =>
  db
    .select()
    .from(file)
    .where(
      sql`${file.id} IN (SELECT ${contentFile.fileId} FROM ${contentFile} WHERE ${contentFile.code} = ${sql.placeholder("code")})
        AND ${file.purpose} IN ('general', 'image', 'content')`,
    ),
);

export function contentFileViews(rows: readonly FileRow[], fileIds: readonly string[]): ItemFile[] {
  return fileIds.flatMap((fileId) => {
    const row = rows.find(({ id }) => id === fileId);
    if (!row) return [];
    const { fileName, size, contentType } = row;
    return [{ fileId, fileName, size, contentType, url: `/api/file/${fileId}` }];
  });
}

/** @throws AppError INVALID_INPUT unless each file is the caller's upload or belongs to the page */
export async function checkContentFiles(ctx: AppContext, code: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const known = await ctx.db
    .select({ id: file.id })
    .from(file)
    .where(
      sql`${isAmongFiles(fileIds)} AND ((${isOwnFile(ctx)} AND ${file.purpose} = 'general' AND ${file.status} IN ('ready', 'attached'))
        OR EXISTS (SELECT 1 FROM content_file AS l WHERE l.code = ${code} AND l.file_id = ${file.id}))`,
    );
  if (known.length < new Set(fileIds).size)
    throw invalidInput({ fileIds: "올리지 못한 파일이 있습니다. 다시 올려 주십시오." });
}

/** Accepts the caller's upload or a picture already linked to the page. @throws AppError INVALID_INPUT */
export async function checkContentPicture(ctx: AppContext, code: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const [known] = await ctx.db
    .select({ id: file.id })
    .from(file)
    .where(
      sql`${isAmongFiles(fileIds)} AND (${file.purpose} = 'content' OR (${isOwnFile(ctx)} AND ${file.purpose} = 'image'
        AND ${file.itemId} IS NULL AND ${file.status} IN ('ready', 'attached')) OR ${isLinkedTo(code)})`,
    );
  if (!known) throw invalidInput({ imageFileId: "사진을 다시 올려 주십시오." });
}

/** Links a draft's files to its page, in the batch that saves it. @param when true if the draft was saved */
export const keepContentFiles = (ctx: AppContext, code: string, fileIds: readonly string[], when: SQL) => [
  ctx.db
    .insert(contentFile)
    .select(
      sql`SELECT ${code}, ${file.id} FROM ${file} WHERE ${isAmongFiles(fileIds)} AND ${file.itemId} IS NULL
        AND ((${isOwnFile(ctx)} AND ${file.purpose} IN ('image', 'general') AND ${file.status} IN ('ready', 'attached')) OR ${file.purpose} = 'content')
        AND ${when}`,
    )
    .onConflictDoNothing(),
  ctx.db
    .update(file)
    .set({ status: "attached" })
    .where(sql`${isAmongFiles(fileIds)} AND ${file.status} = 'ready' AND ${isLinkedTo(code)} AND ${when}`),
];

/** Makes a page's files public, in the batch that publishes its text. */
export const publishContentFiles = (ctx: AppContext, code: string, fileIds: readonly string[], when: SQL) =>
  ctx.db.update(file).set({ status: "attached", purpose: "content" })
    .where(sql`${isAmongFiles(fileIds)} AND ${file.purpose} IN ('image', 'general')
      AND ${file.status} IN ('ready', 'attached') AND ${isLinkedTo(code)} AND ${when}`);

const isLinkedTo = (code: string) =>
  sql`EXISTS (SELECT 1 FROM content_file AS l WHERE l.code = ${code} AND l.file_id = ${file.id})`;

export const dropContentFileLinks = (ctx: AppContext, code: string) =>
  ctx.db.delete(contentFile).where(eq(contentFile.code, code));
