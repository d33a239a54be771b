import type { ArchiveProblemCode, MovingIssueCode } from "./rules.ts";

/** One list of records in an archive, in the order of its index. */
export interface RdxEntry {
  archiveId: string;
  name: string;
  type: "member" | "message" | "board";
  title: string;
  /** Of a board: what the old site calls it in its addresses. */
  boardKey: string;
}

export interface NamedCount {
  name: string;
  count: number;
}

export interface MovingBoard {
  key: string;
  title: string;
  items: number;
  comments: number;
  files: number;
  notices: number;
  secrets: number;
  pictures: number;
  /** The first that were seen, with how many items each has. */
  categories: NamedCount[];
}

/** What was counted, by the kind of thing. */
export interface MovingCounts {
  members: number;
  boards: number;
  items: number;
  comments: number;
  files: number;
  notes: number;
}

export const NO_COUNTS: MovingCounts = { members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 };

/** What an archive holds, as far as it was looked through. */
export interface MovingPreview {
  source: string;
  timeZone: string;
  counts: MovingCounts;
  boards: MovingBoard[];
  /** Groups of members, and the further fields of members, with how many have them. */
  groups: NamedCount[];
  fields: NamedCount[];
  passwords: NamedCount[];
  filesBytes: number;
}

/** A board that was here, as it was before things were moved into it. */
export interface BoardBefore {
  categories: string[];
  useSecret: boolean;
  lastItemNo: number;
  version: number;
  /** The move added categories or switched secret items on; the undo takes nothing else back. */
  isChanged: boolean;
}

/** How far the work is; each step goes on where the one before it said that it stopped. */
export interface MovingState {
  phase: "directory" | "index" | "records" | "boards" | "files" | "tidy" | "done";
  /** Of the archives while their directories are read, then of the lists of records. */
  entryIndex: number;
  /** Bytes of a directory, or lines of a list, that are done. */
  position: number;
  preview: MovingPreview;
  /** What came, what had come before, and what was left out. */
  committed: MovingCounts;
  already: MovingCounts;
  removed: MovingCounts;
  issues: Partial<Record<MovingIssueCode, number>>;
  problem: { code: ArchiveProblemCode; fileName: string; entryName: string } | null;
  /** What boards and roles were before, to be so again after an undo. */
  before: { boards: Record<string, BoardBefore> };
}

export const emptyMovingState = (): MovingState => ({
  phase: "directory",
  entryIndex: 0,
  position: 0,
  preview: {
    source: "",
    timeZone: "Asia/Seoul",
    counts: { ...NO_COUNTS },
    boards: [],
    groups: [],
    fields: [],
    passwords: [],
    filesBytes: 0,
  },
  committed: { ...NO_COUNTS },
  already: { ...NO_COUNTS },
  removed: { ...NO_COUNTS },
  issues: {},
  problem: null,
  before: { boards: {} },
});
