import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { LocalError } from "./local-error.ts";

const PROJECT_ROOT = resolve(import.meta.dirname, "../..");
const BUILT_CONFIG = join(PROJECT_ROOT, "build/server/wrangler.json");
const DEPLOY_CONFIG = join(PROJECT_ROOT, ".wrangler/deploy/config.json");
const SOURCES = [
  "app",
  "worker",
  "db",
  "wrangler.toml",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
];
const NOT_BUILT = [join(PROJECT_ROOT, "worker/local"), join(PROJECT_ROOT, "db/demo"), join(PROJECT_ROOT, "db/seed.ts")];

export function ensureBuild(): void {
  if (
    existsSync(BUILT_CONFIG) &&
    existsSync(DEPLOY_CONFIG) &&
    // A build contains one environment of wrangler.toml; another would reach the wrong site.
    builtEnvironment() === (process.env.CLOUDFLARE_ENV ?? "") &&
    statSync(BUILT_CONFIG).mtimeMs > Math.max(...SOURCES.map((name) => newestChange(join(PROJECT_ROOT, name))))
  )
    return;
  const build = spawnSync(process.execPath, [join(PROJECT_ROOT, "node_modules/@react-router/dev/bin.cjs"), "build"], {
    cwd: PROJECT_ROOT,
    encoding: "utf8",
    // Test runners set NODE_ENV to "test", which would bundle React's development build.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (build.status === 0) return;
  process.stderr.write(build.stdout + build.stderr);
  throw new LocalError("빌드하지 못했습니다. 위의 내용을 고친 뒤 다시 시작해 주십시오.");
}

const builtEnvironment = (): string =>
  (JSON.parse(readFileSync(BUILT_CONFIG, "utf8")) as { targetEnvironment?: string }).targetEnvironment ?? "";

function newestChange(path: string): number {
  if (NOT_BUILT.includes(path) || !existsSync(path)) return 0;
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
