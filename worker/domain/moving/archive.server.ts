import { and, eq, sql } from "drizzle-orm";
import { moving, movingArchive, movingPart } from "#db/schema/moving.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { openArchiveInput } from "#worker/contract/moving/input.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

type ArchiveDbRow = typeof movingArchive.$inferSelect;

const archiveNotFound = () =>
  new AppError("NOT_FOUND", { message: "올리던 파일을 찾을 수 없습니다. 다시 골라 주십시오." });

export const archiveView = (row: ArchiveDbRow, parts: readonly number[]) => ({
  ...fieldsOf(row, "id", "kind", "fileName", "size"),
  isReady: row.status === "ready",
  partBytes: MOVING_LIMITS.partBytes,
  parts: [...parts],
});

export type ArchiveView = View<typeof archiveView>;

const partCount = ({ size }: { size: number }) => Math.ceil(size / MOVING_LIMITS.partBytes);

/** Opens a multipart upload; the same file resumes its earlier one. */
export async function openArchive(
  ctx: AppContext,
  movingId: string,
  input: Parsed<typeof openArchiveInput>,
): Promise<ArchiveView> {
  authorizeConsole(ctx);
  const known = await ctx.db.select().from(movingArchive).where(eq(movingArchive.movingId, movingId));
  const same = known.find(
    ({ kind, fileName, size }) => kind === input.kind && fileName === input.fileName && size === input.size,
  );
  if (same) return archiveView(same, await partsOf(ctx, same.id));
  if (known.length >= MOVING_LIMITS.archives)
    throw invalidInput({ file: `파일은 ${MOVING_LIMITS.archives}개까지 올릴 수 있습니다.` });
  const id = crypto.randomUUID();
  const storageKey = `moving/${id}.zip`;
  const upload = await ctx.files.createMultipartUpload(storageKey, {
    httpMetadata: { contentType: "application/zip" },
  });
  const { kind, fileName, size } = input;
  const row = {
    id,
    movingId,
    kind,
    fileName,
    size,
    storageKey,
    uploadId: upload.uploadId,
    prefix: "",
    createdDate: ctx.now(),
  };
  const stored = await ctx.db
    .insert(movingArchive)
    .select(
      sql`SELECT ${row.id}, ${row.movingId}, ${row.kind}, ${row.fileName}, ${row.size}, ${row.storageKey}, ${row.uploadId}, 'uploading', '', ${row.createdDate.getTime()}
        WHERE EXISTS (SELECT 1 FROM moving WHERE id = ${movingId} AND status = 'uploading')`,
    )
    .returning({ id: movingArchive.id });
  if (stored.length === 0) {
    await upload.abort();
    throw conflict("지금은 파일을 올릴 수 없습니다. 화면을 새로 불러와 주십시오.");
  }
  return archiveView({ ...row, status: "uploading" }, []);
}

async function partsOf(ctx: AppContext, archiveId: string): Promise<number[]> {
  const rows = await ctx.db
    .select({ partNo: movingPart.partNo })
    .from(movingPart)
    .where(eq(movingPart.archiveId, archiveId))
    .orderBy(movingPart.partNo);
  return rows.map(({ partNo }) => partNo);
}

async function readArchive(ctx: AppContext, movingId: string, archiveId: string): Promise<ArchiveDbRow> {
  const [row] = await ctx.db
    .select({ archive: movingArchive })
    .from(movingArchive)
    .innerJoin(moving, eq(moving.id, movingArchive.movingId))
    .where(and(eq(movingArchive.id, archiveId), eq(movingArchive.movingId, movingId), eq(moving.status, "uploading")));
  if (!row) throw archiveNotFound();
  return row.archive;
}

/** Streams a part to storage; idempotent per part, for lost responses. */
export async function putArchivePart(
  ctx: AppContext,
  movingId: string,
  archiveId: string,
  partNo: number,
  part: { body: ReadableStream<Uint8Array> | null; contentLength: number | null },
): Promise<{ partNo: number }> {
  authorizeConsole(ctx);
  const row = await readArchive(ctx, movingId, archiveId);
  const count = partCount(row);
  if (partNo > count || row.status === "ready") throw archiveNotFound();
  const size = partNo < count ? MOVING_LIMITS.partBytes : row.size - (count - 1) * MOVING_LIMITS.partBytes;
  if (!part.body || part.contentLength !== size)
    throw invalidInput({ file: "파일의 부분이 끝까지 올라오지 않았습니다." });
  const fixed = new FixedLengthStream(size);
  const piping = part.body.pipeTo(fixed.writable).catch((cause: unknown) => cause);
  const upload = ctx.files.resumeMultipartUpload(row.storageKey, row.uploadId);
  const stored = await upload.uploadPart(partNo, fixed.readable).catch(async (cause: unknown) => {
    await piping;
    throw new AppError("UPSTREAM_UNAVAILABLE", {
      message: "파일을 지금 저장할 수 없습니다. 잠시 후 이어서 올려 주십시오.",
      cause,
    });
  });
  await piping;
  await ctx.db
    .insert(movingPart)
    .values({ archiveId, partNo, etag: stored.etag })
    .onConflictDoUpdate({ target: [movingPart.archiveId, movingPart.partNo], set: { etag: stored.etag } });
  return { partNo };
}

export async function completeArchive(
  ctx: AppContext,
  movingId: string,
  archiveId: string,
): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  const row = await readArchive(ctx, movingId, archiveId);
  if (row.status === "ready") return {};
  const parts = await ctx.db
    .select({ partNumber: movingPart.partNo, etag: movingPart.etag })
    .from(movingPart)
    .where(eq(movingPart.archiveId, archiveId))
    .orderBy(movingPart.partNo);
  if (parts.length !== partCount(row))
    throw conflict(`아직 올라오지 않은 부분이 있습니다(${parts.length}/${partCount(row)}). 이어서 올려 주십시오.`);
  // Already completed by a call whose response was lost.
  const there = await ctx.files.head(row.storageKey);
  if (there?.size !== row.size) await ctx.files.resumeMultipartUpload(row.storageKey, row.uploadId).complete(parts);
  await ctx.db.update(movingArchive).set({ status: "ready" }).where(eq(movingArchive.id, archiveId));
  return {};
}

export async function removeArchive(
  ctx: AppContext,
  movingId: string,
  archiveId: string,
): Promise<Record<string, never>> {
  authorizeConsole(ctx);
  await dropArchive(ctx, await readArchive(ctx, movingId, archiveId));
  await ctx.db.batch([
    ctx.db.delete(movingPart).where(eq(movingPart.archiveId, archiveId)),
    ctx.db.delete(movingArchive).where(eq(movingArchive.id, archiveId)),
  ]);
  return {};
}

export async function dropArchive(ctx: Pick<AppContext, "files">, row: ArchiveDbRow): Promise<void> {
  if (row.status === "uploading") {
    const upload = ctx.files.resumeMultipartUpload(row.storageKey, row.uploadId);
    // The storage itself expires incomplete uploads.
    await upload.abort().catch(() => undefined);
  }
  await ctx.files.delete(row.storageKey);
}
