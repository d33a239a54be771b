import { valuesOf } from "../kernel/labels.ts";
import { ALUMNI_FIELDS, isNumberField } from "./columns.ts";
import { type AlumniFieldCode, isOwnFieldCode, OWN_FIELD_CODES } from "./own-fields.ts";

// Filters in the address: f_position=in:과장,원장. Free of zod: the browser writes them.

export const FILTER_OPERATOR_LABELS = {
  empty: "비어 있음",
  filled: "채워져 있음",
  has: "들어 있음",
  in: "이 가운데 하나",
  between: "사이",
} as const;

export type FilterOperator = keyof typeof FILTER_OPERATOR_LABELS;

export const FILTER_OPERATORS = valuesOf(FILTER_OPERATOR_LABELS);

export interface FieldFilter {
  field: AlumniFieldCode;
  operator: FilterOperator;
  values: string[];
}

export type FieldFilterKey = `f_${AlumniFieldCode}`;

export const fieldFilterKey = (field: AlumniFieldCode): FieldFilterKey => `f_${field}`;

export const FIELD_FILTER_KEYS = [...ALUMNI_FIELDS, ...OWN_FIELD_CODES].map((field) => fieldFilterKey(field));

const VALUES_MAX = 20;

export const FIELD_FILTER_LENGTH = 300;

export function parseFieldFilter(field: AlumniFieldCode, text: string): FieldFilter | null {
  const [name = "", ...rest] = text.split(":");
  const isNumber = !isOwnFieldCode(field) && isNumberField(field);
  const operator = FILTER_OPERATORS.find((each) => each === name);
  if (!operator) return null;
  if (operator === "empty" || operator === "filled") return { field, operator, values: [] };
  const all = rest
    .join(":")
    .split(",")
    .map((value) => value.trim());
  if (operator === "between") {
    const [from = "", to = ""] = all;
    const isNumbers = [from, to].every((value) => /^\d{0,4}$/.test(value));
    if (all.length !== 2 || (from === "" && to === "") || (isNumber && !isNumbers)) return null;
    return { field, operator, values: [from, to] };
  }
  const values = all.filter(Boolean);
  if (values.length === 0 || values.length > VALUES_MAX) return null;
  if (isNumber && operator === "in" && !values.every((value) => /^\d{1,4}$/.test(value))) return null;
  return { field, operator, values: operator === "has" ? [values.join(",")] : values };
}

export const formatFieldFilter = ({ operator, values }: Pick<FieldFilter, "operator" | "values">): string =>
  values.length === 0 ? operator : `${operator}:${values.join(",")}`;

export function fieldFilterWords({ operator, values }: Pick<FieldFilter, "operator" | "values">): string {
  if (values.length === 0) return FILTER_OPERATOR_LABELS[operator];
  if (operator === "between") return `${values[0] ?? ""}~${values[1] ?? ""}`;
  const texts = values.map((value) => `‘${value}’`).join(", ");
  return operator === "in" && values.length === 1
    ? texts
    : `${texts} ${operator === "in" ? "가운데 하나" : FILTER_OPERATOR_LABELS[operator]}`;
}
