import { type ByteSource, readEntry, type StoredEntry, ZipProblem } from "#worker/adapters/zip-reader.server.ts";
import { readLines } from "#worker/adapters/text-lines.server.ts";
import { MOVING_LIMITS, type MovingIssueCode } from "#worker/contract/moving/rules.ts";
import type { RdxEntry } from "#worker/contract/moving/moving.ts";
import type { MovingStep } from "./moving-step.server.ts";
import {
  isTooDense,
  type OldDocument,
  type OldMember,
  type OldNote,
  parseRecord,
  readDocument,
  readMember,
  readNote,
  type RecordContext,
} from "./rdx-record.server.ts";

interface RecordLine {
  lineNo: number;
  record: Record<string, unknown> | null;
  issue: MovingIssueCode | null;
}

interface RecordChunk {
  lines: RecordLine[];
  position: number;
  bytes: number;
  isEnd: boolean;
  isBroken: boolean;
}

/** Yields records after a line, in portions; an inflate error ends the list with the records so far. */
async function* recordChunks(
  source: ByteSource,
  entry: StoredEntry,
  after: number,
  portion: { records: number; bytes: number },
): AsyncGenerator<RecordChunk, void, undefined> {
  let lines: RecordLine[] = [];
  let bytes = 0;
  let position = after;
  let isBroken = false;
  const take = (isEnd: boolean): RecordChunk => {
    const chunk = { lines, position, bytes, isEnd, isBroken };
    lines = [];
    bytes = 0;
    return chunk;
  };
  try {
    for await (const { lineNo, text } of readLines(readEntry(source, entry), MOVING_LIMITS.lineBytes)) {
      if (lineNo <= after) continue;
      position = lineNo;
      lines.push(readLine(lineNo, text));
      bytes += text?.length ?? 0;
      if (lines.length >= portion.records || bytes >= portion.bytes) yield take(false);
    }
  } catch (cause) {
    if (!(cause instanceof ZipProblem)) throw cause;
    isBroken = true;
  }
  yield take(true);
}

function readLine(lineNo: number, text: string | null): RecordLine {
  if (text === null) return { lineNo, record: null, issue: "line-long" };
  if (text.trim() === "") return { lineNo, record: null, issue: "line-empty" };
  const record = parseRecord(text);
  return { lineNo, record, issue: record ? null : isTooDense(text) ? "line-long" : "line-broken" };
}

export interface Portion {
  /** Lines that are JSON records, valid or not. */
  records: number;
  members: OldMember[];
  documents: OldDocument[];
  notes: OldNote[];
}

/** Commits a list in portions, each with the position after it, until the step is spent. */
export async function commitPortions(
  step: MovingStep,
  entry: RdxEntry,
  found: StoredEntry,
  limits: { records: number; bytes: number },
  commit: (portion: Portion) => Promise<D1PreparedStatement[]>,
): Promise<void> {
  for await (const chunk of recordChunks(step.sourceOf(entry.archiveId), found, step.state.position, limits)) {
    const statements = await commit(readPortion(step, entry, chunk.lines));
    step.state.position = chunk.position;
    step.spend(0, chunk.bytes);
    if (chunk.isBroken) step.addIssue("entry-bad", entry.name);
    if (chunk.isEnd) beginNextList(step);
    await step.commit(statements);
    if (step.isSpent()) return;
  }
}

export const beginNextList = ({ state }: MovingStep) =>
  Object.assign(state, { entryIndex: state.entryIndex + 1, position: 0 });

function readPortion(step: MovingStep, entry: RdxEntry, lines: readonly RecordLine[]): Portion {
  const { source, timeZone } = step.state.preview;
  const context = { timeZone, now: step.ctx.now(), source };
  const portion: Portion = { records: 0, members: [], documents: [], notes: [] };
  const readInto = <T>(values: T[], read: (record: Record<string, unknown>, context: RecordContext) => T | null) => {
    for (const { record, issue, lineNo } of lines) {
      if (record) portion.records += 1;
      const value = record && read(record, context);
      if (value) values.push(value);
      else step.addIssue(issue ?? "line-broken", `${entry.name} ${lineNo}행`);
    }
  };
  if (entry.type === "member") readInto(portion.members, readMember);
  else if (entry.type === "message") readInto(portion.notes, readNote);
  else readInto(portion.documents, readDocument);
  return portion;
}
