import { api, callApi } from "#app/lib/api.ts";
import { now } from "#app/lib/clock.ts";
import { formatCount, formatDate } from "#app/lib/format.ts";
import { retryLostCalls } from "#app/features/alumni/import/send-import.ts";
import { type DeedKind, deedRule } from "#worker/contract/alumni/deeds.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { KeptRow } from "#worker/domain/alumni/deed/undo-rows.server.ts";

export const DEEDS_PATH = "/Alumni/Undo";
export const DEEDS_TITLE = "되돌릴 수 있는 작업";

export interface UndoOutcome {
  text: string;
  /** Rows put back or removed. */
  undone: number;
  /** People and deposits changed since, which were left unchanged. */
  kept: readonly KeptRow[];
}

/** @param percent of the long-running work */
type UndoProgress = (percent: number) => void;

export const formatPeopleCount = (count: number) => `${formatCount(count)}명`;

const restoredText = (restored: number) =>
  restored > 0 ? `${formatPeopleCount(restored)}을 전의 내용으로 돌려놓았습니다.` : "";

async function undoImport(importId: string, onProgress: UndoProgress): Promise<UndoOutcome> {
  const sum = { removed: 0, restored: 0, kept: [] as KeptRow[] };
  for (;;) {
    const step = await retryLostCalls(() =>
      callApi(api.alumni.import[":importId"].undo.$post({ param: { importId }, json: {} })),
    );
    sum.removed += step.removed;
    sum.restored += step.restored;
    sum.kept.push(...step.kept);
    if (step.left === 0) break;
    const done = sum.removed + sum.restored + sum.kept.length;
    onProgress((done / (done + step.left)) * 100);
  }
  const removed = sum.removed > 0 ? `${formatPeopleCount(sum.removed)}을 지웠습니다.` : "";
  return {
    text: [removed, restoredText(sum.restored)].filter(Boolean).join(" "),
    undone: sum.removed + sum.restored,
    kept: sum.kept,
  };
}

async function undoMerge(mergeId: string): Promise<UndoOutcome> {
  const { restored, kept } = await callApi(api.alumni.merge[":mergeId"].undo.$post({ param: { mergeId }, json: {} }));
  return { text: restoredText(restored), undone: restored, kept };
}

async function undoDueWork(id: string): Promise<UndoOutcome> {
  const { restored, removed, kept } = await callApi(api.admin.due.work[":id"].undo.$post({ param: { id }, json: {} }));
  return { text: "", undone: restored + removed, kept };
}

export const UNDO_DEED: Record<DeedKind, (id: string, onProgress: UndoProgress) => Promise<UndoOutcome>> = {
  import: undoImport,
  change: undoImport,
  merge: undoMerge,
  charge: undoDueWork,
  bank: undoDueWork,
  other: undoDueWork,
  begin: undoDueWork,
  list: undoDueWork,
  voters: undoDueWork,
};

export const isUndoneAtAll = ({ undone, kept }: UndoOutcome) => undone > 0 || kept.length === 0;

/** “60명”, or “60건” with deposits. */
export const keptCount = (kept: readonly KeptRow[]) =>
  formatCount(kept.length) + (kept.some(({ kind }) => kind === "deposit") ? "건" : "명");

/** “합치기를 되돌렸습니다.” */
export const undoneTitle = (kind: DeedKind, outcome: UndoOutcome) =>
  isUndoneAtAll(outcome)
    ? `${withParticle(deedRule(kind).label, "을/를")} 되돌렸습니다.`
    : UNDO_DEED[kind] === undoDueWork
      ? "되돌린 것이 없습니다."
      : "되돌린 사람이 없습니다.";

/** For a toast, which names none of those left. */
export async function undoAndTell(kind: DeedKind, id: string): Promise<string> {
  const outcome = await UNDO_DEED[kind](id, () => undefined);
  const { text, kept } = outcome;
  const left = kept.length > 0 ? `그 뒤에 수정된 ${keptCount(kept)}은 그대로 두었습니다.` : "";
  return [undoneTitle(kind, outcome), text, left].filter(Boolean).join(" ");
}

/** For the message after a deed. */
export const undoUntilText = (undoDays: number) =>
  `${formatDate(new Date(now() + undoDays * DAY_MS).toISOString())}까지 ‘${DEEDS_TITLE}’에서 되돌릴 수 있습니다.`;
