import { requirePresent } from "./support/require-present.ts";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkSync } from "recheck";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import {
  buildAccountRules,
  DEFAULT_RULE_SETTINGS,
  WIDEST_RULE_SETTINGS,
} from "../worker/contract/kernel/identity-rules.ts";
import { ALUMNI_SORT_PATTERN } from "../worker/contract/alumni/rules.ts";
import { WORD_RUNS, STARTS_WITH_CJK } from "../worker/contract/board/search-terms.ts";

const ROOT = resolve(import.meta.dirname, "..");
// What runs on the command line meets no input of strangers.
const files = globSync("{worker,app,db}/**/*.{ts,tsx}", { cwd: ROOT }).filter(
  (file) => !file.startsWith("worker/local/") && !file.startsWith("db/demo/"),
);

interface Pattern {
  source: string;
  flags: string;
  where: string;
}
type Node = { type?: string; start?: number; [key: string]: unknown };

const written: Pattern[] = [];
const built: string[] = [];
for (const file of files) {
  const code = readFileSync(resolve(ROOT, file), "utf8");
  visit(parseSync(file, code).program as unknown as Node, (node) => {
    const where = `${file}:${code.slice(0, node.start).split("\n").length}`;
    const regex = node.type === "Literal" ? (node.regex as { pattern: string; flags: string } | undefined) : undefined;
    if (regex) written.push({ source: regex.pattern, flags: regex.flags, where });
    const callee = node.callee as Node | undefined;
    if ((node.type === "NewExpression" || node.type === "CallExpression") && callee?.name === "RegExp")
      built.push(file);
  });
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(node as Node);
  for (const value of Object.values(node)) visit(value, see);
}

/** What the patterns that are put together at run time look like, by the file that does it. */
const ACCOUNT_PATTERNS = [DEFAULT_RULE_SETTINGS, WIDEST_RULE_SETTINGS].flatMap((settings) =>
  Object.entries(buildAccountRules(settings)).map(([name, { pattern }]) => ({
    source: pattern,
    flags: "u",
    where: `rule ${name}`,
  })),
);
const patternOf = ({ source, flags }: RegExp, where: string): Pattern => ({ source, flags, where });
const BUILT: Record<string, Pattern[]> = {
  "worker/contract/board/search-terms.ts": [patternOf(WORD_RUNS, "runs"), patternOf(STARTS_WITH_CJK, "script")],
  "worker/contract/alumni/rules.ts": [patternOf(ALUMNI_SORT_PATTERN, "sort")],
  "worker/contract/account/rules.ts": ACCOUNT_PATTERNS,
};

/** Superlinear, and harmless because of what they meet. */
const EXCEPTIONS: Record<string, string> = {
  "/\\B(?=(\\d{3})+$)/g": "the digits of a number, 21 at most",
};

/** Where a pattern is tried on texts that are made up, they are the same at each run. */
const CHECK = { timeout: 50_000, randomSeed: 1 };

/** Without a repetition that has no end, a pattern reads no more than its own length at each letter. */
const REPEATS = /[*+]|\{\d+,/;
const distinct = [
  ...new Map(
    [...written, ...Object.values(BUILT).flat()]
      .filter(({ source }) => REPEATS.test(source))
      .map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern] as const),
  ),
];

describe("every pattern that meets input", () => {
  test("is found in the sources", () => {
    expect(written.length).toBeGreaterThan(200);
    expect(distinct.length).toBeGreaterThan(80);
  });

  test("meets no text whose letters bear endless marks: only one function calls normalize", () => {
    const callers = files.filter((file) => /\.normalize\(/.test(readFileSync(resolve(ROOT, file), "utf8")));
    // A browser slows down for its own person alone.
    expect(callers.filter((file) => file.startsWith("worker/"))).toEqual(["worker/contract/kernel/text.ts"]);
  });

  test("is known where it is put together at run time", () => {
    expect([...new Set(built)].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  test("is not excepted without being superlinear, or there", () => {
    for (const key of Object.keys(EXCEPTIONS)) {
      const pattern = requirePresent(distinct.find(([each]) => each === key)?.[1]);
      expect(checkSync(pattern.source, pattern.flags, CHECK).status, key).toBe("vulnerable");
    }
  });

  test.each(
    distinct.filter(([key]) => !(key in EXCEPTIONS)).map(([key, pattern]) => [key, pattern.where, pattern] as const),
  )("takes linear time: %s (%s)", (_key, _where, { source, flags }) => {
    // The proof by automaton is the same at each run; the fuzzer, for what it cannot take, is not.
    const proven = checkSync(source, flags, { ...CHECK, timeout: 1_500, checker: "automaton" });
    const found = proven.status === "safe" ? proven : checkSync(source, flags, CHECK);
    expect(found.status === "safe" ? found.complexity.type : JSON.stringify(found)).toMatch(/^(?:safe|linear)$/);
  });
});
