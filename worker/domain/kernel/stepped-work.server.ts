import { and, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { prepareStatement } from "#db/batch.ts";
import type { AppContext } from "./context.ts";
import { abortBatchUnless, isBatchAborted } from "./guarded-batch.server.ts";

interface WorkRow {
  id: string;
  leaseId: string;
  /** Steps in a row that ended without a result. */
  interruptions: number;
  state: unknown;
}
/** A row is one long work: its lease (`leaseColumns`), progress, and the error that the office reads. */
type WorkTable<Row> = SQLiteTable & { $inferSelect: Row } & Record<
    keyof WorkRow | "leaseDate" | "status" | "error",
    SQLiteColumn
  >;
type WorkContext = Pick<AppContext, "db" | "now">;

/** Limits of one step, below an invocation's 1,000 statements and 30 seconds of CPU. */
export interface StepBudget {
  statements: number;
  bytes: number;
  ms: number;
}
const UNLIMITED: StepBudget = { statements: Infinity, bytes: Infinity, ms: Infinity };

const LEASE_MS = 5 * 60_000;
const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** True for a missing, expired or implausibly long lease, which a fast clock could set. */
const isLeaseOver = (until: SQLiteColumn, now: Date) =>
  or(isNull(until), lt(until, now), gt(until, new Date(now.getTime() + 2 * LEASE_MS)));

class LeaseLost extends Error {}

/** Takes the lease of the open work. @returns null without such work, or while another step holds the lease */
export async function claimWork<Row extends WorkRow>(ctx: WorkContext, table: WorkTable<Row>, isOpen: SQL) {
  const now = ctx.now();
  const claim = {
    leaseId: crypto.randomUUID(),
    leaseDate: leaseEnd(now),
    interruptions: sql`iif(${table.leaseId} = '', 0, ${table.interruptions} + 1)`,
  };
  const rows = await ctx.db
    .update(table)
    .set(claim)
    .where(and(isOpen, isLeaseOver(table.leaseDate, now)))
    .returning();
  return (rows[0] as Row | undefined) ?? null;
}

/** One step of a claimed work, in one invocation. */
export class WorkStep<Row extends WorkRow, Context extends WorkContext = WorkContext> {
  readonly ctx: Context;
  readonly row: Row;
  state: Row["state"];
  readonly #table: WorkTable<Row>;
  readonly #left: StepBudget;

  constructor(ctx: Context, table: WorkTable<Row>, row: Row, { ms, ...budget }: StepBudget = UNLIMITED) {
    this.ctx = ctx;
    this.row = row;
    this.state = row.state;
    this.#table = table;
    this.#left = { ...budget, ms: ctx.now().getTime() + ms };
  }

  get d1(): D1Database {
    return this.ctx.db.$client;
  }

  spend(statements: number, bytes = 0): void {
    this.#left.statements -= statements;
    this.#left.bytes -= bytes;
  }

  isSpent(): boolean {
    const { statements, bytes, ms } = this.#left;
    return statements <= 0 || bytes <= 0 || this.ctx.now().getTime() > ms;
  }

  get #isHeld(): SQL {
    const { id, leaseId } = this.#table;
    return sql`${eq(id, this.row.id)} AND ${eq(leaseId, this.row.leaseId)}`;
  }

  /** Writes work and progress in one batch and renews the lease; a new status ends it. @throws LeaseLost */
  async commit(statements: readonly D1PreparedStatement[] = [], values: Partial<Row> = {}): Promise<void> {
    const { db, now } = this.ctx;
    const lease = "status" in values ? { leaseId: "", leaseDate: null, error: "" } : { leaseDate: leaseEnd(now()) };
    const batch = [
      prepareStatement(
        db,
        abortBatchUnless(this.ctx, sql`EXISTS (SELECT 1 FROM ${this.#table} WHERE ${this.#isHeld})`),
      ),
      ...statements,
      prepareStatement(
        db,
        db
          .update(this.#table)
          .set({ state: this.state ?? undefined, ...lease, ...values })
          .where(this.#isHeld),
      ),
    ];
    this.spend(batch.length);
    try {
      await this.d1.batch(batch);
    } catch (cause) {
      throw isBatchAborted(cause) ? new LeaseLost("stepped work", { cause }) : cause;
    }
  }

  /** @param error reason of a pause */
  async release(error = ""): Promise<void> {
    await this.ctx.db.update(this.#table).set({ leaseId: "", leaseDate: null, error }).where(this.#isHeld);
  }

  /**
   * Runs the step and releases the lease, which a killed step keeps. A step that lost it writes nothing more.
   * @param fail stores the error of a failed step
   */
  async run(work: () => Promise<void>, fail: (cause: unknown) => Promise<void>): Promise<void> {
    try {
      await work();
      await this.release();
    } catch (cause) {
      if (cause instanceof LeaseLost) return;
      await fail(cause).catch((lost: unknown) => {
        if (!(lost instanceof LeaseLost)) throw lost;
      });
      throw cause;
    }
  }
}

/** First words only, because failed statements contain personal data. */
export function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return "";
  return failure.message
    .replace(/\n.*$/s, "")
    .replace(/^Failed query:.*/, "Failed query")
    .slice(0, 200);
}
