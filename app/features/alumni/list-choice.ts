import {
  type AlumniFilterText,
  type AlumniViewContent,
  type FieldFilter,
  fieldFilterKey,
  formatFieldFilter,
  parseFieldFilter,
} from "#worker/contract/alumni/list.ts";
import {
  type AlumniSettingsView,
  bookFields,
  DEFAULT_ALUMNI_SETTINGS_VIEW,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";

export interface AlumniListChoice {
  keyword: string;
  cohort: string;
  graduationYear: string;
  affiliation: string;
  sort: string;
  size: string;
  page: string;
  /** "dense" shows more rows at once. */
  density: string;
  columns: AlumniFieldCode[];
  /** The id of the person whose panel is open, or "new". */
  person: string;
  conditions: FieldFilter[];
  /** `2026:unpaid,partial` or `years:3`. */
  dues: string;
  /** The caller's defaults; the URL only holds differences from them. */
  view: AlumniSettingsView;
}

const DEFAULT_SIZE = "20";
const TEXT_KEYS = [
  "keyword",
  "cohort",
  "graduationYear",
  "affiliation",
  "sort",
  "size",
  "page",
  "density",
  "person",
  "dues",
] as const;
const defaultAlumniChoice = ({ sort }: AlumniSettingsView): Record<string, string> => ({
  sort,
  size: DEFAULT_SIZE,
  page: "1",
});

export function readAlumniChoice(search: URLSearchParams, settings: AlumniSettingsView = DEFAULT_ALUMNI_SETTINGS_VIEW) {
  const defaults = defaultAlumniChoice(settings);
  const fields = bookFields(settings);
  const isField = (value: string): value is AlumniFieldCode => (fields as readonly string[]).includes(value);
  // Ignores filters and sorts on unused columns, as the server does.
  const isOff = (key: string, value: string) => {
    const field = key === "sort" ? (value.split(",")[0] ?? "") : key;
    return ((ALUMNI_FIELDS as readonly string[]).includes(field) || isOwnFieldCode(field)) && !isField(field);
  };
  const textOf = (key: string) => {
    const value = search.get(key) || (defaults[key] ?? "");
    return isOff(key, value) ? (defaults[key] ?? "") : value;
  };
  const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, textOf(key)]));
  // Keeps the URL's order and removes duplicates; the name always comes first.
  const asked = search.getAll("columns").flatMap((value) => value.split(","));
  const columns = [...new Set<AlumniFieldCode>(["name", ...asked.filter(isField)])];
  return {
    ...(texts as Record<(typeof TEXT_KEYS)[number], string>),
    columns: asked.length === 0 ? [...settings.shown] : columns,
    conditions: fields.flatMap((field) => parseFieldFilter(field, search.get(fieldFilterKey(field)) ?? "") ?? []),
    view: settings,
  };
}

const hasDefaultColumns = ({ view, columns }: AlumniListChoice) => columns.join() === view.shown.join();

/** Leaves defaults out of the URL. */
export function alumniListPath(choice: AlumniListChoice, change: Partial<AlumniListChoice> = {}): string {
  const next = { ...choice, ...change };
  const search = new URLSearchParams();
  const defaults = defaultAlumniChoice(choice.view);
  for (const key of TEXT_KEYS) {
    if (next[key] !== "" && next[key] !== defaults[key]) search.set(key, next[key]);
  }
  for (const condition of next.conditions) search.set(fieldFilterKey(condition.field), formatFieldFilter(condition));
  if (!hasDefaultColumns(next)) search.set("columns", next.columns.join(","));
  const text = search.toString();
  return `/Alumni${text && `?${text}`}`;
}

/** Opens a person's panel; the list is narrowed to the name, as the panel shows people of the list. */
export const alumniEntryPath = ({ id, name }: { id: string; name: string }, edit?: AlumniFieldCode) =>
  `/Alumni?${new URLSearchParams({ keyword: name, person: id, ...(edit ? { edit } : {}) })}`;

/** Hidden inputs that carry the rest of the choice through a GET form. */
export function hiddenAlumniFields(choice: AlumniListChoice, without: readonly (keyof AlumniListChoice)[]) {
  const defaults = defaultAlumniChoice(choice.view);
  const pairs = TEXT_KEYS.filter((key) => !without.includes(key) && key !== "page" && key !== "person")
    .filter((key) => choice[key] !== "" && choice[key] !== defaults[key])
    .map((key): [string, string] => [key, choice[key]]);
  if (!without.includes("conditions"))
    for (const condition of choice.conditions)
      pairs.push([fieldFilterKey(condition.field), formatFieldFilter(condition)]);
  if (!without.includes("columns") && !hasDefaultColumns(choice)) pairs.push(["columns", choice.columns.join(",")]);
  return pairs;
}

export const isAlumniFiltered = (choice: AlumniListChoice) =>
  choice.conditions.length > 0 ||
  choice.dues !== "" ||
  [choice.keyword, choice.cohort, choice.graduationYear, choice.affiliation].some((value) => value !== "");

export function alumniFilterText(choice: AlumniListChoice): AlumniFilterText {
  const { sort: _sort, ...filter } = alumniFilterOf(choice);
  return Object.fromEntries(Object.entries(filter).filter(([, text]) => text !== ""));
}

export const viewContentOf = (choice: AlumniListChoice): AlumniViewContent => ({
  filter: alumniFilterText(choice),
  sort: choice.sort === choice.view.sort ? "" : choice.sort,
  columns: hasDefaultColumns(choice) ? [] : choice.columns,
  isDense: choice.density === "dense",
  size: Number(choice.size) || Number(DEFAULT_SIZE),
});

export function alumniViewPath(
  { filter, sort, columns, isDense, size }: AlumniViewContent,
  settings: AlumniSettingsView,
): string {
  const how = { sort, columns: columns.join(","), size: String(size), density: isDense ? "dense" : "" };
  const texts = Object.entries({ ...filter, ...how }).filter(([, text]) => text !== "");
  return alumniListPath(readAlumniChoice(new URLSearchParams(texts), settings));
}

export const alumniFilterOf = ({
  keyword,
  cohort,
  graduationYear,
  affiliation,
  sort,
  conditions,
  dues,
}: AlumniListChoice) => ({
  keyword,
  cohort,
  graduationYear,
  affiliation,
  sort,
  ...(dues && { dues }),
  ...Object.fromEntries(conditions.map((condition) => [fieldFilterKey(condition.field), formatFieldFilter(condition)])),
});

/** Leaves out what shows the same people in another form. */
export function searchWithoutLook(search: string, ...others: string[]): string {
  const kept = new URLSearchParams(search);
  for (const key of ["columns", "density", ...others]) kept.delete(key);
  return kept.toString();
}
