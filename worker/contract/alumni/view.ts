import type { PersonAddress } from "./address-check.ts";
import type { AlumniValues, PrivateField } from "./columns.ts";
import type { BookColumn, BookField, OwnField, OwnFieldCode, OwnValues } from "./own-fields.ts";
import type { ConfirmationView } from "./confirmation-rules.ts";
import type { CellRule, FaultDecision } from "./cell-changes.ts";
import type { AlumniSavedView } from "./list-view.ts";
import type { ImportPlace } from "./import-header.ts";
import type { Page, Versioned } from "../kernel/envelope.ts";
import type { AlumniSettingsView, AlumniSettings } from "./alumni-settings.ts";

export interface ExportedFile {
  fileId: string;
  url: string;
  rows: number;
}

export interface AlumniRow extends AlumniValues {
  id: string;
  /** Values of the office's own fields, as far as the caller may see them. */
  own: OwnValues;
  createdDate: string;
  modifiedDate: string;
  version: number;
  /** The caller's own entry, linked by their e-mail address. */
  mine: boolean;
  /** For the person and the office: which contact fields other members see. */
  openFields: OpenField[];
  /** For the person and the office: when they last said that it is right; null for never. */
  confirmation?: ConfirmationView | null;
}

/** What a person may open to other members. */
export type OpenField = PrivateField | OwnFieldCode;

/** A field of the office's own as the console shows it. */
export interface AdminAlumniField extends OwnField {
  isClosed: boolean;
  /** How many people have a value in it. */
  valueCount: number;
  version: number;
}

/** What the page /Alumni loads. */
/** What is left of the people that a member is shown in an hour, once that is little. */
export interface AlumniReadLimit {
  isUsedUp: boolean;
  max: number;
  until: string;
}

export interface AlumniListPage {
  people: Page<AlumniRow>;
  query: { keyword: string; cohort: string; graduationYear: string; affiliation: string; sort: string };
  options: { cohorts: number[]; graduationYears: number[]; affiliations: string[] };
  /** The caller's own entry, if their e-mail address stands in one. */
  mine: AlumniRow | null;
  /** `correct`: their own entry. */
  can: { write: boolean; correct: boolean; remove: boolean; export: boolean; import: boolean; mail: boolean };
  alumniSettings: AlumniSettingsView;
  /** How long the bin keeps people; null where nothing empties it. */
  binDays: number | null;
  /** The caller's own and the shared ones. */
  views: AlumniSavedView[];
  readLimit: AlumniReadLimit | null;
}

/** A page of those who have an address or a postcode. */
export interface AlumniAddresses {
  people: PersonAddress[];
  /** Behind whom the next page begins; null on the last. */
  next: string | null;
}

/** Those of a selection, as many as one answer holds, and how many it means. */
export interface SelectedAlumni {
  total: number;
  people: AlumniRow[];
}

export interface ImportChange {
  field: BookField;
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
  /** Header text of the file; empty when the whole row is meant. */
  column: string;
  value: string;
  message: string;
}

/** What a rule made of cells, with some of them. */
export interface ImportRuleChange {
  rule: CellRule;
  field: BookField;
  count: number;
  samples: { row: number; before: string; after: string }[];
}

/** Faults of one kind, to be decided for all of them. */
export interface ImportFaultKind {
  kind: string;
  field: BookColumn;
  message: string;
  count: number;
  samples: { row: number; value: string }[];
  choices: FaultDecision[];
}

/** Fields that are filled in the address book and empty in the file. */
export interface ImportEmptied {
  count: number;
  samples: { row: number; name: string; field: BookField; before: string }[];
}

/** Values of the book that were confirmed after the file was saved, beside those of the file. */
export interface ImportConfirmed {
  /** When the file was saved; null where nothing says it. */
  savedDate: string | null;
  count: number;
  samples: {
    row: number;
    name: string;
    field: BookField;
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
  /** Has anything been written? */
  applied: boolean;
  /** How many times more the call is to be made, until all of it is there. */
  left: number;
  /** How many people were changed or deleted while it was committed, and were left so. */
  kept: number;
  preview: ImportPreview[];
  /** New people whose name is there already, for a person to look at. */
  warnings: { row: number; message: string }[];
  /** What was done to find the people in the file: titles, subtotals, merged and hidden cells, unused columns. */
  notes: string[];
  /** What was changed by a rule on its way, by rule. */
  rules: ImportRuleChange[];
  /** Numbers that stay as they were typed, because they are no single number. */
  asTyped: ImportRuleChange["samples"];
  faults: ImportFaultKind[];
  emptied: ImportEmptied;
  confirmed: ImportConfirmed;
}

export interface ImportEntry {
  importId: string;
  fileName: string;
  userName: string;
  inserted: number;
  updated: number;
  createdDate: string;
  undoneDate: string | null;
  /** Was it begun to be taken back, and left? */
  isUndoStarted: boolean;
  undoable: boolean;
}

export interface ImportUndoResult {
  removed: number;
  restored: number;
  /** Edited since, and left as they are. */
  kept: { id: string; name: string }[];
  /** How many people are still to be taken back, by calling again. */
  left: number;
}

/** An import that is being sent. */
export interface OpenImport {
  importId: string;
  fileName: string;
  createdDate: string;
  headRow: number;
  heads: string[];
  columns: (BookColumn | null)[];
  sources: ImportPlace[];
  /** How it was last compared with the address book. */
  mode: "insert" | "upsert" | null;
  parts: number;
  /** How many of them are compared with the address book, while that is going on. */
  plannedParts: number;
  /** How many parts the address book does not have yet, of an import that was begun to be taken over; else 0. */
  left: number;
  /** The parts that have come, with the SHA-256 of their rows' JSON in hex. */
  received: { partNo: number; hash: string }[];
}

export interface AlumniSettingView extends Versioned<AlumniSettings> {
  /** How long the bin keeps people, by the retention rules; null where that rule is off. */
  binDays: number | null;
}
