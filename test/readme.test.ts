import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const linksIn = (path: string) => [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = ""]) => to);
const pathsOf = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: ["node_modules/**", "build/**"] });

test("README links the decisions of each area", () => {
  expect(
    linksIn("README.md")
      .filter((to) => to.endsWith("DECISIONS.md"))
      .toSorted(),
  ).toEqual(pathsOf("**/DECISIONS.md").toSorted());
});

test.for(pathsOf("**/README.md"))("each link of %s leads to a file", (path) => {
  expect(linksIn(path).filter((to) => !existsSync(join(ROOT, dirname(path), to)))).toEqual([]);
});
