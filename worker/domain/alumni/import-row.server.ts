import {
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  cellText,
  cleanCell,
  ALUMNI_COLUMN_LABELS,
} from "#worker/contract/alumni/columns.ts";
import type { ImportChange, ImportProblem } from "#worker/contract/alumni/view.ts";
import type { ImportHeader } from "#worker/contract/alumni/import-header.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { RawRow } from "#worker/contract/alumni/csv.ts";

/** A row of the file as it would be stored; fields that the file has no column for are absent. */
export interface ImportRow {
  row: number;
  id: string;
  values: Partial<AlumniValues>;
}
export interface RefusedRow {
  raw: RawRow;
  problems: ImportProblem[];
}

const ERROR_VALUE = /^#(REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)/;
const ID_PATTERN = /^[0-9a-f-]{36}$/;

const cellRules: { [F in AlumniField]: (text: string) => ReturnType<typeof cleanCell<F>> } = Object.fromEntries(
  ALUMNI_FIELDS.map((field) => [field, (text: string) => cleanCell(field, text)]),
) as never;

/** What a row says, or everything that is wrong with it. */
export function readImportRow(head: ImportHeader, raw: RawRow): ImportRow | RefusedRow {
  const problems: ImportProblem[] = [];
  const values: Record<string, unknown> = {};
  let id = "";
  for (const [at, column] of head.columns.entries()) {
    if (column === null) continue;
    const text = raw.cells[at] ?? "";
    const refuse = (message: string) =>
      problems.push({ row: raw.row, column: head.texts[at] ?? "", value: text.slice(0, 200), message });
    if (text.length > ALUMNI_LIMITS.cellLength) refuse(`한 칸에 ${ALUMNI_LIMITS.cellLength}자까지 적을 수 있습니다.`);
    else if (ERROR_VALUE.test(text)) refuse("수식 오류 값이 들어 있습니다. 값으로 바꾸어 주십시오.");
    else if (column === "id") {
      id = text.trim().toLowerCase();
      if (id !== "" && !ID_PATTERN.test(id)) refuse("ID가 올바르지 않습니다. 새로 추가하려면 ID 칸을 비워 주십시오.");
    } else {
      const cell = cellRules[column](text);
      if ("error" in cell) refuse(cell.error);
      else values[column] = cell.value;
    }
  }
  return problems.length > 0 ? { raw, problems } : { row: raw.row, id, values: values as Partial<AlumniValues> };
}

/** What is wrong with a row once it is known whom it means; with no field it is the row as a whole, shown at its name. */
export interface RowFault {
  field?: AlumniField;
  message: string;
}

export function refusedRowOf(head: ImportHeader, raw: RawRow, { field = "name", message }: RowFault): RefusedRow {
  const at = head.columns.indexOf(field);
  const column = (field !== "name" && head.texts[at]) || ALUMNI_COLUMN_LABELS[field];
  const problem = { row: raw.row, column, value: raw.cells[at]?.slice(0, 200) ?? "", message };
  return { raw, problems: [problem] };
}

/**
 * What the row would change. An empty cell of a row that names the ID empties the field; in a row that was found by
 * name it says nothing, because such files often carry a part of the columns' contents.
 */
export function applyImportRow(
  before: AlumniValues,
  { id, values }: ImportRow,
): { values: AlumniValues; changes: ImportChange[] } {
  const after: Record<string, unknown> = { ...before };
  const changes: ImportChange[] = [];
  for (const field of ALUMNI_FIELDS) {
    const value = values[field];
    if (value === undefined || value === before[field]) continue;
    if (id === "" && (value === "" || value === null)) continue;
    after[field] = value;
    changes.push({ field, before: cellText(before[field]), after: cellText(value) });
  }
  return { values: after as unknown as AlumniValues, changes };
}
