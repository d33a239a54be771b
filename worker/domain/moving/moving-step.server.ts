import { and, eq, sql } from "drizzle-orm";
import { moving, movingArchive } from "#db/schema/moving.ts";
import { type ByteSource, objectSource, type StoredEntry } from "#worker/adapters/zip-reader.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { MOVING_LIMITS, type MovingIssueCode } from "#worker/contract/moving/rules.ts";
import type { MovingCounts, MovingState } from "#worker/contract/moving/moving.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import { isBatchAborted, isLeaseOver, LEASE_MS } from "../kernel/guarded-batch.server.ts";

type MovingDbRow = typeof moving.$inferSelect;
export type ArchiveDbRow = typeof movingArchive.$inferSelect;

/** An invocation is limited to 1,000 statements and 30 seconds of CPU. */
export interface MovingBudget {
  statements: number;
  bytes: number;
  ms: number;
}
export const MOVING_STEP_BUDGET: MovingBudget = { statements: 400, bytes: 64 * 1024 * 1024, ms: 12_000 };

/** Steps that may end without a result before the move stops. */
const INTERRUPTIONS_MAX = 30;

interface NamedIssue {
  code: MovingIssueCode;
  subject: string;
  detail: string;
  count: number;
}

class LeaseLost extends Error {}

export class MovingStep {
  readonly ctx: AppContext;
  readonly row: MovingDbRow;
  archives: readonly ArchiveDbRow[];
  state: MovingState;
  #budget: MovingBudget;
  #until: number;
  #spent = { statements: 0, bytes: 0 };
  #issues: NamedIssue[] = [];

  constructor(ctx: AppContext, row: MovingDbRow, archives: readonly ArchiveDbRow[], budget: MovingBudget) {
    this.ctx = ctx;
    this.row = row;
    this.archives = archives;
    this.state = structuredClone(row.state);
    this.#budget = budget;
    this.#until = ctx.now().getTime() + budget.ms;
  }

  /** Reloads the archives, whose prefix is found while reading their directory. */
  async readArchivesAgain(): Promise<void> {
    this.spend(1);
    this.archives = await readArchives(this.ctx, this.row.id);
  }

  get d1(): D1Database {
    return this.ctx.db.$client;
  }

  spend(statements: number, bytes = 0): void {
    this.#spent.statements += statements;
    this.#spent.bytes += bytes;
  }

  isSpent(): boolean {
    const { statements, bytes } = this.#spent;
    return (
      statements >= this.#budget.statements || bytes >= this.#budget.bytes || this.ctx.now().getTime() > this.#until
    );
  }

  addIssue(code: MovingIssueCode, subject: string, detail = "", count = 1): void {
    this.#issues.push({ code, subject: subject.slice(0, 500), detail: detail.slice(0, 300), count });
  }

  count(kind: "committed" | "already" | "removed", what: keyof MovingCounts, by = 1): void {
    this.state[kind][what] += by;
  }

  sourceOf(archiveId: string): ByteSource {
    const archive = requirePresent(this.archives.find(({ id }) => id === archiveId));
    return objectSource(this.ctx.files, archive.storageKey, archive.size);
  }

  async findEntry(archiveId: string, name: string): Promise<StoredEntry | null> {
    this.spend(1);
    const row = await this.d1
      .prepare(
        `SELECT name, "offset", compressed_size AS compressedSize, size, method, crc FROM moving_entry WHERE archive_id = ?1 AND name = ?2`,
      )
      .bind(archiveId, name)
      .first<StoredEntry>();
    return row ?? null;
  }

  /**
   * Commits work and progress atomically while the step holds the lease. @param ended the final state with the last
   * portion
   */
  async commit(statements: readonly D1PreparedStatement[], ended: Partial<MovingDbRow> = {}): Promise<D1Result[]> {
    const issues = this.#issues;
    this.#issues = [];
    for (const { code, count } of issues) this.state.issues[code] = (this.state.issues[code] ?? 0) + count;
    const { id, leaseId } = this.row;
    const values = { state: this.state, leaseDate: new Date(this.ctx.now().getTime() + LEASE_MS), ...ended };
    const save = this.ctx.db
      .update(moving)
      .set(values)
      .where(and(eq(moving.id, id), eq(moving.leaseId, leaseId)))
      .toSQL();
    const batch = [
      this.d1
        .prepare(
          "INSERT INTO rate_limit (key, count, reset_date) SELECT NULL, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM moving WHERE id = ?1 AND lease_id = ?2)",
        )
        .bind(id, leaseId),
      ...statements,
      ...this.#issueStatements(issues),
      this.d1.prepare(save.sql).bind(...save.params),
    ];
    this.spend(batch.length);
    try {
      const results = await this.d1.batch(batch);
      return results.slice(1, 1 + statements.length);
    } catch (cause) {
      throw isBatchAborted(cause) ? new LeaseLost("moving step", { cause }) : cause;
    }
  }

  #issueStatements(issues: NamedIssue[]): D1PreparedStatement[] {
    const total = Object.values(this.state.issues).reduce((sum, count) => sum + count, 0);
    if (issues.length === 0 || total > MOVING_LIMITS.issuesKept) return [];
    return jsonArrays(issues).map((json) =>
      this.d1
        .prepare(
          `INSERT OR IGNORE INTO moving_issue (moving_id, code, subject, detail)
           SELECT ?1, value ->> 'code', value ->> 'subject', value ->> 'detail' FROM json_each(?2)`,
        )
        .bind(this.row.id, json),
    );
  }
}

export async function findMovingWork(ctx: AppContext): Promise<MovingDbRow | null> {
  const [row] = await ctx.db
    .select()
    .from(moving)
    .where(sql`${moving.status} IN ('checking', 'committing', 'undoing')`)
    .limit(1);
  return row ?? null;
}

/** @returns null while another step holds the lease */
export async function claimMovingStep(
  ctx: AppContext,
  row: MovingDbRow,
  budget: MovingBudget,
): Promise<MovingStep | null> {
  const now = ctx.now();
  const [claimed] = await ctx.db
    .update(moving)
    .set({
      leaseId: crypto.randomUUID(),
      leaseDate: new Date(now.getTime() + LEASE_MS),
      interruptions: row.leaseId === "" ? 0 : sql`${moving.interruptions} + 1`,
    })
    .where(
      and(
        eq(moving.id, row.id),
        eq(moving.status, row.status),
        eq(moving.leaseId, row.leaseId),
        isLeaseOver(moving.leaseDate, now),
      ),
    )
    .returning();
  if (!claimed) return null;
  return new MovingStep(ctx, claimed, await readArchives(ctx, row.id), budget);
}

async function readArchives(ctx: AppContext, movingId: string): Promise<ArchiveDbRow[]> {
  const archives = await ctx.db
    .select()
    .from(movingArchive)
    .where(and(eq(movingArchive.movingId, movingId), eq(movingArchive.status, "ready")))
    .orderBy(movingArchive.kind, movingArchive.createdDate);
  return archives.toReversed();
}

/** Runs a step and always releases the lease. */
export async function runMovingStep(step: MovingStep, work: (step: MovingStep) => Promise<void>): Promise<void> {
  const { ctx, row } = step;
  const release = (error: string) =>
    ctx.db
      .update(moving)
      .set({ leaseId: "", leaseDate: null, error })
      .where(and(eq(moving.id, row.id), eq(moving.leaseId, row.leaseId)));
  if (row.interruptions > INTERRUPTIONS_MAX) {
    await release("여러 번 중단되어 멈추었습니다. '다시 시도'를 눌러 주십시오.");
    return;
  }
  try {
    await work(step);
    await release("");
  } catch (cause) {
    if (cause instanceof LeaseLost) return;
    await release("잠시 멈추었습니다. 1분 안에 저절로 이어 갑니다.");
    throw cause;
  }
}
