import { lookUp } from "#worker/contract/kernel/labels.ts";
import { and, eq } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { contentMatchesExtension, FILE_TYPE_BYTES } from "#worker/adapters/file-type.server.ts";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import {
  readWholeBody,
  StorageFailed,
  storeBytes,
  storeStream,
  UploadCutOff,
} from "#worker/adapters/storage.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { extensionOf, FILE_TYPES, IMAGE_EXTENSIONS } from "#worker/contract/file/rules.ts";
import type { UploadTicket } from "#worker/contract/file/view.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { isPictureFileName } from "./picture.server.ts";

export interface AnnouncedFile {
  fileName: string;
  size: number;
}
type FileRow = typeof file.$inferSelect;
type FilePurpose = FileRow["purpose"];

export async function issueOwnUploadUrl(ctx: AppContext, input: AnnouncedFile): Promise<UploadTicket> {
  requireSignedIn(ctx);
  checkAnnouncedFile(input, { maxSize: SIZE_LIMITS.documentBytes, extensions: Object.keys(FILE_TYPES) });
  return issueUploadUrl(ctx, input, "general", null);
}

export function checkAnnouncedFile(
  { fileName, size }: AnnouncedFile,
  limits: { maxSize: number; extensions: string[] },
): void {
  const extension = extensionOf(fileName);
  if (!limits.extensions.includes(extension) || !lookUp(FILE_TYPES, extension)) {
    throw invalidInput({
      fileName: `올릴 수 없는 파일 형식입니다. (올릴 수 있는 형식: ${limits.extensions.join(", ")})`,
    });
  }
  const maxSize = isPictureFileName(fileName) ? Math.min(limits.maxSize, SIZE_LIMITS.imageBytes) : limits.maxSize;
  if (size > maxSize) throw invalidInput({ size: `파일이 너무 큽니다. ${formatBytes(maxSize)}까지 올릴 수 있습니다.` });
}

export async function issueUploadUrl(
  ctx: AppContext,
  input: AnnouncedFile,
  purpose: FilePurpose,
  boardCode: string | null,
): Promise<UploadTicket> {
  await countUpload(ctx, input.size);
  const row = newFileRow(ctx, input, purpose, boardCode);
  const expiresDate = new Date(ctx.now().getTime() + TOKEN_LIMITS.uploadTtlSeconds * 1000);
  await ctx.db.insert(file).values({ ...row, status: "pending" });
  const ticket = ctx.tokens.sign("upload", `${row.id}~${expiresDate.getTime()}`);
  return { fileId: row.id, uploadUrl: `/api/file/upload/${ticket}`, expiresDate: expiresDate.toISOString() };
}

async function countUpload(ctx: AppContext, size: number): Promise<void> {
  const { userId } = requireSignedIn(ctx);
  await countLimits(ctx, ["uploadUrl", userId], ["uploadBytesDay", userId, size]);
}

export function newFileRow(ctx: AppContext, input: AnnouncedFile, purpose: FilePurpose, boardCode: string | null) {
  const now = ctx.now();
  const id = crypto.randomUUID();
  return {
    id,
    purpose,
    boardCode,
    ownerUserId: requireSignedIn(ctx).userId,
    fileName: input.fileName,
    size: input.size,
    contentType: lookUp(FILE_TYPES, extensionOf(input.fileName)) ?? "application/octet-stream",
    storageKey: `f/${now.getUTCFullYear()}/${crypto.randomUUID()}`,
    createdDate: now,
  };
}

interface IncomingUpload {
  body: ReadableStream<Uint8Array> | null;
  contentLength: number | null;
}

/**
 * Receives the bytes for a signed path, once; a wrong size or type leaves no object. @throws AppError NOT_FOUND,
 * CONFLICT, PAYLOAD_TOO_LARGE, UNSUPPORTED_FILE, INVALID_INPUT
 */
export async function receiveUpload(ctx: AppContext, ticket: string, upload: IncomingUpload) {
  const [id, expires] = ctx.tokens.unsign("upload", ticket)?.split("~") ?? [];
  const gone = new AppError("NOT_FOUND", { message: "올릴 수 있는 시간이 지났습니다. 파일을 다시 선택해 주십시오." });
  if (!id || Number(expires) <= ctx.now().getTime()) throw gone;
  const [row] = await ctx.db.select().from(file).where(eq(file.id, id));
  if (!row) throw gone;
  if (row.status !== "pending") throw new AppError("CONFLICT", { message: "이미 올린 파일입니다." });
  if (upload.contentLength !== null && upload.contentLength > row.size) throw fileTooLong();
  const stored = await storeUpload(ctx, row, upload.body);
  const [ready] = await ctx.db
    .update(file)
    .set({ status: "ready", ...stored })
    .where(and(eq(file.id, id), eq(file.status, "pending")))
    .returning({ id: file.id });
  if (!ready) throw new AppError("CONFLICT", { message: "이미 올린 파일입니다." });
  return { fileId: id, size: stored.size };
}

/** The file is missing, belongs to another person, or is attached elsewhere. */
export const unusableFiles = () =>
  invalidInput({ fileIds: "첨부할 수 없는 파일이 있습니다. 파일을 다시 올려 주십시오." });

const fileTooLong = () => new AppError("PAYLOAD_TOO_LARGE", { message: "알려 주신 크기보다 큰 파일입니다." });

type ExpectedFile = Pick<FileRow, "purpose" | "fileName" | "size" | "contentType" | "storageKey">;
/** Buffers and sanitizes pictures, limited to 10 MB; streams everything else. */
async function storeUpload(ctx: AppContext, row: ExpectedFile, body: IncomingUpload["body"]) {
  try {
    const stored = isPictureFileName(row.fileName)
      ? await storePicture(ctx, row, body)
      : await storeDocument(ctx, row, body);
    if (!stored) throw new AppError("CONFLICT", { message: "이미 올린 파일입니다." });
    return stored;
  } catch (error) {
    if (error instanceof StorageFailed)
      throw new AppError("UPSTREAM_UNAVAILABLE", {
        message: "파일을 지금 저장할 수 없습니다. 잠시 후 다시 올려 주십시오.",
        cause: error,
      });
    if (!(error instanceof UploadCutOff)) throw error;
    if (error.kind === "long") throw fileTooLong();
    throw invalidInput({ file: "파일이 끝까지 올라오지 않았습니다. 다시 올려 주십시오." });
  }
}

async function storeDocument(ctx: AppContext, row: ExpectedFile, body: IncomingUpload["body"]) {
  const { storageKey: key, size, contentType } = row;
  const check = (head: Uint8Array) => checkFirstBytes(row, head);
  const stored = await storeStream(ctx.files, { key, body, size, contentType, firstByteCount: FILE_TYPE_BYTES, check });
  return stored && { ...stored, size, pixelWidth: null, pixelHeight: null };
}

async function storePicture(ctx: AppContext, row: ExpectedFile, body: IncomingUpload["body"]) {
  const whole = await readWholeBody(body, row.size);
  checkFirstBytes(row, whole.subarray(0, FILE_TYPE_BYTES));
  const picture = cleanPicture(row.fileName, whole);
  if (!picture)
    throw new AppError("UNSUPPORTED_FILE", { message: "그림 파일이 손상되었거나 끝까지 저장되지 않은 파일입니다." });
  const { bytes, width: pixelWidth, height: pixelHeight } = picture;
  if (pixelWidth * pixelHeight > SIZE_LIMITS.imagePixels)
    throw new AppError("PAYLOAD_TOO_LARGE", { message: "그림이 너무 큽니다. 4천만 화소까지 올릴 수 있습니다." });
  const stored = await storeBytes(ctx.files, { key: row.storageKey, bytes, contentType: row.contentType });
  return stored && { ...stored, size: bytes.byteLength, pixelWidth, pixelHeight };
}

function checkFirstBytes({ purpose, fileName }: ExpectedFile, head: Uint8Array): void {
  // A password-protected xlsx is an OLE file; accepted, so that the import can explain the problem.
  const locked =
    purpose === "alumni-import" && extensionOf(fileName) === "xlsx" && contentMatchesExtension("locked.xls", head);
  if (!locked && !contentMatchesExtension(fileName, head))
    throw new AppError("UNSUPPORTED_FILE", { message: "파일의 내용이 이름의 형식과 다릅니다." });
}

/** Stores a picture for the editor, owned by the caller until an item uses it. Needs any write permission. */
export async function storeEditorImage(ctx: AppContext, input: { fileName: string; bytes: Uint8Array<ArrayBuffer> }) {
  authorize(ctx, { action: "Picture.Store" });
  if (!IMAGE_EXTENSIONS.includes(extensionOf(input.fileName))) {
    throw new AppError("UNSUPPORTED_FILE", {
      message: `그림은 ${IMAGE_EXTENSIONS.join(", ")} 형식만 넣을 수 있습니다.`,
    });
  }
  if (input.bytes.byteLength === 0) throw invalidInput({ file: "빈 파일은 올릴 수 없습니다." });
  if (input.bytes.byteLength > SIZE_LIMITS.imageBytes)
    throw new AppError("PAYLOAD_TOO_LARGE", { message: "그림은 10MB까지 올릴 수 있습니다." });
  await countUpload(ctx, input.bytes.byteLength);
  const row = newFileRow(ctx, { fileName: input.fileName, size: input.bytes.byteLength }, "image", null);
  // Inserts the row first, because the clean-up finds no object without one.
  await ctx.db.insert(file).values({ ...row, status: "pending" });
  const stored = await storeUpload(ctx, row, new Blob([input.bytes]).stream());
  await ctx.db
    .update(file)
    .set({ ...stored, status: "ready" })
    .where(and(eq(file.id, row.id), eq(file.status, "pending")));
  return { fileId: row.id, url: `/api/file/${row.id}` };
}
