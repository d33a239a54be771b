import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { readConfig } from "#worker/config.ts";
import { startCaseReportStub } from "./case-report-stub.ts";
import { checkDatabases, lockFolder } from "./folder-lock.ts";
import { applyMigrations } from "./migrate.ts";
import { checkPort, seedOnce, type SiteBindings } from "./site.ts";
import { runCommand } from "./local-error.ts";
import { requireMiniflare, requireWrangler } from "./require.ts";
import { readOrCreateSecrets, readShellVars } from "./site-vars.ts";

const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = requireMiniflare();
const { unstable_getMiniflareWorkerOptions: workerOptionsOf } = requireWrangler();
const ROOT = resolve(import.meta.dirname, "../..");
const WRANGLER_CONFIG = join(ROOT, "wrangler.toml");

await runCommand(main);

async function main(): Promise<void> {
  const port = Number(process.env.PORT || 8787);
  const folder = resolve(process.env.PERSIST_TO || join(ROOT, ".wrangler/state"));
  await checkPort(port);
  const unlock = lockFolder(folder);
  checkDatabases(folder);
  const { workerOptions } = workerOptionsOf(WRANGLER_CONFIG);
  const stub = await startCaseReportStub();
  const shipped = workerOptions.bindings as Record<string, string>;
  const vars = {
    MESSAGE_TRANSPORT: "outbox",
    SECOND_FACTOR: "offered",
    CASE_REPORT_APP_ID: "local",
    CASE_REPORT_URL: stub.url,
    SITE_ORIGIN: `http://localhost:${port}`,
    ...readOrCreateSecrets(folder),
    ...readShellVars(shipped),
  };
  await fill(folder, workerOptions, { ...shipped, ...vars });
  const server = spawn(
    process.execPath,
    // Without it the router restarts itself in a process that signals do not reach.
    [
      "--conditions=development",
      join(ROOT, "node_modules/@react-router/dev/bin.cjs"),
      "dev",
      "--port",
      String(port),
      "--strictPort",
    ],
    {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, NODE_ENV: "development", LOCAL_SITE: JSON.stringify({ folder, vars }) },
    },
  );
  // Ctrl-C reaches both processes; the lock is kept until the server exits.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => server.kill(signal));
  }
  // On a signal npm kills its shell but not this process.
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) server.kill();
  }, 500).unref();
  server.once("exit", (code) => {
    unlock();
    process.exit(code ?? 0);
  });
}

async function fill(
  folder: string,
  workerOptions: ReturnType<typeof workerOptionsOf>["workerOptions"],
  bindings: Record<string, string>,
): Promise<void> {
  const storage = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: join(folder, "v3"),
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          ...workerOptions,
          name: "hoewon",
          assets: undefined,
          modulesRules: undefined,
          modules: [{ type: "ESModule", path: "empty.js", contents: "export default {};" }],
          bindings,
        },
      ],
    }),
  );
  try {
    const bound = await storage.getBindings<SiteBindings>();
    await applyMigrations(bound.DB, join(ROOT, "migrations"));
    await seedOnce(bound, "demo", readConfig(bindings));
  } finally {
    await storage.dispose();
  }
}
