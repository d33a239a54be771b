export interface DumpedTable {
  name: string;
  columns: string[];
  /** The highest rowid when the backup starts; null for an empty table. */
  lastRowId: number | null;
  rows: number;
  /** Bytes of all values as text, which SQLite can also sum. */
  bytes: number;
}

export interface DumpPart {
  key: string;
  bytes: number;
  /** Hash of the encrypted bytes. */
  sha256: string;
  rows: number;
}

export interface FileListState {
  after: string;
  count: number;
  bytes: number;
  copied: number;
  missing: number;
  missingNames: string[];
}

export interface BackupState {
  phase: "tables" | "files" | "copies" | "done";
  fingerprint: string;
  migrations: string[];
  /** The AUTOINCREMENT counters of SQLite. */
  sequences: Record<string, number>;
  tables: DumpedTable[];
  tableIndex: number;
  rowId: number;
  parts: DumpPart[];
  files: FileListState;
  /** Progress of the search for copies that no kept backup names. */
  copies?: { part: number; after: string; removed: number };
}

export interface DrillState {
  part: number;
  rows: number;
  bytes: number;
  pages?: number;
}
