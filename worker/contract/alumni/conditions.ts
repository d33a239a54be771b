import { particleOf } from "../kernel/wording.ts";
import { ownValue } from "../kernel/labels.ts";
import { type AlumniSettings, isBookFieldUsed } from "./alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, ALUMNI_FIELDS, isOfficeField, PRIVATE_FIELDS } from "./columns.ts";
import {
  ALUMNI_TEXT_LIMITS,
  type DuesFilter,
  duesFilterWords,
  FIELD_FILTER_LENGTH,
  type FieldFilter,
  type FieldFilterKey,
  fieldFilterKey,
  fieldFilterWords,
  formatDuesFilter,
  formatFieldFilter,
  formatRegisteredFilter,
  parseDuesFilter,
  parseFieldFilter,
  parseRegisteredFilter,
  type RegisteredFilter,
  registeredFilterWords,
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

interface Condition<V> {
  label: (own: OwnNames) => string;
  maxLength: number;
  /** Calls may send it as a number. */
  isNumber?: true;
  /** Undefined for no condition, null for an unreadable one. */
  parse: (text: string) => V | undefined | null;
  text: (value: V) => string;
  words: (value: V, own: OwnNames) => string;
  /** Null for a usable condition, otherwise the reason. */
  asks: (book: ConditionBook, value: V) => string | null;
  /** May name a person, so that the audit log records its presence alone. */
  isPersonal?: true;
}

const NO_RIGHT = "이 조건으로 찾을 권한이 없습니다.";
const NOT_USED = "지금 쓰지 않는 항목입니다.";

const define = <V>(condition: Condition<V>) => condition;

const usedField = (field: "cohort" | "graduationYear" | "affiliation") => (book: ConditionBook) =>
  isBookFieldUsed(book.settings, book.own, field) ? null : NOT_USED;

const numberCondition = (field: "cohort" | "graduationYear") =>
  define<number>({
    label: () => ALUMNI_COLUMN_LABELS[field],
    maxLength: 4,
    isNumber: true,
    parse: (text) => (text === "" ? undefined : /^\d{1,4}$/.test(text) ? Number(text) : null),
    text: String,
    words: (value) => `${ALUMNI_COLUMN_LABELS[field]} ${value}`,
    asks: usedField(field),
  });

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

const fieldCondition = (field: AlumniFieldCode) =>
  define<FieldFilter>({
    label: (own) => fieldLabel(field, own),
    maxLength: FIELD_FILTER_LENGTH,
    parse: (text) => parseFieldFilter(field, text),
    text: formatFieldFilter,
    words: (value, own) => `${fieldLabel(field, own)} ${fieldFilterWords(value)}`,
    asks: asksField,
  });

const BOOK_CONDITIONS = {
  keyword: define<string>({
    label: () => "검색어",
    maxLength: SIZE_LIMITS.keywordLength,
    parse: (text) => cleanLine(text) || undefined,
    text: String,
    words: (value) => `검색어 ‘${value}’`,
    asks: () => null,
    isPersonal: true,
  }),
  cohort: numberCondition("cohort"),
  graduationYear: numberCondition("graduationYear"),
  affiliation: define<string>({
    label: () => ALUMNI_COLUMN_LABELS.affiliation,
    maxLength: ALUMNI_TEXT_LIMITS.affiliationFilter,
    parse: (text) => cleanLine(text) || undefined,
    text: String,
    words: (value) => `${ALUMNI_COLUMN_LABELS.affiliation} ‘${value}’`,
    asks: usedField("affiliation"),
  }),
  dues: define<DuesFilter>({
    label: () => "회비",
    maxLength: FIELD_FILTER_LENGTH,
    parse: parseDuesFilter,
    text: formatDuesFilter,
    words: duesFilterWords,
    asks: ({ dues }) => (dues ? null : NO_RIGHT),
  }),
  registered: define<RegisteredFilter>({
    label: () => "등록일",
    maxLength: FIELD_FILTER_LENGTH,
    parse: parseRegisteredFilter,
    text: formatRegisteredFilter,
    words: registeredFilterWords,
    asks: ({ office }) => (office ? null : NO_RIGHT),
  }),
};

type BookConditions = typeof BOOK_CONDITIONS;

/** Conditions of the address book. List, files, figures and acts on a segment derive from it. */
const ALUMNI_CONDITIONS = {
  ...BOOK_CONDITIONS,
  ...Object.fromEntries(
    [...ALUMNI_FIELDS, ...OWN_FIELD_CODES].map((field) => [fieldFilterKey(field), fieldCondition(field)]),
  ),
} as BookConditions & Record<FieldFilterKey, Condition<FieldFilter>>;

export type ConditionKey = keyof BookConditions | FieldFilterKey;

export type ConditionValue<K extends ConditionKey> = K extends FieldFilterKey
  ? FieldFilter
  : K extends keyof BookConditions
    ? NonNullable<ReturnType<BookConditions[K]["parse"]>>
    : never;

export type AlumniFilter = { [K in ConditionKey]?: ConditionValue<K> | undefined };

export const CONDITION_KEYS = Object.keys(ALUMNI_CONDITIONS) as ConditionKey[];

export const isFieldConditionKey = (key: ConditionKey): key is FieldFilterKey => key.startsWith("f_");

interface SetCondition {
  key: ConditionKey;
  value: ConditionValue<ConditionKey>;
}

/** The condition of a value, whose types belong together by construction of the filter. */
export const conditionOf = (key: ConditionKey) => ALUMNI_CONDITIONS[key] as unknown as Condition<unknown>;

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
      const value = conditionOf(key).parse(ownValue(conditionTexts, key) ?? "");
      return value === null || value === undefined ? [] : [[key, value]];
    }),
  ) as AlumniFilter;
