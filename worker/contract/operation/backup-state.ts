/** Where a table stands in a dump, and what of it is written. */
export interface DumpedTable {
  name: string;
  columns: string[];
  /** The highest rowid at the moment of the backup; null for an empty table. */
  lastRowId: number | null;
  rows: number;
  /** Bytes of all values as text, which SQLite can sum up as well. */
  bytes: number;
}

/** One encrypted object of a dump. */
export interface DumpPart {
  key: string;
  bytes: number;
  /** Of the encrypted bytes. */
  sha256: string;
  rows: number;
}

export interface FileListState {
  /** The key behind which the listing goes on. */
  after: string;
  count: number;
  bytes: number;
  copied: number;
  missing: number;
  /** The first few. */
  missingNames: string[];
}

/** How far a backup has got; kept after each part. */
export interface BackupState {
  phase: "tables" | "files" | "copies" | "done";
  fingerprint: string;
  migrations: string[];
  /** The counters of SQLite behind AUTOINCREMENT. */
  sequences: Record<string, number>;
  tables: DumpedTable[];
  tableIndex: number;
  rowId: number;
  parts: DumpPart[];
  files: FileListState;
  /** How far the copies have been looked through for those that no kept backup names. */
  copies?: { part: number; after: string; removed: number };
}

/** How far the trial restore of a backup has got. */
export interface DrillState {
  part: number;
  rows: number;
  bytes: number;
  /** Of the restored site, read at the end. */
  pages?: number;
}
