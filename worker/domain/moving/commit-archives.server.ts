import { lookUp } from "#worker/contract/kernel/labels.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import type { RdxEntry } from "#worker/contract/moving/moving.ts";
import { board } from "#db/schema/board.ts";
import { eq } from "drizzle-orm";
import { commitFiles } from "./commit-files.server.ts";
import { commitItems } from "./commit-items.server.ts";
import { commitMembers, commitNotes } from "./commit-members.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { beginNextList, commitPortions, type Portion } from "./record-stream.server.ts";

const PORTIONS = {
  member: { records: 300, bytes: 1024 * 1024 },
  board: { records: 100, bytes: 1024 * 1024 },
  message: { records: 300, bytes: 1024 * 1024 },
} as const;

export async function commitArchives(step: MovingStep): Promise<void> {
  while (!step.isSpent()) {
    const { phase } = step.state;
    if (phase === "records") await commitNextList(step);
    else if (phase === "files") {
      if (!(await commitFiles(step))) {
        step.state.phase = "tidy";
        await step.commit();
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
    await step.commit();
    return;
  }
  const target = entry.type === "board" ? lookUp(step.row.mapping?.boards, entry.boardKey) : undefined;
  const found = await step.findEntry(entry.archiveId, entry.name);
  if (!found || (entry.type === "board" && (!target || target.to === "skip"))) {
    step.addIssue(found ? "board-skipped" : "entry-missing", found ? entry.boardKey : entry.name, entry.name);
    beginNextList(step);
    await step.commit();
    return;
  }
  await commitPortions(step, entry, found, PORTIONS[entry.type], await portionCommitOf(step, entry));
}

async function portionCommitOf(
  step: MovingStep,
  entry: RdxEntry,
): Promise<(portion: Portion) => Promise<D1PreparedStatement[]>> {
  if (entry.type === "member") return ({ members }) => commitMembers(step, members);
  if (entry.type === "message") return ({ notes }) => commitNotes(step, notes);
  const mapped = requirePresent(lookUp(step.row.mapping?.boards, entry.boardKey));
  const boardCode = mapped.to === "skip" ? "" : mapped.boardCode;
  step.spend(1);
  const [row] = await step.ctx.db
    .select({ categories: board.categories })
    .from(board)
    .where(eq(board.boardCode, boardCode));
  const target = { boardKey: entry.boardKey, boardCode, categories: new Set(row?.categories) };
  return ({ documents }) => commitItems(step, target, documents);
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
