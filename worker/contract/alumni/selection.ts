import type { FieldFilterKey } from "./field-filter.ts";

// Who of the address book is meant by an act on several. Free of zod: the list keeps it in the browser.

/** A filter as it stands in an address and as calls take it. */
export type AlumniFilterText = Partial<
  Record<"keyword" | "cohort" | "graduationYear" | "affiliation" | FieldFilterKey, string>
>;

/** Those that are named, or all who match a filter but those that were unticked. */
export type AlumniSelection = { ids: string[] } | { filter: AlumniFilterText; except?: string[] };

export const SELECTION_LIMITS = {
  /** Ticked one by one. */
  ids: 1000,
  /** Unticked among all that match. */
  except: 1000,
  /** Whose entries one call answers with. */
  people: 1000,
} as const;

/** @param total how many match the filter */
export const selectionCount = (selection: AlumniSelection, total: number): number =>
  "ids" in selection ? selection.ids.length : Math.max(total - (selection.except?.length ?? 0), 0);
