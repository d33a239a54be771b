import { createHash } from "node:crypto";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { toKoreanClock } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { BACKUP_PREFIX } from "./job-record.server.ts";

const ROWS = 500;
/** Parts of an R2 upload are of one size, at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const KEEP_DAYS = 35;
const HOUR = 3;
// Made anew by the migrations and by SQLite itself.
const LEFT_OUT = /^(sqlite_|_cf_|d1_migrations$|_local_seed$)/;

type DumpCell = string | number | null;
interface TableColumn {
  name: string;
  pk: number;
}

/**
 * The whole database as lines of JSON: a head, then for each table its columns, its rows and their count and checksum.
 * Parents stand before the tables that refer to them; search indexes are left out, because they are made again.
 */
export async function* dumpDatabaseLines(d1: D1Database, now: Date): AsyncGenerator<string> {
  const migrations = await d1
    .prepare("SELECT name FROM d1_migrations ORDER BY id")
    .all<{ name: string }>()
    .catch(() => ({ results: [] }));
  const names = migrations.results.map(({ name }) => name);
  yield JSON.stringify({ hoewon: 1, createdDate: now.toISOString(), migrations: names });
  for (const table of await tablesInOrder(d1)) yield* dumpTable(d1, table);
}

async function tablesInOrder(d1: D1Database): Promise<string[]> {
  const { results } = await d1.prepare("PRAGMA table_list").all<{ schema: string; name: string; type: string }>();
  const waiting = results
    .filter(({ schema, name, type }) => schema === "main" && type === "table" && !LEFT_OUT.test(name))
    .map(({ name }) => name)
    .toSorted();
  const parents = new Map<string, string[]>();
  for (const name of waiting) {
    const keys = await d1.prepare(`PRAGMA foreign_key_list("${name}")`).all<{ table: string }>();
    parents.set(
      name,
      keys.results.map(({ table }) => table).filter((table) => table !== name),
    );
  }
  const ordered: string[] = [];
  while (waiting.length > 0) {
    const at = waiting.findIndex((name) => (parents.get(name) ?? []).every((parent) => ordered.includes(parent)));
    ordered.push(...waiting.splice(Math.max(at, 0), 1));
  }
  return ordered;
}

async function* dumpTable(d1: D1Database, table: string): AsyncGenerator<string> {
  const { results: columns } = await d1.prepare(`PRAGMA table_info("${table}")`).all<TableColumn>();
  const names = columns.map(({ name }) => name);
  const key = columns
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map(({ name }) => name);
  yield JSON.stringify({ table, columns: names, key });
  const order = key.length > 0 ? key : ["rowid"];
  const list = order.map((name) => `"${name}"`).join(", ");
  const digest = createHash("sha256");
  let rows = 0;
  let last: DumpCell[] | null = null;
  for (;;) {
    const after: string = last ? `WHERE (${list}) > (${order.map(() => "?").join(", ")})` : "";
    const page: DumpCell[][] = await d1
      .prepare(`SELECT *, ${list} FROM "${table}" ${after} ORDER BY ${list} LIMIT ${ROWS}`)
      .bind(...(last ?? []))
      .raw<DumpCell[]>();
    for (const row of page) {
      const line = JSON.stringify(row.slice(0, names.length));
      digest.update(`${line}\n`);
      rows += 1;
      yield line;
    }
    last = page.at(-1)?.slice(names.length) ?? null;
    if (page.length < ROWS) break;
  }
  yield JSON.stringify({ rows, sha256: digest.digest("hex") });
}

type BackupContext = Pick<AppContext, "db" | "files" | "now">;

/** The day that a night's work belongs to; null before three o'clock in Korea. */
export function nightlyBackupDay(now: Date): string | null {
  const korea = toKoreanClock(now);
  return korea.getUTCHours() < HOUR ? null : korea.toISOString().slice(0, 10);
}

/** Once a night after three o'clock in Korea; what is older than 35 days goes. */
export async function backUpDatabaseNightly(ctx: BackupContext): Promise<void> {
  const day = nightlyBackupDay(ctx.now());
  if (!day) return;
  const key = `${BACKUP_PREFIX}${day}.ndjson.gz`;
  if (await ctx.files.head(key)) return;
  await storeDatabaseDump(ctx, key);
  await removeOldBackups(ctx);
}

/** One more dump, at somebody's wish; the night's own is not replaced. */
export async function backUpDatabaseNow(ctx: BackupContext): Promise<void> {
  const korea = toKoreanClock(ctx.now()).toISOString();
  await storeDatabaseDump(
    ctx,
    `${BACKUP_PREFIX}${korea.slice(0, 10)}-${korea.slice(11, 19).replaceAll(":", "")}.ndjson.gz`,
  );
}

async function removeOldBackups(ctx: BackupContext): Promise<void> {
  const { objects } = await ctx.files.list({ prefix: BACKUP_PREFIX });
  const before = ctx.now().getTime() - KEEP_DAYS * DAY_MS;
  const old = objects.filter(({ uploaded }) => uploaded.getTime() < before).map((object) => object.key);
  if (old.length > 0) await ctx.files.delete(old);
}

/** Streams the dump, so that its size does not matter; an upload that breaks off leaves no object. */
export const storeDatabaseDump = (ctx: BackupContext, key: string): Promise<void> =>
  storeGzipLines(ctx, key, dumpDatabaseLines(ctx.db.$client, ctx.now()));

/** Lines of text as one gzip object. */
export async function storeGzipLines(ctx: BackupContext, key: string, lines: AsyncGenerator<string>): Promise<void> {
  const encoder = new TextEncoder();
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${value}\n`));
    },
  });
  // The types of Node and of workerd differ in which arrays may go in.
  const gzip = new CompressionStream("gzip") as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  const upload = await ctx.files.createMultipartUpload(key, { httpMetadata: { contentType: "application/gzip" } });
  try {
    const parts: R2UploadedPart[] = [];
    let waiting = new Uint8Array(0);
    for await (const chunk of source.pipeThrough<Uint8Array>(gzip)) {
      waiting = concatBytes(waiting, chunk);
      while (waiting.byteLength > PART_BYTES) {
        parts.push(await upload.uploadPart(parts.length + 1, waiting.slice(0, PART_BYTES)));
        waiting = waiting.slice(PART_BYTES);
      }
    }
    parts.push(await upload.uploadPart(parts.length + 1, waiting));
    await upload.complete(parts);
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}
