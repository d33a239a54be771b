import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { and, asc, eq, gt, inArray, notInArray, sql } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { createBackupCipher } from "#worker/adapters/backup-cipher.server.ts";
import type { BackupState, FileListState } from "#worker/contract/operation/operation.ts";
import {
  type BackupContext,
  BackupError,
  type BackupStep,
  bucketReader,
  openBackup,
  type OpenedBackup,
  readBackupPart,
} from "./backup-manifest.server.ts";
import { backupRun } from "#db/schema/operation.ts";
import { readAges } from "../audit/ages.server.ts";

export const FILE_COPY_PREFIX = "files/";
/** Shared by all backups, because a file is copied only once. */
const FILE_CIPHER_ID = "files";
const PAGE = 500;
const NAMED = 5;

export const fileCopyCipher = (secret: string) => createBackupCipher(secret, FILE_CIPHER_ID);

/**
 * Lists the next files by key with size and digest, and copies new ones. Files missing in storage are counted and
 * reported. @returns lines of the next part
 */
export async function listFilesStep(step: BackupStep): Promise<string[]> {
  const { ctx, state, copies: budget } = step;
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
  step.spend(1);
  const reach = stored.isWhole ? "\u{10ffff}" : requirePresent([...stored.objects.keys()].at(-1));
  const within = wanted.filter(({ key }) => key <= reach);
  const copies = within.length > 0 ? await listKeys(ctx.backups, FILE_COPY_PREFIX, after) : stored;
  const cipher = await fileCopyCipher(step.secret);
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
  step.state = { ...state, phase: isEnd ? "copies" : "files", files };
  return lines;
}

async function listKeys(bucket: R2Bucket, prefix: string, after: string) {
  const found = await bucket.list({ prefix, ...(after && { startAfter: `${prefix}${after}` }) });
  const objects = new Map(found.objects.map((object) => [object.key.slice(prefix.length), object]));
  return { objects, isWhole: !found.truncated };
}

/**
 * Deletes copies past the bucket lock that no kept backup names, in steps. Checking the oldest backup suffices: deleted
 * files never return.
 */
export async function removeOrphanCopies({ ctx, secret, state }: BackupStep): Promise<BackupState> {
  const done: BackupState = { ...state, phase: "done" };
  const oldest = await openOldest(ctx, secret);
  if (!oldest) return done;
  const { part, after, removed } = state.copies ?? { part: 0, after: "", removed: 0 };
  // Parts without rows are file lists, ordered by key.
  const lists = [...oldest.manifest.parts.keys()].filter((index) => oldest.manifest.parts[index]?.rows === 0);
  const index = lists[part];
  const list = index === undefined ? [] : await namedFiles(oldest, index);
  if (!list) return done;
  const named = new Set(list);
  const end = part + 1 < lists.length ? [...named].at(-1) : undefined;
  const page = await ctx.backups.list({
    prefix: FILE_COPY_PREFIX,
    ...(after && { startAfter: `${FILE_COPY_PREFIX}${after}` }),
  });
  const before = (await readAges(ctx)).before("backup-file").getTime();
  const keys = page.objects.map((object) => ({ key: object.key.slice(FILE_COPY_PREFIX.length), object }));
  const within = keys.filter(({ key }) => end === undefined || key <= end);
  const orphans = within.filter(({ key, object }) => !named.has(key) && object.uploaded.getTime() < before);
  const gone = await withoutLiving(
    ctx,
    orphans.map(({ key }) => key),
  );
  if (gone.length > 0) await ctx.backups.delete(gone.map((key) => `${FILE_COPY_PREFIX}${key}`));
  const total = removed + gone.length;
  const isPartDone = within.length < keys.length || !page.truncated;
  if (!isPartDone) return { ...state, copies: { part, after: keys.at(-1)?.key ?? after, removed: total } };
  if (end === undefined) return { ...done, copies: { part, after, removed: total } };
  return { ...state, copies: { part: part + 1, after: end, removed: total } };
}

async function openOldest(ctx: BackupContext, secret: string): Promise<OpenedBackup | null> {
  const [oldest] = await ctx.db
    .select({ name: backupRun.name })
    .from(backupRun)
    .where(eq(backupRun.status, "ok"))
    .orderBy(asc(backupRun.startedDate))
    .limit(1);
  if (!oldest) return null;
  try {
    return await openBackup(bucketReader(ctx.backups), oldest.name, secret);
  } catch (cause) {
    if (cause instanceof BackupError) return null;
    throw cause;
  }
}

/** @returns null for an unreadable list: then nothing is removed, and the backup continues */
async function namedFiles(backup: OpenedBackup, index: number): Promise<string[] | null> {
  try {
    const values = (await readBackupPart(backup, index)).map((line) => JSON.parse(line) as unknown[] | object);
    return values.flatMap((value) => (Array.isArray(value) ? [String(value[0])] : []));
  } catch (cause) {
    if (cause instanceof BackupError) return null;
    throw cause;
  }
}

async function withoutLiving(ctx: BackupContext, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const living = await ctx.db
    .select({ key: file.storageKey })
    .from(file)
    .where(sql`${file.storageKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
  const held = new Set(living.map(({ key }) => key));
  return keys.filter((key) => !held.has(key));
}
