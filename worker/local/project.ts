import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { V4WorkerOptions } from "miniflare";
import type { Migration } from "./apply-migrations.ts";
import { PROJECT_ROOT } from "./wrangler.ts";

export interface Project {
  migrations: Migration[];
  storage: Pick<V4WorkerOptions, "compatibilityDate" | "d1Databases" | "r2Buckets">;
}

/** Uses a child process, because wrangler takes 200 MB. */
export const readProject = (): Project =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", join(PROJECT_ROOT, "worker/local/print-project.ts")],
      { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] },
    ),
  ) as Project;
