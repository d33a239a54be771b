/** A database that takes statements as texts: by its binding, or in another process. */
export interface Batches {
  /** The statements together, or none of them. */
  batch(statements: readonly string[]): Promise<void>;
  query<T>(sql: string): Promise<T[]>;
}

export const bindingBatches = (d1: D1Database): Batches => ({
  batch: async (statements) => void (await d1.batch(statements.map((sql) => d1.prepare(sql)))),
  query: async <T>(sql: string) => (await d1.prepare(sql).all<T>()).results,
});
