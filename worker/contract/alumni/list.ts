import { ALUMNI_SORTS } from "./alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_COLUMNS, isNumberField } from "./columns.ts";
import { type AlumniFieldCode, isOwnFieldCode, OWN_FIELD_CODES } from "./own-fields.ts";
import { valuesOf } from "../kernel/labels.ts";
import { koreanDay, startOfKoreanDay } from "../kernel/korea.ts";
import { DUE_STATE_LABELS, type DueState, PERIOD_PATTERN } from "./dues/dues.ts";

export const ALUMNI_SORT_PATTERN = new RegExp(`^(${ALUMNI_SORTS.join("|")})(?:,(ASC|DESC))?$`);

export const BOOK_SORT_PATTERN = new RegExp(`^(${[...ALUMNI_SORTS, ...OWN_FIELD_CODES].join("|")})(?:,(ASC|DESC))?$`);

export const ALUMNI_COLUMN_BY_LABEL = new Map(
  ALUMNI_COLUMNS.flatMap(
    (code) =>
      [
        [code, code],
        [ALUMNI_COLUMN_LABELS[code], code],
      ] as const,
  ),
);

export const ALUMNI_TEXT_LIMITS = { affiliationFilter: 100, exportReason: 500 } as const;

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

// Dues in the address: dues=2026:unpaid,partial or dues=years:3.

/** A year joins all dues of it into one state of the person. */
export type DuesFilter = { period: string; states: DueState[] } | { years: number };

export const DUES_FILTER_YEARS = 20;

export function parseDuesFilter(text: string): DuesFilter | null {
  const [period = "", value = "", ...rest] = text.split(":");
  if (rest.length > 0) return null;
  if (period === "years") {
    const years = /^\d{1,2}$/.test(value) ? Number(value) : 0;
    return years >= 1 && years <= DUES_FILTER_YEARS ? { years } : null;
  }
  const names = value.split(",");
  const states = valuesOf(DUE_STATE_LABELS).filter((state) => names.includes(state));
  return PERIOD_PATTERN.test(period) && states.length > 0 && states.length === names.length ? { period, states } : null;
}

export const formatDuesFilter = (filter: DuesFilter): string =>
  "years" in filter ? `years:${filter.years}` : `${filter.period}:${filter.states.join(",")}`;

export const duesFilterWords = (filter: DuesFilter): string =>
  "years" in filter
    ? `회비 ${filter.years}년 이상 미납`
    : `${filter.period} 회비 ${filter.states.map((state) => DUE_STATE_LABELS[state]).join(", ")}`;

// A day in the address: registered=days:30 or registered=between:2026-01-01,2026-03-31.

export type DayFilter = { days: number } | { from: string; to: string };

const isRealDay = (day: string) => {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? startOfKoreanDay(day) : new Date(Number.NaN);
  return !Number.isNaN(start.getTime()) && koreanDay(start) === day;
};

export const DAY_FILTER_MAX = 3650;

export function parseDayFilter(text: string): DayFilter | null {
  const [, within] = /^days:(\d{1,4})$/.exec(text) ?? [];
  if (within !== undefined) {
    const days = Number(within);
    return days >= 1 && days <= DAY_FILTER_MAX ? { days } : null;
  }
  const [found, from = "", to = ""] = /^between:([\d-]*),([\d-]*)$/.exec(text) ?? [];
  const isDayOrEmpty = (day: string) => day === "" || isRealDay(day);
  const isRight = (from !== "" || to !== "") && isDayOrEmpty(from) && isDayOrEmpty(to);
  return found !== undefined && isRight && (to === "" || from <= to) ? { from, to } : null;
}

export const formatDayFilter = (filter: DayFilter): string =>
  "days" in filter ? `days:${filter.days}` : `between:${filter.from},${filter.to}`;

export const dayFilterWords = (filter: DayFilter): string =>
  "days" in filter ? `최근 ${filter.days}일` : `${filter.from || "처음"}~${filter.to || "오늘"}`;

/** People of one import or bulk change whose final state may end. */
export const ENDED_MAX = 1000;

/** People of the last file that are not in the next one. */
export const MISSING_MAX = 1000;

export const SELECTION_LIMITS = {
  ids: 1000,
  except: 1000,
  people: 1000,
} as const;

/** People whose fields one call changes. */
export const ALUMNI_CHANGE_MAX = 5000;

// Free of zod, because the browser links to saved views.

export const ALUMNI_VIEW_LIMITS = { name: 40, own: 50, shared: 100 } as const;
