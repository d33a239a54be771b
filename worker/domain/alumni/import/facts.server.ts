import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniValues } from "#worker/contract/alumni/columns.ts";
import { faultDecisions, faultKind, type ImportOptions } from "#worker/contract/alumni/import/cell-changes.ts";
import { ROW_CHOICE } from "#worker/contract/alumni/import/input.ts";
import { ENDED_MAX } from "#worker/contract/alumni/list.ts";
import type {
  EndedState,
  ImportConfirmed,
  ImportEmptied,
  ImportCandidate,
  ImportFaultKind,
  ImportMissing,
  ImportNamedRow,
  ImportPeople,
  ImportPreview,
  ImportProblem,
  ImportRuleChange,
} from "#worker/contract/alumni/view.ts";
import type { MissingPeople } from "./missing.server.ts";
import type { FilePerson } from "./file-people.server.ts";
import { CANDIDATES_MAX, CONTACTS, type KnownPerson, type RememberedPerson } from "./match.server.ts";
import type { ImportRow, RefusedRow } from "./row.server.ts";
import type { ImportSummary } from "#db/schema/alumni-import.ts";

const SAMPLES = 20;
const KINDS_MAX = 200;
const CONFIRMED_MAX = 1000;
const PEOPLE_MAX = 300;

type IsShown = (field: AlumniFieldCode) => boolean;

const namedRow = (
  { row, tail, values }: Pick<FilePerson, "row" | "tail" | "values">,
  value: string,
): ImportNamedRow => ({
  row,
  value,
  name: values.name ?? "",
  cohort: values.cohort ?? null,
  tail: tail || (values.mobile ?? "").slice(-4),
});

const shownPerson = (person: AlumniValues & { id: string }, isShown: IsShown) => ({
  id: person.id,
  name: isShown("name") ? person.name : "",
  cohort: isShown("cohort") ? person.cohort : null,
  graduationYear: isShown("graduationYear") ? person.graduationYear : null,
  affiliation: isShown("affiliation") ? person.affiliation : "",
  tail: isShown("mobile") ? person.mobile.slice(-4) : "",
  state: isShown("state") ? person.state : "",
});

/** Shared contacts are those of a question, which asks only by contacts that the importer sees. */
const candidateOf = (person: KnownPerson, { values }: ImportRow, isShown: IsShown): ImportCandidate => ({
  ...shownPerson(person, isShown),
  row: null,
  shares: CONTACTS.filter((field) => isShown(field) && person[field] !== "" && person[field] === values[field]),
});

/** Everything in the file is the importer's own. */
function rowCandidate(first: FilePerson, { values }: ImportRow): ImportCandidate {
  const { value, id, isNew } = first;
  const { name, cohort, tail } = namedRow(first, value);
  const { graduationYear = null, affiliation = "", state = "" } = first.values;
  const shares = CONTACTS.filter((field) => first.values[field] && first.values[field] === values[field]);
  const shown = { name, cohort, graduationYear, affiliation, tail, state };
  return { ...shown, id: isNew ? `${ROW_CHOICE}${value}` : id, row: first.row, shares };
}

export class ImportFacts {
  private readonly rules = new Map<string, ImportRuleChange>();
  private readonly faults = new Map<string, ImportFaultKind>();
  private readonly asTyped: ImportRuleChange["samples"] = [];
  private proposed = 0;
  private missing: ImportMissing | null = null;
  private readonly emptied: ImportEmptied = { count: 0, samples: [] };
  private readonly confirmed: ImportConfirmed;
  private readonly ended: (EndedState & { row: number })[] = [];
  private readonly people: ImportPeople = { asked: 0, questions: [], answered: 0, answers: [], skipped: 0 };

  constructor(savedDate: string | null) {
    this.confirmed = { savedDate, count: 0, samples: [] };
  }

  addRow({ row, changed, values }: ImportRow): void {
    for (const { field, rule, before, after } of changed) {
      const key = `${rule} ${field}`;
      let found = this.rules.get(key);
      if (!found) this.rules.set(key, (found = { rule, field, count: 0, samples: [] }));
      found.count += 1;
      if (found.samples.length < SAMPLES)
        found.samples.push({ row, before: before.slice(0, 200), after: after.slice(0, 200) });
    }
    const { phone = "" } = values;
    if (phone !== "" && !/^[+\d][\d -]*$/.test(phone) && this.asTyped.length < SAMPLES)
      this.asTyped.push({ row, before: phone, after: phone });
  }

  addRefused({ problems }: RefusedRow): void {
    if (problems.every(({ isProposal }) => isProposal)) this.proposed += 1;
    for (const { row, field, fault, message: told, value, parts } of problems) {
      const message = fault === "resident" ? "주민등록번호로 보이는 값은 저장할 수 없습니다." : told;
      const key = `${faultKind(field, fault)} ${message}`;
      let found = this.faults.get(key);
      if (!found) {
        if (this.faults.size === KINDS_MAX) continue;
        const choices = fault === "missing" ? [] : faultDecisions(field, fault);
        found = { kind: faultKind(field, fault), field, message, count: 0, samples: [], choices };
        this.faults.set(key, found);
      }
      found.count += 1;
      if (found.samples.length < SAMPLES) found.samples.push({ row, value, ...(parts ? { parts } : {}) });
    }
  }

  /** @returns the people of the book whom the question shows */
  addQuestion(
    read: ImportRow,
    value: string,
    { ask, askRows }: { ask: readonly KnownPerson[]; askRows: readonly FilePerson[] },
    isShown: IsShown,
  ): KnownPerson[] {
    this.people.asked += 1;
    const people = ask.slice(0, CANDIDATES_MAX);
    const candidates = [
      ...people.map((person) => candidateOf(person, read, isShown)),
      ...askRows.map((first) => rowCandidate(first, read)),
    ];
    if (this.people.questions.length < PEOPLE_MAX) this.people.questions.push({ ...namedRow(read, value), candidates });
    return people;
  }

  /** A row that is the person of an earlier one, by an answer. */
  addJoined(read: ImportRow, value: string, first: FilePerson): void {
    this.people.answered += 1;
    if (this.people.answers.length < PEOPLE_MAX)
      this.people.answers.push({ ...namedRow(read, value), choice: "same", person: rowCandidate(first, read) });
  }

  addChoice(read: ImportRow, value: string, choice: RememberedPerson | null, isShown: IsShown): void {
    if (!choice || choice.kind === "gone") return;
    this.people.answered += 1;
    if (choice.kind === "skip") this.people.skipped += 1;
    const person = choice.person && candidateOf(choice.person, read, isShown);
    if (this.people.answers.length < PEOPLE_MAX)
      this.people.answers.push({ ...namedRow(read, value), choice: choice.kind, person });
  }

  addEnded(row: number, ...found: readonly EndedState[]): void {
    for (const each of found) if (this.ended.length < ENDED_MAX) this.ended.push({ row, ...each });
  }

  addMissing(
    { fileName, date, count, people }: MissingPeople,
    chosen: ImportOptions["missing"],
    isShown: IsShown,
  ): void {
    const shown = people.map((person) => ({ ...shownPerson(person, isShown), chosen: chosen[person.id] ?? null }));
    this.missing = { fileName, date: date.toISOString(), count, people: shown };
  }

  addConfirmed(...values: ImportConfirmed["samples"]): void {
    this.confirmed.count += values.length;
    if (this.confirmed.samples.length < CONFIRMED_MAX) this.confirmed.samples.push(...values);
  }

  /** @param name and @param shown limited to the caller's visible fields */
  addEmptied(
    row: number,
    name: string,
    fields: readonly AlumniFieldCode[],
    shown: (field: AlumniFieldCode) => string,
  ): void {
    this.emptied.count += fields.length;
    for (const field of fields)
      if (this.emptied.samples.length < SAMPLES)
        this.emptied.samples.push({ row, name, field, before: shown(field).slice(0, 200) });
  }

  get all() {
    const byCount = (a: { count: number }, b: { count: number }) => b.count - a.count;
    return {
      rules: [...this.rules.values()].toSorted(byCount),
      asTyped: this.asTyped,
      faults: [...this.faults.values()].toSorted(byCount),
      /** Rows that only wait for a decision about a mark in the name. */
      proposed: this.proposed,
      emptied: this.emptied,
      confirmed: this.confirmed,
      people: this.people,
      ended: this.ended,
      missing: this.missing,
    };
  }
}

export const NO_IMPORT_FACTS: ImportFacts["all"] = {
  rules: [],
  asTyped: [],
  faults: [],
  proposed: 0,
  emptied: { count: 0, samples: [] },
  confirmed: { savedDate: null, count: 0, samples: [] },
  people: { asked: 0, questions: [], answered: 0, answers: [], skipped: 0 },
  ended: [],
  missing: null,
};

export interface PreviewedImport {
  importId: string;
  planNo: number;
  summary: ImportSummary;
  problems: ImportProblem[];
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
  notes: string[];
  facts: ImportFacts["all"];
  /** Whose stored values the preview quotes. */
  quoted: readonly string[];
}
