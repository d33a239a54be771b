import { sql } from "drizzle-orm";
import { oldPasswordKind } from "#worker/adapters/old-password.server.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { MovingBoard, RdxEntry } from "#worker/contract/moving/state.ts";
import { isPictureFileName } from "../file/thumbnail.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { picturePaths } from "./old-link.server.ts";
import { type OldDocument, type OldMember, readDocument, readMember } from "./rdx-record.server.ts";
import { recordChunks, type RecordChunk } from "./record-stream.server.ts";

const PORTION = { records: 500, bytes: 4 * 1024 * 1024 } as const;

export async function countRecords(step: MovingStep): Promise<void> {
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
