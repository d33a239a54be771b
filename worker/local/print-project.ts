import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import { readMigrations } from "./migrate.ts";
import type { Project } from "./project.ts";
import { PROJECT_ROOT } from "./wrangler.ts";

const { workerOptions } = workerOptionsOf(join(PROJECT_ROOT, "wrangler.toml"));
const { compatibilityDate, d1Databases, r2Buckets } = workerOptions as Project["storage"];
const migrations = readMigrations(join(PROJECT_ROOT, "migrations"));
process.stdout.write(JSON.stringify({ migrations, storage: { compatibilityDate, d1Databases, r2Buckets } }));
