import {
  ALUMNI_COLUMN_LABELS,
  ALUMNI_FIELDS,
  ALUMNI_MAX_LENGTHS,
  type AlumniField,
  type AlumniValues,
  cellText,
  isOfficeField,
  PRIVATE_FIELDS,
} from "#worker/contract/alumni/columns.ts";
import {
  type CellRule,
  cellRuleOf,
  faultDecisions,
  faultKind,
  type ImportOptions,
  withMemoLines,
} from "#worker/contract/alumni/import/cell-changes.ts";
import {
  type CellFault,
  type CellResult,
  cleanCell,
  cleanForeignZipCode,
  maskedCell,
  numberTail,
  shortYearOf,
  splitCell,
  splitValues,
  isForeignAddress,
} from "#worker/contract/alumni/cell-rules.ts";
import {
  type AlumniFieldCode,
  type BookColumn,
  columnLabel,
  isOwnFieldCode,
  type OwnField,
  type OwnValue,
  type OwnValues,
  ownValueText,
  requiredOwnFieldMessage,
} from "#worker/contract/alumni/own-fields.ts";
import { missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { cleanOwnValue, ownCellRule } from "#worker/contract/alumni/own-values.ts";
import {
  deathNote,
  NAME_MARK_MESSAGES,
  type NameMark,
  nameMarksIn,
  withoutNameMarks,
} from "#worker/contract/alumni/import/name-marks.ts";
import { DECEASED } from "#worker/contract/mail/letters.ts";
import type { ImportChange, ImportProblem } from "#worker/contract/alumni/view.ts";
import type { ImportHeader } from "#worker/contract/alumni/import/header.ts";
import { isTailHeader } from "#worker/contract/alumni/import/header-words.ts";
import { NO_RESULT, type RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { can } from "../../kernel/authorize.server.ts";
import { alumniSettings, ownFields } from "../setting.server.ts";

interface CellChange extends ImportChange {
  rule: CellRule;
}

export interface ImportRow {
  row: number;
  id: string;
  values: Partial<AlumniValues>;
  own: OwnValues;
  changed: CellChange[];
  /** Lines added to the memo by decision. */
  memoLines: string[];
  /** The last four digits of a mobile, which find a person and are no value. */
  tail: string;
  /** The name had a mark of death, by decision. */
  isDeceased: boolean;
}

interface RowProblem extends ImportProblem {
  field: BookColumn;
  fault: CellFault;
  /** The parts that `split` would store. */
  parts?: string;
}

export interface RefusedRow {
  raw: RawRow;
  problems: RowProblem[];
}

const ERROR_VALUE = /^#(REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)/;
const ID_PATTERN = /^[0-9a-f-]{36}$/;

const cellRules: { [F in AlumniField]: (text: string) => CellResult<AlumniValues[F]> } = Object.fromEntries(
  ALUMNI_FIELDS.map((field) => [field, (text: string) => cleanCell(field, text)]),
) as never;

const fault = (error: string, kind: CellFault) => ({ error, fault: kind });

function readCell(column: BookColumn, text: string, own: readonly OwnField[], isAbroad = false): CellResult<unknown> {
  if (text.length > ALUMNI_LIMITS.cellLength)
    return fault(`한 칸에 ${ALUMNI_LIMITS.cellLength}자까지 적을 수 있습니다.`, "length");
  if (text === NO_RESULT)
    return fault(
      "수식의 결과가 파일에 없습니다. 엑셀에서 열어 저장한 뒤 다시 올리거나 값을 적어 주십시오.",
      "noResult",
    );
  if (ERROR_VALUE.test(text)) return fault("수식 오류 값이 들어 있습니다. 값으로 바꾸어 주십시오.", "formula");
  if (isOwnFieldCode(column)) {
    const field = own.find(({ code }) => code === column);
    return field ? cleanOwnValue(field, text) : { value: undefined };
  }
  if (column !== "id") {
    const cell = column === "zipCode" && isAbroad ? cleanForeignZipCode(text) : cellRules[column](text);
    if (!("error" in cell) || cell.fault !== "format" || splitCell(column, text) === null) return cell;
    return fault("한 칸에 다른 말이 함께 적혀 있습니다. 나누거나 하나만 남겨 주십시오.", "mixed");
  }
  const id = text.trim().toLowerCase();
  if (id === "" || ID_PATTERN.test(id)) return { value: id };
  return fault("ID가 올바르지 않습니다. 새로 추가하려면 ID 칸을 비워 주십시오.", "format");
}

interface Decided {
  /** Null keeps the field. */
  text: string | null;
  rule: CellRule;
  memoLine?: string;
  /** Another field that gets a part, if the row has no other value for it. */
  also?: { field: "cohort" | "graduationYear"; text: string };
}

function decideFault(
  field: AlumniFieldCode,
  kind: CellFault,
  text: string,
  { decisions }: ImportOptions,
  own: readonly OwnField[],
): Decided | null {
  const decision = decisions[faultKind(field, kind)];
  if (decision === undefined || !faultDecisions(field, kind).includes(decision)) return null;
  const label = columnLabel(field, own);
  if (decision === "blank") return { text: null, rule: "removed" };
  if (decision === "memo") return { text: null, rule: "other", memoLine: `${label}: ${text.trim()}` };
  if (decision === "century") {
    const year = Number(shortYearOf(text));
    return { text: String(year + (year < 30 ? 2000 : 1900)), rule: "century" };
  }
  if (decision === "split") {
    const split = isOwnFieldCode(field) ? null : splitCell(field, text);
    if (!split) return null;
    const { text: value, rest, restField } = split;
    return {
      text: value,
      rule: "split",
      ...(restField ? { also: { field: restField, text: rest } } : { memoLine: `${label}: ${rest}` }),
    };
  }
  const parts = splitValues(text);
  const fitting = parts.findIndex((part) => "value" in readCell(field, part, own));
  const [first = ""] = parts.splice(Math.max(fitting, 0), 1);
  return { text: first, rule: "several", memoLine: `${label}: ${parts.join(", ")}` };
}

interface TidiedName {
  name: string;
  taken: NameMark[];
  open: NameMark[];
}

/** Each kind of mark is taken off, kept, or still to be decided. */
function tidyName(name: string, { decisions }: ImportOptions): TidiedName {
  const found = nameMarksIn(name);
  const decided = (kind: NameMark) => decisions[faultKind("name", kind)];
  const taken = found.filter((kind) => ["tidy", "deceased"].includes(decided(kind) ?? ""));
  const open = found.filter((kind) => !faultDecisions("name", kind).some((each) => each === decided(kind)));
  return { name: withoutNameMarks(name, taken), taken, open };
}

function nameProposal(name: string, kind: NameMark): string {
  const proposed = withoutNameMarks(name, [kind]);
  return kind === "death" ? `${proposed}, ${ALUMNI_COLUMN_LABELS.state} ${DECEASED}` : proposed;
}

export function readImportRow(
  head: ImportHeader,
  raw: RawRow,
  options: ImportOptions,
  shownFields: readonly OwnField[],
  isUsed: (field: AlumniField) => boolean,
): ImportRow | RefusedRow {
  const problems: RowProblem[] = [];
  const values: Record<string, unknown> = {};
  const own: OwnValues = {};
  const changed: CellChange[] = [];
  const memoLines: string[] = [];
  const split: { at: number; text: string; also: NonNullable<Decided["also"]> }[] = [];
  const isAbroad = isForeignAddress(raw.cells[head.columns.indexOf("address")] ?? "");
  let id = "";
  let tail = "";
  let isDeceased = false;
  for (const [at, column] of head.columns.entries()) {
    if (column === null) continue;
    const text = raw.cells[at] ?? "";
    const isShort = column === "mobile" && isTailHeader(head.texts[at] ?? "");
    const found = column === "mobile" ? numberTail(text, isShort) : null;
    if (found !== null) {
      tail = found;
      changed.push({ field: "mobile", rule: "tail", before: text, after: "" });
      continue;
    }
    let cell = readCell(column, text, shownFields, isAbroad);
    let decided: Decided | null = null;
    if ("error" in cell && column !== "id") {
      decided = decideFault(column, cell.fault, text, options, shownFields);
      if (decided?.text === null) cell = { value: undefined };
      else if (decided) cell = readCell(column, decided.text, shownFields);
    }
    if ("error" in cell) {
      const value = maskedCell(text).slice(0, 200);
      problems.push({
        row: raw.row,
        column: head.texts[at] ?? "",
        value,
        message: cell.error,
        field: column,
        fault: cell.fault,
        ...(cell.fault === "mixed" ? { parts: splitParts(column, text) } : {}),
      });
    } else if (column === "id") id = String(cell.value);
    else if (column === "name") {
      const plain = String(cell.value);
      const { name, taken, open } = tidyName(plain, options);
      for (const kind of open)
        problems.push({
          row: raw.row,
          column: head.texts[at] ?? "",
          value: plain,
          message: `${NAME_MARK_MESSAGES[kind]} 어떻게 할지 정해 주십시오.`,
          field: column,
          fault: kind,
          parts: nameProposal(plain, kind),
          isProposal: true,
        });
      values.name = name;
      isDeceased = taken.includes("death");
      const note = isDeceased ? deathNote(plain) : null;
      if (note) memoLines.push(`${ALUMNI_COLUMN_LABELS.name}: ${note}`);
      const rule = cellRuleOf("name", text, plain);
      if (rule) changed.push({ field: "name", rule, before: maskedCell(text), after: plain });
      for (const kind of taken) changed.push({ field: "name", rule: kind, before: plain, after: name });
    } else {
      if (cell.value !== undefined) {
        if (isOwnFieldCode(column)) own[column] = cell.value as OwnValue;
        else values[column] = cell.value;
      }
      if (decided?.memoLine) memoLines.push(decided.memoLine);
      if (decided?.also) split.push({ at, text, also: decided.also });
      const rule = decided?.rule ?? ruleOf(column, text, (cell.value ?? "") as OwnValue, shownFields);
      if (rule)
        changed.push({
          field: column,
          rule,
          before: maskedCell(text),
          after: ownValueText((cell.value ?? "") as OwnValue),
        });
    }
  }
  if (problems.length > 0) return { raw, problems };
  for (const { at, text, also } of split) {
    const before = values[also.field] ?? "";
    if (isUsed(also.field) && before === "") {
      values[also.field] = Number(also.text);
      changed.push({ field: also.field, rule: "split", before: text, after: also.text });
    } else if (String(before) !== also.text) memoLines.push(`${head.texts[at] ?? ""}: ${text.trim()}`);
  }
  if (isDeceased && values.state !== DECEASED) {
    changed.push({ field: "state", rule: "death", before: cellText((values.state as string) ?? ""), after: DECEASED });
    values.state = DECEASED;
  }
  return { row: raw.row, id, values: values as Partial<AlumniValues>, own, changed, memoLines, tail, isDeceased };
}

function splitParts(column: BookColumn, text: string): string {
  const split = column === "id" || isOwnFieldCode(column) ? null : splitCell(column, text);
  if (!split) return "";
  const { text: value, rest, restField } = split;
  return `${columnLabel(column, [])} ${value}, ${restField ? ALUMNI_COLUMN_LABELS[restField] : "메모"} ${maskedCell(rest)}`;
}

function ruleOf(column: AlumniFieldCode, text: string, value: OwnValue, own: readonly OwnField[]): CellRule | null {
  if (!isOwnFieldCode(column)) return cellRuleOf(column, text, typeof value === "object" ? ownValueText(value) : value);
  const field = own.find(({ code }) => code === column);
  return field ? ownCellRule(field, text, value) : null;
}

export interface RowFault {
  field?: AlumniFieldCode;
  message: string;
}

export function refusedRowOf(
  head: ImportHeader,
  raw: RawRow,
  { field = "name", message }: RowFault,
  own: readonly OwnField[],
): RefusedRow {
  const at = head.columns.indexOf(field);
  const column = (field !== "name" && head.texts[at]) || columnLabel(field, own);
  const value = raw.cells[at]?.slice(0, 200) ?? "";
  return { raw, problems: [{ row: raw.row, column, value, message, field, fault: "missing" }] };
}

/** The first required field without a value. @param isFault for fields that were filled before */
export function unfilledField(
  ctx: Pick<AppContext, "storedSettings">,
  { own, ...values }: AlumniValues & { own: OwnValues },
  isFault: (field: AlumniFieldCode) => boolean,
): RowFault | null {
  const [field] = missingRequiredFields(["name", ...alumniSettings(ctx).required], values).filter(isFault);
  if (field) return { field, message: requiredFieldMessage(field) };
  const unfilled = ownFields(ctx).find(({ code, required }) => required && own[code] === undefined && isFault(code));
  return unfilled ? { field: unfilled.code, message: requiredOwnFieldMessage(unfilled) } : null;
}

/** Editors without access to the memo are limited by their own lines, so that the error does not reveal its length. */
export function isMemoTooLong({ memo }: Pick<AlumniValues, "memo">, read: ImportRow, isMemoShown: boolean): boolean {
  const measured = isMemoShown ? memo : withMemoLines(read.values.memo ?? "", read.memoLines);
  return measured.length > ALUMNI_MAX_LENGTHS.memo;
}

export const hasContact = ({ values }: ImportRow): boolean => Boolean(values.email || values.mobile);

export const DEATH_NOT_YOURS: RowFault = {
  message: "작고 표시가 있는 분입니다. 상태는 주소록을 고칠 수 있는 담당자만 정하므로, 담당자가 가져와 주십시오.",
};

export const MAY_BE_KNOWN: RowFault = {
  message: "주소록이나 이 파일의 다른 행에 같은 사람일 수 있는 사람이 있습니다. 같은 사람인지 정해 주십시오.",
};

export const MEMO_TOO_LONG: RowFault = {
  field: "memo",
  message: `${ALUMNI_MAX_LENGTHS.memo}자 이하로 입력해 주십시오.`,
};

/**
 * Fields whose values, counts or errors an import may reveal. A file can name any person, so all fields require
 * Alumni_Write.
 */
export function importFieldVisibility(ctx: Pick<AppContext, "actor" | "storedSettings">) {
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const reads = can(ctx.actor, { action: "Alumni_Read" });
  const open = new Set(
    ownFields(ctx)
      .filter(({ access }) => access === "members")
      .map(({ code }) => code),
  );
  const closed: readonly string[] = PRIVATE_FIELDS;
  return (field: AlumniFieldCode): boolean =>
    office || (reads && (isOwnFieldCode(field) ? open.has(field) : !closed.includes(field) && !isOfficeField(field)));
}
