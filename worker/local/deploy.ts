// npm run deploy: checks everything first, then records the rollback point, migrates and deploys.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "./build.ts";
import {
  checkDeploySettings,
  checkRegion,
  isBucketLocked,
  lockAdvice,
  REQUIRED_SECRETS,
  settingsOf,
} from "./deploy-settings.ts";
import { LocalError, runCommand } from "./local-error.ts";
import { migrateDatabase } from "./migrate.ts";
import { bucketName, DATABASE_BINDING, PROJECT_ROOT, runWrangler } from "./wrangler.ts";

/** Cloudflare's builder for the Deploy button sets the secrets itself. */
const isFirstBuildAtCloudflare = (error: unknown) =>
  Boolean(process.env.WORKERS_CI) && error instanceof Error && /does not exist|10007|10090/.test(error.message);

function checkSecrets(): void {
  let held: { name: string }[];
  try {
    held = JSON.parse(runWrangler(["secret", "list", "--format", "json"])) as { name: string }[];
  } catch (error) {
    if (isFirstBuildAtCloudflare(error)) return;
    throw error;
  }
  const missing = REQUIRED_SECRETS.filter((name) => !held.some((secret) => secret.name === name));
  if (missing.length > 0) {
    throw new LocalError(
      `비밀 값이 없습니다: ${missing.join(", ")}. worker/OPERATIONS.md의 npx wrangler secret put 이름 으로 넣어 주십시오.`,
    );
  }
}

/** Replaces wrangler's own login message, which differs in CI. */
function checkLogin(): void {
  if (process.env.CLOUDFLARE_API_TOKEN || !runWrangler(["whoami"]).includes("not authenticated")) return;
  throw new LocalError(
    "Cloudflare에 로그인하지 않았습니다. npx wrangler login 을 먼저 실행하거나 CLOUDFLARE_API_TOKEN을 지정해 주십시오.",
  );
}

/** Checks bindings in this account and the location of the databases. */
function checkResources(settings: string): void {
  for (const [, name = ""] of settings.matchAll(/^database_name = "([^"]+)"/gm))
    checkRegion(name, runWrangler(["d1", "info", name, "--json"]), process.env.D1_REGION || "APAC");
  for (const [, name = ""] of settings.matchAll(/^bucket_name = "([^"]+)"/gm))
    runWrangler(["r2", "bucket", "info", name]);
  const ids = [...settings.matchAll(/^id = "([^"]+)"/gm)].map(([, id = ""]) => id);
  const stores = ids.length > 0 ? runWrangler(["kv", "namespace", "list"]) : "";
  for (const id of ids)
    if (!stores.includes(id))
      throw new LocalError(`이 계정에 없는 KV id입니다: ${id}. wrangler.toml을 확인해 주십시오.`);
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

await runCommand(() => {
  const { values } = parseArgs({ options: { env: { type: "string", default: "" } } });
  const all = readFileSync(join(PROJECT_ROOT, "wrangler.toml"), "utf8");
  checkDeploySettings(all, values.env);
  const settings = settingsOf(all, values.env);
  if (values.env) process.env.CLOUDFLARE_ENV = values.env;
  ensureBuild();
  runWrangler(["deploy", "--dry-run"]);
  checkLogin();
  checkSecrets();
  checkResources(settings);

  console.log("되돌릴 지점(migration 전의 데이터베이스):");
  runWrangler(["d1", "time-travel", "info", DATABASE_BINDING], true);
  const applied = migrateDatabase({ remote: true });
  console.log(applied.length > 0 ? `적용한 마이그레이션: ${applied.join(", ")}` : "적용할 마이그레이션이 없습니다.");
  runWrangler(["deploy"], true);
  askForLock();
});
