import { writeSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

const SLOWEST_FILES = 10;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Ends the output with the tests' notes, the slowest files, the tier left out, and the line CI reads: 'N passed, N failed'. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const errors = modules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ]);
    const failed = count("failed") + unhandled.length + errors.length;
    const skipped = count("skipped");
    const leftOut = tests.filter((test) => test.result().state === "skipped" && test.tags.includes("full")).length;
    const slowest = modules
      .map((module) => ({ module, ms: module.diagnostic().duration }))
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, SLOWEST_FILES);
    const lines = [
      ...tests.flatMap((test) => test.annotations().map(({ message }) => message)),
      "The slowest files:",
      ...slowest.map(({ module, ms }) => `  ${seconds(ms).padStart(8)}  ${relative("", module.moduleId)}`),
      ...(leftOut > 0 ? [`${leftOut} tests of the full tier were left out: npm run test:full`] : []),
      `${count("passed")} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`,
    ];
    // Writes at exit, since other reporters write after this hook.
    process.once("exit", () => writeSync(1, `${lines.join("\n")}\n`));
  }
}
