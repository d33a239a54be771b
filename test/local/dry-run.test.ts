/** @module-tag full */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** In a new clone, for both sites: `DEPLOY=clean npx vitest run --project node test/local/dry-run.test.ts`. */
const IS_CLEAN = process.env.DEPLOY === "clean";
/** Upload limit of Workers Paid, compressed. */
const UPLOAD_KIB = 10 * 1024;

function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "hoewon-clone-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const left = new Set(["node_modules", ".git", "build", ".wrangler", ".react-router"]);
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function dryRun(folder: string, environment: string): Promise<{ code: number | null; said: string }> {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const child = spawn(process.execPath, [wrangler, "deploy", "--dry-run"], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: "production",
      CLOUDFLARE_ENV: environment,
      WRANGLER_SEND_METRICS: "false",
      CI: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  child.stderr.on("data", (chunk) => (said += chunk));
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  return { code, said };
}

test(`wrangler deploy --dry-run passes ${IS_CLEAN ? "in a new clone" : "on what was built"}`, async () => {
  for (const environment of IS_CLEAN ? ["", "staging"] : [""]) {
    const { code, said } = await dryRun(IS_CLEAN ? copyRepository() : ROOT, environment);
    expect([environment, code, said]).toEqual([environment, 0, expect.stringContaining("--dry-run: exiting now.")]);
    const names = environment === "staging" ? "hoewon-staging" : "hoewon";
    for (const binding of [`DB (${names})`, `SCRATCH (${names}-scratch)`, `FILES (${names}-files)`, "KV", "IMAGES"])
      expect(said, environment).toContain(`env.${binding}`);
    const [, compressed] = /Total Upload: [\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(said) ?? [];
    expect(Number(compressed), environment).toBeGreaterThan(0);
    expect(Number(compressed), environment).toBeLessThan(UPLOAD_KIB);
  }
});
