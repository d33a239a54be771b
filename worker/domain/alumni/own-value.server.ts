import { type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { FieldFilter } from "#worker/contract/alumni/list.ts";
import type { OwnValuesInput } from "#worker/contract/alumni/own-field-input.ts";
import {
  isOwnFieldCode,
  isOwnFile,
  isSameOwnValue,
  type OwnField,
  type OwnFieldCode,
  ownFieldPath,
  type OwnFile,
  type OwnValue,
  type OwnValues,
  ownValueText,
  requiredOwnFieldMessage,
} from "#worker/contract/alumni/own-fields.ts";
import { cleanOwnValue } from "#worker/contract/alumni/own-values.ts";
import type { AlumniSearchWord } from "#worker/contract/alumni/search.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";

// Uses the primary key of `alumni_value`, which groups the values by field.

const valuesOf = (field: OwnFieldCode, condition: SQL) =>
  sql`alumni.id IN (SELECT v.alumni_id FROM alumni_value v WHERE v.field = ${field} AND ${condition})`;

export const ownSortValue = (field: OwnFieldCode) =>
  sql`coalesce(json_extract(${alumni.own}, ${`$.${field}.fileName`}), json_extract(${alumni.own}, ${`$.${field}`}))`;

const hasNoValue = (field: OwnFieldCode) =>
  sql`alumni.id NOT IN (SELECT v.alumni_id FROM alumni_value v WHERE v.field = ${field})`;

const boundOf = ({ kind }: OwnField, text: string): string | number | null => {
  const cell = cleanOwnValue({ kind: kind === "number" || kind === "date" ? kind : "text", choices: [] }, text);
  return "value" in cell && (typeof cell.value === "string" || typeof cell.value === "number") ? cell.value : null;
};

export function matchesOwnCondition(
  own: readonly OwnField[],
  { field, operator, values }: FieldFilter,
): SQL | undefined {
  const defined = isOwnFieldCode(field) ? own.find(({ code }) => code === field) : undefined;
  if (!defined) return sql`0`;
  const { code } = defined;
  if (operator === "empty") return hasNoValue(code);
  if (operator === "filled") return valuesOf(code, sql`1`);
  if (operator === "has") return valuesOf(code, sql`instr(lower(v.value), ${(values[0] ?? "").toLowerCase()}) > 0`);
  if (operator === "in") {
    const wanted = JSON.stringify(values.map((text) => boundOf(defined, text)).filter((value) => value !== null));
    return valuesOf(code, sql`v.value IN (SELECT value FROM json_each(${wanted}))`);
  }
  const [from = "", to = ""] = values.map((text) => boundOf(defined, text));
  if (from === null || to === null) return sql`alumni.id = ''`;
  const above = from === "" ? sql`1` : sql`v.value >= ${from}`;
  return valuesOf(code, to === "" ? above : sql`${above} AND v.value <= ${to}`);
}

export function matchesOwnWord(own: readonly OwnField[], { text }: AlumniSearchWord): SQL | undefined {
  if (own.length === 0) return undefined;
  const codes = JSON.stringify(own.map(({ code }) => code));
  const folded = sql`lower(replace(CASE WHEN instr(v.value, '-') THEN v.value || char(10) || replace(v.value, '-', '') ELSE v.value END, ' ', ''))`;
  return sql`alumni.id IN (SELECT v.alumni_id FROM json_each(${codes}) c CROSS JOIN alumni_value v
    ON v.field = c.value WHERE instr(${folded}, ${text}) > 0)`;
}

/**
 * IDs of one page in the order of a field's index, then people without a value by name. @param where other conditions
 * on `alumni`
 */
export function idsInOwnOrder(
  { field, descending }: { field: OwnFieldCode; descending: boolean },
  where: SQL | undefined,
  { page, size }: { page: number; size: number },
): SQL {
  const end = page * size;
  const direction = sql.raw(descending ? "DESC" : "ASC");
  const holds = where ?? sql`1`;
  return sql`SELECT id FROM (
    SELECT * FROM (SELECT alumni.id AS id, 0 AS part, v.value AS value, v.name AS name
      FROM alumni_value v CROSS JOIN alumni ON alumni.id = v.alumni_id
      WHERE v.field = ${field} AND ${holds} ORDER BY v.value ${direction}, v.name ${direction}, v.alumni_id ${direction} LIMIT ${end})
    UNION ALL
    SELECT * FROM (SELECT alumni.id, 1, NULL, alumni.name FROM alumni INDEXED BY alumni_name
      WHERE ${hasNoValue(field)} AND ${holds} ORDER BY alumni.name ${direction}, alumni.id ${direction} LIMIT ${end})
  ) ORDER BY part, value ${direction}, name ${direction}, id ${direction} LIMIT ${size} OFFSET ${(page - 1) * size}`;
}

const requireOwnField = (own: readonly OwnField[], code: OwnFieldCode, path: string): OwnField => {
  const field = own.find((each) => each.code === code);
  if (!field) throw invalidInput({ [path]: "지금 쓰지 않는 항목입니다." });
  return field;
};

export type SentFiles = ReadonlyMap<string, string>;

type SentValue = OwnValuesInput[OwnFieldCode];

function readSentValue(field: OwnField, before: OwnValue | undefined, sent: SentValue, files: SentFiles) {
  if (isOwnFile(sent)) {
    if (isOwnFile(before) && before.fileId === sent.fileId) return { value: before };
    const fileName = field.kind === "file" ? files.get(sent.fileId) : undefined;
    return fileName === undefined
      ? { error: "올린 파일을 찾을 수 없습니다. 파일을 다시 올려 주십시오." }
      : { value: { fileId: sent.fileId, fileName } };
  }
  const given = sent as Exclude<OwnValue, OwnFile> | null | undefined;
  const typed = ownValueText(given ?? undefined);
  const isSame = isSameOwnValue(before, given ?? undefined) || (typed !== "" && typed === ownValueText(before));
  return isSame ? { value: before ?? "" } : cleanOwnValue(field, Array.isArray(given) ? given : typed);
}

/**
 * Values to store; unchanged ones are not validated again, because the choices may have changed. @param given by a
 * person with write access @throws AppError INVALID_INPUT for unreadable, missing or unknown values
 */
export function changeOwnValues(own: readonly OwnField[], before: OwnValues, given: OwnValuesInput, files: SentFiles) {
  const values: OwnValues = { ...before };
  const changed: string[] = [];
  const newFiles: string[] = [];
  let losesFile = false;
  const wrong: Record<string, string> = {};
  for (const [key, sent] of Object.entries(given)) {
    const code = key as OwnFieldCode;
    const path = ownFieldPath(code);
    const field = requireOwnField(own, code, path);
    const cell = readSentValue(field, before[code], sent, files);
    if ("error" in cell) wrong[path] = cell.error;
    else if (cell.value === "" && field.required && before[code] !== undefined)
      wrong[path] = requiredOwnFieldMessage(field);
    else if (!isSameOwnValue(before[code], cell.value)) {
      changed.push(field.name);
      losesFile ||= isOwnFile(before[code]);
      if (isOwnFile(cell.value)) newFiles.push(cell.value.fileId);
      if (cell.value === "") delete values[code];
      else values[code] = cell.value;
    }
  }
  if (Object.keys(wrong).length > 0) throw invalidInput(wrong);
  return { values, changed, newFiles, losesFile };
}

export const missingOwnFields = (own: readonly OwnField[], values: OwnValues): OwnField[] =>
  own.filter(({ code, required }) => required && values[code] === undefined);

/** Filled values of the visible fields. */
export const seenOwnValues = (
  own: readonly OwnField[],
  values: OwnValues,
  isSeen: (field: OwnField) => boolean,
): OwnValues =>
  Object.fromEntries(
    own.flatMap((field): [string, OwnValue][] => {
      const value = values[field.code];
      return value === undefined || !isSeen(field) ? [] : [[field.code, value]];
    }),
  );

export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const STAGED_ROW_COLUMNS: readonly string[] = [
  "id",
  ...ALUMNI_FIELDS.map(columnOf),
  "own",
  "initials",
  "search_all",
  "search_open",
];

/** Columns that a deed on the address book may change. */
export const DEED_COLUMNS: readonly string[] = [
  ...STAGED_ROW_COLUMNS.slice(1),
  "open_fields",
  "email_hold",
  "deleted_date",
  "merged_into",
];

export const ROW_BEFORE_JSON = `json_object(${DEED_COLUMNS.map((name) => `'${name}', a.${name}`).join(", ")}, 'modified_date', a.modified_date)`;
