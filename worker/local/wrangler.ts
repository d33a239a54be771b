import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { settingsOf } from "./deploy-settings.ts";
import { LocalError } from "./local-error.ts";

export const PROJECT_ROOT = resolve(import.meta.dirname, "../..");
const WRANGLER = join(PROJECT_ROOT, "node_modules/wrangler/bin/wrangler.js");
export const DATABASE_BINDING = "DB";

export function bucketName(binding: string, settings = join(PROJECT_ROOT, "wrangler.toml")): string {
  const tables = settingsOf(readFileSync(settings, "utf8"), process.env.CLOUDFLARE_ENV).split(/^(?=\[)/m);
  const own = tables.find((table) => table.includes(`binding = "${binding}"`)) ?? "";
  const [, name] = /^bucket_name = "([^"]+)"/m.exec(own) ?? [];
  if (!name) throw new LocalError(`wrangler.toml에 ${binding} 버킷의 이름(bucket_name)이 없습니다.`);
  return name;
}

export type DatabasePlace = { remote: true } | { remote: false; folder: string };

export const placeFlags = (place: DatabasePlace): string[] =>
  place.remote ? ["--remote"] : ["--local", "--persist-to", resolve(place.folder)];

/** @throws LocalError with wrangler's own output */
export function runWrangler(args: readonly string[]): string {
  const run = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: PROJECT_ROOT,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1" },
  });
  if (run.status === 0) return run.stdout;
  const flags = args.findIndex((arg) => arg.startsWith("-"));
  const command = args.slice(0, flags < 0 ? undefined : flags).join(" ");
  throw new LocalError(`wrangler ${command} 명령이 실패하였습니다.\n${run.stdout}${run.stderr}`);
}

export function queryEach(place: DatabasePlace, statements: readonly string[]): unknown[][] {
  const command = statements.join(";\n");
  const answer = runWrangler(["d1", "execute", DATABASE_BINDING, ...placeFlags(place), "--json", "--command", command]);
  return (JSON.parse(answer.slice(answer.indexOf("["))) as { results: unknown[] }[]).map(({ results }) => results);
}

export const queryDatabase = <T>(place: DatabasePlace, statement: string): T[] =>
  (queryEach(place, [statement])[0] ?? []) as T[];

/** Deletes the file afterwards, because it holds personal data. */
export function executeStatements(place: DatabasePlace, statements: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-sql-"));
  try {
    const file = join(folder, "statements.sql");
    writeFileSync(file, statements.map((statement) => `${statement}\n;\n`).join(""), { mode: 0o600 });
    runWrangler(["d1", "execute", DATABASE_BINDING, ...placeFlags(place), "--yes", "--file", file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
