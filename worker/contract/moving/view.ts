import type { MovingMapping } from "./input.ts";
import type { ArchiveKind, MovingIssueCode, MovingStatus } from "./rules.ts";
import type { MovingBoard, MovingCounts } from "./state.ts";

export interface ArchiveView {
  id: string;
  kind: ArchiveKind;
  fileName: string;
  size: number;
  isReady: boolean;
  partBytes: number;
  parts: number[];
}

export interface MovingIssueView {
  code: MovingIssueCode;
  label: string;
  isLoss: boolean;
  count: number;
  subjects: string[];
}

export interface MovingRow {
  id: string;
  site: string;
  source: string;
  status: MovingStatus;
  createdUserName: string;
  createdDate: string;
  committedDate: string | null;
  committed: MovingCounts;
}

export type MovingBoardView = Omit<MovingBoard, "categories"> & { categories: Record<string, number> };

export interface MovingView extends MovingRow {
  oldOrigin: string;
  version: number;
  timeZone: string;
  progress: number;
  progressText: string;
  counts: MovingCounts;
  already: MovingCounts;
  removed: MovingCounts;
  filesBytes: number;
  boards: MovingBoardView[];
  groups: { name: string; count: number }[];
  fields: { name: string; count: number }[];
  passwords: { kind: string; count: number }[];
  issues: MovingIssueView[];
  blocked: BlockedView;
  /** Data that the old program's exporter does not include. */
  notInArchive: string[];
  archives: ArchiveView[];
  mapping: MovingMapping | null;
  problem: string | null;
  /** Null when undo is impossible. */
  undoUntilDate: string | null;
  interruptions: number;
}

export interface BlockedView {
  listed: number;
  found: number;
  unknown: string[];
}

export interface MovingPageData {
  movings: MovingRow[];
  open: MovingView | null;
  canExport: boolean;
  targets: {
    boards: { boardCode: string; boardName: string }[];
    roles: { roleCode: string; roleName: string }[];
    fields: { code: string; name: string }[];
  };
}

export interface SiteExportPart {
  kind: "members" | "items" | "files";
  first: string;
  last: string;
  count: number;
  bytes: number | null;
}
