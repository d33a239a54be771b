import type { Batches } from "#db/batches.ts";
import { LocalError } from "./local-error.ts";
import { CREATE_MIGRATION_TABLE, type Migration, migrationStatements } from "./migration-files.ts";
import { type DatabasePlace, executeStatements, queryEach } from "./wrangler.ts";

const LIST_APPLIED = "SELECT name FROM d1_migrations";

/** Applies what the database has not seen, each file as one batch: all of it, or none. */
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
 * The same by way of wrangler, for a database elsewhere. Each file goes as an import, which D1 runs whole or undoes; a
 * query of many statements is cut by D1 itself, and not at the `END` of a trigger. @returns the files that were applied now
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
      // An answer that was lost is no failure: the ledger has the last word.
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
