export function countRowsReadDatabase(d1: D1Database): {
  DB: D1Database;
  rows: () => number;
  trips: () => number;
  batches: () => number;
} {
  let rows = 0;
  let trips = 0;
  let batches = 0;
  const add = <T>(result: D1Result<T>): D1Result<T> => {
    rows += result.meta.rows_read;
    return result;
  };
  const originals = new WeakMap<object, D1PreparedStatement>();
  const audits = new WeakSet<object>();
  const wrap = (statement: D1PreparedStatement, isAudit: boolean): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), isAudit),
      all: async () => ((trips += 1), add(await statement.all())),
      run: async () => ((trips += 1), add(await statement.run())),
      // `first` and `raw` return no metadata, so the statement runs a second time.
      first: async (...names: string[]) => (
        (trips += 1),
        add(await statement.all()),
        statement.first(...(names as [string]))
      ),
      raw: async () => ((trips += 1), add(await statement.all()), statement.raw()),
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, statement);
    if (isAudit) audits.add(wrapped);
    return wrapped;
  };
  const DB = {
    prepare: (sql: string) => wrap(d1.prepare(sql), sql.startsWith('insert into "audit_log"')),
    batch: async (statements: D1PreparedStatement[]) => {
      trips += 1;
      // Deferred: the record of a look.
      if (!statements.some((statement) => audits.has(statement))) batches += 1;
      return (await d1.batch(statements.map((statement) => originals.get(statement) ?? statement))).map(add);
    },
  } as unknown as D1Database;
  return { DB, rows: () => rows, trips: () => trips, batches: () => batches };
}
