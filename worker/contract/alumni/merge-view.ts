import type { DuplicateReason } from "./merge-rules.ts";
import type { OwnField } from "./own-fields.ts";
import type { AlumniRow } from "./view.ts";
import type { Page } from "../kernel/envelope.ts";

export interface DuplicateGroup {
  /** At most ten; the rest are only counted. */
  people: AlumniRow[];
  count: number;
  reasons: DuplicateReason[];
}

export interface DuplicatePage {
  reason: DuplicateReason;
  /** Groups by reason, counted up to a hundred. */
  counts: Record<DuplicateReason, number>;
  groups: DuplicateGroup[];
  next: string | null;
}

export interface MergeEntry {
  mergeId: string;
  keptId: string;
  name: string;
  people: number;
  userName: string;
  createdDate: string;
  undoneDate: string | null;
}

export interface MergeUndoResult {
  restored: number;
  kept: { id: string; name: string }[];
}

export interface MergePage {
  people: (AlumniRow & { linked: boolean })[];
  undoDays: number;
  own: OwnField[];
}

export interface DeletedAlumniRow {
  id: string;
  name: string;
  cohort: number | null;
  affiliation: string;
  deletedDate: string;
  /** Null when the recycle bin has no retention rule. */
  purgeDate: string | null;
  mergedInto: { id: string; name: string } | null;
}

export interface DeletedAlumniView extends Page<DeletedAlumniRow> {
  binDays: number | null;
}
