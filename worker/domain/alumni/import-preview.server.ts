import { alumniSettings } from "./alumni-settings.server.ts";
import type { ImportSummary } from "#db/schema/alumni.ts";
import type { Table } from "#worker/adapters/spreadsheet/read.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import {
  type AlumniSettings,
  isFieldUsed,
  missingRequiredFields,
  requiredFieldMessage,
  usedFields,
} from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_FIELDS,
  type AlumniValues,
  cellText,
  ALUMNI_COLUMN_LABELS,
  type AlumniColumn,
  type PrivateField,
} from "#worker/contract/alumni/columns.ts";
import {
  findImportHeader,
  type ImportHeader,
  type ColumnMapping,
  IMPORT_SAMPLE_NAME,
} from "#worker/contract/alumni/import-header.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { maskResidentNumbers } from "#worker/contract/kernel/text.ts";
import { type RawRow, tooLargeFileError, unreadableFileError } from "#worker/contract/alumni/csv.ts";
import { matchImportRows, type MatchedPeople, type KnownPerson } from "./import-match.server.ts";
import {
  applyImportRow,
  type ImportRow,
  readImportRow,
  type RefusedRow,
  type RowFault,
  refusedRowOf,
} from "./import-row.server.ts";
import { derivedColumns, EMPTY_ALUMNI_VALUES } from "./row.server.ts";
import { beginPreview, endPreview, PreviewRows } from "./import-staging.server.ts";

export interface PreviewedImport {
  importId: string;
  planNo: number;
  summary: ImportSummary;
  /** The first faults; the rows themselves are staged. */
  problems: ImportProblem[];
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
}

const CHUNK_ROWS = 2000;
/** Rows of much text make smaller chunks. */
const CHUNK_CHARACTERS = 500_000;
const PROBLEMS_MAX = 1000;
const PREVIEW_MAX = 300;
const WARNINGS_MAX = 300;

const stagedRowOf = (id: string, values: AlumniValues, openFields: readonly PrivateField[]) => {
  const { initials, searchAll, searchOpen } = derivedColumns(values, openFields);
  return [id, ...ALUMNI_FIELDS.map((field) => values[field]), initials, searchAll, searchOpen];
};

export interface ImportSource {
  head: ImportHeader;
  rows: Iterable<RawRow> | AsyncIterable<RawRow>;
}

/**
 * The head among these rows; a column that the book does not use is read past.
 * @throws AppError as `findHead` does, INVALID_INPUT for one that was chosen by hand
 */
export function importHeaderOf(
  rows: readonly RawRow[],
  mapping: ColumnMapping | undefined,
  settings: AlumniSettings,
): ImportHeader {
  const head = findImportHeader(rows, mapping);
  const isOff = (column: AlumniColumn | null) => column !== null && column !== "id" && !isFieldUsed(settings, column);
  const off = head.columns.find(isOff);
  if (off && mapping && Object.values(mapping).some(Boolean))
    throw invalidInput({ mapping: `‘${ALUMNI_COLUMN_LABELS[off]}’ 항목은 지금 쓰지 않습니다.` });
  return { ...head, columns: head.columns.map((column) => (isOff(column) ? null : column)) };
}

/** The rows below a table's head. @throws AppError for a table that has none */
export function importSourceOf(
  table: Table,
  mapping: ColumnMapping | undefined,
  settings: AlumniSettings,
): ImportSource {
  const source = table.rows[Symbol.iterator]();
  const top = takeTopRows(source);
  const head = importHeaderOf(top, mapping, settings);
  if (table.mergedRows.some((row) => row >= head.row))
    throw unreadableFileError("병합된 칸이 있습니다. 병합을 풀고 칸마다 값을 적어 다시 올려 주십시오.");
  const below = top.filter((raw) => raw.row > head.row);
  return { head, rows: chainRows(below, source) };
}

/**
 * Compares rows with the book, a chunk at a time, and stages what they would do; the book itself is not touched.
 * @throws AppError PAYLOAD_TOO_LARGE for too many rows
 */
export async function previewImport(
  ctx: AppContext,
  importId: string,
  { head, rows }: ImportSource,
  mode: ImportSummary["mode"],
): Promise<PreviewedImport> {
  const { planNo, revision } = await beginPreview(ctx, importId);
  const planner = new ImportPreviewer(ctx, head, mode, new PreviewRows(ctx, importId, planNo));
  for await (const raw of rows) {
    planner.take(raw);
    if (!planner.isFull) continue;
    await planner.flush();
    // Others get a word in: with a database in the same process, as locally, nothing else here waits for the network.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const plan = { importId, planNo, ...(await planner.end()) };
  await endPreview(ctx, { importId, planNo, revision, summary: plan.summary });
  return plan;
}

const TOP_ROWS = 21;

function takeTopRows(source: Iterator<RawRow>): RawRow[] {
  const top: RawRow[] = [];
  while (top.length < TOP_ROWS) {
    const next = source.next();
    if (next.done) break;
    if (next.value.cells.some((cell) => cell.trim() !== "")) top.push(next.value);
    else if (next.value.row > 1000) break;
  }
  return top;
}

function* chainRows(first: readonly RawRow[], rest: Iterator<RawRow>): Generator<RawRow> {
  yield* first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

class ImportPreviewer {
  private chunk: { raw: RawRow; read: ImportRow }[] = [];
  private chunkRefused: RefusedRow[] = [];
  private characters = 0;
  private readonly summary: ImportSummary;
  private readonly problems: ImportProblem[] = [];
  private readonly preview: ImportPreview[] = [];
  private readonly warnings: PreviewedImport["warnings"] = [];
  /** Who a row of the file has named already, by key to its row number. */
  private readonly seen = new Map<string, number>();
  private readonly ctx: AppContext;
  private readonly head: ImportHeader;
  private readonly planned: PreviewRows;

  constructor(ctx: AppContext, head: ImportHeader, mode: ImportSummary["mode"], previewed: PreviewRows) {
    this.ctx = ctx;
    this.head = head;
    this.planned = previewed;
    this.summary = { mode, total: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
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
    const read = readImportRow(this.head, raw);
    for (const cell of raw.cells) this.characters += cell.length;
    if ("problems" in read) this.chunkRefused.push(read);
    else this.chunk.push({ raw, read });
  }

  async flush(): Promise<void> {
    const reads = this.chunk.map(({ read }) => read);
    const found = reads.length > 0 ? await matchImportRows(this.ctx, reads) : [];
    for (const [at, { raw, read }] of this.chunk.entries()) {
      const problem = this.decide(read, found[at] ?? { byId: null, byName: [], namesakes: 0, isCrowd: false });
      if (problem) this.chunkRefused.push(refusedRowOf(this.head, raw, problem));
    }
    for (const refused of this.chunkRefused.toSorted((a, b) => a.raw.row - b.raw.row)) this.refuse(refused);
    this.chunk = [];
    this.chunkRefused = [];
    this.characters = 0;
    await this.planned.flush();
  }

  private refuse({ raw, problems }: RefusedRow): void {
    this.summary.rejected += 1;
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(...problems);
    const cells = this.head.texts.map((_, at) =>
      maskResidentNumbers((raw.cells[at] ?? "").slice(0, ALUMNI_LIMITS.cellLength)),
    );
    const reasons = problems.map((problem) => `${problem.column}: ${problem.message}`).join(" / ");
    this.planned.push("refused", [raw.row, cells, reasons]);
  }

  /** @returns why the row is refused, or null when it found its place */
  private decide(read: ImportRow, found: MatchedPeople): RowFault | null {
    const target = found.byId ?? this.byContact(read, found);
    if (typeof target === "string") return { message: target };
    const earlier = this.earlierRow(read, target);
    if (earlier) return { message: `${earlier}행과 같은 사람입니다. 한 행만 남겨 주십시오.` };
    if (target === null) return this.insert(read, found.namesakes);
    if (this.summary.mode === "insert") {
      this.summary.unchanged += 1;
      return null;
    }
    const { values, changes } = applyImportRow(target, read);
    if (changes.length === 0) {
      this.summary.unchanged += 1;
      return null;
    }
    // What was empty before this row is no fault of it.
    const [emptied] = missingRequiredFields(alumniSettings(this.ctx).required, values).filter(
      (field) => cellText(target[field]) !== "",
    );
    if (emptied) return { field: emptied, message: requiredFieldMessage(emptied) };
    this.summary.updated += 1;
    this.planned.push("update", stagedRowOf(target.id, values, target.openFields));
    if (this.preview.length < PREVIEW_MAX)
      this.preview.push({ row: read.row, kind: "update", name: values.name, changes });
    return null;
  }

  /** Never by the name alone: where a row has no contact, only an entry that says exactly the same is the same. */
  private byContact(read: ImportRow, { byName, isCrowd }: MatchedPeople): KnownPerson | null | string {
    const hasContact = Boolean(read.values.email || read.values.mobile);
    if (hasContact) {
      if (byName.length > 1) return "이름과 연락처가 같은 동문이 여럿입니다. ID를 적어 주십시오.";
      return byName[0] ?? (read.id ? unknownIdMessage : null);
    }
    if (read.id) return unknownIdMessage;
    if (isCrowd) return "이름만 있는 같은 이름의 동문이 너무 많습니다. 휴대전화나 이메일을 적어 주십시오.";
    const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
    const fields = usedFields(alumniSettings(this.ctx));
    const same = byName.filter((person) => fields.every((field) => person[field] === values[field]));
    return same.find((person) => !this.seen.has(`id:${person.id}`)) ?? null;
  }

  /** The row of the file that meant the same person; else this one is noted. */
  private earlierRow(read: ImportRow, target: KnownPerson | null): number | null {
    const { name = target?.name ?? "", email, mobile } = read.values;
    const keys = [target && `id:${target.id}`, email && `e:${name}\n${email}`, mobile && `m:${name}\n${mobile}`];
    const own = keys.filter((key): key is string => Boolean(key));
    for (const key of own) {
      const row = this.seen.get(key);
      if (row !== undefined) return row;
    }
    for (const key of own) this.seen.set(key, read.row);
    return null;
  }

  private insert(read: ImportRow, namesakes: number): RowFault | null {
    const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
    const [missing] = missingRequiredFields(["name", ...alumniSettings(this.ctx).required], values);
    if (missing) return { field: missing, message: requiredFieldMessage(missing) };
    this.summary.inserted += 1;
    this.planned.push("insert", stagedRowOf(crypto.randomUUID(), values, []));
    if (namesakes > 0 && this.warnings.length < WARNINGS_MAX)
      this.warnings.push({ row: read.row, message: `‘${values.name}’ 이름의 동문이 이미 ${namesakes}명 있습니다.` });
    if (this.preview.length < PREVIEW_MAX) {
      const filled = ALUMNI_FIELDS.filter((field) => cellText(values[field]) !== "");
      const changes = filled.map((field) => ({ field, before: "", after: cellText(values[field]) }));
      this.preview.push({ row: read.row, kind: "insert", name: values.name, changes });
    }
    return null;
  }

  async end(): Promise<Omit<PreviewedImport, "importId" | "planNo">> {
    await this.flush();
    await this.planned.flush(true);
    const { summary, problems, preview, warnings } = this;
    return { summary, problems: problems.slice(0, PROBLEMS_MAX), preview, warnings };
  }
}

const unknownIdMessage = "이 ID의 동문이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오.";
