import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_splitSqlQuery as splitSql } from "wrangler";
import { LocalError } from "./local-error.ts";
import { CREATE_MIGRATION_TABLE, type Migration, migrationStatements } from "./migration-files.ts";
import { type DatabasePlace, executeStatements, PROJECT_ROOT, queryDatabase } from "./wrangler.ts";

const LIST_APPLIED = "SELECT name FROM d1_migrations";

/** The files of a folder in their order, cut into statements as tests, local sites and deployments all run them. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.toSorted().map((name) => {
    if (!/^[\w.-]+$/.test(name)) throw new LocalError(`마이그레이션 파일 이름에 쓸 수 없는 글자가 있습니다: ${name}`);
    return { name, queries: splitSql(readFileSync(join(folder, name), "utf8")) };
  });
}

/** Applies the files of `folder` that the database has not seen, each file as one batch: all of it, or none. */
export async function applyMigrations(db: D1Database, folder: string): Promise<void> {
  await db.prepare(CREATE_MIGRATION_TABLE).run();
  const { results } = await db.prepare(LIST_APPLIED).all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const migrations = readMigrations(folder);
  // Cutting them holds this process up, on a busy machine until workerd has closed the connection: its end is read first.
  await new Promise((turn) => setImmediate(turn));
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    try {
      await db.batch(migrationStatements(migration).map((sql) => db.prepare(sql)));
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
export function migrateDatabase(place: DatabasePlace, folder = join(PROJECT_ROOT, "migrations")): string[] {
  executeStatements(place, [CREATE_MIGRATION_TABLE]);
  const listApplied = () => queryDatabase<{ name: string }>(place, LIST_APPLIED).map(({ name }) => name);
  const before = listApplied();
  const now: string[] = [];
  for (const migration of readMigrations(folder)) {
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
