/** Result of a run of tests. */
export interface Summary {
  notes: string[];
  files: { path: string; ms: number }[];
  /** Names and messages of what failed. */
  failures: string[];
  /** Tests of the full tier that did not run. */
  leftOut: number;
  passed: number;
  failed: number;
  skipped: number;
}

const SLOWEST_FILES = 10;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export function joinSummaries(summaries: readonly Summary[]): Summary {
  const sum = (key: "leftOut" | "passed" | "failed" | "skipped") =>
    summaries.reduce((total, summary) => total + summary[key], 0);
  return {
    notes: summaries.flatMap(({ notes }) => notes),
    files: summaries.flatMap(({ files }) => files),
    failures: summaries.flatMap(({ failures }) => failures),
    leftOut: sum("leftOut"),
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
  };
}

/** The tests' notes, the slowest files, the failures, the tier left out, and the line CI reads: 'N passed, N failed'. */
export function summaryText({ notes, files, failures, leftOut, passed, failed, skipped }: Summary): string {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST_FILES);
  const lines = [
    ...notes,
    "The slowest files:",
    ...slowest.map(({ path, ms }) => `  ${seconds(ms).padStart(8)}  ${path}`),
    ...(failures.length > 0 ? ["The failures:", ...failures.map((failure) => `  ${failure}`)] : []),
    ...(leftOut > 0 ? [`${leftOut} tests of the full tier were left out: npm run test:full`] : []),
    `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`,
  ];
  return `${lines.join("\n")}\n`;
}
