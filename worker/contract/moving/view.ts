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
  /** Numbers of the parts that are here. */
  parts: number[];
}

export interface MovingIssueView {
  code: MovingIssueCode;
  label: string;
  isLoss: boolean;
  count: number;
  /** The first few. */
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
  /** Of the work under way, from 0 to 1; and what it is. */
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
  /** What the exporter of the old site's program does not write. */
  notInArchive: string[];
  archives: ArchiveView[];
  /** What to change, or null where nothing was proposed yet. */
  mapping: MovingMapping | null;
  /** Why the archive could not be read. */
  problem: string | null;
  /** Until when all of it can be undone; null where it cannot. */
  undoUntilDate: string | null;
  interruptions: number;
}

/** The list of the blocked, as far as the archives have members of these names. */
export interface BlockedView {
  listed: number;
  found: number;
  /** The first that no member has. */
  unknown: string[];
}

export interface MovingPageData {
  movings: MovingRow[];
  open: MovingView | null;
  /** Whether the one who looks may take the whole site out. */
  canExport: boolean;
  targets: {
    boards: { boardCode: string; boardName: string }[];
    roles: { roleCode: string; roleName: string }[];
    fields: { code: string; name: string }[];
  };
}

/** One archive of those that the site as a whole makes. */
export interface SiteExportPart {
  kind: "members" | "lists" | "items" | "files";
  /** Keys of its first and its last row. */
  first: string;
  last: string;
  count: number;
  bytes: number | null;
}
