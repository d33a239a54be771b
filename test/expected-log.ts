import { expect, vi } from "vitest";

const LEVELS = ["log", "info", "warn", "error", "debug"] as const;
const lines: string[] = [];
const meant: RegExp[] = [];

/** What was written to the log since the test began. */
export const logLines = (): readonly string[] => lines;

/** Says that the test means faults that the log names; without it a line in the log is a failure. */
export function expectLog(...patterns: RegExp[]): void {
  meant.push(...patterns);
}

export function collectLog(): void {
  lines.length = 0;
  meant.length = 0;
  for (const level of LEVELS)
    vi.spyOn(console, level).mockImplementation(
      (...values: unknown[]) => void lines.push(values.map(String).join(" ")),
    );
}

/** Every line was meant, and everything that was meant is there. */
export function checkLog(): void {
  expect({
    notMeant: lines.filter((line) => !meant.some((pattern) => pattern.test(line))),
    notThere: meant.filter((pattern) => !lines.some((line) => pattern.test(line))).map(String),
  }).toEqual({ notMeant: [], notThere: [] });
}
