import {
  type AlumniFilterText,
  type AlumniViewContent,
  CONDITION_KEYS,
  type ConditionKey,
  filterTexts,
  readFilterTexts,
} from "#worker/contract/alumni/conditions.ts";
import {
  type AlumniSettingsView,
  bookFields,
  DEFAULT_ALUMNI_SETTINGS_VIEW,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";

export interface AlumniListChoice {
  /** Texts of the conditions, with those that cannot be used now. */
  filter: AlumniFilterText;
  sort: string;
  size: string;
  page: string;
  /** "dense" shows more rows at once. */
  density: string;
  columns: AlumniFieldCode[];
  /** The id of the person whose panel is open, or "new". */
  person: string;
  /** The caller's defaults; the URL only holds differences from them. */
  view: AlumniSettingsView;
}

const DEFAULT_SIZE = "20";
const TEXT_KEYS = ["sort", "size", "page", "density", "person"] as const;
const defaultAlumniChoice = ({ sort }: AlumniSettingsView): Record<string, string> => ({
  sort,
  size: DEFAULT_SIZE,
  page: "1",
});

export function readAlumniChoice(search: URLSearchParams, settings: AlumniSettingsView = DEFAULT_ALUMNI_SETTINGS_VIEW) {
  const defaults = defaultAlumniChoice(settings);
  const fields = bookFields(settings);
  const isField = (value: string): value is AlumniFieldCode => (fields as readonly string[]).includes(value);
  // Ignores sorts on unused columns, as the server does.
  const isOff = (key: string, value: string) => {
    const field = key === "sort" ? (value.split(",")[0] ?? "") : "";
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
    filter: filterTexts(readFilterTexts(Object.fromEntries(search))),
    view: settings,
  };
}

const hasDefaultColumns = ({ view, columns }: AlumniListChoice) => columns.join() === view.shown.join();

/** Conditions in the order of their declaration; fields' last. */
export const filterPairs = (filter: AlumniFilterText) =>
  CONDITION_KEYS.flatMap((key): [ConditionKey, string][] => (filter[key] ? [[key, filter[key]]] : []));

/** Leaves defaults out of the URL. */
export function alumniListPath(choice: AlumniListChoice, change: Partial<AlumniListChoice> = {}): string {
  const next = { ...choice, ...change };
  const search = new URLSearchParams();
  const defaults = defaultAlumniChoice(choice.view);
  for (const key of TEXT_KEYS) {
    if (next[key] !== "" && next[key] !== defaults[key]) search.set(key, next[key]);
  }
  for (const [key, text] of filterPairs(next.filter)) search.set(key, text);
  if (!hasDefaultColumns(next)) search.set("columns", next.columns.join(","));
  const text = search.toString();
  return `/Alumni${text && `?${text}`}`;
}

/** Opens a person's panel; the list is narrowed to the name, as the panel shows people of the list. */
export const alumniEntryPath = ({ id, name }: { id: string; name: string }, edit?: AlumniFieldCode) =>
  `/Alumni?${new URLSearchParams({ keyword: name, person: id, ...(edit ? { edit } : {}) })}`;

/** Hidden inputs that carry the rest of the choice through a GET form. */
export function hiddenAlumniFields(choice: AlumniListChoice, without: readonly string[]) {
  const defaults = defaultAlumniChoice(choice.view);
  const pairs = TEXT_KEYS.filter((key) => !without.includes(key) && key !== "page" && key !== "person")
    .filter((key) => choice[key] !== "" && choice[key] !== defaults[key])
    .map((key): [string, string] => [key, choice[key]]);
  pairs.push(...filterPairs(choice.filter).filter(([key]) => !without.includes(key)));
  if (!without.includes("columns") && !hasDefaultColumns(choice)) pairs.push(["columns", choice.columns.join(",")]);
  return pairs;
}

export const isAlumniFiltered = (choice: AlumniListChoice) => filterPairs(choice.filter).length > 0;

export const viewContentOf = (choice: AlumniListChoice): AlumniViewContent => ({
  filter: choice.filter,
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
  const texts = [...filterPairs(filter), ...Object.entries(how).filter(([, text]) => text !== "")];
  return alumniListPath(readAlumniChoice(new URLSearchParams(texts), settings));
}

/** Leaves out what shows the same people in another form. */
export function searchWithoutLook(search: string, ...others: string[]): string {
  const kept = new URLSearchParams(search);
  for (const key of ["columns", "density", ...others]) kept.delete(key);
  return kept.toString();
}
