import {
  type Corrections,
  type Headed,
  headText,
  mappingOf,
  partsOf,
  type DroppedTable,
} from "#app/features/alumni/import/table.ts";
import { api, call } from "#app/lib/api.ts";
import type { ImportResult, OpenImport } from "#worker/contract/alumni/view.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";

const TRIES = 4;
const FIRST_WAIT_MS = 500;

/**
 * Sends a table in parts. What the server has of the very same rows already is not sent again, so that a lost
 * connection, a reload or a corrected cell costs no more than the parts in question.
 * @param onProgress percent
 * @returns the import's id
 */
export async function sendTable(
  table: DroppedTable,
  corrections: Corrections,
  onProgress: (percent: number) => void,
): Promise<string> {
  const parts = [...partsOf(table, corrections)];
  if (parts.length === 0) throw invalid({ file: "머리글 아래에 자료가 없습니다." });
  const begun = await again(() => call(api.alumni.import.open.$get()));
  const isSame = begun !== null && isFor(begun, table, parts.length);
  const { importId } = isSame ? begun : await begin(table, parts.length);
  const received = new Map(isSame ? begun.received.map(({ partNo, hash }) => [partNo, hash]) : []);
  for (const [at, rows] of parts.entries()) {
    const param = { importId, partNo: String(at + 1) };
    if (received.get(at + 1) !== (await hashOf(rows)))
      await again(() => call(api.alumni.import[":importId"].part[":partNo"].$put({ param, json: { rows } })));
    onProgress(Math.round(((at + 1) / parts.length) * 100));
  }
  return importId;
}

const LOOK_EVERY_MS = 400;

/**
 * Compares what was sent with the book. One call does it; meanwhile another asks how far it is.
 * @param onProgress percent; not called for what is compared at once
 */
export async function planSent(
  importId: string,
  mode: "insert" | "upsert",
  onProgress: (percent: number) => void,
): Promise<ImportResult> {
  let isDone = false;
  const watch = async () => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      if (isDone) return;
      // Whether or not it can be told how far it is, the call itself goes on.
      const open = await call(api.alumni.import.open.$get()).catch(() => null);
      if (!isDone && open?.importId === importId && open.parts > 1)
        onProgress(Math.round((open.plannedParts / open.parts) * 100));
    }
  };
  void watch();
  try {
    return await call(api.alumni.import[":importId"].plan.$post({ param: { importId }, json: { mode } }));
  } finally {
    isDone = true;
  }
}

/** Corrects what the server has, where the file itself is no longer at hand. */
export function correctSent(importId: string, { columns, heads }: Headed, corrections: Corrections) {
  const cells = [...corrections].map(([key, value]) => {
    const [row = 0, at = 0] = key.split(":").map(Number);
    return { row, column: headText(heads, columns, at), value };
  });
  return again(() => call(api.alumni.import[":importId"].cells.$patch({ param: { importId }, json: { cells } })));
}

const begin = (table: DroppedTable, parts: number) => {
  const { fileName, headRow, heads, columns } = table;
  const places = columns.flatMap((column, at) => (column === null ? [] : [at]));
  const texts = places.map((at) => headText(heads, columns, at));
  const json = { fileName, headRow, heads: texts, mapping: mappingOf(table), parts };
  return again(() => call(api.alumni.import.open.$post({ json })));
};

/** Is what was begun this table, with the columns as they are mapped now? */
function isFor(begun: OpenImport, { fileName, headRow, columns }: DroppedTable, parts: number): boolean {
  const mapped = columns.filter((column) => column !== null);
  return (
    begun.fileName === fileName.normalize("NFC") &&
    begun.headRow === headRow &&
    begun.parts === parts &&
    begun.columns.join() === mapped.join()
  );
}

async function hashOf(rows: unknown): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(rows)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Tries again what did not get through; every call of an import may be made twice. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof AppError && error.status >= 500;
      if (!isLost) throw error;
      if (attempt === TRIES)
        throw new AppError("INTERNAL_ERROR", {
          message: "연결이 끊겼습니다. 연결을 확인하고 다시 누르시면 보내던 곳부터 이어서 보냅니다.",
        });
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** attempt));
    }
  }
}
