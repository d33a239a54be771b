import { sql } from "drizzle-orm";
import type { Table } from "#worker/adapters/spreadsheet-read.server.ts";
import type { AppContext } from "#worker/context.server.ts";
import type { ImportAlumniInput, ImportPreview, ImportProblem } from "#worker/contract/alumni.ts";
import { ALUMNI_FIELDS, type AlumniValues, cellText, type PrivateField } from "#worker/contract/alumni-columns.ts";
import { findHead, type Head, SAMPLE_NAME } from "#worker/contract/alumni-head.ts";
import { ALUMNI } from "#worker/contract/limits.ts";
import { type RawRow, tooLarge, unreadable } from "#worker/contract/table.ts";
import { findPeople, type Found, type Known } from "./import-match.server.ts";
import { merged, type ReadRow, readRow, type Refused, rowProblem } from "./import-row.server.ts";
import { derived, EMPTY_VALUES } from "./row.server.ts";

export interface Plan {
  head: Head;
  /** The book's revision that the plan is made for. */
  revision: number;
  /** JSON arrays of rows, each small enough for a bound parameter. */
  inserts: string[];
  updates: string[];
  inserted: number;
  updated: number;
  unchanged: number;
  refused: Refused[];
  preview: ImportPreview[];
  warnings: { row: number; message: string }[];
}

const CHUNK_ROWS = 2000;
/** Three bytes a letter at most: below the 2 MB that D1 takes as one parameter. */
const PARAMETER_CHARACTERS = 600_000;
const PREVIEW_MAX = 300;
const WARNINGS_MAX = 300;

/** Collects rows into JSON arrays of a bounded size. */
class Parts {
  readonly parts: string[] = [];
  private rows: string[] = [];
  private length = 0;

  push(row: unknown[]): void {
    const text = JSON.stringify(row);
    if (this.length + text.length > PARAMETER_CHARACTERS) this.close();
    this.rows.push(text);
    this.length += text.length + 1;
  }
  close(): string[] {
    if (this.rows.length > 0) this.parts.push(`[${this.rows.join(",")}]`);
    this.rows = [];
    this.length = 0;
    return this.parts;
  }
}

const rowOf = (id: string, values: AlumniValues, openFields: readonly PrivateField[]) => {
  const { initials, searchAll, searchOpen } = derived(values, openFields);
  return [id, ...ALUMNI_FIELDS.map((field) => values[field]), initials, searchAll, searchOpen];
};

/** Reads a table against the book and says what it would do; writes nothing. @throws AppError for a file that is none */
export async function planImport(
  ctx: AppContext,
  table: Table,
  input: Pick<ImportAlumniInput, "mode" | "mapping">,
): Promise<Plan> {
  const state = await ctx.db.get<{ revision: number } | undefined>(sql`SELECT revision FROM alumni_state WHERE id = 1`);
  const source = table.rows[Symbol.iterator]();
  const top = takeTop(source);
  const head = findHead(top, input.mapping);
  if (table.mergedRows.some((row) => row >= head.row))
    throw unreadable("병합된 칸이 있습니다. 병합을 풀고 칸마다 값을 적어 다시 올려 주십시오.");
  const planner = new Planner(ctx, head, input.mode, state?.revision ?? 0);
  const below = top.filter((raw) => raw.row > head.row);
  for (const raw of chained(below, source)) {
    planner.take(raw);
    if (planner.isFull) await planner.flush();
  }
  await planner.flush();
  return planner.plan();
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
  private readonly inserts = new Parts();
  private readonly updates = new Parts();
  private chunk: { raw: RawRow; read: ReadRow }[] = [];
  private total = 0;
  private inserted = 0;
  private updated = 0;
  private unchanged = 0;
  private readonly refused: Refused[] = [];
  private readonly preview: ImportPreview[] = [];
  private readonly warnings: Plan["warnings"] = [];
  /** Who a row of the file has named already, by key to its row number. */
  private readonly seen = new Map<string, number>();
  private readonly ctx: AppContext;
  private readonly head: Head;
  private readonly mode: ImportAlumniInput["mode"];
  private readonly revision: number;

  constructor(ctx: AppContext, head: Head, mode: ImportAlumniInput["mode"], revision: number) {
    this.ctx = ctx;
    this.head = head;
    this.mode = mode;
    this.revision = revision;
  }

  get isFull(): boolean {
    return this.chunk.length >= CHUNK_ROWS;
  }

  take(raw: RawRow): void {
    const filled = this.head.columns.some((column, at) => column !== null && (raw.cells[at] ?? "").trim() !== "");
    if (!filled) return;
    if (raw.cells[this.head.columns.indexOf("name")]?.trim() === SAMPLE_NAME) return;
    this.total += 1;
    if (this.total > ALUMNI.importRows)
      throw tooLarge("행이 너무 많습니다. 한 번에 50,000행까지 가져올 수 있습니다. 파일을 나누어 주십시오.");
    const read = readRow(this.head, raw);
    if ("problems" in read) this.refused.push(read);
    else this.chunk.push({ raw, read });
  }

  async flush(): Promise<void> {
    if (this.chunk.length === 0) return;
    const found = await findPeople(
      this.ctx.db,
      this.chunk.map(({ read }) => read),
    );
    for (const [at, { raw, read }] of this.chunk.entries()) {
      const problem = this.decide(read, found[at] ?? { byId: null, byName: [], namesakes: 0 });
      if (problem) this.refused.push(rowProblem(this.head, raw, problem));
    }
    this.chunk = [];
  }

  /** @returns why the row is refused, or null when it found its place */
  private decide(read: ReadRow, found: Found): string | null {
    const target = found.byId ?? this.byContact(read, found);
    if (typeof target === "string") return target;
    const earlier = this.earlierRow(read, target);
    if (earlier) return `${earlier}행과 같은 사람입니다. 한 행만 남겨 주십시오.`;
    if (target === null) return this.insert(read, found.namesakes);
    if (this.mode === "insert") {
      this.unchanged += 1;
      return null;
    }
    const { values, changes } = merged(target, read);
    if (changes.length === 0) {
      this.unchanged += 1;
      return null;
    }
    this.updated += 1;
    this.updates.push(rowOf(target.id, values, target.openFields));
    if (this.preview.length < PREVIEW_MAX)
      this.preview.push({ row: read.row, kind: "update", name: values.name, changes });
    return null;
  }

  /** Never by the name alone: where a row has no contact, only an entry that says exactly the same is the same. */
  private byContact(read: ReadRow, { byName }: Found): Known | null | string {
    const hasContact = Boolean(read.values.email || read.values.mobile);
    if (hasContact) {
      if (byName.length > 1) return "이름과 연락처가 같은 동문이 여럿입니다. ID를 적어 주십시오.";
      return byName[0] ?? (read.id ? unknownId : null);
    }
    if (read.id) return unknownId;
    const values = { ...EMPTY_VALUES, ...read.values };
    const same = byName.filter((person) => ALUMNI_FIELDS.every((field) => person[field] === values[field]));
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

  private insert(read: ReadRow, namesakes: number): string | null {
    if (!read.values.name) return "이름을 입력해 주십시오.";
    const values = { ...EMPTY_VALUES, ...read.values };
    this.inserted += 1;
    this.inserts.push(rowOf(crypto.randomUUID(), values, []));
    if (namesakes > 0 && this.warnings.length < WARNINGS_MAX)
      this.warnings.push({ row: read.row, message: `‘${values.name}’ 이름의 동문이 이미 ${namesakes}명 있습니다.` });
    if (this.preview.length < PREVIEW_MAX) {
      const filled = ALUMNI_FIELDS.filter((field) => cellText(values[field]) !== "");
      const changes = filled.map((field) => ({ field, before: "", after: cellText(values[field]) }));
      this.preview.push({ row: read.row, kind: "insert", name: values.name, changes });
    }
    return null;
  }

  plan(): Plan {
    const { head, revision, inserted, updated, unchanged, preview, warnings } = this;
    const refused = this.refused.toSorted((a, b) => a.raw.row - b.raw.row);
    const parts = { inserts: this.inserts.close(), updates: this.updates.close() };
    return { head, revision, ...parts, inserted, updated, unchanged, refused, preview, warnings };
  }
}

const unknownId = "이 ID의 동문이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오.";

export const problemsOf = (plan: Plan): ImportProblem[] => plan.refused.flatMap((refused) => refused.problems);
