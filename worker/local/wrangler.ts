import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Trouble } from "./trouble.ts";

export const ROOT = resolve(import.meta.dirname, "../..");
const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
export const DATABASE = "hoewon";

/** Where a command acts: the database at Cloudflare, or the one of a local folder. */
export type Place = { remote: true } | { remote: false; folder: string };

export const placeFlags = (place: Place): string[] =>
  place.remote ? ["--remote"] : ["--local", "--persist-to", resolve(place.folder)];

/** Runs wrangler and returns what it said. @throws Trouble with its own words when it failed */
export function wrangler(args: readonly string[], shown = false): string {
  const run = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"],
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" },
  });
  if (run.status === 0) return run.stdout ?? "";
  throw new Trouble(
    `wrangler ${args.slice(0, 3).join(" ")} 명령이 실패하였습니다.\n${run.stdout ?? ""}${run.stderr ?? ""}`,
  );
}

export function query<T>(place: Place, command: string): T[] {
  const answer = wrangler(["d1", "execute", DATABASE, ...placeFlags(place), "--json", "--command", command]);
  const [first] = JSON.parse(answer.slice(answer.indexOf("["))) as { results: T[] }[];
  return first?.results ?? [];
}

/** Runs statements from a file that is gone afterwards: it holds personal data. */
export function execute(place: Place, statements: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-sql-"));
  try {
    const file = join(folder, "statements.sql");
    writeFileSync(file, statements.map((statement) => `${statement};\n`).join(""), { mode: 0o600 });
    wrangler(["d1", "execute", DATABASE, ...placeFlags(place), "--yes", "--file", file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function migrate(place: Place): void {
  wrangler(["d1", "migrations", "apply", DATABASE, ...placeFlags(place)]);
}

/** Shows a Trouble as its one line, anything else as it is. */
export async function main(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
