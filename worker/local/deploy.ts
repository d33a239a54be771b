// npm run deploy: checks everything first, then records the rollback point, migrates and deploys.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "./build.ts";
import {
  checkDeploySettings,
  checkRegion,
  explainFailure,
  isBucketLocked,
  lockAdvice,
  REQUIRED_SECRETS,
  settingsOf,
} from "./deploy-settings.ts";
import { LocalError, runCommand } from "./local-error.ts";
import { migrateDatabase } from "./migrate.ts";
import { bucketName, DATABASE_BINDING, PROJECT_ROOT, runWrangler } from "./wrangler.ts";

const isWithoutWorker = (error: unknown) =>
  error instanceof Error && /Worker "[^"]+" not found|does not exist|10007|10090/.test(error.message);

const REGION = process.env.D1_REGION || "APAC";

function checkSecrets(environment: string): void {
  let held: { name: string }[] = [];
  try {
    held = JSON.parse(runWrangler(["secret", "list", "--format", "json"])) as { name: string }[];
  } catch (error) {
    // The first secret creates the Worker.
    if (!isWithoutWorker(error)) throw error;
    // Cloudflare's builder for the Deploy button sets the secrets itself.
    if (process.env.WORKERS_CI) return;
  }
  const missing = REQUIRED_SECRETS.filter((name) => !held.some((secret) => secret.name === name));
  if (missing.length > 0) {
    const option = environment ? ` --env ${environment}` : "";
    throw new LocalError(
      `비밀 값이 없으니 worker/OPERATIONS.md를 보고 넣어 주십시오: ${missing.join(", ")}.\n` +
        missing.map((name) => `  npx wrangler secret put ${name}${option}`).join("\n"),
    );
  }
}

/** Replaces wrangler's own login message, which differs in CI. */
function checkLogin(): void {
  if (process.env.CLOUDFLARE_API_TOKEN || !runWrangler(["whoami"]).includes("not authenticated")) return;
  throw new LocalError(
    "Cloudflare에 로그인하지 않았으니 로그인하거나 CLOUDFLARE_API_TOKEN을 지정해 주십시오.\n  npx wrangler login",
  );
}

/** Checks bindings in this account and the location of the databases. */
function checkResources(settings: string): void {
  for (const [, name = ""] of settings.matchAll(/^database_name = "([^"]+)"/gm))
    checkRegion(name, runWrangler(["d1", "info", name, "--json"]), REGION);
  for (const [, name = ""] of settings.matchAll(/^bucket_name = "([^"]+)"/gm))
    runWrangler(["r2", "bucket", "info", name]);
  const ids = [...settings.matchAll(/^id = "([^"]+)"/gm)].map(([, id = ""]) => id);
  const stores = ids.length > 0 ? runWrangler(["kv", "namespace", "list"]) : "";
  for (const id of ids)
    if (!stores.includes(id))
      throw new LocalError(
        `이 계정에 없는 KV id이니 wrangler.toml에 있는 id를 목록에서 골라 고쳐 주십시오: ${id}.\n  npx wrangler kv namespace list`,
      );
}

/** Only a warning: the first deployment may create the bucket. */
function askForLock(): void {
  const bucket = bucketName("BACKUPS");
  let listed = "";
  try {
    listed = runWrangler(["r2", "bucket", "lock", "list", bucket]);
  } catch {}
  if (!isBucketLocked(listed)) console.log(lockAdvice(bucket));
}

/** Known to have happened when a later step fails. */
let done = "";

function deploy(): void {
  const { values } = parseArgs({ options: { env: { type: "string", default: "" } } });
  const all = readFileSync(join(PROJECT_ROOT, "wrangler.toml"), "utf8");
  checkDeploySettings(all, values.env);
  const settings = settingsOf(all, values.env);
  if (values.env) process.env.CLOUDFLARE_ENV = values.env;
  ensureBuild();
  checkLogin();
  checkSecrets(values.env);
  checkResources(settings);
  runWrangler(["deploy", "--dry-run"]);

  console.log("되돌릴 지점(migration 전의 데이터베이스):");
  console.log(runWrangler(["d1", "time-travel", "info", DATABASE_BINDING]));
  const applied = migrateDatabase({ remote: true });
  console.log(applied.length > 0 ? `적용한 마이그레이션: ${applied.join(", ")}` : "적용할 마이그레이션이 없습니다.");
  done = "데이터베이스는 준비되었으나 새 버전을 올리지 못하여 이전 버전이 계속 동작합니다.";
  console.log(runWrangler(["deploy"]));
  askForLock();
}

await runCommand(() => {
  try {
    deploy();
  } catch (error) {
    throw error instanceof LocalError ? new LocalError(explainFailure(error.message, REGION, done)) : error;
  }
});
