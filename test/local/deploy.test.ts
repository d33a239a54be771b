import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  checkDeploySettings,
  checkRegion,
  isBucketLocked,
  lockAdvice,
  REQUIRED_SECRETS,
  settingsOf,
} from "#worker/local/deploy-settings.ts";
import { requireWrangler } from "#worker/local/require.ts";
import { bucketName, DATABASE_BINDING } from "#worker/local/wrangler.ts";

const stored = readFileSync(resolve(import.meta.dirname, "../../wrangler.toml"), "utf8");
const ready = stored
  .replace(/^MESSAGE_TRANSPORT = .*$/m, 'MESSAGE_TRANSPORT = "resend"')
  .replace(/^SITE_ORIGIN = .*$/m, 'SITE_ORIGIN = "https://network.or.kr"')
  .replace(/^MAIL_FROM = .*$/m, 'MAIL_FROM = "연구망 <office@network.or.kr>"');

test("only settings completed by the manual can be deployed", () => {
  expect(() => checkDeploySettings(ready)).not.toThrow();
  expect(() => checkDeploySettings(stored)).toThrow("SITE_ORIGIN");
  expect(() => checkDeploySettings(stored.replace(/^SITE_ORIGIN = .*$/m, 'SITE_ORIGIN = "https://a.kr"'))).toThrow(
    "MAIL_FROM",
  );
});

const line = /^SECOND_FACTOR = "required"$/m;
const WITHOUT = {
  "another mode": ready.replace(line, 'SECOND_FACTOR = "offered"'),
  "no line": ready.replace(line, ""),
  "a line that is a comment": ready.replace(line, '# SECOND_FACTOR = "required"'),
  "an empty value": ready.replace(line, 'SECOND_FACTOR = ""'),
  "another mode for another environment": `${ready}\n[env.other.vars]\n  SECOND_FACTOR = "offered"\n`,
};
test.each(Object.entries(WITHOUT))("an optional second factor is refused: %s", (_name, settings) => {
  expect(settings).not.toBe(ready);
  expect(() => checkDeploySettings(settings)).toThrow('SECOND_FACTOR는 "required"여야 합니다');
});

test("an outbox transport or an address without https is refused", () => {
  const refused = (from: RegExp, to: string) => () => checkDeploySettings(ready.replace(from, () => to));
  expect(refused(/^MESSAGE_TRANSPORT = "resend"/m, 'MESSAGE_TRANSPORT = "outbox"')).toThrow("MESSAGE_TRANSPORT");
  expect(refused(/"https:\/\/network/, '"http://network')).toThrow("SITE_ORIGIN");
  expect(refused(/office@network\.or\.kr/, "office@pid.example.kr")).toThrow("MAIL_FROM");
});

test("a database outside the required region is refused", () => {
  const info = (region: string) => `wrangler\n${JSON.stringify({ name: "hoewon", running_in_region: region })}`;
  expect(() => checkRegion("hoewon", info("APAC"), "apac")).not.toThrow();
  expect(() => checkRegion("hoewon", info("WNAM"), "WNAM")).not.toThrow();
  expect(() => checkRegion("hoewon", info("WNAM"), "APAC")).toThrow(
    "npx wrangler d1 create hoewon-apac --location apac",
  );
});

const settingsFile = resolve(import.meta.dirname, "../../wrangler.toml");
type Bindings = Record<"d1_databases" | "r2_buckets" | "kv_namespaces" | "ratelimits", Record<string, unknown>[]>;
const readBindings = (env?: string) =>
  requireWrangler().unstable_readConfig({ config: settingsFile, ...(env && { env }) }) as unknown as Bindings & {
    vars: object;
  };

test("no database or store has an id", () => {
  expect(stored).not.toMatch(/^(database_id|id) = /m);
  const asked = [...readFileSync(resolve(settingsFile, "../.dev.vars.example"), "utf8").matchAll(/^(\w+)=(.*)$/gm)];
  const { cloudflare } = JSON.parse(readFileSync(resolve(settingsFile, "../package.json"), "utf8"));
  expect(asked.map(([, name]) => name).filter((name = "") => !cloudflare.bindings[name]?.description)).toEqual([]);
  expect(asked.filter(([, , value]) => value !== "")).toEqual([]);
  expect(asked.map(([, name]) => name).toSorted()).toEqual([...REQUIRED_SECRETS, "HEALTH_TOKEN"].toSorted());
});

test("the Deploy button describes every value it asks for", () => {
  const { cloudflare, scripts } = JSON.parse(readFileSync(resolve(settingsFile, "../package.json"), "utf8"));
  const { vars, d1_databases, r2_buckets, kv_namespaces } = readBindings();
  const made = [...d1_databases, ...r2_buckets, ...kv_namespaces].map(({ binding }) => String(binding));
  for (const name of [...Object.keys(vars), ...made])
    expect([name, cloudflare.bindings[name]?.description]).toEqual([name, expect.stringMatching(/\w/)]);
  expect([...d1_databases, ...r2_buckets].filter((each) => !each.database_name && !each.bucket_name)).toEqual([]);
  expect(scripts).toMatchObject({
    build: "react-router build",
    deploy: expect.stringContaining("worker/local/deploy.ts"),
  });
  expect(DATABASE_BINDING).toBe("DB");
});

/** Resources that the Deploy button creates according to Cloudflare, and settings that need none. */
const MADE_BY_BUTTON = ["kv_namespaces", "d1_databases", "r2_buckets"];
const NOTHING_TO_MAKE = ["images", "ratelimits", "assets", "vars", "build", "triggers", "observability", "rules"];

test("the repository meets the rules of the Deploy button", () => {
  const root = resolve(settingsFile, "..");
  const { workspaces, scripts, cloudflare } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(workspaces).toBeUndefined();
  const tables = [...settingsOf(stored).matchAll(/^\[+([a-z_0-9]+)/gm)].map(([, name = ""]) => name);
  expect(tables.filter((name) => ![...MADE_BY_BUTTON, ...NOTHING_TO_MAKE].includes(name))).toEqual([]);
  expect([stored.match(/^name = "([a-z-]+)"/m)?.[1], existsSync(join(root, "wrangler.json"))]).toEqual([
    "hoewon",
    false,
  ]);
  // The button offers these two scripts; the second migrates by the binding before it deploys.
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["build", "deploy"]));
  const deploy = readFileSync(join(root, "worker/local/deploy.ts"), "utf8");
  expect(deploy.indexOf("migrateDatabase({ remote: true })")).toBeGreaterThan(0);
  expect(deploy.indexOf("migrateDatabase({ remote: true })")).toBeLessThan(deploy.indexOf('runWrangler(["deploy"])'));
  const wrangler = readFileSync(join(root, "worker/local/wrangler.ts"), "utf8");
  for (const [, place] of wrangler.matchAll(/"d1", "execute", (\S+?),/g)) expect(place).toBe("DATABASE_BINDING");
  // The button renders only code, bold, italics and links of Markdown.
  for (const [name, { description }] of Object.entries<{ description: string }>(cloudflare.bindings))
    expect([name, description]).toEqual([name, expect.not.stringMatching(/^#|^[-*] |!\[|<\/?[a-z]+[ >]|\n/)]);
  const manual = readFileSync(join(root, "worker/OPERATIONS.md"), "utf8");
  const button = "[![Deploy to Cloudflare](https://deploy.workers.cloudflare.com/button)]";
  expect(manual).toContain(`${button}(https://deploy.workers.cloudflare.com/?url=`);
});

test("a copy with other bucket names restores from those buckets", () => {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, "wrangler.toml");
  writeFileSync(own, stored.replace('"hoewon-backups"', '"society-backups"'));
  expect([bucketName("BACKUPS", own), bucketName("FILES", own)]).toEqual(["society-backups", "hoewon-files"]);
  writeFileSync(own, stored.replace('bucket_name = "hoewon-backups"', ""));
  expect(() => bucketName("BACKUPS", own)).toThrow("BACKUPS");
});

test("staging has the same bindings as the site, with separate resources", () => {
  const [site, staging] = [readBindings(), readBindings("staging")];
  for (const kind of ["d1_databases", "r2_buckets", "kv_namespaces", "ratelimits"] as const) {
    const names = (of: Bindings) => of[kind].map(({ binding, name }) => binding ?? name);
    expect([kind, names(staging)]).toEqual([kind, names(site)]);
  }
  const own = (of: Bindings) => [
    ...of.d1_databases.map(({ database_name }) => database_name),
    ...of.r2_buckets.map(({ bucket_name }) => bucket_name),
    ...of.ratelimits.map(({ namespace_id }) => namespace_id),
  ];
  expect(own(staging).filter((name) => own(site).includes(name))).toEqual([]);
  expect(Object.keys(staging.vars)).toEqual(Object.keys(site.vars));
});

test("a deployment to staging uses the settings below [env.staging]", () => {
  expect(() => checkDeploySettings(ready, "staging")).toThrow("SITE_ORIGIN");
  const staging = ready
    .replaceAll("staging.pid.example.kr", "staging.network.or.kr")
    .replaceAll("@pid.example.kr", "@network.or.kr");
  expect(() => checkDeploySettings(staging, "staging")).not.toThrow();
  expect(() => checkDeploySettings(staging.replace("https://network", "http://network"), "staging")).not.toThrow();
  expect(() => checkDeploySettings(staging, "other")).toThrow("[env.other]");
  expect(settingsOf(staging, "staging")).toContain("hoewon-staging-files");
  expect(settingsOf(staging)).not.toContain("hoewon-staging");
});

const lock = (enabled: string, prefix: string, condition: string) =>
  `name:       keep\nenabled:    ${enabled}\nprefix:     ${prefix}\ncondition:  ${condition}`;
const EVERYTHING = "(all prefixes)";
test("a deployment asks for a lock of the backup bucket", () => {
  const held = ["after 35 days", "after 90 days", "indefinitely"].map((how) => lock("Yes", EVERYTHING, how));
  const weak = [
    "There are no lock rules for bucket 'hoewon-backups'.",
    lock("No", EVERYTHING, "after 35 days"),
    lock("Yes", "tmp/", "after 35 days"),
    lock("Yes", EVERYTHING, "after 34 days"),
    lock("Yes", EVERYTHING, "after 1 day"),
  ];
  const listing = (...rules: string[]) => `Listing lock rules for bucket 'hoewon-backups'...\n${rules.join("\n\n")}\n`;
  for (const rule of held) expect([rule, isBucketLocked(listing(...weak.slice(1), rule))]).toEqual([rule, true]);
  expect(isBucketLocked(listing(...weak))).toBe(false);
  const manual = readFileSync(resolve(settingsFile, "../worker/OPERATIONS.md"), "utf8");
  const [, command = ""] = /npx (wrangler r2 bucket lock add .*)$/m.exec(lockAdvice("hoewon-backups")) ?? [];
  expect(manual).toContain(command);
});
