import { peppersOf, readArrivingPassword } from "#worker/adapters/password.server.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { MovingBoard, NamedCount, RdxEntry } from "#worker/contract/moving/state.ts";
import { isPictureFileName } from "../file/thumbnail.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { nameLosses, type ReadRecords } from "./name-losses.server.ts";
import {
  type OldDocument,
  type OldMember,
  readDocument,
  readMember,
  readNote,
  type RecordContext,
} from "./rdx-record.server.ts";
import { recordChunks, type RecordChunk } from "./record-stream.server.ts";

/** Same portion size as the commit, which the preview simulates. */
const PORTION = { records: 100, bytes: 1024 * 1024 } as const;

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
    const read = countChunk(step, entry, chunk);
    step.state.position = chunk.position;
    step.spend(0, chunk.bytes);
    if (chunk.isBroken) step.addIssue("entry-bad", entry.name);
    if (chunk.isEnd) next();
    const statements = await nameLosses(step, entry, read);
    await step.commit(statements);
    if (step.isSpent()) return;
  }
}

function countChunk(step: MovingStep, entry: RdxEntry, chunk: RecordChunk): ReadRecords {
  const context = { timeZone: step.state.preview.timeZone, now: step.ctx.now(), source: step.state.preview.source };
  const read: ReadRecords = { members: [], documents: [], notes: [] };
  for (const line of chunk.lines) {
    if (!line.record) {
      step.addIssue(line.issue ?? "line-broken", `${entry.name} ${line.lineNo}행`);
      continue;
    }
    const isRead = countRecord(step, entry, line.record, context, read);
    if (!isRead) step.addIssue("line-broken", `${entry.name} ${line.lineNo}행`);
  }
  return read;
}

/** @returns false for an invalid record */
function countRecord(
  step: MovingStep,
  entry: RdxEntry,
  record: Record<string, unknown>,
  context: RecordContext,
  read: ReadRecords,
): boolean {
  if (entry.type === "message") {
    const note = readNote(record, context);
    if (note) read.notes.push(note);
    step.state.preview.counts.notes += 1;
    return note !== null;
  }
  if (entry.type === "member") {
    const member = readMember(record, context);
    if (!member) return false;
    countMember(step, member);
    read.members.push(member);
    return true;
  }
  const item = readDocument(record, context);
  if (!item) return false;
  countDocument(step, boardOf(step, entry), item);
  read.documents.push(item);
  return true;
}

/** Keeps the first kinds only. An array, since a name may equal an Object property. */
function tally(counts: NamedCount[], name: string): void {
  const known = counts.find((each) => each.name === name);
  if (known) known.count += 1;
  else if (counts.length < MOVING_LIMITS.named) counts.push({ name, count: 1 });
}

function countMember(step: MovingStep, member: OldMember): void {
  const { preview } = step.state;
  preview.counts.members += 1;
  if (member.leftBy !== "") return;
  if (!member.isDenied)
    tally(preview.passwords, readArrivingPassword(member.password, peppersOf(step.ctx.config)).kind);
  for (const group of new Set(member.groups)) tally(preview.groups, group);
  for (const name of Object.keys(member.fields)) tally(preview.fields, name);
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
    categories: [],
  };
  // One more than the limit makes the check fail.
  if (step.state.preview.boards.length <= MOVING_LIMITS.boards) step.state.preview.boards.push(board);
  return board;
}

function countDocument(step: MovingStep, board: MovingBoard, read: OldDocument): void {
  const { counts } = step.state.preview;
  const files = [...read.files, ...read.comments.flatMap((comment) => comment.files)];
  board.items += 1;
  board.comments += read.comments.length;
  board.files += files.length;
  if (read.isNotice) board.notices += 1;
  if (read.state === "secret") board.secrets += 1;
  const shows = read.body?.some((piece) => typeof piece !== "string" && piece.kind === "picture");
  if (shows || read.files.some(({ fileName }) => isPictureFileName(fileName))) board.pictures += 1;
  if (read.category !== "") tally(board.categories, read.category);
  counts.items += 1;
  counts.comments += read.comments.length;
  counts.files += files.length;
  step.state.preview.filesBytes += files.reduce((sum, { size }) => sum + size, 0);
}
