import type { BookField } from "./own-fields.ts";
import type { AlumniFilterText } from "./selection.ts";

// Views of the list that are kept under a name. Free of zod: the browser leads to them.

export const ALUMNI_VIEW_LIMITS = { name: 40, own: 50, shared: 100 } as const;

/** What is looked for and how it is shown; never a page or a person. */
export interface AlumniViewContent {
  filter: AlumniFilterText;
  /** Field and direction; empty for the one of the settings. */
  sort: string;
  /** In their order, the name among them; none for those of the settings. */
  columns: BookField[];
  isDense: boolean;
  /** People on a page. */
  size: number;
}

export interface AlumniSavedView extends AlumniViewContent {
  id: string;
  name: string;
  isShared: boolean;
  /** May the caller rename, change and delete it? */
  canChange: boolean;
  version: number;
}
