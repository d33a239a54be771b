import { AsyncLocalStorage } from "node:async_hooks";

// Limits of D1, KV, R2 and Workers (Workers Paid) that workerd does not enforce. Imports nothing, because it also wraps
// the built Worker.

export const PLATFORM_LIMITS = {
  statementsPerInvocation: 1000,
  subrequestsPerInvocation: 10_000,
  parametersPerStatement: 100,
  statementBytes: 100_000,
  valueBytes: 2_000_000,
  batchMs: 30_000,
  writesApartMs: 1000,
  kvKeyBytes: 512,
  r2DeletedKeys: 1000,
} as const;

/** D1 milliseconds for a row, measured in this project and rounded up. */
const READ_MS = 0.002;
const WRITTEN_MS = 0.05;

/** Usage of one Worker run: a request or a scheduled run. */
export class Invocation {
  readonly sql = new Set<string>();
  statements = 0;
  subrequests = 0;

  addStatements(count: number): void {
    this.statements += count;
    this.addSubrequest();
    if (this.statements > PLATFORM_LIMITS.statementsPerInvocation)
      refuse(`D1_ERROR: Too many API requests by single Worker invocation (${this.statements} statements).`);
  }

  addSubrequest(): void {
    this.subrequests += 1;
    if (this.subrequests > PLATFORM_LIMITS.subrequestsPerInvocation)
      refuse(`Too many subrequests by single Worker invocation (${this.subrequests}).`);
  }
}

const invocations = new AsyncLocalStorage<Invocation>();
/** Runs `work` as one invocation. Outside of any only sizes are limited. */
export const runInvocation = <T>(work: () => T, invocation = new Invocation()): T => invocations.run(invocation, work);

/** Returns refusals since the last call; the product may have caught them. */
const refusals: string[] = [];
export const takeRefusals = (): string[] => refusals.splice(0);

function refuse(message: string): never {
  refusals.push(message);
  throw new Error(message);
}

const encoder = new TextEncoder();
const byteLength = (value: string) => encoder.encode(value).byteLength;

function valueBytes(value: unknown): number {
  if (typeof value === "string") return value.length * 3 > PLATFORM_LIMITS.valueBytes ? byteLength(value) : 0;
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}

function checkSql(sql: string): void {
  if (byteLength(sql) > PLATFORM_LIMITS.statementBytes)
    refuse(`D1_ERROR: statement too long: SQLITE_TOOBIG (${byteLength(sql)} bytes)`);
}

function checkParameters(sql: string, values: readonly unknown[]): void {
  if (values.length > PLATFORM_LIMITS.parametersPerStatement)
    refuse(`D1_ERROR: too many SQL variables (${values.length}): ${sql.slice(0, 200)}`);
  const long = values.map(valueBytes).find((bytes) => bytes > PLATFORM_LIMITS.valueBytes);
  if (long) refuse(`D1_ERROR: string or blob too big: SQLITE_TOOBIG (${long} bytes): ${sql.slice(0, 200)}`);
}

export const estimateMs = (metas: readonly { rows_read?: number; rows_written?: number }[]): number =>
  metas.reduce((sum, meta) => sum + (meta.rows_read ?? 0) * READ_MS + (meta.rows_written ?? 0) * WRITTEN_MS, 0);

function checkResults<T>(results: D1Result<T>[]): void {
  const ms = estimateMs(results.map(({ meta }) => meta));
  if (ms > PLATFORM_LIMITS.batchMs)
    refuse(`D1_ERROR: D1 DB exceeded its CPU time limit and was reset (about ${Math.round(ms)} ms).`);
  for (const { results: rows } of results)
    for (const row of rows ?? [])
      for (const value of Object.values(row as object))
        if (valueBytes(value) > PLATFORM_LIMITS.valueBytes) refuse("D1_ERROR: string or blob too big: SQLITE_TOOBIG");
}

type Current = () => Invocation | undefined;

/** Metering again for another invocation wraps the original. */
const unmetered = new WeakMap<object, object>();
const originalOf = <T extends object>(binding: T): T => (unmetered.get(binding) ?? binding) as T;
function keepOriginal<T extends object>(metered: T, original: T): T {
  unmetered.set(metered, original);
  return metered;
}
const originals = new WeakMap<object, D1PreparedStatement>();

function meterStatement(statement: D1PreparedStatement, sql: string, current: Current): D1PreparedStatement {
  const metered = new Proxy(statement, {
    get(target, key) {
      if (key === "bind")
        return (...values: unknown[]) => {
          checkParameters(sql, values);
          return meterStatement(target.bind(...values), sql, current);
        };
      const member = target[key as keyof D1PreparedStatement] as unknown;
      if (typeof member !== "function" || key === "constructor") return member;
      return async (...values: unknown[]) => {
        current()?.addStatements(1);
        const answer = await (member as (...given: unknown[]) => Promise<unknown>).apply(target, values);
        if (key === "all" || key === "run") checkResults([answer as D1Result<unknown>]);
        return answer;
      };
    },
  });
  originals.set(metered, statement);
  return metered;
}

const running: Current = () => invocations.getStore();

/** A database with the limits of D1. @param current invocation to charge, by default the running one */
export function meterDatabase<T extends D1Database | D1DatabaseSession>(d1: T, current: Current = running): T {
  const original = originalOf(d1);
  const metered = new Proxy(original, {
    get(target, key) {
      const member = (target as D1Database)[key as keyof D1Database] as unknown;
      if (typeof member !== "function" || key === "constructor") return member;
      if (key === "prepare")
        return (sql: string) => {
          checkSql(sql);
          current()?.sql.add(sql);
          return meterStatement(target.prepare(sql), sql, current);
        };
      if (key === "batch")
        return async (statements: D1PreparedStatement[]) => {
          current()?.addStatements(statements.length);
          const results = await target.batch(statements.map((each) => originals.get(each) ?? each));
          checkResults(results);
          return results;
        };
      if (key === "withSession")
        return (...given: [string?]) => meterDatabase((target as D1Database).withSession(...given), current);
      return (...values: unknown[]) => {
        current()?.addStatements(1);
        return (member as (...given: unknown[]) => unknown).apply(target, values);
      };
    },
  });
  return keepOriginal(metered, original);
}

// Saved before a test can fake the clock.
const RealDate = Date;
let lastWrites = new Map<string, { real: number; clock: number }>();
let staleValues: Map<string, unknown> | null = null;

/** Forgets earlier writes and stale reads before each test. */
export function resetMeter(): void {
  lastWrites = new Map();
  staleValues = null;
  refusals.length = 0;
}

/** From now on KV returns the first value of each key, like a remote location for 60 seconds. */
export function readStaleValues(): void {
  staleValues = new Map();
}

/** One write a second for a key, by real or fake clock. */
function checkWriteRate(store: string, key: string): void {
  const name = `${store} ${key}`;
  const last = lastWrites.get(name);
  const now = { real: RealDate.now(), clock: Date.now() };
  const apart = PLATFORM_LIMITS.writesApartMs;
  if (last && now.real - last.real < apart && Math.abs(now.clock - last.clock) < apart)
    // Not recorded as a refusal, because the product must handle it.
    throw new Error(`${store} PUT failed: 429 Too Many Requests (${key})`);
  lastWrites.set(name, now);
}

function meterCalls<T extends object>(
  binding: T,
  current: Current,
  meterCall: (name: string, values: readonly unknown[], call: () => unknown) => unknown,
): T {
  const original = originalOf(binding);
  const metered = new Proxy(original, {
    get(target, key) {
      const member = target[key as keyof T] as unknown;
      if (typeof member !== "function" || key === "constructor") return member;
      return (...values: unknown[]) => {
        current()?.addSubrequest();
        return meterCall(String(key), values, () => (member as (...given: unknown[]) => unknown).apply(target, values));
      };
    },
  });
  return keepOriginal(metered, original);
}

export function meterKeyValues(kv: KVNamespace, current: Current = running): KVNamespace {
  return meterCalls(kv, current, async (key, values, call) => {
    const name = String(values[0]);
    if ((key === "put" || key === "delete") && byteLength(name) > PLATFORM_LIMITS.kvKeyBytes)
      refuse(`KV ${key} failed: 414 UTF-8 encoded length of ${byteLength(name)} exceeds key length limit of 512.`);
    if (key === "put") checkWriteRate("KV", name);
    if (key !== "get" || !staleValues) return call();
    if (!staleValues.has(name)) staleValues.set(name, await call());
    return staleValues.get(name);
  });
}

export function meterBucket(bucket: R2Bucket, current: Current = running): R2Bucket {
  return meterCalls(bucket, current, (key, values, call) => {
    if (key === "delete" && Array.isArray(values[0]) && values[0].length > PLATFORM_LIMITS.r2DeletedKeys)
      refuse(`delete: The list of keys is longer than 1000 (${values[0].length}). (10042)`);
    if (key !== "put") return call();
    const name = String(values[0]);
    // Rejects instead of throwing, like R2.
    const write = async () => {
      checkWriteRate("R2", name);
      try {
        return await call();
      } catch (cause) {
        // An aborted upload was not written.
        lastWrites.delete(`R2 ${name}`);
        throw cause;
      }
    };
    return write();
  });
}

export const meterFetch = <T extends typeof fetch>(plain: T): T =>
  ((...given: Parameters<T>) => {
    running()?.addSubrequest();
    return plain(...(given as Parameters<typeof fetch>));
  }) as T;

export interface Bindings {
  DB: D1Database;
  SCRATCH: D1Database;
  FILES: R2Bucket;
  BACKUPS: R2Bucket;
  KV: KVNamespace;
}

export const isMetered = (env: Bindings): boolean => unmetered.has(env.DB);

export function meterBindings(env: Bindings, current: Current = running): Bindings {
  return {
    DB: meterDatabase(env.DB, current),
    SCRATCH: meterDatabase(env.SCRATCH, current),
    FILES: meterBucket(env.FILES, current),
    BACKUPS: meterBucket(env.BACKUPS, current),
    KV: meterKeyValues(env.KV, current),
  };
}
