import { writeFileSync, writeSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { type Summary, summaryText } from "./summary.ts";

const firstLine = (error: { message: string } | undefined) => error?.message.split("\n", 1)[0] ?? "no message";

/**
 * Ends the output with the summary. `SUMMARY=FILE` stores it instead, for `run.ts`, which joins those of its processes.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const errors = modules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ]);
    const failed = tests.filter((test) => test.result().state === "failed");
    const summary: Summary = {
      notes: tests.flatMap((test) => test.annotations().map(({ message }) => message)),
      files: modules.map((module) => ({ path: relative("", module.moduleId), ms: module.diagnostic().duration })),
      failures: [
        ...failed.map(
          (test) => `${test.module.relativeModuleId} > ${test.fullName}: ${firstLine(test.result().errors?.[0])}`,
        ),
        ...[...errors, ...unhandled].map(firstLine),
      ],
      leftOut: tests.filter((test) => test.result().state === "skipped" && test.tags.includes("full")).length,
      passed: count("passed"),
      failed: failed.length + unhandled.length + errors.length,
      skipped: count("skipped"),
    };
    const { SUMMARY } = process.env;
    if (SUMMARY) writeFileSync(SUMMARY, JSON.stringify(summary));
    // Writes at exit, since other reporters write after this hook.
    else process.once("exit", () => writeSync(1, summaryText(summary)));
  }
}
