import { type TWIN_REASONS } from "./merge-rules.ts";
import type { AlumniValues, AlumniField } from "./columns.ts";
import type { AlumniRow } from "./view.ts";
import type { Page } from "../kernel/envelope.ts";

export type TwinReason = (typeof TWIN_REASONS)[number];

export type MergePerson = AlumniValues & Pick<AlumniRow, "id" | "modifiedDate" | "openFields"> & { linked: boolean };

/** Which row each field is taken from; `all` puts the memos below each other. */
export type MergeSource = Record<AlumniField, string>;

export interface TwinGroup {
  /** The people, ten at most; the rest are told by their number. */
  people: AlumniRow[];
  count: number;
  reasons: TwinReason[];
}

export interface TwinPage {
  reason: TwinReason;
  /** How many groups each reason finds, counted up to a hundred. */
  counts: Record<TwinReason, number>;
  groups: TwinGroup[];
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

export interface MergeUndo {
  restored: number;
  /** Edited since, and left as they are. */
  kept: { id: string; name: string }[];
}

export interface MergePage {
  people: (AlumniRow & { linked: boolean })[];
  undoDays: number;
}

export interface AlumniBinRow {
  id: string;
  name: string;
  cohort: number | null;
  affiliation: string;
  deletedDate: string;
  /** Null where the retention rule of the bin is off. */
  purgeDate: string | null;
  mergedInto: { id: string; name: string } | null;
}

export interface AlumniBin extends Page<AlumniBinRow> {
  binDays: number | null;
}
