import { alumniSettings, ownFields } from "../setting.server.ts";
import type { ImportSummary } from "#db/schema/alumni-import.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import {
  isFieldUsed,
  missingRequiredFields,
  requiredFieldMessage,
  usedFields,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_FIELDS, type AlumniField, cellText, EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import {
  type AlumniFieldCode,
  bookText,
  isSameOwnValue,
  type OwnField,
  type OwnFieldCode,
  type OwnValues,
  ownValueText,
  requiredOwnFieldMessage,
} from "#worker/contract/alumni/own-fields.ts";
import { IMPORT_SAMPLE_NAME, type ImportHeader, rowLabel } from "#worker/contract/alumni/import/header.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type RawRow, tooLargeFileError } from "#worker/contract/alumni/import/sheet-content.ts";
import {
  CANDIDATES_MAX,
  decideAmong,
  type KnownPerson,
  type MatchedPeople,
  matchImportRows,
  type NamedPerson,
} from "./match.server.ts";
import { choiceForm, choiceValue } from "./memory.server.ts";
import { foldName } from "#worker/contract/alumni/duplicate.ts";
import { DEFAULT_IMPORT_OPTIONS, type ImportOptions } from "#worker/contract/alumni/import/cell-changes.ts";
import { maskedCell } from "#worker/contract/alumni/cell-rules.ts";
import { readConfirmedFields } from "../confirmation.server.ts";
import { ImportFacts, type PreviewedImport } from "./facts.server.ts";
import {
  applyImportRow,
  CLOSED_VALUE,
  hasContact,
  importFieldVisibility,
  type ImportRow,
  isMemoTooLong,
  MEMO_TOO_LONG,
  readImportRow,
  type RefusedRow,
  refusedRowOf,
  type RowFault,
  withMemoLines,
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

/**
 * Compares rows with the book by chunks and stages the changes. @throws AppError PAYLOAD_TOO_LARGE for too many rows
 */
export async function previewImport(
  ctx: AppContext,
  importId: string,
  { head, rows, notes, isOneBatch = true }: ImportSource,
  mode: ImportSummary["mode"],
  options: ImportOptions = DEFAULT_IMPORT_OPTIONS,
): Promise<PreviewedImport> {
  const { planNo, revision } = await beginPreview(ctx, importId);
  const planner = new ImportPreviewer(ctx, head, { mode, options, isOneBatch }, new PreviewRows(ctx, importId, planNo));
  for await (const raw of rows) {
    planner.take(raw);
    if (!planner.isFull) continue;
    await planner.flush();
    await yieldToEventLoop();
  }
  const plan = { importId, planNo, ...(await planner.end()), notes: notes?.() ?? [] };
  await endPreview(ctx, { importId, planNo, revision, summary: plan.summary });
  return plan;
}

/** Where a row goes: to a person, to a new one, nowhere, or to the importer who decides. */
type Placement =
  | { to: KnownPerson; by: "id" | "contact" | "name" | "choice" | "equality" }
  | { newId: string | null; by: "choice" | "none" }
  | { ask: KnownPerson[] }
  | { fault: string }
  | "skip";

class ImportPreviewer {
  private chunk: { raw: RawRow; read: ImportRow }[] = [];
  private chunkRefused: RefusedRow[] = [];
  private characters = 0;
  private ownValues = 0;
  private readonly isOneBatch: boolean;
  private readonly summary: ImportSummary;
  private readonly problems: ImportProblem[] = [];
  private readonly preview: ImportPreview[] = [];
  private readonly warnings: PreviewedImport["warnings"] = [];
  private readonly seen = new Map<string, number>();
  private readonly ctx: AppContext;
  private readonly head: ImportHeader;
  private readonly planned: PreviewRows;

  private readonly options: ImportOptions;
  private readonly own: readonly OwnField[];
  private readonly isShown: (field: AlumniFieldCode) => boolean;
  private readonly facts: ImportFacts;
  /** Whose stored values the answer quotes. */
  private readonly quoted = new Set<string>();
  private readonly form: string;
  /** Values confirmed later are kept; without a valid file date, every confirmed value is. */
  private readonly savedTime: number;

  constructor(
    ctx: AppContext,
    head: ImportHeader,
    { mode, options, isOneBatch }: { mode: ImportSummary["mode"]; options: ImportOptions; isOneBatch: boolean },
    previewed: PreviewRows,
  ) {
    this.isOneBatch = isOneBatch;
    this.ctx = ctx;
    this.own = ownFields(ctx);
    this.isShown = importFieldVisibility(ctx);
    this.head = head;
    this.form = choiceForm(ctx, head);
    this.planned = previewed;
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
    else {
      // An empty cell says nothing about the state, which the office alone changes.
      if (read.values.state === "" || !this.isShown("state")) delete read.values.state;
      if (!this.isShown("refuses")) delete read.values.refuses;
      this.chunk.push({ raw, read });
    }
  }

  async flush(): Promise<void> {
    const reads = this.chunk.map(({ read }) => read);
    const named = reads.map((read) => this.namedBy(read));
    const values = reads.map((read, at) => this.choiceOf(read, named[at] ?? null));
    const remembered = { form: this.form, values };
    const found = reads.length > 0 ? await matchImportRows(this.ctx, reads, named, remembered) : [];
    for (const [at, { raw, read }] of this.chunk.entries()) {
      this.facts.addRow(read);
      const problem = this.decide(read, found[at] as MatchedPeople, named[at] ?? null, values[at] ?? "");
      if (problem) this.chunkRefused.push(refusedRowOf(this.head, raw, problem, this.own));
    }
    for (const refused of this.chunkRefused.toSorted((a, b) => a.raw.row - b.raw.row)) this.refuse(refused);
    this.chunk = [];
    this.chunkRefused = [];
    this.characters = 0;
    await this.planned.flush();
  }

  private refuse(refused: RefusedRow): void {
    const { raw, problems } = refused;
    this.summary.rejected += 1;
    this.facts.addRefused(refused);
    if (this.problems.length < PROBLEMS_MAX)
      this.problems.push(...problems.map(({ row, column, value, message }) => ({ row, column, value, message })));
    const cells = this.head.texts.map((_, at) => maskedCell(raw.cells[at] ?? "").slice(0, ALUMNI_LIMITS.cellLength));
    const reasons = problems.map((problem) => `${problem.column}: ${problem.message}`).join(" / ");
    this.planned.push("refused", [raw.row, cells, reasons]);
  }

  /** Null for a row with an ID, and for an importer who does not see names. A hidden number finds no one. */
  private namedBy(read: ImportRow): NamedPerson | null {
    const { name = "", cohort = null, graduationYear = null, mobile = "" } = read.values;
    if (read.id !== "" || name === "" || !this.isShown("name")) return null;
    const tail = this.isShown("mobile") ? read.tail || mobile.slice(-4) : "";
    return { name, cohort, graduationYear, tail, hasContact: hasContact(read) };
  }

  private choiceOf({ values: { email = "", mobile = "" } }: ImportRow, named: NamedPerson | null): string {
    if (!named) return "";
    const { name, cohort, graduationYear, tail } = named;
    return choiceValue(this.ctx, this.form, [name, cohort, graduationYear, tail, email, mobile]);
  }

  /** @returns the reason of a refusal, or null for a placed row */
  private decide(read: ImportRow, found: MatchedPeople, named: NamedPerson | null, value: string): RowFault | null {
    const placed = this.place(read, found, named);
    if (placed === "skip" || ("by" in placed && placed.by === "choice"))
      this.facts.addChoice(read, value, found.choice, this.isShown);
    if (found.choice?.person) this.quoted.add(found.choice.person.id);
    if (placed === "skip") return null;
    if ("fault" in placed) return { message: placed.fault };
    if ("ask" in placed) {
      const candidates = placed.ask.slice(0, CANDIDATES_MAX);
      this.facts.addQuestion(read, value, candidates, this.isShown);
      for (const { id } of candidates) this.quoted.add(id);
      return { message: "주소록에 같은 사람일 수 있는 사람이 있습니다. 같은 사람인지 정해 주십시오." };
    }
    const target = "to" in placed ? placed.to : null;
    const newId = "newId" in placed ? placed.newId : null;
    const earlier = this.earlierRow(read, target, newId);
    if (earlier)
      return { message: `${rowLabel(this.head.sources, earlier)}과 같은 사람입니다. 한 행만 남겨 주십시오.` };
    if (target === null) return this.insert(read, placed.by === "choice" ? 0 : found.namesakes, newId);
    if (this.summary.mode === "insert" || placed.by === "equality") {
      this.summary.unchanged += 1;
      return null;
    }
    return this.update(read, target, placed.by === "id");
  }

  private place(read: ImportRow, found: MatchedPeople, named: NamedPerson | null): Placement {
    const { byId, byName, choice } = found;
    if (byId) return { to: byId, by: "id" };
    if (hasContact(read) && byName.length === 1 && byName[0]) return { to: byName[0], by: "contact" };
    if (hasContact(read) && byName.length > 1 && !named) return { fault: severalMessage };
    if (read.id !== "") return { fault: unknownIdMessage };
    if (!named) return { newId: null, by: "none" };
    const isKeyed = named.cohort !== null || named.tail !== "";
    if (!named.hasContact && found.isCrowd && !isKeyed) return { fault: crowdMessage };
    const equal = named.hasContact || read.tail !== "" ? null : this.equalPerson(read, byName);
    if (equal) return { to: equal, by: "equality" };
    const { person, ask } =
      named.hasContact && byName.length > 1 ? { person: null, ask: byName } : decideAmong(named, found.alike);
    if (person) return { to: person, by: "name" };
    if (ask.length === 0) return { newId: null, by: "none" };
    if (choice?.kind === "skip") return "skip";
    if (choice?.kind === "new" && choice.newId) return { newId: choice.newId, by: "choice" };
    if (choice?.person && foldName(choice.person.name) === foldName(named.name))
      return { to: choice.person, by: "choice" };
    return { ask };
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
    const isFault = (field: AlumniFieldCode, wasFilled: boolean) =>
      isShown(field) ? wasFilled : clears && emptiedFields.includes(field);
    const [emptied] = missingRequiredFields(alumniSettings(this.ctx).required, values).filter((field) =>
      isFault(field, cellText(target[field]) !== ""),
    );
    if (emptied) return { field: emptied, message: requiredFieldMessage(emptied) };
    const unfilled = this.own.find(
      ({ code, required }) =>
        required && values.own[code] === undefined && isFault(code, target.own[code] !== undefined),
    );
    if (unfilled) return { field: unfilled.code, message: requiredOwnFieldMessage(unfilled) };
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

  /** A row without contact that equals the entry in every visible field, and is empty in the others. */
  private equalPerson(read: ImportRow, byName: readonly KnownPerson[]): KnownPerson | null {
    const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
    values.memo = withMemoLines(values.memo, read.memoLines);
    const own = filledOwnValues(read.own);
    const fields = usedFields(alumniSettings(this.ctx));
    const isClosed = (field: AlumniFieldCode) => !this.isShown(field);
    if (fields.some((field) => isClosed(field) && cellText(values[field]) !== "")) return null;
    if (this.own.some(({ code }) => isClosed(code) && own[code] !== undefined)) return null;
    const same = byName.filter(
      (person) =>
        fields.every((field) => isClosed(field) || person[field] === values[field]) &&
        this.own.every(({ code }) => isClosed(code) || isSameOwnValue(person.own[code], own[code])),
    );
    return same.find((person) => !this.seen.has(`id:${person.id}`)) ?? null;
  }

  /** Returns an earlier row for the same person, else remembers this one. */
  private earlierRow(read: ImportRow, target: KnownPerson | null, newId: string | null): number | null {
    const { name = target?.name ?? "", email, mobile } = read.values;
    const id = target?.id ?? newId;
    const keys = [id && `id:${id}`, email && `e:${name}\n${email}`, mobile && `m:${name}\n${mobile}`];
    const own = keys.filter((key): key is string => Boolean(key));
    for (const key of own) {
      const row = this.seen.get(key);
      if (row !== undefined) return row;
    }
    for (const key of own) this.seen.set(key, read.row);
    return null;
  }

  /** @throws AppError PAYLOAD_TOO_LARGE if one batch cannot write them all */
  private countOwnValues(...rows: OwnValues[]): void {
    for (const own of rows) this.ownValues += Object.keys(own).length;
    if (this.isOneBatch && this.ownValues > ALUMNI_LIMITS.importOwnValues)
      throw tooLargeFileError(
        "더한 항목의 값이 너무 많습니다. 한 번에 150,000칸까지 가져올 수 있습니다. 파일을 나누어 주십시오.",
      );
  }

  private insert(read: ImportRow, namesakes: number, newId: string | null): RowFault | null {
    const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
    values.memo = withMemoLines(values.memo, read.memoLines);
    if (isMemoTooLong(values, read, true)) return MEMO_TOO_LONG;
    const [missing] = missingRequiredFields(["name", ...alumniSettings(this.ctx).required], values);
    if (missing) return { field: missing, message: requiredFieldMessage(missing) };
    const own = filledOwnValues(read.own);
    const unfilled = this.own.find(({ code, required }) => required && own[code] === undefined);
    if (unfilled) return { field: unfilled.code, message: requiredOwnFieldMessage(unfilled) };
    this.summary.inserted += 1;
    this.countOwnValues(own);
    this.planned.push("insert", stagedRowOf(newId ?? crypto.randomUUID(), { ...values, own }, []));
    if (namesakes > 0 && this.isShown("name") && this.warnings.length < WARNINGS_MAX)
      this.warnings.push({ row: read.row, message: `‘${values.name}’ 이름의 사람이 이미 ${namesakes}명 있습니다.` });
    if (this.preview.length < PREVIEW_MAX) {
      const filled = ALUMNI_FIELDS.filter(
        (field) => values[field] !== EMPTY_ALUMNI_VALUES[field] || read.values[field],
      );
      const changes = [
        ...filled.map((field) => ({ field, before: "", after: cellText(values[field]) })),
        ...Object.entries(own).map(([field, value]) => ({
          field: field as OwnFieldCode,
          before: "",
          after: ownValueText(value),
        })),
      ];
      this.preview.push({ row: read.row, kind: "insert", name: values.name, changes });
    }
    return null;
  }

  async end(): Promise<Omit<PreviewedImport, "importId" | "planNo" | "notes">> {
    await this.flush();
    await this.planned.flush(true);
    const { summary, problems, preview, warnings, facts } = this;
    return {
      summary,
      problems: problems.slice(0, PROBLEMS_MAX),
      preview,
      warnings,
      facts: facts.all,
      quoted: [...this.quoted],
    };
  }
}

const severalMessage = "이름과 연락처가 같은 사람이 여럿입니다. ID를 적어 주십시오.";
const crowdMessage = "이름만 있는 같은 이름의 사람이 너무 많습니다. 휴대전화나 이메일을 적어 주십시오.";
const unknownIdMessage = "이 ID의 사람이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오.";
