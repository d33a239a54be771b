import { alumniSettings, ownFields } from "../setting.server.ts";
import type { ImportSummary } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import { isFieldUsed, usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniField, EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, bookText, type OwnField, type OwnValues } from "#worker/contract/alumni/own-fields.ts";
import { IMPORT_SAMPLE_NAME, type ImportHeader, rowLabel } from "#worker/contract/alumni/import/header.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type RawRow, tooLargeFileError } from "#worker/contract/alumni/import/sheet-content.ts";
import {
  type ContactField,
  CONTACTS,
  type KnownPerson,
  type MatchedPeople,
  matchImportRows,
  type NamedPerson,
} from "./match.server.ts";
import { FilePeople, type FilePerson, filePersonOf, joinRows, saysNothingNew } from "./file-people.server.ts";
import { equalPeople, namedBy, type Placed, placeRow } from "./place.server.ts";
import { choiceForm, rowValue } from "./memory.server.ts";
import { foldName } from "#worker/contract/alumni/duplicate.ts";
import {
  DEFAULT_IMPORT_OPTIONS,
  type ImportOptions,
  withMemoLines,
} from "#worker/contract/alumni/import/cell-changes.ts";
import { maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import { nameMarksIn, withoutNameMarks } from "#worker/contract/alumni/import/name-marks.ts";
import { cleanLine } from "#worker/contract/kernel/text.ts";
import { chosenRows, findMissingPeople, seenRow, type StagedPlan } from "./missing.server.ts";
import { readConfirmedFields } from "../confirmation.server.ts";
import { addedFields, applyImportRow, CLOSED_VALUE } from "./changes.server.ts";
import { ImportFacts, type PreviewedImport } from "./facts.server.ts";
import {
  DEATH_NOT_YOURS,
  importFieldVisibility,
  type ImportRow,
  isMemoTooLong,
  MAY_BE_KNOWN,
  MEMO_TOO_LONG,
  readImportRow,
  type RefusedRow,
  refusedRowOf,
  type RowFault,
  unfilledField,
} from "./row.server.ts";
import type { ImportSource } from "./source.server.ts";
import { beginPreview, endPreview, filledOwnValues, PreviewRows, stagedRowOf } from "./staging.server.ts";
import { yieldToEventLoop } from "#worker/adapters/invocation.server.ts";

const CHUNK_ROWS = 500;
/** Characters per chunk, for rows with long texts. */
const CHUNK_CHARACTERS = 500_000;
const PROBLEMS_MAX = 1000;
const PREVIEW_MAX = 1000;
const WARNINGS_MAX = 300;
/** Rows that wait for the end of the file. */
const WAITING_MAX = 2000;

/**
 * Compares rows with the book by chunks and stages the changes. @throws AppError PAYLOAD_TOO_LARGE for too many rows
 */
export async function previewImport(
  ctx: AppContext,
  importId: string,
  { head, rows, notes, isOneBatch = true }: ImportSource,
  mode: ImportSummary["mode"],
  options: Partial<ImportOptions> = {},
): Promise<PreviewedImport> {
  const { planNo, revision } = await beginPreview(ctx, importId);
  const plan = { importId, planNo };
  const planner = new ImportPreviewer(ctx, head, {
    plan,
    mode,
    options: { ...DEFAULT_IMPORT_OPTIONS, ...options },
    isOneBatch,
  });
  for await (const raw of rows) {
    planner.take(raw);
    if (!planner.isFull) continue;
    await planner.flush();
    await yieldToEventLoop();
  }
  const previewed = { ...plan, ...(await planner.end()), notes: notes?.() ?? [] };
  await endPreview(ctx, { ...plan, revision, summary: previewed.summary });
  return previewed;
}

interface PreviewerOptions {
  plan: StagedPlan;
  mode: ImportSummary["mode"];
  options: ImportOptions;
  isOneBatch: boolean;
}

/** A row with what the book says about it. */
interface FoundRow {
  raw: RawRow;
  read: ImportRow;
  self: FilePerson;
  named: NamedPerson | null;
  found: MatchedPeople;
}

class ImportPreviewer {
  private chunk: { raw: RawRow; read: ImportRow }[] = [];
  private chunkRefused: RefusedRow[] = [];
  private characters = 0;
  private ownValues = 0;
  private readonly isOneBatch: boolean;
  private readonly summary: ImportSummary;
  private readonly problems: ImportProblem[] = [];
  private readonly proposals: ImportProblem[] = [];
  private readonly preview: ImportPreview[] = [];
  private readonly warnings: PreviewedImport["warnings"] = [];
  private readonly seen = new Map<string, FilePerson>();
  private readonly filePeople = new FilePeople();
  /** Rows with a contact of an earlier row, until it is known how many share it. */
  private readonly waiting: FoundRow[] = [];
  /** New people by an answer, whom other rows may name too. */
  private readonly answered = new Map<string, { raw: RawRow; read: ImportRow; namesakes: number }>();
  private readonly ctx: AppContext;
  private readonly head: ImportHeader;
  private readonly planned: PreviewRows;

  private readonly options: ImportOptions;
  private readonly own: readonly OwnField[];
  private readonly isShown: (field: AlumniFieldCode) => boolean;
  private readonly contacts: readonly ContactField[];
  private readonly facts: ImportFacts;
  /** Whose stored values the answer quotes. */
  private readonly quoted = new Set<string>();
  private readonly form: string;
  private readonly plan: StagedPlan;
  /** Of refused rows, whose people are not known. */
  private readonly refusedNames = new Set<string>();
  /** Values confirmed later are kept; without a valid file date, every confirmed value is. */
  private readonly savedTime: number;

  constructor(ctx: AppContext, head: ImportHeader, { plan, mode, options, isOneBatch }: PreviewerOptions) {
    this.plan = plan;
    this.isOneBatch = isOneBatch;
    this.ctx = ctx;
    this.own = ownFields(ctx);
    this.isShown = importFieldVisibility(ctx);
    // A number that the importer does not see names nobody.
    this.contacts = CONTACTS.filter((field) => this.isShown(field) && isFieldUsed(alumniSettings(ctx), field));
    this.head = head;
    this.form = choiceForm(ctx, head);
    this.planned = new PreviewRows(ctx, plan.importId, plan.planNo);
    this.options = options;
    const saved = Date.parse(head.savedDate ?? "");
    this.savedTime = saved <= ctx.now().getTime() ? saved : 0;
    this.facts = new ImportFacts(this.savedTime > 0 ? (head.savedDate ?? null) : null);
    this.summary = { mode, options, total: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  }

  get isFull(): boolean {
    return this.chunk.length + this.chunkRefused.length >= CHUNK_ROWS || this.characters >= CHUNK_CHARACTERS;
  }

  take(raw: RawRow): void {
    const filled = this.head.columns.some((column, at) => column !== null && (raw.cells[at] ?? "").trim() !== "");
    if (!filled) return;
    if (raw.cells[this.head.columns.indexOf("name")]?.trim() === IMPORT_SAMPLE_NAME) return;
    this.summary.total += 1;
    if (this.summary.total > ALUMNI_LIMITS.importRows)
      throw tooLargeFileError("행이 너무 많습니다. 한 번에 50,000행까지 가져올 수 있습니다. 파일을 나누어 주십시오.");
    const isUsed = (field: AlumniField) => isFieldUsed(alumniSettings(this.ctx), field);
    const read = readImportRow(this.head, raw, this.options, this.own, isUsed);
    for (const cell of raw.cells) this.characters += cell.length;
    if ("problems" in read) this.chunkRefused.push(read);
    else if (read.isDeceased && !this.isShown("state"))
      this.chunkRefused.push(refusedRowOf(this.head, raw, DEATH_NOT_YOURS, this.own));
    else {
      // An empty cell says nothing about the state, which the office alone changes.
      if (read.values.state === "" || !this.isShown("state")) delete read.values.state;
      if (!this.isShown("refuses")) delete read.values.refuses;
      this.chunk.push({ raw, read });
    }
  }

  async flush(): Promise<void> {
    const reads = this.chunk.map(({ read }) => read);
    const named = reads.map((read) => namedBy(read, this.isShown));
    const values = reads.map((read, at) => rowValue(this.ctx, this.form, read, named[at]?.tail ?? ""));
    const remembered = { form: this.form, values };
    const found = reads.length > 0 ? await matchImportRows(this.ctx, reads, named, remembered, this.contacts) : [];
    for (const [at, { raw, read }] of this.chunk.entries()) {
      this.facts.addRow(read);
      const known = found[at] as MatchedPeople;
      const self = filePersonOf(read, values[at] ?? "", known.byId);
      this.refuseFor(raw, this.decide({ raw, read, self, named: named[at] ?? null, found: known }, false));
    }
    this.chunk = [];
    if (this.waiting.length > WAITING_MAX) this.decideWaiting();
    await this.flushRefused();
  }

  private async flushRefused(): Promise<void> {
    for (const refused of this.chunkRefused.toSorted((a, b) => a.raw.row - b.raw.row)) this.refuse(refused);
    this.chunkRefused = [];
    this.characters = 0;
    await this.planned.flush();
  }

  private decideWaiting(): void {
    for (const row of this.waiting.splice(0)) this.refuseFor(row.raw, this.decide(row, true));
  }

  private refuseFor(raw: RawRow, problem: RowFault | null): void {
    if (problem) this.chunkRefused.push(refusedRowOf(this.head, raw, problem, this.own));
  }

  private refuse(refused: RefusedRow): void {
    const { raw, problems } = refused;
    this.summary.rejected += 1;
    this.facts.addRefused(refused);
    const name = cleanLine(raw.cells[this.head.columns.indexOf("name")] ?? "");
    this.refusedNames.add(foldName(withoutNameMarks(name, nameMarksIn(name))));
    for (const { row, column, value, message, isProposal } of problems) {
      const list = isProposal ? this.proposals : this.problems;
      if (list.length < PROBLEMS_MAX) list.push({ row, column, value, message, ...(isProposal ? { isProposal } : {}) });
    }
    const cells = this.head.texts.map((_, at) => maskedCell(raw.cells[at] ?? "").slice(0, ALUMNI_LIMITS.cellLength));
    const reasons = problems.map((problem) => `${problem.column}: ${problem.message}`).join(" / ");
    this.planned.push("refused", [raw.row, cells, reasons]);
  }

  /** @returns the reason of a refusal, or null for a row that is placed or waits */
  private decide(row: FoundRow, isLast: boolean): RowFault | null {
    const { read, named, self } = row;
    const isFree = ({ id }: KnownPerson) => !this.seen.has(id);
    const book = { fields: usedFields(alumniSettings(this.ctx)), own: this.own, isShown: this.isShown };
    const found = { ...row.found, others: this.filePeople.holders(self) };
    const findEqual = () => equalPeople(read, found.byName, book).find(isFree) ?? null;
    const placed = placeRow({ ...found, read, named, findEqual });
    if (found.choice?.person) this.quoted.add(found.choice.person.id);
    if (placed === "skip") {
      this.facts.addChoice(read, self.value, found.choice, this.isShown);
      for (const { id } of [...found.alike, ...found.holders]) this.see(id, false);
      return null;
    }
    if ("fault" in placed) return { message: placed.fault };
    if ("ask" in placed) {
      this.filePeople.add(self);
      if (placed.askRows.length > 0 && !isLast) {
        this.waiting.push(row);
        return null;
      }
      for (const { id } of this.facts.addQuestion(read, self.value, placed, this.isShown)) this.quoted.add(id);
      for (const { id } of placed.ask) this.see(id, false);
      return MAY_BE_KNOWN;
    }
    const target = "to" in placed ? placed.to : null;
    const newId = "newId" in placed ? placed.newId : null;
    if (target) this.see(target.id, true);
    const earlier = this.seen.get(target?.id ?? newId ?? "") ?? this.filePeople.sameName(self);
    if (earlier && this.joins(row, placed)) {
      this.facts.addJoined(read, self.value, earlier);
      return null;
    }
    if (placed.by === "choice") this.facts.addChoice(read, self.value, found.choice, this.isShown);
    if (earlier)
      return { message: `${rowLabel(this.head.sources, earlier.row)}과 같은 사람입니다. 한 행만 남겨 주십시오.` };
    Object.assign(self, { id: target?.id ?? newId ?? crypto.randomUUID(), isNew: target === null });
    this.seen.set(self.id, self);
    this.filePeople.add(self);
    if (target === null) {
      const namesakes = placed.by === "choice" ? 0 : found.namesakes;
      if (newId === null) return this.insert(read, namesakes, self.id);
      this.answered.set(newId, { ...row, namesakes });
      return null;
    }
    if (this.summary.mode === "insert" || placed.by === "equality") {
      this.summary.unchanged += 1;
      return null;
    }
    return this.update(read, target, placed.by === "id");
  }

  /** Joins a row to the earlier one of its person, by an answer. */
  private joins({ read }: FoundRow, placed: Placed): boolean {
    if ("to" in placed) return placed.by === "choice" && saysNothingNew(read, placed.to, this.isShown);
    const first = this.answered.get(placed.newId ?? "");
    if (first) first.read = joinRows(first.read, read);
    return first !== undefined;
  }

  private update(read: ImportRow, target: KnownPerson, isById: boolean): RowFault | null {
    // A match by name reveals only the name, which the row contains.
    const isShown = (field: AlumniFieldCode) => this.isShown(field) || (field === "name" && !isById);
    const confirmed = readConfirmedFields(this.ctx, target, target, isShown);
    const { values, changes, emptiedFields, clears, confirmedChanges, endedChanges } = applyImportRow(
      target,
      read,
      this.options,
      isShown,
      (field) => (confirmed.get(field)?.date ?? 0) > this.savedTime,
    );
    const name = read.values.name ?? (isShown("name") ? target.name : CLOSED_VALUE);
    this.facts.addEmptied(read.row, name, emptiedFields, (field) =>
      isShown(field) ? bookText(target, field) : CLOSED_VALUE,
    );
    for (const change of confirmedChanges) {
      const { by = "person", date = 0 } = confirmed.get(change.field) ?? {};
      this.facts.addConfirmed({ row: read.row, name, ...change, by, date: new Date(date).toISOString() });
    }
    this.facts.addEnded(read.row, ...endedChanges.map((each) => ({ ...each, name })));
    if (emptiedFields.length + confirmedChanges.length + endedChanges.length > 0) this.quoted.add(target.id);
    if (isMemoTooLong(values, read, isShown("memo"))) return MEMO_TOO_LONG;
    if (changes.length === 0) {
      this.summary.unchanged += 1;
      return null;
    }
    const unfilled = unfilledField(this.ctx, values, (field) =>
      isShown(field) ? bookText(target, field) !== "" : clears && emptiedFields.includes(field),
    );
    if (unfilled) return unfilled;
    this.summary.updated += 1;
    if (endedChanges.some(({ isTaken }) => isTaken)) this.summary.ended = [...(this.summary.ended ?? []), target.id];
    this.countOwnValues(target.own, values.own);
    this.planned.push("update", stagedRowOf(target.id, values, target.openFields));
    if (this.preview.length < PREVIEW_MAX) {
      this.preview.push({ row: read.row, kind: "update", name, changes });
      this.quoted.add(target.id);
    }
    return null;
  }

  private see(id: string, isMeant: boolean): void {
    this.planned.push("seen", seenRow(id, isMeant));
  }

  /** People of the last file who are not in this one; stages the chosen states. */
  private async planMissing(): Promise<void> {
    if (!this.isShown("name") || !this.isShown("state")) return;
    const { form, refusedNames: names } = this;
    const chosen = this.options.missing;
    const missing = await findMissingPeople(this.ctx, this.plan, { form, names });
    if (!missing) return;
    this.facts.addMissing(missing, chosen, this.isShown);
    for (const { id } of missing.people) this.quoted.add(id);
    const rows = chosenRows(this.ctx, missing, chosen);
    this.summary.updated += rows.length;
    for (const row of rows) this.planned.push("update", row);
    await this.planned.flush(true);
  }

  /** @throws AppError PAYLOAD_TOO_LARGE if one batch cannot write them all */
  private countOwnValues(...rows: OwnValues[]): void {
    for (const own of rows) this.ownValues += Object.keys(own).length;
    if (this.isOneBatch && this.ownValues > ALUMNI_LIMITS.importOwnValues)
      throw tooLargeFileError(
        "더한 항목의 값이 너무 많습니다. 한 번에 150,000칸까지 가져올 수 있습니다. 파일을 나누어 주십시오.",
      );
  }

  private insert(read: ImportRow, namesakes: number, id: string): RowFault | null {
    const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
    values.memo = withMemoLines(values.memo, read.memoLines);
    if (isMemoTooLong(values, read, true)) return MEMO_TOO_LONG;
    const own = filledOwnValues(read.own);
    const unfilled = unfilledField(this.ctx, { ...values, own }, () => true);
    if (unfilled) return unfilled;
    this.summary.inserted += 1;
    this.countOwnValues(own);
    this.see(id, true);
    this.planned.push("insert", stagedRowOf(id, { ...values, own }, []));
    if (namesakes > 0 && this.isShown("name") && this.warnings.length < WARNINGS_MAX)
      this.warnings.push({ row: read.row, message: `‘${values.name}’ 이름의 사람이 이미 ${namesakes}명 있습니다.` });
    if (this.preview.length < PREVIEW_MAX) {
      const changes = addedFields(values, read, own);
      this.preview.push({ row: read.row, kind: "insert", name: values.name, changes });
    }
    return null;
  }

  async end(): Promise<Omit<PreviewedImport, "importId" | "planNo" | "notes">> {
    await this.flush();
    this.decideWaiting();
    for (const [id, { raw, read, namesakes }] of this.answered) this.refuseFor(raw, this.insert(read, namesakes, id));
    await this.flushRefused();
    await this.planned.flush(true);
    await this.planMissing();
    const { summary, problems, proposals, preview, warnings, facts } = this;
    return {
      summary,
      problems: [...problems, ...proposals].slice(0, PROBLEMS_MAX),
      preview: preview.toSorted((a, b) => a.row - b.row),
      warnings,
      facts: facts.all,
      quoted: [...this.quoted],
    };
  }
}
