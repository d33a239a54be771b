import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join, resolve } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { nextMigration } from "./test/support/next-schema.ts";
import { readMigrations } from "./worker/local/migrate.ts";

// Test processes and the commands that they run load wrangler and Miniflare without compiling them again.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node");

const MEMORY_DISK = "/dev/shm";
const MIN_MEMORY_DISK_BYTES = 2 * 1024 ** 3;

// Databases in memory, where a machine has the room: a disk's flushes take a fifth of a test's time.
if (!process.env.TMPDIR && freeBytes(MEMORY_DISK) >= MIN_MEMORY_DISK_BYTES) {
  const folder = mkdtempSync(join(MEMORY_DISK, "hoewon-"));
  // Open to all, as /tmp is: one test starts the site as another user.
  chmodSync(folder, 0o1777);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.env.TMPDIR = folder;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

// Ten days in a row walk every row of a sampled walk (test/support/sample.ts).
const seed = process.env.SEED ?? String(Math.floor(Date.now() / 86_400_000));
process.env.SEED = seed;

/** Next to the process of the tests in workerd (package.json): more processes than cores only repeat imports. */
const SITE_WORKERS = process.env.FULL ? 2 : 1;

const SECOND_MS = 1000;
const TIMEOUT_MS = 60 * SECOND_MS;
const BROWSER_TIMEOUT_MS = 120 * SECOND_MS;
const FULL_TIMEOUT_MS = 600 * SECOND_MS;
const expectation = { poll: { timeout: 30 * SECOND_MS } };

/** A file says its tier in its first line, `@module-tag full`, a test in its `tags`. */
const tags = [
  { name: "full", description: "Runs in `npm run test:full` alone.", timeout: FULL_TIMEOUT_MS },
  {
    name: "sampled",
    description: "Runs in part in `npm test`.",
    timeout: process.env.FULL ? FULL_TIMEOUT_MS : BROWSER_TIMEOUT_MS,
  },
];

// In workerd with D1, R2 and KV of their own; `test/support/setup.ts` empties them and migrates before each test.
const worker = {
  plugins: [
    cloudflareTest(() => ({
      // The source, not the build that wrangler.toml names.
      main: "./test/support/worker-entry.ts",
      // Its simulators log a trace when a client goes away, as tests mean it to; warnings and errors of workerd stay,
      // and a promise that nobody waits for is a failure of the run in any case.
      verbose: false,
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        durableObjects: { TEST_DB: { className: "IsolateDatabase", useSQLite: true } },
        bindings: {
          // `NEXT_SCHEMA=1`: with what a next release may add (test/README.md).
          TEST_MIGRATIONS: [
            ...readMigrations("migrations"),
            ...(process.env.NEXT_SCHEMA ? [nextMigration("migrations")] : []),
          ],
          MESSAGE_TRANSPORT: "outbox",
          SECOND_FACTOR: "offered",
          JWT_SECRET: "test-jwt-secret-0123456789abcdef0123456789abcdef",
          PASSWORD_PEPPER: "test-pepper-0123456789abcdef0123456789abcdef",
          SIGNING_SECRET: "test-signing-0123456789abcdef0123456789abcdef",
          BACKUP_KEY: "test-backup-0123456789abcdef0123456789abcdef",
          HEALTH_TOKEN: "test-health-0123456789abcdef0123456789abcdef",
          CASE_REPORT_APP_ID: "test",
          // Which tests run, how much of the longer ones (test/README.md); the Worker has no other way to the shell's variables.
          FULL: process.env.FULL ?? "",
          SEED: seed,
          CLOCK: process.env.CLOCK ?? "",
          DUMPS: process.env.DUMPS ?? "",
          ATTACHMENT_MB: process.env.ATTACHMENT_MB ?? "",
          KILLS: process.env.KILLS ?? "",
          ITEMS: process.env.ITEMS ?? "",
          CODES: process.env.CODES ?? "",
          MEMBERS: process.env.MEMBERS ?? "",
          FILES: process.env.FILES ?? "",
        },
      },
    })),
  ],
  define: { __BUILD__: '"test"' },
  // Fixtures that tests take in as data.
  assetsInclude: ["**/*.xls", "**/*.xlsx", "**/*.zip"],
  test: {
    name: "worker",
    include: ["test/{contract,domain,api}/**/*.test.ts"],
    setupFiles: ["test/support/clock.ts", "test/support/setup.ts"],
    expect: expectation,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // About ten times faster than new storage for each file.
    isolate: false,
    maxWorkers: 1,
    fsModuleCache: false,
    // CommonJS with requires that only a bundler can follow, and what brings standardwebhooks, whose source map
    // names sources that it does not have.
    deps: { optimizer: { ssr: { enabled: true, include: ["sanitize-html", "resend"] } } },
    sequence: { groupOrder: 0 },
  },
};

const inNode = (name: string, include: string[], timeout: number) => ({
  test: {
    name,
    include,
    environment: "node",
    isolate: false,
    setupFiles: ["test/support/own-connections.ts"],
    // node:sqlite, which guards the data folders.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: expectation,
    sequence: { groupOrder: 1 },
    maxWorkers: SITE_WORKERS,
  },
});

/** Against the built Worker by way of `test/support/fixtures.ts`. Files share a process, so that Miniflare is loaded once. */
const onSite = (name: string, include: string[], timeout: number) => {
  const { test } = inNode(name, include, timeout);
  const setupFiles = [...test.setupFiles, "test/support/site-setup.ts"];
  return { test: { ...test, setupFiles, globalSetup: ["test/support/prepare-site.ts"] } };
};

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/summary-reporter.ts"],
    tags,
    projects: [
      worker,
      // The commands of local/ start sites, as journeys do.
      inNode("node", ["test/*.test.ts", "test/local/*.test.ts"], BROWSER_TIMEOUT_MS),
      onSite("pages", ["test/pages/**/*.test.ts"], TIMEOUT_MS),
      onSite("e2e", ["test/e2e/**/*.test.ts"], BROWSER_TIMEOUT_MS),
    ],
  },
});
