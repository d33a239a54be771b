import { and, eq, sql } from "drizzle-orm";
import { idsIn } from "#db/sql.ts";
import type { Db } from "#db/client.ts";
import { alumni } from "#db/schema/alumni.ts";
import { file } from "#db/schema/file.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { OwnValuesInput } from "#worker/contract/alumni/own-field-input.ts";
import { isOwnFieldCode, isOwnFile } from "#worker/contract/alumni/own-fields.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { abortBatchUnless } from "../kernel/guard.server.ts";
import type { FileToServe } from "../file/read.server.ts";
import type { SentFiles } from "./own-value.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleOwnValuesFor } from "./row.server.ts";

const isOwnUpload = (ctx: AppContext, ids: readonly string[]) =>
  and(
    idsIn(file.id, ids),
    eq(file.ownerUserId, requireSignedIn(ctx).userId),
    eq(file.purpose, "general"),
    eq(file.status, "ready"),
  );

export async function readSentFiles(ctx: AppContext, given: OwnValuesInput): Promise<SentFiles> {
  const ids = Object.values(given).flatMap((sent) => (isOwnFile(sent) ? [sent.fileId] : []));
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.select({ id: file.id, fileName: file.fileName }).from(file).where(isOwnUpload(ctx, ids));
  return new Map(rows.map(({ id, fileName }) => [id, fileName]));
}

/** Part of the batch that writes the values, so that no other use can claim the uploads. */
export const attachOwnFiles = (ctx: AppContext, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : [
        abortBatchUnless(ctx, sql`(SELECT count(*) FROM file WHERE ${isOwnUpload(ctx, ids)}) = ${ids.length}`),
        ctx.db.update(file).set({ purpose: "alumni", status: "attached" }).where(isOwnUpload(ctx, ids)),
      ];

export const ownFileNotFound = (cause: unknown) =>
  Object.assign(invalidInput({ fileIds: "올리지 못한 파일이 있습니다. 다시 올려 주십시오." }), { cause });

export const releaseUnusedFiles = (db: Db) =>
  db
    .update(file)
    .set({ status: "swept" })
    .where(
      sql`${file.purpose} = 'alumni' AND ${file.status} = 'attached' AND ${file.id} NOT IN (
        SELECT f.value ->> 'fileId' FROM alumni_field d CROSS JOIN alumni_value v ON v.field = d.code
          CROSS JOIN alumni a ON a.id = v.alumni_id, json_each(a.own) f WHERE d.kind = 'file' AND f.type = 'object'
        UNION ALL SELECT f.value ->> 'fileId' FROM alumni_before b, json_each(b."values" ->> 'own') f WHERE f.type = 'object')`,
    );

/** Reading the file needs access to its value. Needs Alumni_Read. */
export async function getOwnFile(ctx: AppContext, id: string, code: string): Promise<FileToServe> {
  authorize(ctx, { action: "Alumni_Read" });
  const [person] = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(eq(alumni.id, id), sql`${alumni.deletedDate} IS NULL`));
  const value = person && isOwnFieldCode(code) ? visibleOwnValuesFor(ctx, person)[code] : undefined;
  const [found] = isOwnFile(value)
    ? await ctx.db
        .select()
        .from(file)
        .where(and(eq(file.id, value.fileId), eq(file.purpose, "alumni"), eq(file.status, "attached")))
    : [];
  if (!found) throw new AppError("NOT_FOUND", { message: "파일을 찾을 수 없습니다." });
  const { fileName, contentType, size, storageKey, hash, pixelWidth, pixelHeight } = found;
  const etag = `"${hash ?? storageKey}"`;
  return { id: found.id, fileName, contentType, size, storageKey, etag, pixelWidth, pixelHeight, isPublic: false };
}
