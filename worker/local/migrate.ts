import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_splitSqlQuery as splitSql } from "wrangler";
import { LocalError } from "./local-error.ts";

// The table of `wrangler d1 migrations apply`, word for word: either tool goes on where the other stopped.
const CREATE_MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies the files of `folder` that the database has not seen, each file as one batch: all of it, or none. */
export async function applyMigrations(db: D1Database, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await db.prepare(CREATE_MIGRATION_TABLE).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.toSorted()) {
    if (applied.has(name)) continue;
    const statements = splitSql(readFileSync(join(folder, name), "utf8")).map((sql) => db.prepare(sql));
    statements.push(db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name));
    try {
      await db.batch(statements);
    } catch (error) {
      throw new LocalError(`마이그레이션 ${name}을(를) 적용하지 못했습니다: ${(error as Error).message}`);
    }
  }
}
