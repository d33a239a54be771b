import { sql } from "drizzle-orm";
import { oldPasswordKind } from "#worker/adapters/old-password.server.ts";
import { findDirectory, readDirectory, readEntry, ZipProblem } from "#worker/adapters/zip-reader.server.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { type ArchiveProblemCode, MOVING_LIMITS, RDX_VERSION } from "#worker/contract/moving/rules.ts";
import type { MovingBoard, RdxEntry } from "#worker/contract/moving/state.ts";
import { isPictureFileName } from "../file/thumbnail.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import type { ArchiveDbRow, MovingStep } from "./moving-step.server.ts";
import { picturePaths } from "./old-link.server.ts";
import { type OldDocument, type OldMember, parseRecord, readDocument, readMember } from "./rdx-record.server.ts";
import { recordChunks, type RecordChunk } from "./record-stream.server.ts";

const PORTION = { records: 500, bytes: 4 * 1024 * 1024 } as const;

/** The archive cannot be read at all: the whole move ends here. */
class ArchiveRefused extends Error {
  readonly code: ArchiveProblemCode;
  readonly fileName: string;
  readonly entryName: string;
  constructor(code: ArchiveProblemCode, fileName: string, entryName = "") {
    super(`archive: ${code}`);
    this.code = code;
    this.fileName = fileName;
    this.entryName = entryName;
  }
}

/** Reads through the archives: what is in them, and what of it cannot come. Nothing is landed yet. */
export async function checkArchives(step: MovingStep): Promise<void> {
  try {
    while (step.state.phase !== "done" && !step.isSpent()) {
      if (step.state.phase === "directory") await readArchiveDirectory(step);
      else if (step.state.phase === "index") await readIndexes(step);
      else await countRecords(step);
    }
  } catch (cause) {
    if (!(cause instanceof ArchiveRefused)) throw cause;
    const { code, fileName, entryName } = cause;
    step.state.problem = { code, fileName, entryName };
    await step.commit([], { status: "failed", endedDate: step.ctx.now() });
  }
}

async function readArchiveDirectory(step: MovingStep): Promise<void> {
  const archive = step.archives[step.state.entryIndex];
  if (!archive) {
    Object.assign(step.state, { phase: "index", entryIndex: 0, position: 0 });
    return;
  }
  const source = step.sourceOf(archive.id);
  try {
    const place = await findDirectory(source);
    const read = await readDirectory(source, place, step.state.position);
    const usable = read.entries.filter(({ name, problem }) => {
      if (problem === "locked") throw new ZipProblem("locked", name);
      if (problem) step.addIssue("entry-bad", `${archive.fileName}: ${name}`, problem);
      return !problem && !name.endsWith("/");
    });
    step.state.position = read.after;
    if (read.isEnd) Object.assign(step.state, { entryIndex: step.state.entryIndex + 1, position: 0 });
    const rows = usable.map(({ problem: _problem, ...entry }) => entry);
    const insert = step.d1
      .prepare(
        `INSERT OR IGNORE INTO moving_entry (archive_id, name, "offset", compressed_size, size, method, crc)
         SELECT ?1, value ->> 'name', value ->> 'offset', value ->> 'compressedSize', value ->> 'size', value ->> 'method', value ->> 'crc' FROM json_each(?2)`,
      )
      .bind(archive.id, JSON.stringify(rows));
    await step.commit([insert, ...(read.isEnd ? [prefixStatement(step, archive)] : [])]);
  } catch (cause) {
    if (cause instanceof ZipProblem) throw new ArchiveRefused(cause.code, archive.fileName, cause.entryName);
    throw cause;
  }
}

/** Who packs a folder packs what lies above it as well: `public_html/data/file/…`. */
function prefixStatement(step: MovingStep, archive: ArchiveDbRow): D1PreparedStatement {
  return step.d1
    .prepare(
      `UPDATE moving_archive SET prefix = coalesce((
         SELECT substr(e.name, 1, min(coalesce(nullif(instr(e.name, 'data/file/'), 0), 1000000), coalesce(nullif(instr(e.name, 'data/editor/'), 0), 1000000), coalesce(nullif(instr(e.name, 'files/attach/'), 0), 1000000)) - 1)
         FROM moving_entry AS e WHERE e.archive_id = ?1 AND (e.name LIKE '%data/file/%' OR e.name LIKE '%data/editor/%' OR e.name LIKE '%files/attach/%')
         ORDER BY length(e.name) LIMIT 1), '')
       WHERE id = ?1 AND kind = 'files'`,
    )
    .bind(archive.id);
}

async function readIndexes(step: MovingStep): Promise<void> {
  const entries: RdxEntry[] = [];
  for (const archive of step.archives.filter(({ kind }) => kind === "rdx")) {
    const found = await step.findEntry(archive.id, "index.json");
    if (!found) throw new ArchiveRefused("no-index", archive.fileName);
    const index = await readIndex(step, archive, found);
    step.state.preview.source = index.source;
    step.state.preview.timeZone = index.timeZone;
    entries.push(...index.entries.map((entry) => ({ ...entry, archiveId: archive.id })));
  }
  // Members first, whatever the order of the index: items are theirs.
  const order = { member: 0, message: 2, board: 1 } as const;
  entries.sort((a, b) => order[a.type] - order[b.type]);
  if (entries.length === 0) throw new ArchiveRefused("empty", step.archives[0]?.fileName ?? "");
  Object.assign(step.state, { phase: "records", entryIndex: 0, position: 0 });
  await step.commit([], { entries });
  step.row.entries = entries;
}

async function readIndex(step: MovingStep, archive: ArchiveDbRow, found: Parameters<typeof readEntry>[1]) {
  const refuse = (code: ArchiveProblemCode) => new ArchiveRefused(code, archive.fileName, "index.json");
  if (found.size > MOVING_LIMITS.indexBytes) throw refuse("bad-index");
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const piece of readEntry(step.sourceOf(archive.id), found))
      text += decoder.decode(piece, { stream: true });
    text += decoder.decode();
  } catch (cause) {
    throw cause instanceof ZipProblem ? refuse(cause.code) : cause;
  }
  const record = parseRecord(text.replace(/^\ufeff/, ""));
  const version = /^(\d+)\.(\d+)$/.exec(typeof record?.version === "string" ? record.version : "");
  if (!record || !version || !Array.isArray(record.entries)) throw refuse("bad-index");
  const [major = 0, minor = 0] = RDX_VERSION.split(".").map(Number);
  const isNewer = Number(version[1]) > major || (Number(version[1]) === major && Number(version[2]) > minor);
  if (isNewer) throw refuse("newer");
  return {
    source: typeof record.source === "string" ? record.source.slice(0, 40) : "",
    timeZone: typeof record.tz === "string" ? record.tz.slice(0, 60) : "Asia/Seoul",
    entries: record.entries.slice(0, MOVING_LIMITS.entries).flatMap((entry: unknown) => indexEntry(entry)),
  };
}

function indexEntry(entry: unknown): Omit<RdxEntry, "archiveId">[] {
  const { filename, type, title } = (entry ?? {}) as Record<string, unknown>;
  if (typeof filename !== "string" || !/^(member|message|board)$/.test(String(type))) return [];
  const kind = type as RdxEntry["type"];
  return [
    {
      name: filename.slice(0, 1000),
      type: kind,
      title: typeof title === "string" ? title.slice(0, 100) : "",
      boardKey: kind === "board" ? boardKeyOf(filename) : "",
    },
  ];
}

/** `boards/free_3.jsonl` is the third list of the board `free`. */
function boardKeyOf(filename: string): string {
  const base = (filename.split("/").at(-1) ?? "").replace(/(?:_\d+)?\.jsonl$/i, "");
  try {
    return decodeURIComponent(base).slice(0, 100);
  } catch {
    return base.slice(0, 100);
  }
}

async function countRecords(step: MovingStep): Promise<void> {
  const entry = step.row.entries[step.state.entryIndex];
  if (!entry) {
    step.state.phase = "done";
    step.state.preview.counts.boards = step.state.preview.boards.length;
    await step.commit([], { status: "checked" });
    return;
  }
  const next = () => Object.assign(step.state, { entryIndex: step.state.entryIndex + 1, position: 0 });
  const found = await step.findEntry(entry.archiveId, entry.name);
  if (!found) {
    step.addIssue("entry-missing", entry.name);
    next();
    await step.commit([]);
    return;
  }
  const chunks = recordChunks(step.sourceOf(entry.archiveId), found, step.state.position, PORTION);
  for await (const chunk of chunks) {
    const seen = countChunk(step, entry, chunk);
    step.state.position = chunk.position;
    step.spend(0, chunk.bytes);
    if (chunk.isBroken) step.addIssue("entry-bad", entry.name);
    if (chunk.isEnd) next();
    const duplicates = await noteDuplicates(step, seen);
    for (const key of duplicates) step.addIssue(entry.type === "member" ? "member-twice" : "item-twice", key);
    await step.commit([seenStatement(step, seen)]);
    if (step.isSpent()) return;
  }
}

interface SeenKeys {
  kind: string;
  keys: string[];
}

const seenStatement = (step: MovingStep, { kind, keys }: SeenKeys) =>
  step.d1
    .prepare("INSERT OR IGNORE INTO moving_seen (moving_id, kind, key) SELECT ?1, ?2, value FROM json_each(?3)")
    .bind(step.row.id, kind, JSON.stringify(keys));

/** Keys that came before, or come twice here. */
async function noteDuplicates(step: MovingStep, { kind, keys }: SeenKeys): Promise<string[]> {
  if (keys.length === 0) return [];
  step.spend(1);
  const rows = await step.ctx.db.all<{ key: string }>(
    sql`SELECT key FROM moving_seen WHERE moving_id = ${step.row.id} AND kind = ${kind} AND key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
  );
  const before = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => {
    const isKnown = before.has(key);
    before.add(key);
    return isKnown;
  });
}

function countChunk(step: MovingStep, entry: RdxEntry, chunk: RecordChunk): SeenKeys {
  const clock = { timeZone: step.state.preview.timeZone, now: step.ctx.now() };
  const seen: SeenKeys = { kind: entry.type === "member" ? "member" : `item ${entry.boardKey}`, keys: [] };
  for (const line of chunk.lines) {
    if (!line.record) {
      step.addIssue(line.issue ?? "line-broken", `${entry.name} ${line.lineNo}행`);
      continue;
    }
    if (entry.type === "message") {
      step.state.preview.counts.notes += 1;
      continue;
    }
    const read = entry.type === "member" ? readMember(line.record, clock) : readDocument(line.record, clock);
    if (!read) step.addIssue("line-broken", `${entry.name} ${line.lineNo}행`);
    else if ("userId" in read) {
      countMember(step, read);
      seen.keys.push(normaliseUserKey("Id", read.userId));
    } else {
      countDocument(step, boardOf(step, entry), read);
      seen.keys.push(`${entry.boardKey}/${read.id}`);
    }
  }
  return seen;
}

/** Of endless kinds the first are kept. */
function tally(counts: Record<string, number>, name: string): void {
  if (name in counts || Object.keys(counts).length < MOVING_LIMITS.named) counts[name] = (counts[name] ?? 0) + 1;
}

function countMember(step: MovingStep, member: OldMember): void {
  const { preview } = step.state;
  preview.counts.members += 1;
  tally(preview.passwords, oldPasswordKind(member.password) ?? "unknown");
  for (const group of new Set(member.groups)) tally(preview.groups, group);
  for (const name of Object.keys(member.fields)) tally(preview.fields, name);
  if (member.isAdmin) step.addIssue("member-admin", member.userId);
  if (member.isDenied) step.addIssue("member-denied", member.userId);
}

function boardOf(step: MovingStep, entry: RdxEntry): MovingBoard {
  const known = step.state.preview.boards.find(({ key }) => key === entry.boardKey);
  if (known) return known;
  const board: MovingBoard = {
    key: entry.boardKey,
    title: entry.title || entry.boardKey,
    items: 0,
    comments: 0,
    files: 0,
    notices: 0,
    secrets: 0,
    pictures: 0,
    categories: {},
  };
  step.state.preview.boards.push(board);
  return requirePresent(step.state.preview.boards.at(-1));
}

function countDocument(step: MovingStep, board: MovingBoard, read: OldDocument): void {
  const { counts } = step.state.preview;
  const files = [...read.files, ...read.comments.flatMap((comment) => comment.files)];
  board.items += 1;
  board.comments += read.comments.length;
  board.files += files.length;
  if (read.isNotice) board.notices += 1;
  if (read.isSecret) board.secrets += 1;
  const shows = picturePaths(read.html, step.row.oldOrigin).length > 0;
  if (shows || read.files.some(({ fileName }) => isPictureFileName(fileName))) board.pictures += 1;
  if (read.category !== "") tally(board.categories, read.category);
  counts.items += 1;
  counts.comments += read.comments.length;
  counts.files += files.length;
  step.state.preview.filesBytes += files.reduce((sum, { size }) => sum + size, 0);
}
