import { lookUp } from "#worker/contract/kernel/labels.ts";
import { contentMatchesExtension, FILE_TYPE_BYTES } from "#worker/adapters/file-type.server.ts";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import { StorageFailed, storeBytes, storeStream } from "#worker/adapters/storage.server.ts";
import { readEntry, type StoredEntry, ZipProblem } from "#worker/adapters/zip-reader.server.ts";
import { movingFile } from "#db/schema/moving.ts";
import { extensionOf, FILE_TYPES } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { eq } from "drizzle-orm";
import { isPictureFileName } from "../file/picture.server.ts";
import type { InlineFile } from "./item-portion.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { type MovedRow, movedStatement } from "./moved-key.server.ts";

type FileToCommit = typeof movingFile.$inferSelect;

const PORTION = 20;
/** R2 allows one write per second per key; a move repeated after an undo reuses keys. */
const STORE_TRIES = 3;
const STORE_PAUSE_MS = 1100;
const DOWNLOAD_TYPE = "application/octet-stream";
/** Shown inline, so a file with wrong content is refused. */
const SHOWN = new Set(["png", "jpg", "jpeg", "gif", "webp", "pdf"]);

interface CommittedFile {
  file: FileToCommit;
  size: number;
  hash: string | null;
  contentType: string;
  pixelWidth: number | null;
  pixelHeight: number | null;
  storageKey: string;
}

export async function commitFiles(step: MovingStep): Promise<boolean> {
  step.spend(1);
  const waiting = await step.ctx.db
    .select()
    .from(movingFile)
    .where(eq(movingFile.movingId, step.row.id))
    .orderBy(movingFile.path)
    .limit(PORTION);
  const committed: CommittedFile[] = [];
  const done: FileToCommit[] = [];
  for (const file of waiting) {
    const result = await commitFile(step, file);
    if (result) committed.push(result);
    done.push(file);
    if (step.isSpent()) break;
  }
  if (done.length > 0) await step.commit(fileStatements(step, committed, done));
  return waiting.length > 0;
}

async function commitFile(step: MovingStep, file: FileToCommit): Promise<CommittedFile | null> {
  const found = await findBytes(step, file.path);
  if (!found) {
    step.addIssue("file-missing", file.oldKey, file.fileName);
    return null;
  }
  step.spend(0, found.entry.compressedSize + 64 * 1024);
  try {
    const committed = await storeFromArchive(step, file, found);
    if (!committed) step.addIssue("file-broken", file.oldKey, file.fileName);
    return committed;
  } catch (cause) {
    if (!(cause instanceof ZipProblem) && !isUnzipFailure(cause)) throw cause;
    step.addIssue("file-broken", file.oldKey, file.fileName);
    return null;
  }
}

async function storeFromArchive(step: MovingStep, file: FileToCommit, { archiveId, entry }: FoundBytes) {
  return withTries(() =>
    isPictureFileName(file.fileName)
      ? commitPicture(step, file, archiveId, entry)
      : commitDocument(step, file, archiveId, entry),
  );
}

async function withTries<T>(store: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await store();
    } catch (cause) {
      if (!(cause instanceof StorageFailed) || isUnzipFailure(cause) || attempt === STORE_TRIES) throw cause;
      await new Promise((resolve) => setTimeout(resolve, STORE_PAUSE_MS));
    }
}

export type StoredInline = Omit<InlineFile, "bytes"> & Omit<CommittedFile, "file" | "pixelWidth" | "pixelHeight">;

/** Stores inline pictures before their items: an interrupted run writes them again. */
export async function storeInlinePictures(step: MovingStep, pictures: readonly InlineFile[]): Promise<StoredInline[]> {
  const stored: StoredInline[] = [];
  for (const { bytes, ...picture } of pictures) {
    const storageKey = storageKeyOf({ ...picture, createdDate: new Date(picture.createdDate) });
    const contentType = FILE_TYPES[extensionOf(picture.fileName)] ?? DOWNLOAD_TYPE;
    const object = await withTries(() => storeBytes(step.ctx.files, { key: storageKey, bytes, contentType }));
    step.spend(0, bytes.byteLength);
    stored.push({ ...picture, size: bytes.byteLength, hash: object?.hash ?? null, contentType, storageKey });
  }
  return stored;
}

/** The upload failed because unzipping failed. */
const isUnzipFailure = (cause: unknown): boolean =>
  cause instanceof Error && (cause instanceof ZipProblem || isUnzipFailure(cause.cause));

interface FoundBytes {
  archiveId: string;
  entry: StoredEntry;
}

async function findBytes(step: MovingStep, path: string): Promise<FoundBytes | null> {
  for (const { id, prefix } of step.archives) {
    const entry = await step.findEntry(id, `${prefix}${path}`);
    if (entry) return { archiveId: id, entry };
  }
  return null;
}

const storageKeyOf = (file: Pick<FileToCommit, "id" | "createdDate">) =>
  `f/${file.createdDate.getUTCFullYear()}/${file.id}`;

async function commitPicture(
  step: MovingStep,
  file: FileToCommit,
  archiveId: string,
  entry: StoredEntry,
): Promise<CommittedFile | null> {
  if (entry.size > SIZE_LIMITS.imageBytes * 3) return null;
  const whole = new Uint8Array(entry.size);
  let at = 0;
  for await (const piece of readEntry(step.sourceOf(archiveId), entry)) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  if (!contentMatchesExtension(file.fileName, whole.subarray(0, FILE_TYPE_BYTES))) return null;
  const picture = cleanPicture(file.fileName, whole);
  if (!picture || picture.width * picture.height > SIZE_LIMITS.imagePixels) return null;
  const contentType = lookUp(FILE_TYPES, extensionOf(file.fileName)) ?? DOWNLOAD_TYPE;
  const storageKey = storageKeyOf(file);
  const stored = await storeBytes(step.ctx.files, { key: storageKey, bytes: picture.bytes, contentType });
  const { width: pixelWidth, height: pixelHeight, bytes } = picture;
  return { file, size: bytes.byteLength, hash: stored?.hash ?? null, contentType, pixelWidth, pixelHeight, storageKey };
}

async function commitDocument(
  step: MovingStep,
  file: FileToCommit,
  archiveId: string,
  entry: StoredEntry,
): Promise<CommittedFile | null> {
  const extension = extensionOf(file.fileName);
  const storageKey = storageKeyOf(file);
  const pieces = readEntry(step.sourceOf(archiveId), entry);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
  let agrees = true;
  const stored = await storeStream(step.ctx.files, {
    key: storageKey,
    body,
    size: entry.size,
    contentType: lookUp(FILE_TYPES, extension) ?? DOWNLOAD_TYPE,
    firstByteCount: FILE_TYPE_BYTES,
    check(head) {
      agrees = contentMatchesExtension(file.fileName, head);
      if (!agrees && SHOWN.has(extension)) throw new ZipProblem("broken", file.path);
    },
  });
  const contentType = agrees ? (lookUp(FILE_TYPES, extension) ?? DOWNLOAD_TYPE) : DOWNLOAD_TYPE;
  return {
    file,
    size: entry.size,
    hash: stored?.hash ?? null,
    contentType,
    pixelWidth: null,
    pixelHeight: null,
    storageKey,
  };
}

function fileStatements(step: MovingStep, committed: CommittedFile[], done: FileToCommit[]): D1PreparedStatement[] {
  const { d1 } = step;
  step.count("committed", "files", committed.length);
  const rows = committed.map(({ file, ...bytes }) => ({ ...file, createdDate: file.createdDate.getTime(), ...bytes }));
  const moved = committed.map(({ file }): MovedRow => ({
    oldKey: file.oldKey,
    oldPath: file.path,
    targetId: file.id,
    ...(file.oldNumber === null ? {} : { oldNumber: file.oldNumber }),
  }));
  const failed = done.filter((file) => !committed.some((each) => each.file.id === file.id)).map(({ id }) => id);
  const itemIds = JSON.stringify([...new Set(done.map(({ itemId }) => itemId))]);
  return [
    d1
      .prepare(
        `INSERT OR IGNORE INTO file (id, purpose, board_code, item_id, owner_user_id, file_name, size, content_type, hash, pixel_width, pixel_height, status, storage_key, sort_order, created_date)
         SELECT value ->> 'id', value ->> 'purpose', value ->> 'boardCode', value ->> 'itemId', value ->> 'ownerUserId', value ->> 'fileName', value ->> 'size',
           value ->> 'contentType', value ->> 'hash', value ->> 'pixelWidth', value ->> 'pixelHeight', 'attached', value ->> 'storageKey', value ->> 'sortOrder', value ->> 'createdDate'
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows)),
    movedStatement(step, "file", moved),
    d1
      .prepare("DELETE FROM moving_file WHERE id IN (SELECT value FROM json_each(?1))")
      .bind(JSON.stringify(done.map(({ id }) => id))),
    d1
      .prepare(
        `UPDATE board_item SET file_count = (SELECT count(*) FROM file WHERE item_id = board_item.id AND purpose = 'board' AND status = 'attached'),
           thumbnail_file_id = CASE WHEN thumbnail_file_id IN (SELECT value FROM json_each(?2)) THEN NULL ELSE thumbnail_file_id END
         WHERE id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(itemIds, JSON.stringify(failed)),
    // File names are part of the search index.
    d1
      .prepare(
        "UPDATE board_item_search SET is_stale = 1 WHERE is_stale = 0 AND item_id IN (SELECT value FROM json_each(?1))",
      )
      .bind(itemIds),
  ];
}
