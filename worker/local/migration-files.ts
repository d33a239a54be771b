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
