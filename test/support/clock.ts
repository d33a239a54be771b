const start = process.env.CLOCK;
/** The clock of the machine, also for the next test file. */
const clocks = globalThis as { RealDate?: DateConstructor };
const Real = (clocks.RealDate ??= Date);

/** How far `CLOCK` moves Date from the clock by which R2 dates its objects. */
const CLOCK_OFFSET_MS = start ? Real.parse(start) - Real.now() : 0;

const NOON_UTC_MS = 3 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** The last noon in Korea, past the hour of the nightly backup, by the clock by which R2 dates its objects. */
export const LAST_NOON_MS = Math.floor((Real.now() - NOON_UTC_MS) / DAY_MS) * DAY_MS + NOON_UTC_MS;

/** `CLOCK=2026-12-31T15:00:00Z` begins the run at that moment. Date passes on from there, unless a test moves it. */
if (start) {
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [Real.now() + CLOCK_OFFSET_MS] : args, newTarget) as Date,
    get: (target, key, receiver) =>
      key === "now" ? () => Real.now() + CLOCK_OFFSET_MS : (Reflect.get(target, key, receiver) as unknown),
  });
}
