import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Trouble } from "./trouble.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RESULT = join(ROOT, "build/server/wrangler.json");
const SOURCES = [
  "app",
  "worker",
  "db",
  "wrangler.toml",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
];
// Not part of the Worker: no rebuild for a change in the local runner or the demo texts.
const NOT_BUILT = [join(ROOT, "worker/local"), join(ROOT, "db/demo"), join(ROOT, "db/seed.ts")];

/** Builds unless the build is newer than every source; the build speaks only when it fails. */
export function ensureBuild(): void {
  if (existsSync(RESULT) && statSync(RESULT).mtimeMs > Math.max(...SOURCES.map((name) => newest(join(ROOT, name)))))
    return;
  const build = spawnSync(process.execPath, [join(ROOT, "node_modules/@react-router/dev/bin.cjs"), "build"], {
    cwd: ROOT,
    encoding: "utf8",
    // Under a test runner NODE_ENV is "test", and React would come in its development build.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (build.status === 0) return;
  process.stderr.write(build.stdout + build.stderr);
  throw new Trouble("빌드하지 못했습니다. 위의 내용을 고친 뒤 다시 시작해 주십시오.");
}

/** The time of the latest change below a path; folders count too, for files taken away. */
function newest(path: string): number {
  if (NOT_BUILT.includes(path) || !existsSync(path)) return 0;
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
