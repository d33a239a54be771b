import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

/**
 * The demo's state, and the browser unpacked, before the processes of the tests start: each would make them at the same time
 * as the others. As Node runs it: Vitest's own runner here has no `import.meta.resolve`.
 */
export async function setup({ name }: TestProject): Promise<void> {
  const script = join(import.meta.dirname, "prepare.ts");
  await run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    script,
    ...(name === "e2e" ? ["browser"] : []),
  ]);
}
