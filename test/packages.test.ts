import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { expect, test } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const declared = { ...manifest.dependencies, ...manifest.devDependencies };

const GIVEN = /^(?:cloudflare|virtual|node):/;
const IMPORT =
  /^(?:import|export)\b[^"'`;]*\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)|^@(?:import|plugin) "([^"]+)"/gm;

function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((match) => match.slice(1).find(Boolean) ?? "");
}

const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

test("every imported package is declared", () => {
  const files = execFileSync("git", [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "*.ts",
    "*.tsx",
    "*.css",
  ])
    .toString()
    .trim()
    .split("\n");
  const missing = files.flatMap((file) =>
    importsOf(readFileSync(file, "utf8"))
      .filter((name) => !/^[.#/]|^$/.test(name) && !GIVEN.test(name) && !isBuiltin(name))
      .map(packageOf)
      .filter((name) => !(name in declared))
      .map((name) => `${file}: ${name}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});

test("every version is exact", () => {
  const loose = Object.entries(declared).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
});
