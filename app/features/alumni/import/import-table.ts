import type { AlumniColumn } from "#worker/contract/alumni/columns.ts";
import { type BookColumn, columnLabel, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import { findColumnIndex, type ImportPlace } from "#worker/contract/alumni/import/header.ts";
import { ShownCells } from "#worker/contract/alumni/import/shown-cells.ts";
import type { ImportPart } from "#worker/contract/alumni/import/input.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  type ColumnMappings,
  type DroppedSource,
  type HeaderColumns,
  type HiddenChoices,
  mappedColumns,
} from "./dropped-files.ts";

export interface ImportTable extends HeaderColumns {
  fileName: string;
  headerRow: number;
  columns: BookColumn[];
  rows: RawRow[];
  /** Is empty if only one sheet is read; its own row numbers are shown then. */
  sources: ImportPlace[];
  /** Notes on cells that display something other than their stored value. */
  sentences: string[];
  savedDate: string | null;
}

/** Masks whatever looks like a resident registration number before it leaves the browser. */
export function combineSources(
  sources: readonly DroppedSource[],
  mappings: ColumnMappings,
  hidden: HiddenChoices,
  ownFields: readonly OwnField[] = [],
): ImportTable | null {
  const used = sources.filter(({ isUsed }) => isUsed);
  const [first] = used;
  if (!first) return null;
  const mapped = used.map((source) => {
    const columns = mappedColumns(source, mappings, hidden);
    const fixed = Object.entries(source.fixed).filter(([, value]) => value !== "") as [AlumniColumn, string][];
    return { source, columns, fixed: fixed.filter(([field]) => !columns.includes(field)) };
  });
  const columns = [
    ...new Set(mapped.flatMap(({ columns: own, fixed }) => [...own, ...fixed.map(([field]) => field)])),
  ].filter((column) => column !== null);
  const isAlone = used.length === 1;
  const heads = columns.map((column) => {
    const own = isAlone ? first.table.heads[mapped[0]?.columns.indexOf(column) ?? -1]?.trim() : "";
    return own || columnLabel(column, ownFields);
  });
  const rows: RawRow[] = [];
  const places: ImportPlace[] = [];
  const sentences: string[] = [];
  let base = 0;
  for (const { source, columns: own, fixed } of mapped) {
    const left = new Set(hidden.rows === "leave" ? source.table.hiddenRows : []);
    const fill = new Map(fixed);
    const from = columns.map((column) => own.indexOf(column));
    places.push({ name: source.name, base });
    const shown = new ShownCells(ownFields);
    let last = 0;
    for (const raw of source.table.rows) {
      last = raw.row;
      if (left.has(raw.row)) continue;
      const values = columns.map((column, at) => {
        const place = from[at] ?? -1;
        const text = raw.cells[place] === undefined ? fill.get(column as AlumniColumn) : shown.take(raw, place, column);
        return maskedCell(text ?? "");
      });
      rows.push({ row: base + raw.row, cells: values });
    }
    sentences.push(...shown.sentences.map((sentence) => (isAlone ? sentence : `${source.name}: ${sentence}`)));
    base += last;
  }
  const more = new Set(used.map(({ fileName }) => fileName)).size - 1;
  return {
    fileName: more > 0 ? `${first.fileName} 외 ${more}개` : first.fileName,
    headerRow: isAlone ? first.table.headerRows[1] : 0,
    heads,
    columns,
    rows,
    sources: isAlone ? [] : places,
    sentences,
    savedDate: used.map(({ table }) => table.savedDate ?? "").toSorted()[0] || null,
  };
}

export type CellCorrections = ReadonlyMap<string, string>;
export const cellKey = (row: number, at: number) => `${row}:${at}`;

/** Excel's limit of characters per cell. */
const CELL_MAX = 32_767;
/** Keeps a part below the request limit at three bytes per character. */
const PART_CHARACTERS = 450_000;

/** Splits the rows, with corrections applied, into parts that fit one request. */
export function* splitIntoParts(
  { rows }: Pick<ImportTable, "rows">,
  corrections: CellCorrections,
): Generator<ImportPart["rows"]> {
  let part: ImportPart["rows"] = [];
  let characters = 0;
  for (const { row, cells } of rows) {
    const values = cells.map((cell, at) => (corrections.get(cellKey(row, at)) ?? cell).slice(0, CELL_MAX));
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

export const columnMapping = ({ heads, columns }: ImportTable): Record<string, string> =>
  Object.fromEntries(columns.map((column, at) => [heads[at] ?? column, column]));

export const findHeaderColumn = ({ heads, columns }: HeaderColumns, column: string, own: readonly OwnField[]): number =>
  findColumnIndex(
    heads.map((head) => head.trim()),
    columns,
    column,
    own,
  );
