import type { HeaderColumns } from "#app/features/alumni/import/dropped-files.ts";
import {
  type CellCorrections,
  columnMapping,
  type ImportTable,
  splitIntoParts,
} from "#app/features/alumni/import/import-table.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import type { ImportOptions } from "#worker/contract/alumni/import/cell-changes.ts";
import type { RememberedForm } from "#worker/contract/alumni/import/input.ts";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { OpenImport } from "#worker/domain/alumni/import/parts.server.ts";

const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;

/**
 * Sends a table in parts and skips parts that the server already has. @param onProgress percent @returns the import's
 * id
 */
export async function sendImportTable(
  table: ImportTable,
  corrections: CellCorrections,
  onProgress: (percent: number) => void,
): Promise<string> {
  const parts = [...splitIntoParts(table, corrections)];
  if (parts.length === 0) throw invalidInput({ file: "머리글 아래에 자료가 없습니다." });
  const openImport = await retryLostCalls(() => callApi(api.alumni.import.open.$get()));
  const isSame = openImport !== null && openImport.left === 0 && isSameImport(openImport, table, parts.length);
  const { importId } = isSame ? openImport : await openNewImport(table, parts.length);
  const received = new Map(isSame ? openImport.received.map(({ partNo, hash }) => [partNo, hash]) : []);
  for (const [at, rows] of parts.entries()) {
    const param = { importId, partNo: String(at + 1) };
    if (received.get(at + 1) !== (await hashRows(rows)))
      await retryLostCalls(() =>
        callApi(api.alumni.import[":importId"].part[":partNo"].$put({ param, json: { rows } })),
      );
    onProgress(Math.round(((at + 1) / parts.length) * 100));
  }
  return importId;
}

/** By the value of a question: the id of the same person, or what to do. */
export type PeopleAnswers = Readonly<Record<string, string>>;

export interface PreviewOptions extends ImportOptions {
  mode: "insert" | "upsert";
}

const PROGRESS_POLL_MS = 400;

/**
 * Compares the import with the book in one call and polls its progress. @param onProgress percent; not called for
 * instant results
 */
export async function requestImportPreview(
  importId: string,
  options: PreviewOptions & { forms?: RememberedForm[]; people?: PeopleAnswers },
  onProgress: (percent: number) => void,
): Promise<ImportResult> {
  let isDone = false;
  const watch = async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PROGRESS_POLL_MS));
      if (isDone) return;
      // A failed progress request does not affect the comparison itself.
      const open = await callApi(api.alumni.import.open.$get()).catch(() => null);
      if (!isDone && open?.importId === importId && open.parts > 1)
        onProgress(Math.round((open.plannedParts / open.parts) * 100));
    }
  };
  void watch();
  try {
    return await callApi(api.alumni.import[":importId"].plan.$post({ param: { importId }, json: options }));
  } finally {
    isDone = true;
  }
}

/** Corrects cells on the server when the file is no longer at hand. */
export function correctSentCells(
  importId: string,
  { heads }: Pick<HeaderColumns, "heads">,
  corrections: CellCorrections,
) {
  const cells = [...corrections].map(([key, value]) => {
    const [row = 0, at = 0] = key.split(":").map(Number);
    return { row, column: heads[at] ?? "", value };
  });
  return retryLostCalls(() =>
    callApi(api.alumni.import[":importId"].cells.$patch({ param: { importId }, json: { cells } })),
  );
}

/**
 * Commits the import part by part; an interrupted commit stays as an unfinished import. @param onProgress percent; not
 * called for instant results
 */
export async function commitSentImport(importId: string, skipInvalid: boolean, onProgress: (percent: number) => void) {
  const param = { importId };
  for (let done = 1; ; done++) {
    const result = await retryLostCalls(() =>
      callApi(api.alumni.import[":importId"].commit.$post({ param, json: { skipInvalid } })),
    );
    if (result.left === 0) return result;
    onProgress((done / (done + result.left)) * 100);
  }
}

const openNewImport = (table: ImportTable, parts: number) => {
  const { fileName, headerRow, heads, sources, savedDate } = table;
  const json = { fileName, headRow: headerRow, heads, mapping: columnMapping(table), parts, sources, savedDate };
  return retryLostCalls(() => callApi(api.alumni.import.open.$post({ json, header: ONCE })));
};

/** Compares the table and its column mapping with the unfinished import. */
function isSameImport(openImport: OpenImport, { fileName, headerRow, columns, sources }: ImportTable, parts: number) {
  return (
    openImport.fileName === fileName.normalize("NFC") &&
    openImport.headRow === headerRow &&
    openImport.parts === parts &&
    openImport.columns.join() === columns.join() &&
    JSON.stringify(openImport.sources) === JSON.stringify(sources)
  );
}

async function hashRows(rows: unknown): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(rows)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Retries server errors with backoff. Import calls are idempotent; a repeated last undo reports that all is undone. */
export async function retryLostCalls<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof AppError && error.status >= 500;
      if (!isLost) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new AppError("INTERNAL_ERROR", {
          message: "연결이 끊겼습니다. 연결을 확인하고 다시 누르시면 하던 곳부터 이어서 합니다.",
        });
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** attempt));
    }
  }
}
