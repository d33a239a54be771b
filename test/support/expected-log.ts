import { expect } from "vitest";

const LEVELS = ["log", "info", "warn", "error", "debug"] as const;
const lines: string[] = [];
const meant: RegExp[] = [];

export const logLines = (): readonly string[] => lines;

/** Declares expected log lines; any other line fails the test. */
export function expectLog(...patterns: RegExp[]): void {
  meant.push(...patterns);
}

/** Runtime message about a disconnected browser. */
const CLIENT_GONE = /^kj::.*disconnected: /;

export function watchLog(line: string): void {
  if (!CLIENT_GONE.test(line)) lines.push(line);
}

/** Waits for the log of a running site, which is later than its answer. */
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
  // Not a spy, because a test that restores its spies would remove it.
  for (const level of LEVELS) console[level] = (...values: unknown[]) => void lines.push(values.map(String).join(" "));
}

/** Expects every line to be declared, and every declared line to be logged. */
export function checkLog(): void {
  expect({
    notMeant: lines.filter((line) => !meant.some((pattern) => pattern.test(line))),
    notThere: meant.filter((pattern) => !lines.some((line) => pattern.test(line))).map(String),
  }).toEqual({ notMeant: [], notThere: [] });
}
