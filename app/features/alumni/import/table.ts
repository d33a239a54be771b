import { type AlumniField, type FileColumn, COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { columnPlace, findHead } from "#worker/contract/alumni/import-header.ts";
import type { ImportPart } from "#worker/contract/alumni/import-input.ts";
import { ALUMNI } from "#worker/contract/kernel/limits.ts";
import type { RawRow } from "#worker/contract/alumni/table.ts";
import type { ReadAnswer, ReadRequest } from "./read.worker.ts";

/** A file as it was read in the browser, and what its columns are taken for. */
export interface DroppedTable {
  fileName: string;
  sheetNames: string[];
  sheet: string;
  headRow: number;
  heads: string[];
  columns: (FileColumn | null)[];
  rows: RawRow[];
  /** Why the columns could not be guessed. */
  notice: string | null;
}

/** Reads in a worker of the browser, so that the page stays awake. @throws Error with a Korean message */
export function readDropped(request: ReadRequest): Promise<DroppedTable> {
  const worker = new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<ReadAnswer>((resolve, reject) => {
    worker.addEventListener("message", (event: MessageEvent<ReadAnswer>) => resolve(event.data));
    worker.addEventListener("error", () =>
      reject(new Error("파일을 읽지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해 주십시오.")),
    );
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  worker.postMessage(request);
  return answered.then((answer) => tableOf(request, answer)).finally(() => worker.terminate());
}

function tableOf({ file, sheet }: ReadRequest, answer: ReadAnswer): DroppedTable {
  if ("error" in answer) throw new Error(answer.error);
  const { rows, sheetNames, mergedRows } = answer;
  const first = rows[0];
  if (!first) throw new Error("비어 있는 파일입니다.");
  const base = { fileName: file.name, sheetNames, sheet: sheet ?? "", rows };
  try {
    const head = findHead(rows);
    if (mergedRows.some((row) => row >= head.row)) {
      throw new Error("병합된 칸이 있습니다. 병합을 풀고 칸마다 값을 적어 다시 골라 주십시오.");
    }
    return { ...base, headRow: head.row, heads: head.texts, columns: head.columns, notice: null };
  } catch (error) {
    const notice = error instanceof Error ? error.message : "";
    if (!notice.startsWith("머리글 행을")) throw error;
    const columns = first.cells.map(() => null);
    return { ...base, headRow: first.row, heads: first.cells, columns, notice };
  }
}

/** A column that the book does not use is read past. */
export const withoutUnused = (table: DroppedTable, fields: readonly AlumniField[]): DroppedTable => ({
  ...table,
  columns: table.columns.map((column) =>
    column === null || column === "id" || fields.includes(column) ? column : null,
  ),
});

export type Corrections = ReadonlyMap<string, string>;
export const correctionKey = (row: number, at: number) => `${row}:${at}`;

/** What a cell of a workbook can hold. */
const CELL_MAX = 32_767;
/** Characters of a part: three bytes each at most, it stays below what a call takes. */
const PART_CHARACTERS = 450_000;

/** The mapped columns of the rows below the head, in parts that a call can take; corrections stand in their place. */
export function* partsOf(
  { rows, headRow, columns }: DroppedTable,
  corrections: Corrections,
): Generator<ImportPart["rows"]> {
  const places = columns.flatMap((column, at) => (column === null ? [] : [at]));
  let part: ImportPart["rows"] = [];
  let characters = 0;
  for (const { row, cells } of rows) {
    if (row <= headRow) continue;
    const values = places.map((at) => (corrections.get(correctionKey(row, at)) ?? cells[at] ?? "").slice(0, CELL_MAX));
    if (values.every((value) => value.trim() === "")) continue;
    const length = JSON.stringify(values).length;
    if (part.length === ALUMNI.partRows || (part.length > 0 && characters + length > PART_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push([row, values]);
    characters += length;
  }
  if (part.length > 0) yield part;
}

export const headText = (heads: readonly string[], columns: readonly (FileColumn | null)[], at: number): string =>
  heads[at]?.trim() || COLUMN_LABELS[columns[at] ?? "memo"];

/** Header text to field, for the call. */
export function mappingOf({ heads, columns }: DroppedTable): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap((column, at) => (column === null ? [] : [[headText(heads, columns, at), column]])),
  );
}

/** The columns of a file, be it at hand or only sent. */
export type Headed = Pick<DroppedTable, "heads" | "columns">;

/** Where in the file a header text of an answer stands. */
export const placeOf = ({ heads, columns }: Headed, column: string): number =>
  columnPlace(
    heads.map((head) => head.trim()),
    columns,
    column,
  );
