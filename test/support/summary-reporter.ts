import { writeSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the output with the tests' notes and the line CI reads: 'N passed, N failed'. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let failed = unhandled.length;
    let passed = 0;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    const notes = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.annotations().map(({ message }) => `${message}\n`)),
    );
    const line = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`;
    // Writes at exit, since other reporters write after this hook.
    process.once("exit", () => writeSync(1, notes.join("") + line));
  }
}
