import type { ArchiveProblemCode, MovingIssueCode } from "./rules.ts";

export interface RdxEntry {
  archiveId: string;
  name: string;
  type: "member" | "message" | "board";
  title: string;
  /** The board's name in addresses of the old site. */
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
  categories: NamedCount[];
}

export interface MovingCounts {
  members: number;
  boards: number;
  items: number;
  comments: number;
  files: number;
  notes: number;
}

const NO_COUNTS: MovingCounts = { members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 };

interface MovingPreview {
  source: string;
  timeZone: string;
  counts: MovingCounts;
  boards: MovingBoard[];
  groups: NamedCount[];
  fields: NamedCount[];
  passwords: NamedCount[];
  /** Members who agreed to advertising. */
  consents: { mail: number; text: number };
  /** Members whose memo or name says that they may not be active; the first ones are named. */
  doubtful?: { userId: string; text: string }[];
  /** Fields with a value that the site does not take, as `kind name`. */
  left: NamedCount[];
  filesBytes: number;
}

export interface BoardBefore {
  categories: string[];
  useSecret: boolean;
  lastItemNo: number;
  version: number;
  /** True when the move added categories or secret items, the only changes that undo reverts. */
  isChanged: boolean;
}

/** Progress of a move; each step continues where the last one stopped. */
export interface MovingState {
  phase: "directory" | "index" | "records" | "boards" | "files" | "tidy" | "done";
  /** Index of the archive during the directory phase, then of the record list. */
  entryIndex: number;
  position: number;
  preview: MovingPreview;
  committed: MovingCounts;
  already: MovingCounts;
  removed: MovingCounts;
  issues: Partial<Record<MovingIssueCode, number>>;
  problem: { code: ArchiveProblemCode; fileName: string; entryName: string } | null;
  /** Earlier state of the boards, restored by undo. */
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
    consents: { mail: 0, text: 0 },
    left: [],
    filesBytes: 0,
  },
  committed: { ...NO_COUNTS },
  already: { ...NO_COUNTS },
  removed: { ...NO_COUNTS },
  issues: {},
  problem: null,
  before: { boards: {} },
});
