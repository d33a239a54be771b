import { METERED_WORKER } from "./metered-worker.ts";

/** Moves the clock of the realm that evaluates it by `ms`. */
export const shiftClock = (ms: number): void => {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...parts: []) {
      super(...(parts.length === 0 ? ([RealDate.now() + ms] as unknown as []) : parts));
    }
    static override now = () => RealDate.now() + ms;
  } as DateConstructor;
};

/** The metered Worker with its clock moved by `ms`. */
export const shiftedWorker = (ms: number): string => `(${shiftClock.toString()})(${ms});\n${METERED_WORKER}`;
