// npm run types: generates binding types without wrangler's full build.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT, runWrangler } from "./wrangler.ts";

const settings = join(PROJECT_ROOT, "wrangler.toml");
const types = join(PROJECT_ROOT, "worker-configuration.d.ts");
const changedMs = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);

if (changedMs(types) < Math.max(changedMs(settings), changedMs(join(PROJECT_ROOT, "package-lock.json")))) {
  const withoutBuild = join(PROJECT_ROOT, "wrangler.types.toml");
  const text = readFileSync(settings, "utf8");
  writeFileSync(withoutBuild, text.replace(/^\[build\]\ncommand = .*\n/m, "").replace(/^main = .*\n/m, ""));
  try {
    runWrangler(["types", types, "--config", withoutBuild, "--include-runtime=false", "--strict-vars=false"]);
  } finally {
    rmSync(withoutBuild);
  }
}
