import type { AlumniFieldCode } from "./own-fields.ts";
import type { AlumniFilterText } from "./selection.ts";

// Free of zod, because the browser links to saved views.

export const ALUMNI_VIEW_LIMITS = { name: 40, own: 50, shared: 100 } as const;

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

export interface AlumniSavedView extends AlumniViewContent {
  id: string;
  name: string;
  isShared: boolean;
  canChange: boolean;
  version: number;
}
