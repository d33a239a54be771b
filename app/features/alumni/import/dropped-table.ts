import { type AlumniField, type AlumniColumn, ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { findColumnIndex, findImportHeader } from "#worker/contract/alumni/import-header.ts";
import type { ImportPart } from "#worker/contract/alumni/import-input.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { RawRow } from "#worker/contract/alumni/csv.ts";
import type { ReadTableResult, ReadTableRequest } from "./read-table.worker.ts";

/** A file as it was read in the browser, and what its columns are taken for. */
export interface DroppedTable {
  fileName: string;
  sheetNames: string[];
  sheet: string;
  headerRow: number;
  heads: string[];
  columns: (AlumniColumn | null)[];
  rows: RawRow[];
  /** Why the columns could not be guessed. */
  headerProblem: string | null;
}

/** Reads in a worker of the browser, so that the page stays awake. @throws Error with a Korean message */
export function readDroppedFile(request: ReadTableRequest): Promise<DroppedTable> {
  const worker = new Worker(new URL("./read-table.worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<ReadTableResult>((resolve, reject) => {
    worker.addEventListener("message", (event: MessageEvent<ReadTableResult>) => resolve(event.data));
    worker.addEventListener("error", () =>
      reject(new Error("파일을 읽지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해 주십시오.")),
    );
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  worker.postMessage(request);
  return answered.then((answer) => toDroppedTable(request, answer)).finally(() => worker.terminate());
}

function toDroppedTable({ file, sheet }: ReadTableRequest, answer: ReadTableResult): DroppedTable {
  if ("error" in answer) throw new Error(answer.error);
  const { rows, sheetNames, mergedRows } = answer;
  const first = rows[0];
  if (!first) throw new Error("비어 있는 파일입니다.");
  const base = { fileName: file.name, sheetNames, sheet: sheet ?? "", rows };
  try {
    const head = findImportHeader(rows);
    if (mergedRows.some((row) => row >= head.row)) {
      throw new Error("병합된 칸이 있습니다. 병합을 풀고 칸마다 값을 적어 다시 골라 주십시오.");
    }
    return { ...base, headerRow: head.row, heads: head.texts, columns: head.columns, headerProblem: null };
  } catch (error) {
    const notice = error instanceof Error ? error.message : "";
    if (!notice.startsWith("머리글 행을")) throw error;
    const columns = first.cells.map(() => null);
    return { ...base, headerRow: first.row, heads: first.cells, columns, headerProblem: notice };
  }
}

/** A column that the book does not use is read past. */
export const ignoreUnusedColumns = (table: DroppedTable, fields: readonly AlumniField[]): DroppedTable => ({
  ...table,
  columns: table.columns.map((column) =>
    column === null || column === "id" || fields.includes(column) ? column : null,
  ),
});

export type CellCorrections = ReadonlyMap<string, string>;
export const cellKey = (row: number, at: number) => `${row}:${at}`;

/** What a cell of a workbook can hold. */
const CELL_MAX = 32_767;
/** Characters of a part: three bytes each at most, it stays below what a call takes. */
const PART_CHARACTERS = 450_000;

/** The mapped columns of the rows below the head, in parts that a call can take; corrections stand in their place. */
export function* splitIntoParts(
  { rows, headerRow, columns }: DroppedTable,
  corrections: CellCorrections,
): Generator<ImportPart["rows"]> {
  const places = columns.flatMap((column, at) => (column === null ? [] : [at]));
  let part: ImportPart["rows"] = [];
  let characters = 0;
  for (const { row, cells } of rows) {
    if (row <= headerRow) continue;
    const values = places.map((at) => (corrections.get(cellKey(row, at)) ?? cells[at] ?? "").slice(0, CELL_MAX));
    if (values.every((value) => value.trim() === "")) continue;
    const length = JSON.stringify(values).length;
    if (part.length === ALUMNI_LIMITS.partRows || (part.length > 0 && characters + length > PART_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push([row, values]);
    characters += length;
  }
  if (part.length > 0) yield part;
}

export const headerText = (heads: readonly string[], columns: readonly (AlumniColumn | null)[], at: number): string =>
  heads[at]?.trim() || ALUMNI_COLUMN_LABELS[columns[at] ?? "memo"];

/** Header text to field, for the call. */
export function columnMapping({ heads, columns }: DroppedTable): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap((column, at) => (column === null ? [] : [[headerText(heads, columns, at), column]])),
  );
}

/** The columns of a file, be it at hand or only sent. */
export type HeaderColumns = Pick<DroppedTable, "heads" | "columns">;

/** Where in the file a header text of an answer stands. */
export const findHeaderColumn = ({ heads, columns }: HeaderColumns, column: string): number =>
  findColumnIndex(
    heads.map((head) => head.trim()),
    columns,
    column,
  );
