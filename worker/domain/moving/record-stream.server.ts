import { type ByteSource, readEntry, type StoredEntry, ZipProblem } from "#worker/adapters/zip-reader.server.ts";
import { readLines } from "#worker/adapters/text-lines.server.ts";
import { MOVING_LIMITS, type MovingIssueCode } from "#worker/contract/moving/rules.ts";
import { isTooDense, parseRecord } from "./rdx-record.server.ts";

export interface RecordLine {
  lineNo: number;
  record: Record<string, unknown> | null;
  issue: MovingIssueCode | null;
}

export interface RecordChunk {
  lines: RecordLine[];
  position: number;
  bytes: number;
  isEnd: boolean;
  isBroken: boolean;
}

/** Yields records after a line, in portions; an inflate error ends the list with the records so far. */
export async function* recordChunks(
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
