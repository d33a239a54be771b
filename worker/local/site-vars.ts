import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SECRETS = ["JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET", "BACKUP_KEY", "HEALTH_TOKEN"];

// Variables missing in wrangler.toml: secrets and defaults (worker/config.ts).
const UNLISTED_VARS = [
  "PASSWORD_PEPPER_OLD",
  "RESEND_API_KEY",
  "RESEND_API_URL",
  "RESEND_WEBHOOK_SECRET",
  "SMS_API_KEY",
  "SMS_API_SECRET",
  "SMS_FROM",
  "SMS_API_URL",
  "KAKAO_CHANNEL_ID",
];

/** Created once per folder; new secrets would invalidate its passwords and sessions. */
export function readOrCreateSecrets(folder: string): Record<string, string> {
  const path = join(folder, "secrets.json");
  const kept: Record<string, string> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const missing = SECRETS.filter((name) => !kept[name]);
  if (missing.length === 0) return kept;
  for (const name of missing) kept[name] = randomBytes(32).toString("base64url");
  writeFileSync(path, JSON.stringify(kept, null, 2), { mode: 0o600 });
  return kept;
}

export function replaceSecret(folder: string, name: string, value: string): void {
  const path = join(folder, "secrets.json");
  const kept = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  writeFileSync(path, JSON.stringify({ ...kept, [name]: value }, null, 2), { mode: 0o600 });
}

export function readShellVars(vars: Record<string, string>): Record<string, string> {
  const names = [...Object.keys(vars), ...SECRETS, ...UNLISTED_VARS, "CASE_REPORT_APP_ID"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
