import { ALUMNI_FIELDS, type AlumniField } from "#worker/contract/alumni-columns.ts";

/** What a caller chose in the list, as it stands in the address. */
export interface AlumniChoice {
  keyword: string;
  cohort: string;
  graduationYear: string;
  affiliation: string;
  sort: string;
  size: string;
  page: string;
  columns: AlumniField[];
  /** The person whose panel is open, or "new". */
  person: string;
}

export const DEFAULT_SORT = "name,ASC";
const DEFAULT_SIZE = "20";
export const SHOWN_AT_FIRST: readonly AlumniField[] = [
  "name",
  "cohort",
  "affiliation",
  "department",
  "position",
  "mobile",
  "email",
];
const TEXT_KEYS = ["keyword", "cohort", "graduationYear", "affiliation", "sort", "size", "page", "person"] as const;
const DEFAULTS: Record<string, string> = { sort: DEFAULT_SORT, size: DEFAULT_SIZE, page: "1" };

export function choiceOf(search: URLSearchParams): AlumniChoice {
  const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, search.get(key) || (DEFAULTS[key] ?? "")]));
  // In the order of the address, each once; the name heads every row.
  const asked = search.getAll("columns").flatMap((value) => value.split(","));
  const isField = (value: string): value is AlumniField => (ALUMNI_FIELDS as readonly string[]).includes(value);
  const columns = [...new Set<AlumniField>(["name", ...asked.filter(isField)])];
  return {
    ...(texts as Record<(typeof TEXT_KEYS)[number], string>),
    columns: asked.length === 0 ? [...SHOWN_AT_FIRST] : columns,
  };
}

const isDefault = (columns: readonly AlumniField[]) => columns.join() === SHOWN_AT_FIRST.join();

/** /Alumni with a choice; what is the default anyway is left out. */
export function alumniPath(choice: AlumniChoice, change: Partial<AlumniChoice> = {}): string {
  const next = { ...choice, ...change };
  const search = new URLSearchParams();
  for (const key of TEXT_KEYS) {
    if (next[key] !== "" && next[key] !== DEFAULTS[key]) search.set(key, next[key]);
  }
  if (!isDefault(next.columns)) search.set("columns", next.columns.join(","));
  const text = search.toString();
  return `/Alumni${text && `?${text}`}`;
}

/** The parts of a choice that a GET form must carry along beside its own fields. */
export function carried(choice: AlumniChoice, without: readonly (keyof AlumniChoice)[]): [string, string][] {
  const pairs = TEXT_KEYS.filter((key) => !without.includes(key) && key !== "page" && key !== "person")
    .filter((key) => choice[key] !== "" && choice[key] !== DEFAULTS[key])
    .map((key): [string, string] => [key, choice[key]]);
  if (!without.includes("columns") && !isDefault(choice.columns)) pairs.push(["columns", choice.columns.join(",")]);
  return pairs;
}

export const isFiltered = (choice: AlumniChoice) =>
  [choice.keyword, choice.cohort, choice.graduationYear, choice.affiliation].some((value) => value !== "");
