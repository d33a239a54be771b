import type { AlumniValues, PrivateField } from "./columns.ts";
import type { BookColumn, AlumniFieldCode, OwnField, OwnFieldCode, OwnValues } from "./own-fields.ts";
import type { ConfirmationView } from "./confirmation-rules.ts";
import type { CellRule, FaultDecision } from "./import/cell-changes.ts";
import type { Versioned } from "../kernel/envelope.ts";
import type { AlumniSettings } from "./alumni-settings.ts";

export interface ExportedFile {
  fileId: string;
  url: string;
  rows: number;
}

export interface AlumniRow extends AlumniValues {
  id: string;
  own: OwnValues;
  createdDate: string;
  modifiedDate: string;
  version: number;
  /** The caller's own entry, linked by their e-mail address. */
  mine: boolean;
  /** For the person and the office: contact fields that other members see. */
  openFields: OpenField[];
  /** For the person and the office: the last confirmation; null for never. */
  confirmation?: ConfirmationView | null;
}

export type OpenField = PrivateField | OwnFieldCode;

export interface AdminAlumniField extends OwnField {
  isClosed: boolean;
  valueCount: number;
  version: number;
}

export interface ImportChange {
  field: AlumniFieldCode;
  before: string;
  after: string;
}

export interface ImportPreview {
  row: number;
  kind: "insert" | "update";
  name: string;
  changes: ImportChange[];
}

export interface ImportProblem {
  row: number;
  /** Header text of the file; empty for the whole row. */
  column: string;
  value: string;
  message: string;
}

export interface ImportRuleChange {
  rule: CellRule;
  field: AlumniFieldCode;
  count: number;
  samples: { row: number; before: string; after: string }[];
}

export interface ImportFaultKind {
  kind: string;
  field: BookColumn;
  message: string;
  count: number;
  samples: { row: number; value: string }[];
  choices: FaultDecision[];
}

/** Fields with a value in the address book and an empty cell in the file. */
export interface ImportEmptied {
  count: number;
  samples: { row: number; name: string; field: AlumniFieldCode; before: string }[];
}

/** Values that were confirmed after the file was saved. */
export interface ImportConfirmed {
  savedDate: string | null;
  count: number;
  samples: {
    row: number;
    name: string;
    field: AlumniFieldCode;
    before: string;
    after: string;
    by: "person" | "representative";
    date: string;
  }[];
}

export interface ImportResult {
  importId: string;
  total: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
  errors: ImportProblem[];
  errorFileUrl: string | null;
  applied: boolean;
  /** The number of further calls until the import is complete. */
  left: number;
  /** People who were changed or deleted during the commit, and skipped. */
  kept: number;
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
  /** Adjustments made to find people: titles, subtotals, merged and hidden cells, unused columns. */
  notes: string[];
  rules: ImportRuleChange[];
  /** Cells that are no single phone number and stay as typed. */
  asTyped: ImportRuleChange["samples"];
  faults: ImportFaultKind[];
  emptied: ImportEmptied;
  confirmed: ImportConfirmed;
}

export interface ImportUndoResult {
  removed: number;
  restored: number;
  kept: { id: string; name: string }[];
  /** People still to be undone, by calling again. */
  left: number;
}

export interface AlumniSettingView extends Versioned<AlumniSettings> {
  /** Null when the recycle bin has no retention rule. */
  binDays: number | null;
}
