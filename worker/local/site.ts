import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { Miniflare as RunningMiniflare, Request, Response } from "miniflare";
import { readingClosedConnectionsFirst } from "./closed-connections.ts";
import { checkDatabases, lockFolder } from "./folder-lock.ts";
import { type Config, ConfigError, readConfig } from "#worker/config.ts";
import { applyMigrations } from "./migrate.ts";
import { requireMiniflare, requireWrangler } from "./require.ts";
import { LocalError } from "./local-error.ts";
import { readOrCreateSecrets } from "./site-vars.ts";
import { UNFINISHED_SQL } from "#db/page-stamps.ts";

const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = requireMiniflare();
const { unstable_getMiniflareWorkerOptions: workerOptionsOf } = requireWrangler();

const ROOT = resolve(import.meta.dirname, "../..");
const BUILD = join(ROOT, "build/server");
const HOST = "127.0.0.1";

export interface SiteOptions {
  port?: number;
  persistTo?: string;
  vars?: Record<string, string>;
  /** Answers outgoing requests of the Worker; real ones without it. */
  outbound?: (request: Request) => Promise<Response> | Response;
  seed?: "demo" | "empty";
  build?: string;
  wrapperModule?: string;
  onLog?: (message: string) => void;
  quiet?: boolean;
  /** Opens V8's inspector at `mf.getInspectorURL()`. */
  inspects?: boolean;
}

export interface RunningSite {
  url: string;
  mf: RunningMiniflare;
  content: SeedContent;
  dispose(): Promise<void>;
}

/** Runs the built Worker in workerd. Throws LocalError for problems the user can fix. */
export async function startSite(options: SiteOptions = {}): Promise<RunningSite> {
  const port = options.port ?? 8787;
  const folder = resolve(options.persistTo ?? join(ROOT, ".wrangler/state"));
  if (!existsSync(builtConfig(options.build)))
    throw new LocalError("빌드한 파일이 없습니다. npm run build 를 먼저 실행해 주십시오.");
  await checkPort(port);
  const unlock = lockFolder(folder);
  let mf: RunningMiniflare | undefined;
  try {
    checkDatabases(folder);
    const { settings, config } = miniflareSettings(options, folder);
    // Uses a private port until the data is ready.
    mf = readingClosedConnectionsFirst(new Miniflare(convertV4MiniflareOptions({ ...settings, port: 0 })));
    const storage = await mf.getBindings<SiteBindings>();
    await applyMigrations(storage.DB, join(ROOT, "migrations"));
    const content = await seedOnce(storage, options.seed ?? "demo", config);
    if (port !== 0) await mf.setOptions(convertV4MiniflareOptions({ ...settings, port }));
    const { port: taken } = await mf.ready;
    const running = mf;
    const dispose = async () => {
      await running.dispose();
      // Merges workerd's write-ahead logs, leaving one file per database.
      checkDatabases(folder);
      unlock();
    };
    return { url: `http://localhost:${taken || 80}`, mf: running, content, dispose };
  } catch (error) {
    await mf?.dispose();
    unlock();
    throw error;
  }
}

const builtConfig = (build = BUILD) => join(build, "wrangler.json");

export const readBuiltVars = () =>
  (JSON.parse(readFileSync(builtConfig(), "utf8")) as { vars: Record<string, string> }).vars;

function miniflareSettings(options: SiteOptions, folder: string) {
  const { workerOptions } = workerOptionsOf(builtConfig(options.build));
  const bindings = {
    ...(workerOptions.bindings as Record<string, string>),
    MESSAGE_TRANSPORT: "outbox",
    // Demo passwords are public, so a second factor protects nothing.
    SECOND_FACTOR: "offered",
    CASE_REPORT_APP_ID: "local",
    ...(options.port && { SITE_ORIGIN: `http://localhost:${options.port}` }),
    ...readOrCreateSecrets(folder),
    ...options.vars,
  };
  const config = parseConfig(bindings);
  const settings = {
    host: HOST,
    resourcePersistencePath: join(folder, "v3"),
    cf: false,
    telemetry: { enabled: false },
    ...(options.inspects && { inspectorPort: 0 }),
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: ({ message }: { message: string }) => {
      options.onLog?.(message);
      if (!options.quiet) process.stderr.write(`${message}\n`);
    },
    workers: [
      {
        ...workerOptions,
        name: "hoewon",
        // Miniflare 5 needs the modules instead of wrangler's rules.
        modulesRules: undefined,
        modules: [...wrapperModules(options), ...builtModules(options.build)],
        modulesRoot: options.build ?? BUILD,
        bindings,
        ...(options.outbound && { outboundService: options.outbound }),
      },
    ],
  };
  return { settings, config };
}

function parseConfig(bindings: Record<string, unknown>) {
  try {
    return readConfig(bindings);
  } catch (error) {
    throw error instanceof ConfigError ? new LocalError(error.message) : error;
  }
}

const wrapperModules = ({ wrapperModule: contents, build = BUILD }: SiteOptions) =>
  contents === undefined ? [] : [{ type: "ESModule" as const, path: join(build, "around.js"), contents }];

export function builtModules(build = BUILD) {
  const files = readdirSync(build, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:m?js|wasm)$/.test(name),
  );
  const names = ["index.js", ...files.filter((name) => name !== "index.js")];
  return names.map((name) => ({
    type: name.endsWith(".wasm") ? ("CompiledWasm" as const) : ("ESModule" as const),
    path: join(build, name),
  }));
}

export async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once("error", fail);
    probe.listen(port, HOST, done);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new LocalError(
      error.code === "EADDRINUSE"
        ? `${port}번 포트를 다른 프로그램이 쓰고 있습니다. 그 프로그램을 끝내거나 PORT=8788 npm start 처럼 다른 번호를 지정해 주십시오.`
        : `${port}번 포트를 열 수 없습니다(${error.code}). PORT로 1024 이상의 다른 번호를 지정해 주십시오.`,
    );
  });
  await new Promise((done) => probe.close(done));
}

type SeedContent = "demo" | "empty" | "unfinished";
export type SiteBindings = { DB: D1Database; FILES: R2Bucket; KV: KVNamespace };

/**
 * Seeds only a new database and remembers the choice, so that demo accounts never enter an empty site. @returns the
 * content
 */
export async function seedOnce(
  storage: SiteBindings,
  wanted: "demo" | "empty",
  config: Pick<Config, "PRODUCT_CODE" | "PASSWORD_PEPPER">,
): Promise<SeedContent> {
  if (await storage.DB.prepare(UNFINISHED_SQL).first()) return "unfinished";
  const { seedBase } = await import("../../db/seed.ts");
  await seedBase(storage.DB);
  await storage.DB.prepare("CREATE TABLE IF NOT EXISTS _local_seed (content TEXT PRIMARY KEY)").run();
  const held = await storage.DB.prepare("SELECT content FROM _local_seed").first<SeedContent>("content");
  if (held === "demo" && wanted === "empty") {
    throw new LocalError(
      "시연 자료가 들어 있는 자료 폴더입니다. --empty에는 PERSIST_TO로 비어 있는 다른 폴더를 지정해 주십시오.",
    );
  }
  if (held) return held;
  if (wanted === "demo" && (await storage.DB.prepare("SELECT 1 FROM user LIMIT 1").first())) {
    throw new LocalError("시연 자료를 넣다가 멈춘 자료 폴더입니다. 그 폴더를 지우고 다시 시작해 주십시오.");
  }
  if (wanted === "demo") {
    const { writeDemo } = await import("../../db/demo/write.ts");
    await writeDemo(storage, config);
  }
  await storage.DB.prepare("INSERT INTO _local_seed (content) VALUES (?)").bind(wanted).run();
  return wanted;
}
