import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { METERED_WORKER } from "./metered-worker.ts";
import { type RunningSite, type SiteOptions, startSite } from "#worker/local/site.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/hoewon");

/** Clears each counter as it is written, so that no limit refuses what a test does in bulk. */
export const removeLimits = (db: D1Database) =>
  db.prepare("CREATE TRIGGER without_limits AFTER INSERT ON rate_limit BEGIN DELETE FROM rate_limit; END").run();

export type TestSiteOptions = Omit<SiteOptions, "port" | "persistTo">;

/** Starts the built Worker on a free port with data of its own, deleted by `dispose`. */
export async function startTestSite(options: TestSiteOptions = {}): Promise<RunningSite> {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-site-"));
  if (options.seed !== "empty") await copyDemoState(folder);
  const refusals: string[] = [];
  const onLog = (message: string) => {
    if (message.includes("platform limit: ")) refusals.push(message);
    options.onLog?.(message);
  };
  const site = await startSite({
    quiet: true,
    wrapperModule: METERED_WORKER,
    ...options,
    onLog,
    port: 0,
    persistTo: folder,
  });
  const dispose = async () => {
    await site.dispose();
    rmSync(folder, { recursive: true, force: true });
    if (refusals.length > 0) throw new Error(`the platform refuses:\n${refusals.join("\n")}`);
  };
  return { ...site, dispose };
}

/** Loads the demo once per source fingerprint and caches it: hashing 30 passwords takes a while. */
export async function prepareDemoState(): Promise<string> {
  const ready = join(CACHE, `demo-${sourceFingerprint()}`);
  if (existsSync(ready)) return ready;
  const making = `${ready}-${process.pid}`;
  const site = await startSite({ quiet: true, port: 0, persistTo: making, seed: "demo" });
  await site.dispose();
  for (const old of readdirSync(CACHE)) {
    if (!old.startsWith(basename(ready))) rmSync(join(CACHE, old), { recursive: true, force: true });
  }
  if (existsSync(ready)) rmSync(making, { recursive: true });
  else renameSync(making, ready);
  return ready;
}

function sourceFingerprint(): string {
  mkdirSync(CACHE, { recursive: true });
  const hash = createHash("sha256");
  for (const path of globSync("{db,migrations,worker,build/server}/**/*.*", { cwd: ROOT }).toSorted()) {
    hash.update(`${path} ${statSync(join(ROOT, path)).mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

export async function copyDemoState(folder: string): Promise<void> {
  const filter = (path: string) => !basename(path).startsWith("running.lock");
  cpSync(await prepareDemoState(), folder, { recursive: true, filter });
}
