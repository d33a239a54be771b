import { expect } from "vitest";

const LEVELS = ["log", "info", "warn", "error", "debug"] as const;
const lines: string[] = [];
const meant: RegExp[] = [];

/** What was written to the log since the test began. */
export const logLines = (): readonly string[] => lines;

/** Says that the test means faults that the log names; without it a line in the log is a failure. */
export function expectLog(...patterns: RegExp[]): void {
  meant.push(...patterns);
}

/** The runtime's own word on a browser that has gone away. */
const CLIENT_GONE = /^kj::.*disconnected: /;

/** Takes in a line of a running site. */
export function watchLog(line: string): void {
  if (!CLIENT_GONE.test(line)) lines.push(line);
}

/** After a test of a running site, which writes its log a moment later than it answers. */
export async function checkSiteLog(): Promise<void> {
  try {
    await expect.poll(() => meant.every((pattern) => lines.some((line) => pattern.test(line)))).toBe(true);
    checkLog();
  } finally {
    forgetLog();
  }
}

function forgetLog(): void {
  lines.length = 0;
  meant.length = 0;
}

export function collectLog(): void {
  forgetLog();
  // No spy, which a test that takes its own away would take away as well.
  for (const level of LEVELS) console[level] = (...values: unknown[]) => void lines.push(values.map(String).join(" "));
}

/** Every line was meant, and everything that was meant is there. */
export function checkLog(): void {
  expect({
    notMeant: lines.filter((line) => !meant.some((pattern) => pattern.test(line))),
    notThere: meant.filter((pattern) => !lines.some((line) => pattern.test(line))).map(String),
  }).toEqual({ notMeant: [], notThere: [] });
}
