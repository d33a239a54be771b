import {
  ALUMNI_FIELDS,
  ALUMNI_MAX_LENGTHS,
  type AlumniField,
  type AlumniValues,
  cellText,
  EMPTY_ALUMNI_VALUES,
} from "#worker/contract/alumni/columns.ts";
import { type ImportOptions, isSameMemo, withMemoLines } from "#worker/contract/alumni/import/cell-changes.ts";
import {
  type AlumniFieldCode,
  isSameOwnValue,
  type OwnFieldCode,
  type OwnValues,
  ownValueText,
} from "#worker/contract/alumni/own-fields.ts";
import type { EndedState, ImportChange } from "#worker/contract/alumni/view.ts";
import { endedFields } from "#worker/contract/mail/letters.ts";
import type { ImportRow } from "./row.server.ts";

/** Placeholder for a hidden value, whether it exists or not. */
export const CLOSED_VALUE = "(비공개)";

const STATE_FIELDS: readonly AlumniField[] = ["state", "stateDate", "stateNote"];

const isEmptyValue = (value: unknown) => value === "" || value === null;

export const isSameValue = (field: AlumniField, before: string | number | null, value: string | number | null) =>
  before === value || (field === "memo" && isSameMemo(cellText(before), cellText(value)));

/** Allows lines behind a hidden memo to exceed the form's limit, up to this length. */
const STORED_MEMO_MAX = 10 * ALUMNI_MAX_LENGTHS.memo;

/**
 * Changes of a row. By default empty cells clear fields only in rows with an ID. Hidden fields always count as changed.
 */
export function applyImportRow(
  before: AlumniValues & { id: string; own: OwnValues },
  { id, values, own: ownValues, memoLines }: ImportRow,
  { emptied, confirmed, ended }: Pick<ImportOptions, "emptied" | "confirmed" | "ended">,
  isShown: (field: AlumniFieldCode) => boolean,
  isConfirmed: (field: AlumniFieldCode) => boolean,
): {
  values: AlumniValues & { own: OwnValues };
  changes: ImportChange[];
  emptiedFields: AlumniFieldCode[];
  clears: boolean;
  confirmedChanges: ImportChange[];
  endedChanges: Omit<EndedState, "name">[];
} {
  const after: Record<string, unknown> = { ...before };
  const changes: ImportChange[] = [];
  const emptiedFields: AlumniFieldCode[] = [];
  const clears = emptied === "clear" || (emptied === "byId" && id !== "");
  const isEmptied = (field: AlumniFieldCode) => {
    emptiedFields.push(field);
    return clears;
  };
  const confirmedChanges: ImportChange[] = [];
  const note = (field: AlumniFieldCode, texts: { before: string; after: string }): boolean => {
    const change = { field, ...texts, ...(isShown(field) ? {} : { before: CLOSED_VALUE }) };
    if (isConfirmed(field)) confirmedChanges.push(change);
    const isMade = confirmed === "take" || !isConfirmed(field);
    if (isMade) changes.push(change);
    return isMade;
  };
  const isTaken = ended.includes(before.id);
  // An empty cell ends a refusal only where it clears.
  const finals = endedFields(before, clears || values.refuses !== "" ? values : { ...values, refuses: before.refuses });
  const endedChanges = finals.map((field) => ({
    id: before.id,
    field,
    before: before[field],
    after: values[field] ?? "",
    isTaken,
  }));
  const isKept = (field: AlumniField) =>
    !isTaken && finals.some((final) => (final === "state" ? STATE_FIELDS.includes(field) : field === final));
  for (const field of ALUMNI_FIELDS) {
    if (isKept(field)) continue;
    let value = values[field];
    const isBehind = field === "memo" && memoLines.length > 0;
    if (isBehind) value = withMemoLines(values.memo || before.memo, memoLines).slice(0, STORED_MEMO_MAX);
    if (value === undefined || (isSameValue(field, before[field], value) && isShown(field))) continue;
    if (isEmptyValue(value) && !isEmptied(field)) continue;
    const isHidden = isBehind && !values.memo && !isShown(field);
    if (note(field, { before: cellText(before[field]), after: isHidden ? CLOSED_VALUE : cellText(value) }))
      after[field] = value;
  }
  // A day that is not in the file is unknown.
  if (after.state !== before.state && after.stateDate === before.stateDate) after.stateDate = values.stateDate ?? "";
  const own: OwnValues = { ...before.own };
  for (const [key, value] of Object.entries(ownValues)) {
    const field = key as OwnFieldCode;
    if (isSameOwnValue(before.own[field], value) && isShown(field)) continue;
    if (value === "" && !isEmptied(field)) continue;
    if (!note(field, { before: ownValueText(before.own[field]), after: ownValueText(value) })) continue;
    if (value === "") delete own[field];
    else own[field] = value;
  }
  return {
    values: { ...(after as unknown as AlumniValues), own },
    changes,
    emptiedFields,
    clears,
    confirmedChanges,
    endedChanges,
  };
}

/** Every filled field of a new person. */
export const addedFields = (values: AlumniValues, read: ImportRow, own: OwnValues): ImportChange[] => [
  ...ALUMNI_FIELDS.filter((field) => values[field] !== EMPTY_ALUMNI_VALUES[field] || read.values[field]).map(
    (field) => ({ field, before: "", after: cellText(values[field]) }),
  ),
  ...Object.entries(own).map(([field, value]) => ({
    field: field as OwnFieldCode,
    before: "",
    after: ownValueText(value),
  })),
];
