import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const EXPECTATIONS_MAX = 12;

interface SyntaxNode {
  type: string;
  start: number;
  [key: string]: unknown;
}
function visit(value: unknown, see: (node: SyntaxNode) => void): void {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value) see(value as SyntaxNode);
  for (const child of Object.values(value)) visit(child, see);
}

/** The first name of `test.each(rows)`, `expect.poll` or `expect`; a call within counts where `calls` are allowed. */
function firstName(node: SyntaxNode, calls: boolean): string {
  if (node.type === "MemberExpression") return firstName(node.object as SyntaxNode, calls);
  if (node.type === "CallExpression" && calls) return firstName(node.callee as SyntaxNode, calls);
  return node.type === "Identifier" ? (node.name as string) : "";
}

const hasFunction = (values: unknown) => (values as SyntaxNode[]).some(({ type }) => type.includes("Function"));

/** Each test with its number of calls of `expect`, of its members as well. */
function testsIn(file: string, text: string) {
  const tests: { place: string; expectations: number }[] = [];
  visit(parseSync(file, text).program.body, (node) => {
    if (node.type !== "CallExpression" || firstName(node.callee as SyntaxNode, true) !== "test") return;
    if (!hasFunction(node.arguments)) return;
    let expectations = 0;
    visit(node.arguments, ({ type, callee }) => {
      if (type === "CallExpression" && firstName(callee as SyntaxNode, false) === "expect") expectations += 1;
    });
    tests.push({ place: `${file}:${text.slice(0, node.start).split("\n").length}`, expectations });
  });
  return tests;
}

const placesOver = (tests: ReturnType<typeof testsIn>) =>
  tests.filter(({ expectations }) => expectations > EXPECTATIONS_MAX).map(({ place }) => place);

test("a test has at most twelve expectations", () => {
  const tests = globSync("test/**/*.test.{ts,tsx}", { cwd: ROOT }).flatMap((file) =>
    testsIn(file, readFileSync(resolve(ROOT, file), "utf8")),
  );
  expect(tests.length).toBeGreaterThan(2_000);
  expect(placesOver(tests)).toEqual([]);
});

test("only a test with a thirteenth expectation is reported", () => {
  const testOf = (count: number) => `test.each([1])("a", () => {\n${"  expect(1).toBe(1);\n".repeat(count)}});\n`;
  const polled = testOf(12).replace("});", "  await expect.poll(() => 1).toBe(1);\n});");
  expect(placesOver(testsIn("a.test.ts", testOf(12)))).toEqual([]);
  expect(placesOver(testsIn("a.test.ts", testOf(13)))).toEqual(["a.test.ts:1"]);
  expect(placesOver(testsIn("a.test.ts", testOf(12) + polled))).toEqual(["a.test.ts:15"]);
});
