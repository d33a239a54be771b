import { ownValue } from "#worker/contract/kernel/labels.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import type { RdxEntry } from "#worker/contract/moving/moving.ts";
import { board } from "#db/schema/board.ts";
import { eq } from "drizzle-orm";
import { commitFiles } from "./commit-files.server.ts";
import { commitItems } from "./commit-items.server.ts";
import { commitMembers, commitNotes } from "./commit-members.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { readDocument, readMember, readNote, type RecordContext } from "./rdx-record.server.ts";
import { recordChunks, type RecordLine } from "./record-stream.server.ts";

const PORTIONS = {
  member: { records: 300, bytes: 1024 * 1024 },
  board: { records: 100, bytes: 1024 * 1024 },
  message: { records: 300, bytes: 1024 * 1024 },
} as const;

export async function commitArchives(step: MovingStep): Promise<void> {
  while (!step.isSpent() && step.row.status === "committing") {
    const { phase } = step.state;
    if (phase === "records") await commitNextList(step);
    else if (phase === "files") {
      if (!(await commitFiles(step))) {
        step.state.phase = "tidy";
        await step.commit([]);
      }
    } else {
      await tidyUp(step);
      return;
    }
  }
}

async function commitNextList(step: MovingStep): Promise<void> {
  const entry = step.row.entries[step.state.entryIndex];
  if (!entry) {
    Object.assign(step.state, { phase: "files", entryIndex: 0, position: 0 });
    await step.commit([]);
    return;
  }
  const next = () => Object.assign(step.state, { entryIndex: step.state.entryIndex + 1, position: 0 });
  const target = entry.type === "board" ? ownValue(step.row.mapping?.boards, entry.boardKey) : undefined;
  const found = await step.findEntry(entry.archiveId, entry.name);
  if (!found || (entry.type === "board" && (!target || target.to === "skip"))) {
    step.addIssue(found ? "board-skipped" : "entry-missing", found ? entry.boardKey : entry.name, entry.name);
    next();
    await step.commit([]);
    return;
  }
  const commit = await portionCommitOf(step, entry);
  for await (const chunk of recordChunks(
    step.sourceOf(entry.archiveId),
    found,
    step.state.position,
    PORTIONS[entry.type],
  )) {
    for (const { record, issue, lineNo } of chunk.lines)
      if (!record) step.addIssue(issue ?? "line-broken", `${entry.name} ${lineNo}행`);
    const statements = await commit(chunk.lines);
    step.state.position = chunk.position;
    step.spend(0, chunk.bytes);
    if (chunk.isBroken) step.addIssue("entry-bad", entry.name);
    if (chunk.isEnd) next();
    await step.commit(statements);
    if (step.isSpent()) return;
  }
}

type PortionCommit = (lines: readonly RecordLine[]) => Promise<D1PreparedStatement[]>;

async function portionCommitOf(step: MovingStep, entry: RdxEntry): Promise<PortionCommit> {
  const context: RecordContext = {
    timeZone: step.state.preview.timeZone,
    now: step.ctx.now(),
    source: step.state.preview.source,
  };
  const readAll = <T>(
    lines: readonly RecordLine[],
    read: (record: Record<string, unknown>, context: RecordContext) => T | null,
  ) =>
    lines.flatMap(({ record, lineNo }) => {
      if (!record) return [];
      const value = read(record, context);
      if (value === null) step.addIssue("line-broken", `${entry.name} ${lineNo}행`);
      return value === null ? [] : [value];
    });
  if (entry.type === "member") return (lines) => commitMembers(step, readAll(lines, readMember));
  if (entry.type === "message") return (lines) => commitNotes(step, readAll(lines, readNote));
  const mapped = requirePresent(ownValue(step.row.mapping?.boards, entry.boardKey));
  const boardCode = mapped.to === "skip" ? "" : mapped.boardCode;
  step.spend(1);
  const [row] = await step.ctx.db
    .select({ categories: board.categories })
    .from(board)
    .where(eq(board.boardCode, boardCode));
  const target = { boardKey: entry.boardKey, boardCode, categories: new Set(row?.categories) };
  return (lines) => commitItems(step, target, readAll(lines, readDocument));
}

async function tidyUp(step: MovingStep): Promise<void> {
  await step.ctx.files.delete(step.archives.map(({ storageKey }) => storageKey));
  step.state.phase = "done";
  await step.commit(clearWorkStatements(step.d1, step.row.id), { status: "committed", committedDate: step.ctx.now() });
}

export const clearWorkStatements = (d1: D1Database, movingId: string): D1PreparedStatement[] =>
  [
    "DELETE FROM moving_entry WHERE archive_id IN (SELECT id FROM moving_archive WHERE moving_id = ?1)",
    "DELETE FROM moving_part WHERE archive_id IN (SELECT id FROM moving_archive WHERE moving_id = ?1)",
    "DELETE FROM moving_seen WHERE moving_id = ?1",
    "DELETE FROM moving_file WHERE moving_id = ?1",
    "DELETE FROM moving_archive WHERE moving_id = ?1",
  ].map((sql) => d1.prepare(sql).bind(movingId));
