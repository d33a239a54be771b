import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

/**
 * Prepares the demo state and the browser once, before test processes race for them. Vitest has no
 * `import.meta.resolve`.
 */
export async function setup({ name }: TestProject): Promise<void> {
  const script = join(import.meta.dirname, "prepare.ts");
  await run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    script,
    ...(name === "e2e" ? ["browser"] : []),
  ]);
}
