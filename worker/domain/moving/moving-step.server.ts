import { and, eq } from "drizzle-orm";
import { type moving, movingArchive } from "#db/schema/moving.ts";
import { type ByteSource, objectSource, type StoredEntry } from "#worker/adapters/zip-reader.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { MOVING_LIMITS, type MovingIssueCode } from "#worker/contract/moving/rules.ts";
import type { MovingCounts } from "#worker/contract/moving/moving.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import { type StepBudget, WorkStep } from "../kernel/stepped-work.server.ts";

type MovingDbRow = typeof moving.$inferSelect;
export type ArchiveDbRow = typeof movingArchive.$inferSelect;

export const MOVING_STEP_BUDGET: StepBudget = { statements: 400, bytes: 64 * 1024 * 1024, ms: 12_000 };

interface NamedIssue {
  code: MovingIssueCode;
  subject: string;
  detail: string;
  count: number;
}

export class MovingStep extends WorkStep<MovingDbRow, AppContext> {
  archives: readonly ArchiveDbRow[] = [];
  #issues: NamedIssue[] = [];

  /** Read again after a directory, which sets the prefix of its archive. */
  async readArchives(): Promise<void> {
    this.spend(1);
    const archives = await this.ctx.db
      .select()
      .from(movingArchive)
      .where(and(eq(movingArchive.movingId, this.row.id), eq(movingArchive.status, "ready")))
      .orderBy(movingArchive.kind, movingArchive.createdDate);
    this.archives = archives.toReversed();
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

  override async commit(
    statements: readonly D1PreparedStatement[] = [],
    values: Partial<MovingDbRow> = {},
  ): Promise<void> {
    const issues = this.#issues;
    this.#issues = [];
    for (const { code, count } of issues) this.state.issues[code] = (this.state.issues[code] ?? 0) + count;
    await super.commit([...statements, ...this.#issueStatements(issues)], values);
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
