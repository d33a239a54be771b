import type { FieldFilterKey } from "./field-filter.ts";

// Free of zod, because the list keeps the selection in the browser.

export type AlumniFilterText = Partial<
  Record<"keyword" | "cohort" | "graduationYear" | "affiliation" | FieldFilterKey, string>
>;

export type AlumniSelection = { ids: string[] } | { filter: AlumniFilterText; except?: string[] };

export const SELECTION_LIMITS = {
  ids: 1000,
  except: 1000,
  people: 1000,
} as const;

/** @param total number of people who match the filter */
export const selectionCount = (selection: AlumniSelection, total: number): number =>
  "ids" in selection ? selection.ids.length : Math.max(total - (selection.except?.length ?? 0), 0);
