import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { addTrip, meterTrips, openTripMeter, summarizeTrips, TRIPS_KEPT } from "#db/client.ts";
import { HOUR_MS } from "#worker/contract/kernel/limits.ts";

const BEGIN = Date.parse("2026-11-25T03:00:00Z");
const META = { served_by_region: "APAC", served_by_primary: true };

test("percentiles are measured trips in any order", () => {
  const meter = openTripMeter();
  const order = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1);
  for (const [at, ms] of order.entries()) addTrip(meter, { at: BEGIN + at, ms, sqlMs: ms / 10 }, META);
  expect(summarizeTrips(meter, new Date(BEGIN + 100))).toEqual({
    region: "APAC",
    isPrimary: true,
    since: "2026-11-25T03:00:00.000Z",
    count: 100,
    medianMs: 50,
    percentile95Ms: 95,
    sqlMedianMs: 5,
  });
});

test("a meter keeps a bounded number of trips", () => {
  const meter = openTripMeter();
  const count = TRIPS_KEPT * 2.5;
  for (let at = 0; at < count; at++) addTrip(meter, { at: BEGIN + at, ms: at < TRIPS_KEPT ? 900 : 10, sqlMs: 1 });
  expect(meter.trips.length).toBe(TRIPS_KEPT);
  expect(summarizeTrips(meter, new Date(BEGIN + count))).toMatchObject({
    region: null,
    count: TRIPS_KEPT,
    percentile95Ms: 10,
  });
  const last = BEGIN + count - 1;
  expect(summarizeTrips(meter, new Date(last + HOUR_MS - 1)).count).toBe(1);
  expect(summarizeTrips(meter, new Date(last + HOUR_MS))).toMatchObject({ count: 0, medianMs: null });
});

test("a batch counts as one trip", async () => {
  const meter = openTripMeter();
  const d1 = meterTrips(env.DB, meter);
  await d1.batch([d1.prepare("SELECT 1"), d1.prepare("SELECT 2")]);
  await expect(d1.batch([d1.prepare("SELECT nothing")])).rejects.toThrow("nothing");
  await d1.exec("SELECT 1");
  expect([meter.trips.length, await d1.withSession().prepare("SELECT 3 AS n").first("n")]).toEqual([1, 3]);
});
