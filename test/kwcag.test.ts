import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(ROOT, path), "utf8");
const rows = read("test/kwcag.md")
  .split("\n")
  .filter((line) => /^\| \d/.test(line));

test("each of the 33 items stands in the list once", () => {
  const numbers = rows.map((row) => /^\| ([\d.]+)/.exec(row)?.[1]);
  expect(new Set(numbers).size).toBe(33);
  expect(numbers).toEqual(numbers.toSorted());
});

test.each(rows)("%s", (row) => {
  const named = [...row.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, file = "", name = ""] of named) expect(read(file), name).toContain(name);
});

test("nothing listens to the movement of a device", () => {
  const listening = globSync("app/**/*.{ts,tsx}", { cwd: ROOT }).filter((file) =>
    /devicemotion|deviceorientation|Accelerometer|Gyroscope/i.test(read(file)),
  );
  expect(listening).toEqual([]);
});
