const start = process.env.CLOCK;

/** `CLOCK=2026-12-31T15:00:00Z` begins the run at that moment. Date passes on from there, unless a test moves it. */
if (start) {
  const Real = Date;
  const offset = Real.parse(start) - Real.now();
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [Real.now() + offset] : args, newTarget) as Date,
    get: (target, key, receiver) =>
      key === "now" ? () => Real.now() + offset : (Reflect.get(target, key, receiver) as unknown),
  });
}
