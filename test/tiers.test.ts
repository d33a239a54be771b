import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";
import { CALLS } from "./calls/calls.ts";

const ROOT = resolve(import.meta.dirname, "..");
const readTest = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isFullFile = (text: string) => text.startsWith("/** @module-tag full */\n");
const files = globSync("test/**/*.test.ts", { cwd: ROOT }).toSorted();
const readme = readTest("test/README.md");

/** The names of a row of the README: `a/{b,c}` is two files. */
const named = new Set(
  [...readme.matchAll(/`([\w./-]*)\{([^}]+)\}`|`([\w-]+(?:\/[\w-]+)+)`/g)].flatMap(([, folder, names, one]) =>
    one ? [one] : (names ?? "").split(",").map((name) => `${folder ?? ""}${name}`),
  ),
);

test("each file of the full tier has its reason in the README", () => {
  const full = files.filter((file) => isFullFile(readTest(file)));
  expect(full.length).toBeGreaterThan(50);
  expect(full.map((file) => file.slice("test/".length, -".test.ts".length)).filter((name) => !named.has(name))).toEqual(
    [],
  );
});

test("each area has files in the first tier", () => {
  const areaOf = (file: string) => file.split("/").slice(0, 3).join("/");
  const walks = files.filter((file) => /^test\/(?:api|e2e)\/[^/]+\//.test(file));
  const first = new Set(walks.filter((file) => !isFullFile(readTest(file))).map(areaOf));
  expect([...new Set(walks.map(areaOf))].filter((area) => !first.has(area))).toEqual([]);
});

test("a test that runs in part names its tier", () => {
  const partial = files.filter((file) => /support\/sample\.ts"|\benv\.FULL\b/.test(readTest(file)));
  const isTagged = (text: string) => /@module-tag (?:full|sampled)|tags: "(?:full|sampled)"/.test(text);
  expect(partial.length).toBeGreaterThan(8);
  expect(partial.filter((file) => !isTagged(readTest(file)))).toEqual([]);
});

const EXPRESSION = String.raw`(?:\$\{(?:[^{}]|\{[^{}]*\})*\}|[\w.%-]+)`;
/** Any literal or expression for a parameter; the last word may be an expression, too. */
function patternOf(path: string): RegExp {
  const [, , area = "", ...rest] = path.split("/");
  const words = rest.map((word, at) =>
    word.startsWith(":") ? EXPRESSION : at === rest.length - 1 ? `(?:${word}|\\$\\{\\w+\\})` : word,
  );
  return new RegExp(`/api/${[area, ...words].join("/")}(?=["\`?])`);
}

/** The text of a file with the constants of paths written out, its own before those of other files. */
function expandPaths(text: string, exported: readonly RegExpExecArray[]): string {
  const constants = [...text.matchAll(/(?<!export )const (\w+) = ["`](\/api\/[^"`]*)["`]/g), ...exported];
  return constants.reduce(
    (expanded, [, name = "", path = ""]) =>
      expanded
        .replaceAll(`\${${name}}`, () => path)
        .replace(new RegExp(`(?<=[,(\\s])${name}(?=[,)\\s])`, "g"), () => `"${path}"`),
    text,
  );
}

/** The first tier's tests of the API and all that they import, as one text. */
function firstTierText(): string {
  const reached = new Map<string, string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    const text = readTest(file);
    reached.set(file, text);
    for (const [, target = ""] of text.matchAll(/from "(\.[^"?]*\.ts)"/g))
      visit(posix.join(posix.dirname(file), target));
  };
  for (const file of files) if (/^test\/(?:api|domain)\//.test(file) && !isFullFile(readTest(file))) visit(file);
  reached.delete("test/calls/calls.ts");
  const texts = [...reached.values()];
  const exported = texts.flatMap((text) => [...text.matchAll(/export const (\w+) = ["`](\/api\/[^"`]*)["`]/g)]);
  return texts.map((text) => expandPaths(text, exported)).join("\n");
}

test("each call has a test of its answer in the first tier", () => {
  const first = firstTierText();
  const isCalled = (call: string) => first.includes(`"${call}"`) || patternOf(call.split(" ")[1] ?? "").test(first);
  expect(Object.keys(CALLS).filter((call) => !isCalled(call))).toEqual([]);
});
