import { expect } from "vitest";
import { beginInvocation, type Book, makeBook } from "./deeds.ts";
import { readAllRows, withoutGuards, writeRowsAgain } from "./reset-rows.ts";
import { FIRST_SEED, isFull } from "./sample.ts";

export const SEQUENCES = isFull ? 2000 : 60;
/** Of a sequence, before the undos at its end. */
export const STEPS = 6;
export const SEQUENCES_TIMEOUT_MS = (isFull ? 30 : 2) * 60_000;

/** Runs the seed's steps and returns their number. */
type Sequence = (book: Book, seed: number, log: string[]) => Promise<number>;

/** Each sequence begins with the same book; a failure prints its seed and the steps up to it. */
export const runSequences = (run: Sequence, prepare: () => Promise<void> = async () => {}) =>
  withoutGuards(async () => {
    const book = await makeBook();
    await prepare();
    const base = await readAllRows();
    let steps = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed += 1) {
      await writeRowsAgain(base);
      await beginInvocation(book);
      const log: string[] = [];
      steps += await run(book, seed, log).catch((cause: unknown) => {
        throw new Error(`SEED=${seed}\n${log.filter(Boolean).join("\n")}\n${String(cause)}`, { cause });
      });
    }
    expect(steps).toBeGreaterThanOrEqual(SEQUENCES * STEPS);
  });
