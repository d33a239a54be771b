import { requirePresent } from "./support/require-present.ts";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { checkSync } from "recheck";
import { parseSync } from "vite";
import { afterAll, describe, expect, test } from "vitest";
import {
  buildAccountRules,
  DEFAULT_RULE_SETTINGS,
  WIDEST_RULE_SETTINGS,
} from "../worker/contract/kernel/setting/identity-rules.ts";
import { ALUMNI_SORT_PATTERN } from "#worker/contract/alumni/list.ts";
import { firstLetters, WORD_RUNS, STARTS_WITH_CJK } from "../worker/contract/board/search-terms.ts";

const ROOT = resolve(import.meta.dirname, "..");
// Command line code reads no untrusted input.
const files = globSync("{worker,app,db}/**/*.{ts,tsx}", { cwd: ROOT }).filter(
  (file) => !file.startsWith("worker/local/") && !file.startsWith("db/demo/"),
);

interface Pattern {
  source: string;
  flags: string;
  where: string;
}
type Node = { type?: string; start?: number; [key: string]: unknown };

/** A formatted regular expression follows one of these; other files need no parser. */
const MAY_HAVE_PATTERN = /(?:^|[\s([{!])\/(?![/*>])|\bRegExp\b/m;
const written: Pattern[] = [];
const built: string[] = [];
for (const file of files) {
  const code = readFileSync(resolve(ROOT, file), "utf8");
  if (!MAY_HAVE_PATTERN.test(code)) continue;
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

const ACCOUNT_PATTERNS = [DEFAULT_RULE_SETTINGS, WIDEST_RULE_SETTINGS].flatMap((settings) =>
  Object.entries(buildAccountRules(settings)).map(([name, { pattern }]) => ({
    source: pattern,
    flags: "u",
    where: `rule ${name}`,
  })),
);
const patternOf = ({ source, flags }: RegExp, where: string): Pattern => ({ source, flags, where });
const BUILT: Record<string, Pattern[]> = {
  "worker/contract/board/search-terms.ts": [
    patternOf(WORD_RUNS, "runs"),
    patternOf(STARTS_WITH_CJK, "script"),
    patternOf(firstLetters(["연구", "2026"]), "first letters"),
  ],
  "worker/contract/alumni/list.ts": [patternOf(ALUMNI_SORT_PATTERN, "sort")],
  "worker/contract/account/rules.ts": ACCOUNT_PATTERNS,
};

/** Superlinear, but harmless for their inputs. */
const EXCEPTIONS: Record<string, string> = {
  "/\\B(?=(\\d{3})+$)/g": "the digits of a number, 21 at most",
};

/** A fixed seed makes the generated texts equal in each run; the timeout ends only what hangs. */
const CHECK = { timeout: 600_000, randomSeed: 1 };

/** A pattern without unbounded repetition reads at most its own length for each letter. */
const REPEATS = /[*+]|\{\d+,/;
const distinct = [
  ...new Map(
    [...written, ...Object.values(BUILT).flat()]
      .filter(({ source }) => REPEATS.test(source))
      .map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern] as const),
  ),
];

/** Proofs of earlier runs; `patterns.txt` may be deleted to prove every pattern again. */
const PROOFS = resolve(import.meta.dirname, "patterns.txt");
const { version } = createRequire(import.meta.url)("recheck/package.json") as { version: string };
const proofOf = (key: string) =>
  createHash("sha256")
    .update(JSON.stringify([version, CHECK, key]))
    .digest("hex")
    .slice(0, 20);
const proofs = new Set(existsSync(PROOFS) ? readFileSync(PROOFS, "utf8").split("\n") : []);
const safe = distinct.filter(([key]) => !(key in EXCEPTIONS));
const unproven = safe.filter(([key]) => !proofs.has(proofOf(key)));

describe("every pattern that reads input", () => {
  afterAll(() => {
    const held = safe.map(([key]) => proofOf(key)).filter((proof) => proofs.has(proof));
    if (unproven.length > 0)
      writeFileSync(
        PROOFS,
        held
          .toSorted()
          .map((proof) => `${proof}\n`)
          .join(""),
      );
  });

  test("is found in the sources", () => {
    expect(written.length).toBeGreaterThan(700);
    expect(distinct.length).toBeGreaterThan(300);
  });

  test("cannot read endless combining marks, because only one function calls normalize", () => {
    const callers = files.filter((file) => /\.normalize\(/.test(readFileSync(resolve(ROOT, file), "utf8")));
    // A slow browser affects only its user.
    expect(callers.filter((file) => file.startsWith("worker/"))).toEqual(["worker/contract/kernel/text.ts"]);
  });

  test("is listed when it is built at run time", () => {
    expect([...new Set(built)].toSorted()).toEqual(Object.keys(BUILT).toSorted());
  });

  test("is superlinear if it is an exception", () => {
    for (const key of Object.keys(EXCEPTIONS)) {
      const pattern = requirePresent(distinct.find(([each]) => each === key)?.[1]);
      expect(checkSync(pattern.source, pattern.flags, CHECK).status, key).toBe("vulnerable");
    }
  });

  test.each(unproven.map(([key, pattern]) => [key, pattern.where, pattern] as const))(
    "takes linear time: %s (%s)",
    (key, _where, { source, flags }) => {
      const proven = checkSync(source, flags, { ...CHECK, checker: "automaton" });
      // The fuzzer is for patterns that an automaton cannot express.
      const found = proven.status === "unknown" ? checkSync(source, flags, CHECK) : proven;
      expect(found.status === "safe" ? found.complexity.type : JSON.stringify(found)).toMatch(/^(?:safe|linear)$/);
      proofs.add(proofOf(key));
    },
  );
});
