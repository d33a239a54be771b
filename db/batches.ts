export interface Batches {
  batch(statements: readonly string[]): Promise<void>;
  query<T>(sql: string): Promise<T[]>;
}

export const bindingBatches = (d1: D1Database): Batches => ({
  batch: async (statements) => void (await d1.batch(statements.map((sql) => d1.prepare(sql)))),
  query: async <T>(sql: string) => (await d1.prepare(sql).all<T>()).results,
});
