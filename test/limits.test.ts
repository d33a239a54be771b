import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";

const DURATIONS: Record<number, string> = {
  60: "1 minute",
  600: "10 minutes",
  900: "15 minutes",
  3600: "1 hour",
  86400: "1 day",
};
const MEGABYTE = 1024 ** 2;

function countText(name: string, max: number): string {
  if (!name.includes("Bytes")) return max.toLocaleString("en");
  return max < 1024 * MEGABYTE ? `${max / MEGABYTE} MB` : `${max / MEGABYTE / 1024} GB`;
}

test("the operations manual lists each limit", () => {
  const manual = readFileSync(resolve(import.meta.dirname, "../worker/OPERATIONS.md"), "utf8");
  const section = manual.split("\n## Limits\n")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)];
  const counters: readonly string[] = section.match(/^`signinStrike`.*count only/m)?.[0].match(/\w+(?=`)/g) ?? [];
  const limits = Object.entries(RATE_LIMITS).filter(([name]) => !counters.includes(name));
  expect(counters).toHaveLength(4);
  expect(Object.fromEntries(rows.map(([, name, most]) => [name, most]))).toEqual(
    Object.fromEntries(
      limits.map(([name, { max, windowSeconds }]) => [name, `${countText(name, max)} in ${DURATIONS[windowSeconds]}`]),
    ),
  );
});
