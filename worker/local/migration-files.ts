// What a migration is, in words that run anywhere: on a machine that deploys, and in the tests inside workerd.

// The table of `wrangler d1 migrations apply`, word for word: either tool goes on where the other stopped.
export const CREATE_MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
export type Migration = { name: string; queries: string[] };

/** A file with its row in the ledger: whoever runs these runs them together, all or none. */
export const migrationStatements = ({ name, queries }: Migration): string[] => [
  ...queries,
  `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
];
