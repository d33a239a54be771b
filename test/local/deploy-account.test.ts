/** @module-tag full */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readMigrations } from "#worker/local/migrate.ts";
import { KV_ID, type Refusals, startCloudflareHost } from "../hosts/cloudflare-host.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MIGRATIONS = readMigrations(join(ROOT, "migrations")).map(({ name }) => name);
const copy = mkdtempSync(join(tmpdir(), "hoewon-deploy-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));
for (const name of ["app", "worker", "db", "migrations", "build", ".wrangler/deploy", "package.json", "wrangler.toml"])
  cpSync(join(ROOT, name), join(copy, name), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
const settings = readFileSync(join(copy, "wrangler.toml"), "utf8")
  .replace(/^SITE_ORIGIN = .*$/m, 'SITE_ORIGIN = "https://network.or.kr"')
  .replace(/^MAIL_FROM = .*$/m, 'MAIL_FROM = "연구망 <office@network.or.kr>"')
  .replace('binding = "KV"', (binding) => `${binding}\nid = "${KV_ID}"`);
writeFileSync(join(copy, "wrangler.toml"), settings);
// Newer than every source, so that nothing is built.
utimesSync(join(copy, "build/server/wrangler.json"), new Date("2099-01-01"), new Date("2099-01-01"));

const OUTPUTS = join(copy, "outputs.json");
/** Node options that repeat the outputs of the first deployment for commands before the first that is `run`. */
const repeating = (run: RegExp) => [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import commands from "node:child_process";
    import { existsSync, readFileSync, writeFileSync } from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const { spawnSync } = commands;
    const file = ${JSON.stringify(OUTPUTS)};
    const isFirst = !existsSync(file);
    const outputs = isFirst ? {} : JSON.parse(readFileSync(file, "utf8"));
    let isRunning = isFirst;
    commands.spawnSync = (node, [script, ...args], options) => {
      const command = args.join(" ");
      isRunning ||= ${run}.test(command);
      if (!isRunning && command in outputs) return { status: 0, stdout: outputs[command], stderr: "" };
      const done = spawnSync(node, [script, ...args], options);
      if (done.status === 0) outputs[command] = done.stdout;
      if (isFirst) writeFileSync(file, JSON.stringify(outputs));
      return done;
    };
    syncBuiltinESMExports();
  `)}`,
];

async function deploy(refusals: Refusals, run: RegExp, environment: Record<string, string> = {}) {
  const host = await startCloudflareHost(refusals);
  const args = ["--disable-warning=ExperimentalWarning", ...repeating(run), "worker/local/deploy.ts"];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      // Not the login of this machine.
      HOME: copy,
      XDG_CONFIG_HOME: join(copy, "config"),
      CLOUDFLARE_API_BASE_URL: `${host.url}/client/v4`,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "account",
      ...environment,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    // Each migration takes seconds; the limit of the test ends it.
    timeout: 300_000,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  host.close();
  const written = host.asked.filter((call) => !call.startsWith("GET ") && !call.endsWith("/graphql"));
  return { code, out, err, written, imported: host.imported };
}

test("a complete account is migrated before it gets the Worker", async () => {
  const { code, out, err, written, imported } = await deploy({}, /^/);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/00000001-before[^]*Deployed hoewon[^]*35일 잠금이 없습니다/);
  expect(out).toContain(`\n적용한 마이그레이션: ${MIGRATIONS.join(", ")}\n`);
  expect(imported).toHaveLength(MIGRATIONS.length);
  expect(imported[0]).toContain("CREATE TABLE");
  const upload = written.indexOf("POST /workers/scripts/hoewon/versions");
  expect(upload).toBeGreaterThan(written.lastIndexOf("POST /d1/database/hoewon/import"));
});

const no = (status: number, code: number, message: string) => ({ status, code, message });
const SECRETS = "GET /workers/scripts/hoewon/secrets";
const DENIED = no(403, 10000, "Authentication error");
const NO_RIGHTS = /^이 로그인이나 CLOUDFLARE_API_TOKEN에 .* 권한이 없습니다\.\n {2}npx wrangler login\n$/;

/** Refused before anything is changed: answers of the account, what is printed, and the refused command. */
const REFUSED: Record<string, [Refusals, RegExp, RegExp, Record<string, string>?]> = {
  "no login": [
    {},
    /^Cloudflare에 로그인하지 않았으니 .*\n {2}npx wrangler login\n$/,
    /^whoami/,
    { CLOUDFLARE_API_TOKEN: "" },
  ],
  "a token that Cloudflare does not know": [{ [SECRETS]: no(400, 9109, "Invalid access token") }, NO_RIGHTS, /^secret/],
  "a token without rights on D1": [{ "GET /d1/database/hoewon": DENIED }, NO_RIGHTS, /^d1 info/],
  "a new Worker without secrets": [
    { [SECRETS]: no(404, 10007, "This Worker does not exist on your account.") },
    /^비밀 값이 없으니 .*: JWT_SECRET, .*\n {2}npx wrangler secret put JWT_SECRET\n/,
    /^secret/,
  ],
  "no database": [
    { "GET /d1/database/hoewon": no(404, 7404, "The database hoewon could not be found") },
    /^데이터베이스 hoewon이 이 계정에 없습니다\.\n {2}npx wrangler d1 create hoewon --location apac\n$/,
    /^d1 info/,
  ],
  "a database on another continent": [
    { "GET /d1/database/hoewon": { result: { uuid: "hoewon", name: "hoewon", running_in_region: "WNAM" } } },
    /^데이터베이스 hoewon의 위치가 APAC 대신 WNAM이어서 .*\n.*npx wrangler d1 create hoewon-apac --location apac\n.*D1_REGION=WNAM npm run deploy\n$/,
    /^d1 info/,
  ],
  "an account without R2": [
    { "GET /r2/buckets/hoewon-files": no(403, 10042, "Please enable R2 through the Cloudflare Dashboard.") },
    /^이 계정에서 R2를 켜지 않았으니 .*\n {2}npx wrangler r2 bucket create hoewon-files\n$/,
    /^r2 bucket info hoewon-files/,
  ],
  "no bucket for backups": [
    { "GET /r2/buckets/hoewon-backups": no(404, 10006, "The specified bucket does not exist.") },
    /^R2 버킷 hoewon-backups.* 이 계정에 없습니다\.\n {2}npx wrangler r2 bucket create hoewon-backups\n$/,
    /^r2 bucket info hoewon-backups/,
  ],
  "another account's store": [
    { "GET /storage/kv/namespaces": { result: [] } },
    /^이 계정에 없는 KV id이니 .*\n {2}npx wrangler kv namespace list\n$/,
    /^kv/,
  ],
  "no network": [
    {},
    /^Cloudflare에 연결하지 못하였으니 .*\n {2}npm run deploy\n$/,
    /^secret/,
    { CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9/client/v4" },
  ],
};

test.each(Object.entries(REFUSED))(
  "a refused deployment changes nothing: %s",
  async (_name, [refusals, said, refused, environment]) => {
    const done = await deploy(refusals, refused, environment);
    expect(done).toMatchObject({ code: 1, err: expect.stringMatching(said), written: [] });
  },
);

test("a deployment that fails while it migrates uploads nothing", async () => {
  const call = "POST /d1/database/hoewon/import";
  const { code, err, written } = await deploy({ [call]: no(500, 7500, "D1 DB is overloaded") }, /^d1 execute/);
  expect([code, written]).toEqual([1, ["POST /d1/database/hoewon/query", call, "POST /d1/database/hoewon/query"]]);
  expect(err).toMatch(/D1 DB is overloaded[^]*\n적용하지 못한 마이그레이션: 0000.*\n {2}npm run deploy\n$/);
  expect(err).not.toMatch(/^\s+at /m);
});

test("a deployment whose upload fails says that the former version continues", async () => {
  const call = "POST /workers/scripts/hoewon/versions";
  const { code, err } = await deploy({ [call]: no(500, 10013, "An unknown error has occurred.") }, /^deploy$/);
  expect([code, err]).toEqual([1, expect.stringMatching(/이전 버전이 계속 동작합니다\. .*\n {2}npm run deploy\n$/)]);
  expect(err).not.toMatch(/^\s+at /m);
});
