import type { FinalField } from "#worker/contract/mail/letters.ts";
import type { AlumniValues, PrivateField } from "./columns.ts";
import type { BookColumn, AlumniFieldCode, OwnFieldCode, OwnValues } from "./own-fields.ts";
import type { ConfirmationView } from "./confirmation-rules.ts";
import type { CellRule, FaultDecision } from "./import/cell-changes.ts";

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
  /** A mark in a name, decided for all of its kind. */
  isProposal?: true;
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
  /** `parts`: what a split would store. */
  samples: { row: number; value: string; parts?: string }[];
  choices: FaultDecision[];
}

/** Fields with a value in the address book and an empty cell in the file. */
export interface ImportEmptied {
  count: number;
  samples: { row: number; name: string; field: AlumniFieldCode; before: string }[];
}

/** A final state or a refusal that a file or a bulk change would end; kept unless the person is ticked. */
export interface EndedState {
  id: string;
  name: string;
  field: FinalField;
  before: string;
  after: string;
  isTaken: boolean;
}

/** Values that were confirmed after the file was saved. */
export interface ImportConfirmed {
  savedDate: string | null;
  count: number;
  samples: (ImportChange & { row: number; name: string; by: "person" | "representative"; date: string })[];
}

/** A person that a row may mean, with the fields that the importer sees. */
export interface ImportCandidate {
  /** Of an earlier row of the file: `row:` and its value. */
  id: string;
  /** The earlier row; null for a person of the book. */
  row: number | null;
  name: string;
  cohort: number | null;
  graduationYear: number | null;
  affiliation: string;
  /** The last four digits. */
  tail: string;
  state: string;
  /** Contacts that the row has too. */
  shares: ("mobile" | "email")[];
}

/** People who were in the last file of the form and are not in this one. */
export interface ImportMissing {
  fileName: string;
  date: string;
  count: number;
  /** `chosen`: the state by decision, or null. */
  people: (Omit<ImportCandidate, "shares" | "row"> & { chosen: string | null })[];
}

export interface ImportNamedRow {
  row: number;
  /** Names the row's values; an answer under it counts for the next file of the same form too. */
  value: string;
  name: string;
  cohort: number | null;
  tail: string;
}

export interface ImportPeople {
  asked: number;
  questions: (ImportNamedRow & { candidates: ImportCandidate[] })[];
  /** Rows placed by an answer, given now or for an earlier file. */
  answered: number;
  answers: (ImportNamedRow & { choice: "same" | "new" | "skip"; person: ImportCandidate | null })[];
  skipped: number;
}
