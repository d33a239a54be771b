import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const REFUSED =
  /\b(?:stands?|stood|whoever|anew|beside|hangs? on|goes on|went on|(?:is|are) told|lies|lay)\b|(?:^|[.:;] )(?:What|Who|Whoever|Of which|Of who|Of nobody) (?!(?:is|are|does|can)\b)(?![^.]*\?)/;
const COMMENT = /^\s*(?:\{?\/\*\*?|\/\/|\*)\s?(.*)$|(?:[\s;,{(])\/\/ (.*)$/gm;
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*(["'`])((?:(?!\1)[^\n\\])+)\1/g;
const files = globSync(["*.md", "{app,worker,db,test}/**/*.{ts,tsx,md}"], { cwd: ROOT });

function linesOf(file: string): string[] {
  const text = readFileSync(resolve(ROOT, file), "utf8");
  if (file.endsWith(".md")) return text.split("\n");
  const comments = [...text.matchAll(COMMENT)].map(([, whole, trailing]) => whole ?? trailing ?? "");
  const titles = file.startsWith("test/") ? [...text.matchAll(TITLE)].map(([, , title = ""]) => title) : [];
  return [...comments, ...titles];
}

test("comments, test titles and pages use no refused word or opening", () => {
  const lines = files.flatMap((file) => linesOf(file).map((line) => ({ file, line: line.trim() })));
  expect(lines.length).toBeGreaterThan(5_000);
  expect(lines.filter(({ line }) => REFUSED.test(line))).toEqual([]);
});
