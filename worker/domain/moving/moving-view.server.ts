import type { moving } from "#db/schema/moving.ts";
import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import {
  ARCHIVE_PROBLEMS,
  MOVING_ISSUES,
  MOVING_LIMITS,
  type MovingIssueCode,
  notInArchive,
  oldFieldName,
} from "#worker/contract/moving/rules.ts";
import type { MovingCounts, MovingState, NamedCount } from "#worker/contract/moving/moving.ts";
import type { View } from "../kernel/context.ts";
import type { OldKind } from "./rdx-record.server.ts";
import type { ArchiveView } from "./archive.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

type MovingDbRow = typeof moving.$inferSelect;

const WORKING: ReadonlySet<MovingDbRow["status"]> = new Set(["checking", "committing", "undoing"]);

export interface IssueSample {
  code: MovingIssueCode;
  subject: string;
}

export const movingRowView = (row: MovingDbRow, now: Date) => ({
  id: row.id,
  site: row.site,
  source: row.state.preview.source,
  ...fieldsOf(row, "status", "createdUserName", "createdDate", "committedDate"),
  committed: { ...row.state.committed },
  version: row.version,
  /** Rows that an undo kept. */
  kept: row.state.issues["undo-kept"] ?? 0,
  /** Null when undo is impossible. */
  undoUntilDate: undoUntil(row, now)?.toISOString() ?? null,
});

export type MovingRow = View<typeof movingRowView>;

const NO_BLOCKED = { listed: 0, found: 0, unknown: [] as string[] };

export function movingView(
  row: MovingDbRow,
  archives: ArchiveView[],
  samples: IssueSample[],
  now: Date,
  blocked = NO_BLOCKED,
) {
  const { state } = row;
  const { preview } = state;
  return {
    ...movingRowView(row, now),
    oldOrigin: row.oldOrigin,
    timeZone: preview.timeZone,
    ...progressOf(row),
    counts: { ...preview.counts },
    already: { ...state.already },
    removed: { ...state.removed },
    filesBytes: preview.filesBytes,
    boards: preview.boards.map((board) => ({
      ...board,
      categories: Object.fromEntries(board.categories.map(({ name, count }) => [name, count])),
    })),
    groups: preview.groups.map((group) => ({ ...group })),
    fields: preview.fields.map((field) => ({ ...field })),
    passwords: preview.passwords.map(({ name, count }) => ({ kind: name, count })),
    consents: { ...preview.consents },
    issues: issueViews(state, samples),
    left: preview.left.map(leftView),
    doubtful: (preview.doubtful ?? []).map((member) => ({ ...member })),
    blocked,
    /** Data that the old program's exporter does not include. */
    notInArchive: preview.counts.members + preview.counts.items === 0 ? [] : notInArchive(preview.source),
    archives,
    mapping: row.mapping,
    problem: problemText(state) ?? (WORKING.has(row.status) && row.error !== "" ? row.error : null),
    interruptions: row.interruptions,
  };
}

export type MovingView = View<typeof movingView>;

export function undoUntil({ status, committedDate }: Pick<MovingDbRow, "status" | "committedDate">, now: Date) {
  if (status !== "committed" || !committedDate) return null;
  const until = daysLater(committedDate, MOVING_LIMITS.undoDays);
  return until >= now ? until : null;
}

function problemText({ problem }: MovingState): string | null {
  if (!problem) return null;
  const name = problem.entryName === "" || problem.entryName === "index.json" ? "" : ` (${problem.entryName})`;
  return `${problem.fileName}: ${ARCHIVE_PROBLEMS[problem.code]}${name}`;
}

function issueViews(state: MovingState, samples: IssueSample[]) {
  return Object.entries(MOVING_ISSUES).flatMap(([code, { label, isLoss }]) => {
    const count = state.issues[code as MovingIssueCode] ?? 0;
    const subjects = samples.filter((sample) => sample.code === code).map(({ subject }) => subject);
    return count === 0 ? [] : [{ code: code as MovingIssueCode, label, isLoss, count, subjects }];
  });
}

const KINDS: Record<OldKind, string> = { member: "회원", item: "글", comment: "댓글", file: "첨부파일", note: "쪽지" };
function leftView({ name: code, count }: NamedCount) {
  const [kind = "", name = ""] = code.split(/ (.*)/);
  // No browser code may hold `mail_address`, the name of a table.
  const label = `${KINDS[kind as OldKind]}: ${name === "email_address" ? "이메일" : oldFieldName(name)}`;
  return { code, label, count, subjects: [] as string[] };
}

const sum = ({ boards: _boards, ...counts }: MovingCounts) =>
  Object.values(counts).reduce((all, each) => all + each, 0);

function progressOf({ status, state, entries }: MovingDbRow): { progress: number; progressText: string } {
  const lists = entries.length || 1;
  if (status === "checking") {
    const text = state.phase === "records" ? "회원과 글을 세는 중" : "압축 파일의 목록을 읽는 중";
    return { progress: state.phase === "records" ? 0.1 + (0.9 * state.entryIndex) / lists : 0.05, progressText: text };
  }
  if (status === "committing") {
    const { counts } = state.preview;
    const done = state.committed.files + state.already.files;
    const files = counts.files === 0 ? 1 : Math.min(1, done / counts.files);
    return state.phase === "records"
      ? { progress: (0.6 * state.entryIndex) / lists, progressText: "회원과 글을 옮기는 중" }
      : { progress: 0.6 + 0.4 * files, progressText: "첨부파일과 그림을 옮기는 중" };
  }
  if (status === "undoing") {
    const all = sum(state.committed) - state.committed.comments;
    return { progress: all === 0 ? 0 : Math.min(1, sum(state.removed) / all), progressText: "되돌리는 중" };
  }
  return { progress: status === "committed" || status === "undone" ? 1 : 0, progressText: "" };
}
