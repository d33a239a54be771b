import { alumniSettings } from "./alumni-settings.server.ts";
import type { ImportSummary } from "#db/schema/alumni.ts";
import type { Table } from "#worker/adapters/spreadsheet/read.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ImportPreview, ImportProblem } from "#worker/contract/alumni/view.ts";
import {
  type BookSettings,
  isUsed,
  missingFields,
  requiredMessage,
  usedFields,
} from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_FIELDS,
  type AlumniValues,
  cellText,
  COLUMN_LABELS,
  type FileColumn,
  type PrivateField,
} from "#worker/contract/alumni/columns.ts";
import { findHead, type Head, type Mapping, SAMPLE_NAME } from "#worker/contract/alumni/import-header.ts";
import { invalid } from "#worker/contract/kernel/errors.ts";
import { ALUMNI } from "#worker/contract/kernel/limits.ts";
import { type RawRow, tooLarge, unreadable } from "#worker/contract/alumni/table.ts";
import { findPeople, type Found, type Known } from "./import-match.server.ts";
import { merged, type ReadRow, readRow, type Refused, type RowFault, rowProblem } from "./import-row.server.ts";
import { derived, EMPTY_VALUES } from "./row.server.ts";
import { beginPlan, endPlan, PlannedRows } from "./staging.server.ts";

export interface Plan {
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

const rowOf = (id: string, values: AlumniValues, openFields: readonly PrivateField[]) => {
  const { initials, searchAll, searchOpen } = derived(values, openFields);
  return [id, ...ALUMNI_FIELDS.map((field) => values[field]), initials, searchAll, searchOpen];
};

export interface Source {
  head: Head;
  rows: Iterable<RawRow> | AsyncIterable<RawRow>;
}

/**
 * The head among these rows; a column that the book does not use is read past.
 * @throws AppError as `findHead` does, INVALID_INPUT for one that was chosen by hand
 */
export function headOf(rows: readonly RawRow[], mapping: Mapping | undefined, book: BookSettings): Head {
  const head = findHead(rows, mapping);
  const isOff = (column: FileColumn | null) => column !== null && column !== "id" && !isUsed(book, column);
  const off = head.columns.find(isOff);
  if (off && mapping && Object.values(mapping).some(Boolean))
    throw invalid({ mapping: `‘${COLUMN_LABELS[off]}’ 항목은 지금 쓰지 않습니다.` });
  return { ...head, columns: head.columns.map((column) => (isOff(column) ? null : column)) };
}

/** The rows below a table's head. @throws AppError for a table that has none */
export function sourceOf(table: Table, mapping: Mapping | undefined, book: BookSettings): Source {
  const source = table.rows[Symbol.iterator]();
  const top = takeTop(source);
  const head = headOf(top, mapping, book);
  if (table.mergedRows.some((row) => row >= head.row))
    throw unreadable("병합된 칸이 있습니다. 병합을 풀고 칸마다 값을 적어 다시 올려 주십시오.");
  const below = top.filter((raw) => raw.row > head.row);
  return { head, rows: chained(below, source) };
}

/**
 * Compares rows with the book, a chunk at a time, and stages what they would do; the book itself is not touched.
 * @throws AppError PAYLOAD_TOO_LARGE for too many rows
 */
export async function planImport(
  ctx: AppContext,
  importId: string,
  { head, rows }: Source,
  mode: ImportSummary["mode"],
): Promise<Plan> {
  const { planNo, revision } = await beginPlan(ctx, importId);
  const planner = new Planner(ctx, head, mode, new PlannedRows(ctx, importId, planNo));
  for await (const raw of rows) {
    planner.take(raw);
    if (!planner.isFull) continue;
    await planner.flush();
    // Others get a word in: with a database in the same process, as locally, nothing else here waits for the network.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const plan = { importId, planNo, ...(await planner.end()) };
  await endPlan(ctx, { importId, planNo, revision, summary: plan.summary });
  return plan;
}

const TOP_ROWS = 21;

function takeTop(source: Iterator<RawRow>): RawRow[] {
  const top: RawRow[] = [];
  while (top.length < TOP_ROWS) {
    const next = source.next();
    if (next.done) break;
    if (next.value.cells.some((cell) => cell.trim() !== "")) top.push(next.value);
    else if (next.value.row > 1000) break;
  }
  return top;
}

function* chained(first: readonly RawRow[], rest: Iterator<RawRow>): Generator<RawRow> {
  yield* first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}

class Planner {
  private chunk: { raw: RawRow; read: ReadRow }[] = [];
  private chunkRefused: Refused[] = [];
  private characters = 0;
  private readonly summary: ImportSummary;
  private readonly problems: ImportProblem[] = [];
  private readonly preview: ImportPreview[] = [];
  private readonly warnings: Plan["warnings"] = [];
  /** Who a row of the file has named already, by key to its row number. */
  private readonly seen = new Map<string, number>();
  private readonly ctx: AppContext;
  private readonly head: Head;
  private readonly planned: PlannedRows;

  constructor(ctx: AppContext, head: Head, mode: ImportSummary["mode"], planned: PlannedRows) {
    this.ctx = ctx;
    this.head = head;
    this.planned = planned;
    this.summary = { mode, total: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  }

  get isFull(): boolean {
    return this.chunk.length + this.chunkRefused.length >= CHUNK_ROWS || this.characters >= CHUNK_CHARACTERS;
  }

  take(raw: RawRow): void {
    const filled = this.head.columns.some((column, at) => column !== null && (raw.cells[at] ?? "").trim() !== "");
    if (!filled) return;
    if (raw.cells[this.head.columns.indexOf("name")]?.trim() === SAMPLE_NAME) return;
    this.summary.total += 1;
    if (this.summary.total > ALUMNI.importRows)
      throw tooLarge("행이 너무 많습니다. 한 번에 50,000행까지 가져올 수 있습니다. 파일을 나누어 주십시오.");
    const read = readRow(this.head, raw);
    for (const cell of raw.cells) this.characters += cell.length;
    if ("problems" in read) this.chunkRefused.push(read);
    else this.chunk.push({ raw, read });
  }

  async flush(): Promise<void> {
    const reads = this.chunk.map(({ read }) => read);
    const found = reads.length > 0 ? await findPeople(this.ctx, reads) : [];
    for (const [at, { raw, read }] of this.chunk.entries()) {
      const problem = this.decide(read, found[at] ?? { byId: null, byName: [], namesakes: 0, isCrowd: false });
      if (problem) this.chunkRefused.push(rowProblem(this.head, raw, problem));
    }
    for (const refused of this.chunkRefused.toSorted((a, b) => a.raw.row - b.raw.row)) this.refuse(refused);
    this.chunk = [];
    this.chunkRefused = [];
    this.characters = 0;
    await this.planned.flush();
  }

  private refuse({ raw, problems }: Refused): void {
    this.summary.rejected += 1;
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(...problems);
    const cells = this.head.texts.map((_, at) => (raw.cells[at] ?? "").slice(0, ALUMNI.cellLength));
    const reasons = problems.map((problem) => `${problem.column}: ${problem.message}`).join(" / ");
    this.planned.push("refused", [raw.row, cells, reasons]);
  }

  /** @returns why the row is refused, or null when it found its place */
  private decide(read: ReadRow, found: Found): RowFault | null {
    const target = found.byId ?? this.byContact(read, found);
    if (typeof target === "string") return { message: target };
    const earlier = this.earlierRow(read, target);
    if (earlier) return { message: `${earlier}행과 같은 사람입니다. 한 행만 남겨 주십시오.` };
    if (target === null) return this.insert(read, found.namesakes);
    if (this.summary.mode === "insert") {
      this.summary.unchanged += 1;
      return null;
    }
    const { values, changes } = merged(target, read);
    if (changes.length === 0) {
      this.summary.unchanged += 1;
      return null;
    }
    // What was empty before this row is no fault of it.
    const [emptied] = missingFields(alumniSettings(this.ctx).required, values).filter(
      (field) => cellText(target[field]) !== "",
    );
    if (emptied) return { field: emptied, message: requiredMessage(emptied) };
    this.summary.updated += 1;
    this.planned.push("update", rowOf(target.id, values, target.openFields));
    if (this.preview.length < PREVIEW_MAX)
      this.preview.push({ row: read.row, kind: "update", name: values.name, changes });
    return null;
  }

  /** Never by the name alone: where a row has no contact, only an entry that says exactly the same is the same. */
  private byContact(read: ReadRow, { byName, isCrowd }: Found): Known | null | string {
    const hasContact = Boolean(read.values.email || read.values.mobile);
    if (hasContact) {
      if (byName.length > 1) return "이름과 연락처가 같은 동문이 여럿입니다. ID를 적어 주십시오.";
      return byName[0] ?? (read.id ? unknownId : null);
    }
    if (read.id) return unknownId;
    if (isCrowd) return "이름만 있는 같은 이름의 동문이 너무 많습니다. 휴대전화나 이메일을 적어 주십시오.";
    const values = { ...EMPTY_VALUES, ...read.values };
    const fields = usedFields(alumniSettings(this.ctx));
    const same = byName.filter((person) => fields.every((field) => person[field] === values[field]));
    return same.find((person) => !this.seen.has(`id:${person.id}`)) ?? null;
  }

  /** The row of the file that meant the same person; else this one is noted. */
  private earlierRow(read: ReadRow, target: Known | null): number | null {
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

  private insert(read: ReadRow, namesakes: number): RowFault | null {
    const values = { ...EMPTY_VALUES, ...read.values };
    const [missing] = missingFields(["name", ...alumniSettings(this.ctx).required], values);
    if (missing) return { field: missing, message: requiredMessage(missing) };
    this.summary.inserted += 1;
    this.planned.push("insert", rowOf(crypto.randomUUID(), values, []));
    if (namesakes > 0 && this.warnings.length < WARNINGS_MAX)
      this.warnings.push({ row: read.row, message: `‘${values.name}’ 이름의 동문이 이미 ${namesakes}명 있습니다.` });
    if (this.preview.length < PREVIEW_MAX) {
      const filled = ALUMNI_FIELDS.filter((field) => cellText(values[field]) !== "");
      const changes = filled.map((field) => ({ field, before: "", after: cellText(values[field]) }));
      this.preview.push({ row: read.row, kind: "insert", name: values.name, changes });
    }
    return null;
  }

  async end(): Promise<Omit<Plan, "importId" | "planNo">> {
    await this.flush();
    await this.planned.flush(true);
    const { summary, problems, preview, warnings } = this;
    return { summary, problems: problems.slice(0, PROBLEMS_MAX), preview, warnings };
  }
}

const unknownId = "이 ID의 동문이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오.";
