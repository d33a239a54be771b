import type { DuplicateReason } from "./merge-rules.ts";
import type { OwnField } from "./own-fields.ts";
import type { AlumniRow } from "./view.ts";
import type { Page } from "../kernel/envelope.ts";

export interface DuplicateGroup {
  /** The people, ten at most; the rest are told by their number. */
  people: AlumniRow[];
  count: number;
  reasons: DuplicateReason[];
}

export interface DuplicatePage {
  reason: DuplicateReason;
  /** How many groups each reason finds, counted up to a hundred. */
  counts: Record<DuplicateReason, number>;
  groups: DuplicateGroup[];
  /** Where the next page begins; null on the last. */
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
  /** Edited since, and left as they are. */
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
  /** Null where the retention rule of the bin is off. */
  purgeDate: string | null;
  mergedInto: { id: string; name: string } | null;
}

export interface DeletedAlumniView extends Page<DeletedAlumniRow> {
  binDays: number | null;
}
