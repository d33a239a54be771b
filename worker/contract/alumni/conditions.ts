import { particleOf } from "../kernel/wording.ts";
import { lookUp } from "../kernel/labels.ts";
import { type AlumniSettings, isBookFieldUsed } from "./alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_FIELDS, isOfficeField, PRIVATE_FIELDS } from "./columns.ts";
import {
  ALUMNI_TEXT_LIMITS,
  type DayFilter,
  dayFilterWords,
  type DuesFilter,
  duesFilterWords,
  FIELD_FILTER_LENGTH,
  type FieldFilter,
  type FieldFilterKey,
  fieldFilterKey,
  fieldFilterWords,
  formatDayFilter,
  formatDuesFilter,
  formatFieldFilter,
  parseDayFilter,
  parseDuesFilter,
  parseFieldFilter,
} from "./list.ts";
import {
  type AlumniFieldCode,
  columnLabel,
  hasChoices,
  isOwnFieldCode,
  OWN_FIELD_CODES,
  type OwnField,
} from "./own-fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { cleanLine } from "../kernel/text.ts";

/** The address book as the caller may ask it. */
export interface ConditionBook {
  settings: Pick<AlumniSettings, "off">;
  /** Fields that the caller may filter by. */
  own: readonly OwnField[];
  office: boolean;
  dues: boolean;
}

type OwnNames = readonly Pick<OwnField, "code" | "name">[];

export interface ConditionValues {
  keyword: string;
  number: number;
  part: string;
  dues: DuesFilter;
  day: DayFilter;
  field: FieldFilter;
}

export type ConditionKind = keyof ConditionValues;

/** The rights that a condition asks for besides reading the book. */
type ConditionRight = "office" | "dues";

interface ConditionEntries {
  keyword: { kind: "keyword"; label: string };
  number: { kind: "number"; column: "cohort" | "graduationYear" };
  part: { kind: "part"; column: "affiliation" };
  dues: { kind: "dues"; label: string; right: ConditionRight };
  day: { kind: "day"; label: string; column: "createdDate" | "modifiedDate"; right: ConditionRight };
  field: { kind: "field"; field: AlumniFieldCode };
}

export type ConditionEntry<K extends ConditionKind = ConditionKind> = ConditionEntries[K];

interface Condition<V, E extends ConditionEntry = ConditionEntry> {
  entry: E;
  label: (own: OwnNames) => string;
  maxLength: number;
  /** Calls may send it as a number. */
  isNumber?: true;
  /** May name a person, so that the audit log records its presence alone. */
  isPersonal?: true;
  /** Undefined for no condition, null for an unreadable one. */
  parse: (text: string) => V | undefined | null;
  text: (value: V) => string;
  words: (value: V, own: OwnNames) => string;
  /** Null for a usable condition, otherwise the reason. */
  asks: (book: ConditionBook, value: V) => string | null;
}

const NO_RIGHT = "이 조건으로 찾을 권한이 없습니다.";
const NOT_USED = "지금 쓰지 않는 항목입니다.";

const isClosable = (field: AlumniFieldCode) => (PRIVATE_FIELDS as readonly string[]).includes(field);

function asksField({ settings, own, office }: ConditionBook, { field, operator, values }: FieldFilter): string | null {
  if (!isBookFieldUsed(settings, own, field)) return NOT_USED;
  if (!office && !isOwnFieldCode(field) && (isClosable(field) || isOfficeField(field))) return NO_RIGHT;
  const defined = own.find(({ code }) => code === field);
  if (operator !== "in" || !defined || !hasChoices(defined.kind)) return null;
  const gone = values.find((value) => !defined.choices.includes(value));
  return gone === undefined ? null : `‘${gone}’${particleOf(gone, "은/는")} 지금 고를 수 없는 값입니다.`;
}

/** A field that is gone, or that the caller may not know, has no name. */
const fieldLabel = (field: AlumniFieldCode, own: OwnNames) =>
  isOwnFieldCode(field) && own.every(({ code }) => code !== field) ? "알 수 없는 항목" : columnLabel(field, own);

const asksColumn = ({ settings, own }: ConditionBook, { column }: ConditionEntry<"number" | "part">) =>
  isBookFieldUsed(settings, own, column) ? null : NOT_USED;
const asksRight = (book: ConditionBook, { right }: ConditionEntry<"dues" | "day">) => (book[right] ? null : NO_RIGHT);
const columnText = ({ column }: ConditionEntry<"number" | "part">) => ALUMNI_COLUMN_LABELS[column];

type KindRules = {
  [K in ConditionKind]: (entry: ConditionEntry<K>) => Omit<
    Condition<ConditionValues[K]>,
    "entry" | "label" | "words"
  > & {
    label: string | Condition<unknown>["label"];
    words: (value: ConditionValues[K], label: string) => string;
  };
};

/** Rules of each kind. Its SQL is in `filter.server.ts`, its controls in `added-condition.tsx`. */
const KINDS: KindRules = {
  keyword: ({ label }) => ({
    label,
    maxLength: SIZE_LIMITS.keywordLength,
    parse: (text) => cleanLine(text) || undefined,
    text: String,
    words: (value, name) => `${name} ‘${value}’`,
    asks: () => null,
    isPersonal: true,
  }),
  number: (entry) => ({
    label: columnText(entry),
    maxLength: 4,
    isNumber: true,
    parse: (text) => (text === "" ? undefined : /^\d{1,4}$/.test(text) ? Number(text) : null),
    text: String,
    words: (value, name) => `${name} ${value}`,
    asks: (book) => asksColumn(book, entry),
  }),
  part: (entry) => ({
    label: columnText(entry),
    maxLength: ALUMNI_TEXT_LIMITS.affiliationFilter,
    parse: (text) => cleanLine(text) || undefined,
    text: String,
    words: (value, name) => `${name} ‘${value}’`,
    asks: (book) => asksColumn(book, entry),
  }),
  dues: (entry) => ({
    label: entry.label,
    maxLength: FIELD_FILTER_LENGTH,
    parse: parseDuesFilter,
    text: formatDuesFilter,
    words: duesFilterWords,
    asks: (book) => asksRight(book, entry),
  }),
  day: (entry) => ({
    label: entry.label,
    maxLength: FIELD_FILTER_LENGTH,
    parse: parseDayFilter,
    text: formatDayFilter,
    words: (value, name) => `${name} ${dayFilterWords(value)}`,
    asks: (book) => asksRight(book, entry),
  }),
  field: ({ field }) => ({
    label: (own) => fieldLabel(field, own),
    maxLength: FIELD_FILTER_LENGTH,
    parse: (text) => parseFieldFilter(field, text),
    text: formatFieldFilter,
    words: (value, name) => `${name} ${fieldFilterWords(value)}`,
    asks: asksField,
  }),
};

/** Conditions of the address book besides those by field. List, files, figures and acts on a segment derive from it. */
const BOOK_CONDITIONS = {
  keyword: { kind: "keyword", label: "검색어" },
  cohort: { kind: "number", column: "cohort" },
  graduationYear: { kind: "number", column: "graduationYear" },
  affiliation: { kind: "part", column: "affiliation" },
  dues: { kind: "dues", label: "회비", right: "dues" },
  registered: { kind: "day", label: "등록일", column: "createdDate", right: "office" },
} as const satisfies Record<string, ConditionEntry>;

type BookConditions = typeof BOOK_CONDITIONS;

export type ConditionKey = keyof BookConditions | FieldFilterKey;

/** Conditions of some kinds, without those by field. */
export type KeyOfKind<K extends ConditionKind> = {
  [Key in keyof BookConditions]: BookConditions[Key]["kind"] extends K ? Key : never;
}[keyof BookConditions];

type ConditionValue<K extends ConditionKey> = K extends keyof BookConditions
  ? ConditionValues[BookConditions[K]["kind"]]
  : FieldFilter;

export type AlumniFilter = { [K in ConditionKey]?: ConditionValue<K> | undefined };

/** The value's type belongs to the key by construction of the filter. */
function define(entry: ConditionEntry): Condition<unknown> {
  const { label, words, ...rules } = (KINDS[entry.kind] as (of: ConditionEntry) => ReturnType<KindRules["field"]>)(
    entry,
  );
  const labelOf = (own: OwnNames) => (typeof label === "string" ? label : label(own));
  return {
    ...(rules as unknown as Omit<Condition<unknown>, "label" | "words">),
    entry,
    label: labelOf,
    words: (value, own) => words(value as FieldFilter, labelOf(own)),
  };
}

const ALUMNI_CONDITIONS = Object.fromEntries([
  ...Object.entries(BOOK_CONDITIONS).map(([key, entry]) => [key, define(entry)]),
  ...[...ALUMNI_FIELDS, ...OWN_FIELD_CODES].map((field) => [fieldFilterKey(field), define({ kind: "field", field })]),
]) as Record<ConditionKey, Condition<unknown>>;

export const CONDITION_KEYS = Object.keys(ALUMNI_CONDITIONS) as ConditionKey[];

export const isFieldConditionKey = (key: ConditionKey): key is FieldFilterKey => key.startsWith("f_");

interface SetCondition {
  key: ConditionKey;
  value: ConditionValues[ConditionKind];
}

export const conditionOf = (key: ConditionKey) => ALUMNI_CONDITIONS[key] as Condition<unknown>;

export const setConditions = (filter: AlumniFilter): SetCondition[] =>
  CONDITION_KEYS.flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [{ key, value }];
  });

/** The parts that decide whether the conditions are usable, without texts that may name a person. */
export const conditionsToAsk = (filter: AlumniFilter, own: readonly OwnField[]): AlumniFilter =>
  Object.fromEntries(
    setConditions(filter).flatMap(({ key, value }): [ConditionKey, unknown][] => {
      if (conditionOf(key).isPersonal) return [];
      if (!isFieldConditionKey(key)) return [[key, value]];
      const { field, operator, values } = value as FieldFilter;
      const isChoice = own.some(({ code, kind }) => code === field && hasChoices(kind));
      return [[key, { field, operator, values: isChoice ? values : [] }]];
    }),
  ) as AlumniFilter;

/** Texts of the filter in the address. */
export type AlumniFilterText = { [K in ConditionKey]?: string };

export type AlumniSelection = { ids: string[] } | { filter: AlumniFilterText; except?: string[] };

/** @param total number of people who match the filter */
export const selectionCount = (selection: AlumniSelection, total: number): number =>
  "ids" in selection ? selection.ids.length : Math.max(total - (selection.except?.length ?? 0), 0);

/** Excludes the page and the selected person. */
export interface AlumniViewContent {
  filter: AlumniFilterText;
  /** Field and direction; empty for the setting's default. */
  sort: string;
  /** In order, with the name; empty for the setting's default. */
  columns: AlumniFieldCode[];
  isDense: boolean;
  size: number;
}

export const filterTexts = (filter: AlumniFilter): AlumniFilterText =>
  Object.fromEntries(setConditions(filter).map(({ key, value }) => [key, conditionOf(key).text(value)]));

export interface UnusableCondition {
  key: ConditionKey;
  label: string;
  words: string;
  reason: string;
}

/** @param names of own fields, closed ones too */
export const unusableConditions = (book: ConditionBook, filter: AlumniFilter, names: OwnNames): UnusableCondition[] =>
  setConditions(filter).flatMap(({ key, value }) => {
    const { asks, label, words } = conditionOf(key);
    const reason = asks(book, value);
    return reason === null ? [] : [{ key, label: label(names), words: words(value, names), reason }];
  });

/** Leaves out texts that no longer read. */
export const readFilterTexts = (conditionTexts: Partial<Record<string, string>>): AlumniFilter =>
  Object.fromEntries(
    CONDITION_KEYS.flatMap((key) => {
      const value = conditionOf(key).parse(lookUp(conditionTexts, key) ?? "");
      return value === null || value === undefined ? [] : [[key, value]];
    }),
  ) as AlumniFilter;
