import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

/**
 * Prepares the demo state and the browser once, before test processes race for them, or during the tests of `worker` if
 * those run first. Vitest has no `import.meta.resolve`.
 */
export async function setup({ name, vitest }: TestProject): Promise<() => Promise<unknown>> {
  const script = join(import.meta.dirname, "prepare.ts");
  const prepared = run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    script,
    ...(name === "e2e" ? ["browser"] : []),
  ]);
  if (!vitest.projects.some((project) => project.name === "worker")) await prepared;
  // A failure is the first file's that needs the site, which prepares it again.
  const ended = prepared.catch(() => null);
  return () => ended;
}
