import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyByBatch, applyByImport, type Migration } from "./apply-migrations.ts";
import { readClosedConnections } from "./closed-connections.ts";
import { LocalError } from "./local-error.ts";
import type { Project } from "./project.ts";
import { requireWrangler } from "./require.ts";
import { type DatabasePlace, PROJECT_ROOT } from "./wrangler.ts";

/** Splits files into statements, as tests, local sites and deployments run them. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return [];
  const { unstable_splitSqlQuery: splitSql } = requireWrangler();
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return files.toSorted().map((name) => {
    if (!/^[\w.-]+$/.test(name)) throw new LocalError(`마이그레이션 파일 이름에 쓸 수 없는 글자가 있습니다: ${name}`);
    return { name, queries: splitSql(readFileSync(join(folder, name), "utf8")) };
  });
}

export function loadProject(): Project {
  const { workerOptions } = requireWrangler().unstable_getMiniflareWorkerOptions(join(PROJECT_ROOT, "wrangler.toml"));
  const { compatibilityDate, d1Databases, r2Buckets } = workerOptions as Project["storage"];
  return {
    migrations: readMigrations(join(PROJECT_ROOT, "migrations")),
    storage: { compatibilityDate, d1Databases, r2Buckets },
  };
}

export const applyMigrations = (db: D1Database, folder: string): Promise<void> =>
  applyByBatch(
    {
      batch: async (statements) => {
        const prepared = statements.map((sql) => db.prepare(sql));
        await readClosedConnections();
        await db.batch(prepared);
      },
      query: async <T>(sql: string) => {
        const prepared = db.prepare(sql);
        await readClosedConnections();
        return (await prepared.all<T>()).results;
      },
    },
    readMigrations(folder),
  );

export const migrateDatabase = (place: DatabasePlace, folder = join(PROJECT_ROOT, "migrations")): string[] =>
  applyByImport(place, readMigrations(folder));
