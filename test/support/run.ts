// Runs the tests of workerd and the others at once, each in one process; the arguments are Vitest's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { joinSummaries, type Summary, summaryText } from "./summary.ts";

const PROCESSES = [["worker"], ["node", "pages", "e2e"]];
/** Counts a process that ended before its tests as one failure. */
const noSummary = (names: readonly string[]): Summary => ({
  notes: [],
  files: [],
  failures: [`${names.join(", ")}: ended before its tests`],
  leftOut: 0,
  passed: 0,
  failed: 1,
  skipped: 0,
});

const folder = mkdtempSync(join(tmpdir(), "hoewon-summary-"));
const env = { ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}), ...process.env };

async function runProjects(names: readonly string[]): Promise<{ code: number; summary: Summary }> {
  const file = join(folder, `${names.join("-")}.json`);
  const projects = names.flatMap((name) => ["--project", name]);
  const vitest = [
    "--disable-warning=ExperimentalWarning",
    "node_modules/vitest/vitest.mjs",
    "run",
    "--passWithNoTests",
  ];
  const child = spawn(process.execPath, [...vitest, ...projects, ...process.argv.slice(2)], {
    env: { ...env, SUMMARY: file },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Line by line, because both write to one place.
  for (const [input, output] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    createInterface({ input }).on("line", (line) => output.write(`${line}\n`));
  const [code] = (await once(child, "close")) as [number | null];
  const summary = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Summary) : noSummary(names);
  return { code: code ?? 1, summary };
}

try {
  const runs = await Promise.all(PROCESSES.map(runProjects));
  const summary = joinSummaries(runs.map((run) => run.summary));
  process.stdout.write(summaryText(summary));
  const isGreen = runs.every(({ code }) => code === 0) && summary.failed === 0 && summary.passed > 0;
  process.exitCode = isGreen ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
