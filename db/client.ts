import { drizzle } from "drizzle-orm/d1";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";

export const TRIPS_KEPT = 1000;

interface Trip {
  at: number;
  ms: number;
  sqlMs: number;
}

/** Batches of this isolate, in memory; the newest replace the oldest. */
export interface TripMeter {
  region: string | null;
  isPrimary: boolean | null;
  since: number;
  trips: Trip[];
  next: number;
}

export const openTripMeter = (): TripMeter => ({ region: null, isPrimary: null, since: 0, trips: [], next: 0 });

export function addTrip(meter: TripMeter, trip: Trip, meta: Partial<D1Meta> = {}): void {
  meter.since ||= trip.at;
  meter.region = meta.served_by_region ?? null;
  meter.isPrimary = meta.served_by_primary ?? null;
  meter.trips[meter.next] = trip;
  meter.next = (meter.next + 1) % TRIPS_KEPT;
}

/** Percentiles by the nearest rank. */
export function summarizeTrips({ region, isPrimary, since, trips }: TripMeter, now: Date) {
  const recent = trips.filter(({ at }) => at > now.getTime() - HOUR_MS);
  const rank = (key: "ms" | "sqlMs", part: number) =>
    recent.map((trip) => Math.round(trip[key])).toSorted((a, b) => a - b)[Math.ceil(recent.length * part) - 1] ?? null;
  return {
    region,
    isPrimary,
    since: since ? new Date(since).toISOString() : null,
    count: recent.length,
    medianMs: rank("ms", 0.5),
    percentile95Ms: rank("ms", 0.95),
    sqlMedianMs: rank("sqlMs", 0.5),
  };
}

/** Measures batches, in which pages and writes reach D1. */
export function meterTrips(d1: D1Database, meter: TripMeter): D1Database {
  const batch = async <T>(statements: D1PreparedStatement[]) => {
    const at = Date.now();
    const results = await d1.batch<T>(statements);
    const sqlMs = results.reduce((sum, { meta }) => sum + meta.duration, 0);
    addTrip(meter, { at, ms: Date.now() - at, sqlMs }, results[0]?.meta);
    return results;
  };
  return {
    batch,
    prepare: (query) => d1.prepare(query),
    exec: (query) => d1.exec(query),
    withSession: (start) => d1.withSession(start),
    dump: () => d1.dump(),
  };
}

const openDatabase = (d1: D1Database) => drizzle(d1, { casing: "snake_case" });

/** Shared by all requests of a binding: a connection keeps no request state. */
const connections = new WeakMap<D1Database, Db>();
const meters = new WeakMap<Db, TripMeter>();

export function connectDatabase(d1: D1Database): Db {
  const known = connections.get(d1);
  if (known) return known;
  const meter = openTripMeter();
  const db = openDatabase(meterTrips(d1, meter));
  connections.set(d1, db);
  meters.set(db, meter);
  return db;
}

export const tripsOf = (db: Db, now: Date) => summarizeTrips(meters.get(db) ?? openTripMeter(), now);

export type Db = ReturnType<typeof openDatabase>;
