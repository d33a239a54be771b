import { asc, eq, sql } from "drizzle-orm";
import { file } from "#db/schema/file.ts";
import { backupRun } from "#db/schema/operation.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { BackupState } from "#worker/contract/operation/backup-state.ts";
import type { BackupContext } from "./backup-context.ts";
import { FILE_COPY_PREFIX } from "./backup-files.server.ts";
import { BackupError, type OpenedBackup, openBackup, readBackupPart } from "./backup-manifest.server.ts";

/**
 * Deletes copies past the bucket lock that no kept backup names, in steps. Checking the oldest backup suffices: deleted
 * files never return.
 */
export async function removeOrphanCopies(
  ctx: BackupContext,
  secret: string,
  state: BackupState,
  keepDays: number,
): Promise<BackupState> {
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
  const before = ctx.now().getTime() - keepDays * DAY_MS;
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
  const read = async (key: string) => {
    const object = await ctx.backups.get(key);
    return object && new Uint8Array(await object.arrayBuffer());
  };
  try {
    return await openBackup(read, oldest.name, secret);
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
