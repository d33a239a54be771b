import type { Batches } from "#db/batch.ts";
import { LocalError } from "./local-error.ts";
import { type DatabasePlace, executeStatements, queryEach } from "./wrangler.ts";

const LIST_APPLIED = "SELECT name FROM d1_migrations";

/** Applies each pending file as one atomic batch. */
export async function applyByBatch({ batch, query }: Batches, migrations: readonly Migration[]): Promise<void> {
  await batch([CREATE_MIGRATION_TABLE]);
  const applied = new Set((await query<{ name: string }>(LIST_APPLIED)).map(({ name }) => name));
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    try {
      await batch(migrationStatements(migration));
    } catch (error) {
      throw migrationFailure(migration.name, [...applied], error);
    }
    applied.add(migration.name);
  }
}

/**
 * Uses wrangler imports, which D1 runs atomically; it splits long queries wrongly at a trigger's `END`. @returns the
 * files applied now
 */
export function applyByImport(place: DatabasePlace, migrations: readonly Migration[]): string[] {
  const listApplied = () =>
    (queryEach(place, [CREATE_MIGRATION_TABLE, LIST_APPLIED])[1] as { name: string }[]).map(({ name }) => name);
  const before = listApplied();
  const now: string[] = [];
  for (const migration of migrations) {
    if (before.includes(migration.name)) continue;
    try {
      executeStatements(place, migrationStatements(migration));
    } catch (error) {
      // A lost response may hide a success, so the ledger decides.
      if (!listApplied().includes(migration.name)) throw migrationFailure(migration.name, [...before, ...now], error);
    }
    now.push(migration.name);
  }
  return now;
}

function migrationFailure(name: string, applied: readonly string[], cause: unknown): LocalError {
  const last = applied.toSorted().at(-1);
  return new LocalError(
    `적용하지 못한 마이그레이션: ${name}. 이 파일의 내용은 하나도 남지 않았고, ` +
      `${last ? `${last}까지는 적용되어 있습니다` : "적용된 마이그레이션은 없습니다"}. ` +
      `파일을 고친 뒤 다시 실행하면 ${name}부터 이어집니다.\n${(cause as Error).message}`,
  );
}

// Free of platform APIs: runs in deployments and in tests inside workerd.

// Same table as `wrangler d1 migrations apply`, so that either tool can continue.
export const CREATE_MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
export type Migration = { name: string; queries: string[] };

export const migrationStatements = ({ name, queries }: Migration): string[] => [
  ...queries,
  `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
];
