import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { V4WorkerOptions } from "miniflare";
import type { Migration } from "./migration-files.ts";
import { PROJECT_ROOT } from "./wrangler.ts";

/** What only wrangler can read of the project: its files cut into statements, and where it keeps the data of bindings. */
export interface Project {
  migrations: Migration[];
  storage: Pick<V4WorkerOptions, "compatibilityDate" | "d1Databases" | "r2Buckets">;
}

/** Read by a process of its own: wrangler takes 200 MB, and what restores a backup is to get by with little. */
export const readProject = (): Project =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", join(PROJECT_ROOT, "worker/local/print-project.ts")],
      { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] },
    ),
  ) as Project;
