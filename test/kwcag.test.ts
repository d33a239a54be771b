import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(ROOT, path), "utf8");
const rowsOf = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => /^\| [UN]?\d/.test(line));
const rows = rowsOf("test/kwcag.md");
const visitorRows = rowsOf("test/visitors.md");

test("each of the 33 items is listed once", () => {
  const numbers = rows.map((row) => /^\| ([\d.]+)/.exec(row)?.[1]);
  expect(new Set(numbers).size).toBe(33);
  expect(numbers).toEqual(numbers.toSorted());
});

test("each line about visitors or members is listed once", () => {
  const lines = (letter: string, count: number) => Array.from({ length: count }, (_each, at) => `${letter}${at + 1}`);
  const told = visitorRows.map((row) => /^\| ([UN]\d+)/.exec(row)?.[1]);
  expect(told).toEqual([...lines("U", 16), ...lines("N", 13)]);
});

test.each([...rows, ...visitorRows])("%s", (row) => {
  let file = "";
  const named = [...row.matchAll(/`(test\/[^`]+)`|“([^”]+)”/g)].flatMap(([, path, name]) => {
    if (path) file = path;
    return name ? [{ file, name }] : [];
  });
  expect(named.length).toBeGreaterThan(0);
  for (const each of named) expect(read(each.file), each.name).toContain(each.name);
});

test("nothing listens to device motion", () => {
  const listening = globSync("app/**/*.{ts,tsx}", { cwd: ROOT }).filter((file) =>
    /devicemotion|deviceorientation|Accelerometer|Gyroscope/i.test(read(file)),
  );
  expect(listening).toEqual([]);
});

test("a word breaks only where it is wider than its line", () => {
  expect(read("app/app.css")).toMatch(/body \{[^}]*word-break: keep-all;[^}]*overflow-wrap: break-word;/);
  expect(read("app/ui/table.tsx")).toMatch(/overflow-x-auto/);
});
