import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { and, asc, gt, inArray, notInArray } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { createBackupCipher } from "#worker/adapters/backup-cipher.server.ts";
import type { BackupState, FileListState } from "#worker/contract/operation/backup-state.ts";
import type { BackupContext, PartLines } from "./backup-context.ts";

export const FILE_COPY_PREFIX = "files/";
/** Shared by all backups, because a file is copied only once. */
const FILE_CIPHER_ID = "files";
const PAGE = 500;
const NAMED = 5;

export interface FileCopyBudget {
  objects: number;
  bytes: number;
}

export const fileCopyCipher = (secret: string) => createBackupCipher(secret, FILE_CIPHER_ID);

/**
 * Lists the next files by key with size and digest, and copies new ones. Files missing in storage are counted and
 * reported.
 */
export async function listFilesStep(
  ctx: BackupContext,
  secret: string,
  state: BackupState,
  spent: { statements: number },
  budget: FileCopyBudget,
): Promise<PartLines> {
  const { after } = state.files;
  const [wanted, stored] = await Promise.all([
    ctx.db
      .select({ key: file.storageKey, fileName: file.fileName, size: file.size })
      .from(file)
      .where(
        and(
          gt(file.storageKey, after),
          inArray(file.status, ["ready", "attached"]),
          // Deleted after a day, and they contain many people's data.
          notInArray(file.purpose, ["alumni-import", "alumni-export"]),
        ),
      )
      .orderBy(asc(file.storageKey))
      .limit(PAGE),
    listKeys(ctx.files, "", after),
  ]);
  spent.statements += 1;
  const reach = stored.isWhole ? "\u{10ffff}" : requirePresent([...stored.objects.keys()].at(-1));
  const within = wanted.filter(({ key }) => key <= reach);
  const copies = within.length > 0 ? await listKeys(ctx.backups, FILE_COPY_PREFIX, after) : stored;
  const cipher = await fileCopyCipher(secret);
  const files: FileListState = { ...state.files, missingNames: [...state.files.missingNames] };
  const lines: string[] = [];
  let isCut = false;
  for (const { key, fileName, size } of within) {
    if (budget.objects <= 0 || budget.bytes <= 0) {
      isCut = true;
      break;
    }
    files.after = key;
    const object = stored.objects.get(key);
    if (!object || object.size !== size) {
      files.missing += 1;
      if (files.missingNames.length < NAMED) files.missingNames.push(`${fileName} (${key})`);
      continue;
    }
    lines.push(JSON.stringify([key, object.size, object.etag]));
    files.count += 1;
    files.bytes += object.size;
    const isCopied =
      copies.objects.has(key) || (!copies.isWhole && (await ctx.backups.head(`${FILE_COPY_PREFIX}${key}`)) !== null);
    if (isCopied) continue;
    const body = await ctx.files.get(key);
    if (!body) continue;
    const bytes = new Uint8Array(await body.arrayBuffer());
    await ctx.backups.put(`${FILE_COPY_PREFIX}${key}`, await cipher.seal(key, bytes));
    files.copied += 1;
    budget.objects -= 1;
    budget.bytes -= size;
  }
  const isEnd = !isCut && wanted.length < PAGE && within.length === wanted.length;
  if (!isCut && within.length < wanted.length && within.length === 0) files.after = reach;
  if (lines.length > 0) lines.unshift(JSON.stringify({ files: true }));
  return { state: { ...state, phase: isEnd ? "copies" : "files", files }, lines, rows: 0, bytes: 0 };
}

async function listKeys(bucket: R2Bucket, prefix: string, after: string) {
  const found = await bucket.list({ prefix, ...(after && { startAfter: `${prefix}${after}` }) });
  const objects = new Map(found.objects.map((object) => [object.key.slice(prefix.length), object]));
  return { objects, isWhole: !found.truncated };
}
