import { drizzle } from "drizzle-orm/d1";
import { meterTrips, openTripMeter, summarizeTrips, type TripMeter } from "./trips.ts";

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
