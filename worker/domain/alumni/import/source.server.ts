import type { Table } from "#worker/adapters/spreadsheet/read.server.ts";
import { type AlumniSettings, isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import {
  type BookColumn,
  columnLabel,
  FILES_NOT_IMPORTED,
  isImportable,
  isOwnFieldCode,
  type OwnField,
  ownFieldByName,
} from "#worker/contract/alumni/own-fields.ts";
import { type RawRow, tooLargeFileError } from "#worker/contract/alumni/import/sheet-content.ts";
import {
  type ColumnMapping,
  findImportHeader,
  type FoundHeader,
  type ImportHeader,
  unnamedColumns,
} from "#worker/contract/alumni/import/header.ts";
import {
  CellMarks,
  groupHeaderText,
  keepUsedGroups,
  namePartsOf,
  tableSentences,
  unusedColumnSentences,
} from "#worker/contract/alumni/import/people-table.ts";
import { ShownCells } from "#worker/contract/alumni/import/shown-cells.ts";
import { TableRows } from "#worker/contract/alumni/import/table-rows.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";

export interface ImportSource {
  head: ImportHeader;
  rows: Iterable<RawRow> | AsyncIterable<RawRow>;
  /** An import committed in one batch may contain fewer rows. */
  isOneBatch?: boolean;
  notes?: () => string[];
}

/** Ignores unused columns. @throws AppError INVALID_INPUT for one chosen by hand */
function withoutUnusedColumns<H extends ImportHeader>(
  head: H,
  mapping: ColumnMapping | undefined,
  settings: AlumniSettings,
  own: readonly OwnField[],
): H {
  const isOff = (column: BookColumn | null) =>
    column !== null && column !== "id" && !isOwnFieldCode(column) && !isFieldUsed(settings, column);
  const off = head.columns.find(isOff);
  if (off && mapping && Object.values(mapping).some(Boolean))
    throw invalidInput({ mapping: `‘${columnLabel(off, own)}’ 항목은 지금 쓰지 않습니다.` });
  return { ...head, columns: head.columns.map((column) => (isOff(column) ? null : column)) };
}

export function importHeaderOf(
  { row, texts }: Pick<ImportHeader, "row" | "texts">,
  mapping: ColumnMapping,
  settings: AlumniSettings,
  own: readonly OwnField[],
): ImportHeader {
  const found = withoutUnusedColumns(
    findImportHeader([{ row, cells: texts }], mapping, [], own),
    mapping,
    settings,
    own,
  );
  return { row: found.row, texts: found.texts, columns: found.columns };
}

/** Reads people and group titles of a table. @throws AppError without a header */
export function importSourceOf(
  table: Table,
  mapping: ColumnMapping | undefined,
  settings: AlumniSettings,
  own: readonly OwnField[],
  headRow?: number,
): ImportSource {
  const top = takeTopRows(table.rows, headRow);
  const found = findImportHeader(top, mapping, table.merges, own, { row: headRow });
  if (!found.columns.includes("name") && !found.columns.includes("id")) throw unnamedColumns();
  const groups = usedGroupsOf(found, table);
  const head = withoutUnusedColumns(
    {
      row: found.row,
      texts: [...found.texts, ...groups.map((field) => groupHeaderText(field))],
      columns: [...found.columns, ...groups],
      ...(table.savedDate ? { savedDate: table.savedDate } : {}),
    },
    mapping,
    settings,
    own,
  );
  const reader = new TableRows(found, table.merges);
  const width = found.texts.length;
  const marks = new CellMarks();
  const shown = new ShownCells(own);
  let count = 0;
  const people = function* () {
    for (const raw of reader.read(table.rows)) {
      count += 1;
      if (table.limit && count > table.limit.rows) throw tooLargeFileError(table.limit.message);
      marks.add(raw);
      keepUsedGroups([raw], width, reader.groupFields, groups);
      yield {
        row: raw.row,
        cells: raw.cells.map((cell, at) => {
          const column = head.columns[at];
          return column ? shown.take(raw, at, column) : cell;
        }),
      };
    }
  };
  const files = own.filter((field) => !isImportable(field));
  const others = table.otherSheets.map((name) => `‘${name}’`).join(", ");
  const notes = () => [
    ...tableSentences({
      headerRows: [found.firstRow, found.row],
      hasHeader: found.hasHeader,
      heads: head.texts,
      count,
      ...reader.facts,
      hiddenRows: table.hiddenRows.filter((row) => row > found.row),
      hiddenColumns: table.hiddenColumns.filter((at) => (found.texts[at] ?? "") !== ""),
      ...marks.facts,
      contextValues: [],
    }),
    ...shown.sentences,
    ...unusedColumnSentences(head, namePartsOf(found)),
    ...(head.texts.some((text) => ownFieldByName(files, text)) ? [FILES_NOT_IMPORTED] : []),
    ...(others === "" ? [] : [`‘${table.name}’ 시트를 읽었습니다. 다른 시트는 읽지 않았습니다: ${others}`]),
  ];
  return { head, rows: people(), notes };
}

function usedGroupsOf(found: FoundHeader, table: Table) {
  const scout = new TableRows(found, table.merges);
  if (scout.groupFields.length > 0) for (const _ of scout.read(table.rows));
  return scout.usedGroups;
}

const TOP_ROWS = 100;

/** @param from a row that the first rows have to include, with the one above */
function takeTopRows(rows: Iterable<RawRow>, from = 0): RawRow[] {
  const top: RawRow[] = [];
  for (const raw of rows) {
    if (raw.row >= from - 1 && raw.cells.some((cell) => cell.trim() !== "")) top.push(raw);
    if (top.length === TOP_ROWS) break;
  }
  return top;
}
