import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
/** Both at once, for want of knowing the word: `withParticle` knows it. */
const BOTH = /을\(를\)|를\(을\)|이\(가\)|가\(이\)|은\(는\)|는\(은\)|\(으\)로|과\(와\)|와\(과\)|\(이\)라/;

test("no text of the product leaves the particle to its reader", () => {
  const files = globSync("{app,worker,db}/**/*.{ts,tsx,html}", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(resolve(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) => (BOTH.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found).toEqual([]);
});
