import { type SQL, sql } from "drizzle-orm";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { jsonArrays } from "../../kernel/json-arrays.ts";
import { type BatchGuard, conflict } from "../../kernel/guarded-batch.server.ts";
import {
  DEED_TABLE_NAMES,
  DEED_TABLES,
  type DeedTable,
  type DeedTableName,
  hasRowKey,
  isAmongKeys,
  rowJson,
} from "./deed-tables.server.ts";
import { type RowValues, undoneValues, withoutKeys } from "./undone-values.ts";

/** A row that an undo left as it is. */
export interface KeptRow {
  kind: "person" | "deleted" | "deposit";
  id: string;
  name: string;
  reason: string;
}

/** Of a person. */
export const KEPT_KIND = sql<KeptRow["kind"]>`iif(alumni.deleted_date IS NULL, 'person', 'deleted')`;

interface DeedRow {
  table: DeedTableName;
  key: string;
  person: string;
  before: RowValues | null;
  after: RowValues | null;
  current: RowValues | null;
}

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as RowValues));

async function readDeedRows(ctx: AppContext, deedId: string): Promise<DeedRow[]> {
  const found = await ctx.db.all<{ name: string }>(
    sql`SELECT DISTINCT table_name AS name FROM deed_row WHERE deed_id = ${deedId}`,
  );
  const tables = DEED_TABLE_NAMES.filter((each) => found.some(({ name }) => name === DEED_TABLES[each].name));
  const rows = await Promise.all(
    tables.map(async (name) => {
      const table = DEED_TABLES[name];
      const each = await ctx.db.all<
        Record<"key" | "person", string> & Record<"before" | "after" | "current", string | null>
      >(
        sql`SELECT r.row_key AS key, r.alumni_id AS person, r.before, r.after,
          CASE WHEN t.${sql.raw(table.key[0] ?? "id")} IS NOT NULL THEN ${rowJson(table)} END AS current
        FROM deed_row r LEFT JOIN ${sql.raw(table.name)} t ON ${hasRowKey(table, sql`r.row_key`)}
        WHERE r.deed_id = ${deedId} AND r.table_name = ${table.name}`,
      );
      return each.map((row) => ({
        ...row,
        table: name,
        before: parsed(row.before),
        after: parsed(row.after),
        current: parsed(row.current),
      }));
    }),
  );
  return rows.flat();
}

const CHANGED = "그 뒤에 달라졌습니다.";

/** The row as the undo writes it, null to delete it, or the reason why it stays. */
function targetOf({ table, before, after, current }: DeedRow): { target: RowValues | null } | string {
  const { derived } = DEED_TABLES[table];
  if (after === null) {
    if (current === null) return { target: before };
    const given = before ?? {};
    const isSame = Object.keys(given).every((key) => derived.includes(key) || given[key] === current[key]);
    return isSame ? { target: current } : CHANGED;
  }
  if (before === null) {
    if (current === null) return { target: null };
    const isSame = Object.keys(after).every((key) => derived.includes(key) || after[key] === current[key]);
    return isSame ? { target: null } : CHANGED;
  }
  if (current === null) return CHANGED;
  const values = undoneValues(withoutKeys(before, derived), withoutKeys(after, derived), current);
  return values === null ? CHANGED : { target: { ...current, ...values } };
}

interface Allocation {
  id: string;
  depositId: string;
  dueId: string;
  /** The person is destroyed, so that what was paid is kept. */
  isGone: number;
}

/** Payments on deposits and dues that the deed added: by hand, or of people destroyed since. */
const laterAllocations = (ctx: AppContext, deedId: string) =>
  ctx.db.all<Allocation>(sql`SELECT id, depositId, dueId,
    NOT EXISTS (SELECT 1 FROM due d WHERE d.id = dueId AND (d.alumni_id = d.id OR EXISTS (SELECT 1 FROM alumni a WHERE a.id = d.alumni_id))) AS isGone FROM (
    SELECT x.id, x.deposit_id AS depositId, x.due_id AS dueId FROM deed_row r CROSS JOIN due_allocation x ON x.deposit_id = r.row_key ->> 0
      WHERE r.deed_id = ${deedId} AND r.table_name = 'deposit' AND r.before IS NULL
    UNION SELECT x.id, x.deposit_id, x.due_id FROM deed_row r CROSS JOIN due_allocation x ON x.due_id = r.row_key ->> 0
      WHERE r.deed_id = ${deedId} AND r.table_name = 'due' AND r.before IS NULL)`);

/** People with another due of the kind and period that the undo would give back. */
const takenDues = (ctx: AppContext, deedId: string) =>
  ctx.db.all<{ key: string }>(sql`SELECT r.row_key AS key FROM deed_row r
    WHERE r.deed_id = ${deedId} AND r.table_name = 'due' AND r.before IS NOT NULL AND (
      NOT EXISTS (SELECT 1 FROM alumni WHERE id = r.before ->> 'alumni_id')
      OR EXISTS (SELECT 1 FROM due d WHERE d.alumni_id = r.before ->> 'alumni_id' AND d.period = r.before ->> 'period'
        AND d.kind_id = r.before ->> 'kind_id' AND d.id <> r.row_key ->> 0))`);

const keyOf = (id: string) => JSON.stringify([id]);

const text = (values: RowValues | null, key: string) => String(values?.[key] ?? "");

type Payment = { id: string; depositId: string; dueId: string; amount: number };

/** The amount owed once the due is put back, with later edits. */
function owedAfter(row: DeedRow): number {
  const planned = targetOf(row);
  if (typeof planned === "string" || planned.target === null) return 0;
  const { amount, is_exempt } = planned.target;
  return is_exempt === 1 && row.before?.is_exempt === 0 ? 0 : Number(amount);
}

/** Dues and deposits that would be paid or used beyond their amount, with the reason why a row stays. */
async function overdrawn(ctx: AppContext, deedId: string, rows: readonly DeedRow[]) {
  const ofDeed = sql`SELECT row_key ->> 0 FROM deed_row WHERE deed_id = ${deedId} AND table_name = 'due'
    UNION SELECT before ->> 'due_id' FROM deed_row WHERE deed_id = ${deedId} AND table_name = 'due_allocation'`;
  const used = sql`SELECT before ->> 'deposit_id' FROM deed_row WHERE deed_id = ${deedId} AND table_name = 'due_allocation'`;
  const [paid, deposits] = await Promise.all([
    ctx.db.all<Payment>(sql`SELECT id, deposit_id AS depositId, due_id AS dueId, amount FROM due_allocation
      WHERE due_id IN (${ofDeed}) OR deposit_id IN (${used})`),
    ctx.db.all<{ id: string; amount: number }>(sql`SELECT id, amount FROM deposit WHERE id IN (${used})`),
  ]);
  const after = new Map(paid.map((each) => [each.id, each]));
  const restored = rows.filter(({ table, before }) => table === "allocation" && before !== null);
  for (const { before } of restored) {
    const id = text(before, "id");
    const [depositId, dueId] = [text(before, "deposit_id"), text(before, "due_id")];
    after.set(id, { id, depositId, dueId, amount: Number(before?.amount) });
  }
  const total = (of: "depositId" | "dueId", id: string) =>
    [...after.values()].reduce((sum, each) => sum + (each[of] === id ? each.amount : 0), 0);
  const isBeyond = (row: DeedRow) => {
    const { table, before, key } = row;
    if (before === null) return false;
    if (table === "due") return total("dueId", (JSON.parse(key) as string[])[0] ?? "") > owedAfter(row);
    const found = deposits.find(({ id }) => id === before.deposit_id);
    return table === "allocation" && (!found || total("depositId", found.id) > found.amount);
  };
  return rows.filter(isBeyond);
}

/** Marks rows that stay, with those that depend on them, and gives the reason of each. */
async function reasonsToStay(
  ctx: AppContext,
  deedId: string,
  rows: readonly DeedRow[],
  people: ReadonlyMap<string, string>,
) {
  const reasons = new Map<DeedRow, string>();
  const stay = (row: DeedRow | undefined, reason: string) => {
    if (!row || reasons.has(row)) return false;
    reasons.set(row, reason);
    return true;
  };
  const byKey = new Map(rows.map((row) => [`${row.table} ${row.key}`, row]));
  const rowOf = (table: DeedTableName, id: string) => byKey.get(`${table} ${keyOf(id)}`);
  for (const row of rows) {
    const target = targetOf(row);
    const left = people.get(row.person);
    if (typeof target === "string") stay(row, target);
    else if (row.before !== null && left !== undefined) stay(row, left);
  }
  if (rows.some(({ table, before }) => table === "allocation" && before !== null))
    for (const row of await overdrawn(ctx, deedId, rows)) stay(row, "그 뒤에 돈을 내거나 다른 회비에 썼습니다.");
  if (rows.some(({ table, before }) => table === "due" && before !== null))
    for (const { key } of await takenDues(ctx, deedId))
      stay(byKey.get(`due ${key}`), "그 사람에게 같은 회비가 이미 있거나 그 사람이 파기되었습니다.");
  if (rows.some(({ table, before }) => (table === "due" || table === "deposit") && before === null))
    for (const { id, depositId, dueId, isGone } of await laterAllocations(ctx, deedId)) {
      if (rowOf("allocation", id)?.before === null) continue;
      stay(rowOf("deposit", depositId), isGone ? "회비를 낸 사람이 파기되었습니다." : "손으로 회비와 맞추었습니다.");
      const paid = rowOf("due", dueId);
      if (paid?.before === null) stay(paid, "회비를 냈습니다.");
    }
  const payments = rows.filter(({ table }) => table === "allocation");
  for (const row of payments)
    if (row.before === null && row.current === null)
      stay(rowOf("deposit", text(row.after, "deposit_id")), "맞춘 것을 손으로 풀었습니다.");
  // Until nothing more stays: a deposit and its allocations stay together.
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const row of payments) {
      const values = row.before ?? row.after;
      const owners = [rowOf("deposit", text(values, "deposit_id")), rowOf("due", text(values, "due_id"))];
      const reason = reasons.get(row) ?? owners.map((owner) => owner && reasons.get(owner)).find(Boolean);
      if (reason === undefined) continue;
      for (const each of [row, ...(row.before === null ? owners : [])]) isMore = stay(each, reason) || isMore;
    }
  }
  return reasons;
}

interface RowsUndo {
  statements: ReturnType<AppContext["db"]["run"]>[];
  guards: BatchGuard[];
  kept: KeptRow[];
  restored: number;
  removed: number;
  /** The deed keeps rows for another undo. */
  isLeft: boolean;
}

/**
 * Puts back every row of the deed that still has the values which the deed wrote. @param people reasons by the id of a
 * person whose entry stays, and with it all that is the person's
 */
export async function undoRows(
  ctx: AppContext,
  deedId: string,
  people: ReadonlyMap<string, string> = new Map(),
): Promise<RowsUndo> {
  const rows = await readDeedRows(ctx, deedId);
  const reasons = await reasonsToStay(ctx, deedId, rows, people);
  const undone = rows.filter((row) => !reasons.has(row));
  const written = DEED_TABLE_NAMES.flatMap((name) =>
    writeStatements(
      ctx,
      name,
      undone.filter(({ table }) => table === name),
    ),
  );
  const payments = undone.flatMap(({ table, before, after, current }) =>
    table === "allocation"
      ? [before, after, current]
      : table === "due" && before !== null
        ? [{ due_id: before.id }]
        : [],
  );
  return {
    statements: [
      ...written.map(({ statement }) => statement),
      ...recountIds(ctx, payments),
      ...jsonArrays(undone.map(({ table, key }) => [DEED_TABLES[table].name, key])).map((chunk) =>
        ctx.db.run(sql`DELETE FROM deed_row WHERE deed_id = ${deedId}
          AND (table_name, row_key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${chunk}))`),
      ),
    ],
    guards: written.flatMap(({ guard }) => guard),
    kept: await namesOf(ctx, reasons),
    restored: undone.filter(({ before }) => before !== null).length,
    removed: undone.filter(({ table, before }) => before === null && table !== "allocation").length,
    isLeft: reasons.size > 0,
  };
}

function writeStatements(ctx: AppContext, name: DeedTableName, rows: readonly DeedRow[]) {
  const table = DEED_TABLES[name];
  const changes = rows.flatMap((row) => {
    const planned = targetOf(row);
    if (typeof planned === "string" || planned.target === row.current) return [];
    return { row, target: planned.target };
  });
  const of = (which: (change: (typeof changes)[number]) => boolean) => changes.filter(which);
  return [
    ...write(
      table,
      of(({ target }) => target === null),
      (chunk) => ctx.db.run(sql`DELETE FROM ${sql.raw(table.name)} AS t WHERE ${isAmongKeys(table, chunk)}`),
    ),
    ...write(
      table,
      of(({ row, target }) => target !== null && row.current !== null),
      (chunk) => {
        const set = table.columns.filter((column) => !table.key.includes(column) && !table.derived.includes(column));
        const values = set.map((column) => sql`${sql.raw(column)} = g.value -> 2 ->> ${column}`);
        const next = table.derived.includes("version") ? sql`, version = t.version + 1` : sql``;
        return ctx.db.run(sql`UPDATE ${sql.raw(table.name)} AS t SET ${sql.join(values, sql`, `)}${next}
        FROM json_each(${chunk}) g WHERE ${hasRowKey(table, sql`(g.value -> 0)`)}`);
      },
    ),
    ...write(
      table,
      of(({ row, target }) => target !== null && row.current === null),
      (chunk) => {
        const values = table.columns.map((column) => sql`g.value -> 2 ->> ${column}`);
        return ctx.db.run(sql`INSERT INTO ${sql.raw(table.name)} (${sql.raw(table.columns.join(", "))})
        SELECT ${sql.join(values, sql`, `)} FROM json_each(${chunk}) g`);
      },
    ),
  ];
}

/** Rows as JSON: key, the row as it was read, and as it is written. */
function write(
  table: DeedTable,
  changes: readonly { row: DeedRow; target: RowValues | null }[],
  statementOf: (chunk: string) => ReturnType<AppContext["db"]["run"]>,
) {
  const rows = changes.map(({ row, target }) => [JSON.parse(row.key) as unknown, row.current, target]);
  return jsonArrays(rows).map((chunk) => ({
    statement: statementOf(chunk),
    guard: {
      holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${chunk}) g LEFT JOIN ${sql.raw(table.name)} t ON ${hasRowKey(table, sql`(g.value -> 0)`)}
        WHERE CASE WHEN t.${sql.raw(table.key[0] ?? "id")} IS NOT NULL THEN ${rowJson(table)} END IS NOT nullif(g.value ->> 1, 'null'))`,
      error: () => conflict("그사이 기록이 바뀌었습니다. 다시 되돌려 주십시오."),
    },
  }));
}

/** Sums paid dues and used deposits again; a deposit never pays more than it holds. */
function recountIds(ctx: AppContext, payments: readonly (RowValues | null)[]) {
  const idsOf = (key: string) => [...new Set(payments.flatMap((each) => (each?.[key] ? [text(each, key)] : [])))];
  const recount = (ids: readonly string[], statement: (chunk: string) => SQL) =>
    jsonArrays(ids).map((chunk) => ctx.db.run(statement(chunk)));
  return [
    ...recount(
      idsOf("due_id"),
      (chunk) => sql`UPDATE due SET paid = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE due_id = due.id)
        WHERE id IN (SELECT value FROM json_each(${chunk}))`,
    ),
    ...recount(
      idsOf("deposit_id"),
      (
        chunk,
      ) => sql`UPDATE deposit SET allocated = (SELECT coalesce(sum(amount), 0) FROM due_allocation WHERE deposit_id = deposit.id)
        WHERE id IN (SELECT value FROM json_each(${chunk}))`,
    ),
  ];
}

/** One line a person or deposit, with the first reason. */
async function namesOf(ctx: AppContext, reasons: ReadonlyMap<DeedRow, string>): Promise<KeptRow[]> {
  const kept = new Map<string, KeptRow>();
  const people = new Map<string, string>();
  for (const [{ table, key, person, before, after, current }, reason] of reasons) {
    const [id = ""] = JSON.parse(key) as string[];
    if (table === "deposit") {
      kept.set(id, { kind: "deposit", id, name: text(current ?? after, "payer"), reason });
      continue;
    }
    const alumniId = person || text(current ?? before ?? after, "alumni_id");
    const isNamedByDeposit = table === "allocation" && before === null;
    if (alumniId && !isNamedByDeposit) people.set(alumniId, reason);
  }
  for (const chunk of jsonArrays([...people.keys()])) {
    const named = await ctx.db.all<Pick<KeptRow, "kind" | "id" | "name">>(
      sql`SELECT ${KEPT_KIND} AS kind, id, name FROM alumni WHERE id IN (SELECT value FROM json_each(${chunk}))`,
    );
    for (const each of named) kept.set(each.id, { ...each, reason: people.get(each.id) ?? CHANGED });
  }
  return [...kept.values()];
}
