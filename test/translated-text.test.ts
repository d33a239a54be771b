import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

// Translators replace text nodes (app/lib/markup/jsx-runtime.ts), after which React cannot remove a text or insert before one.

const ROOT = resolve(import.meta.dirname, "..");

type Node = { type: string; start: number; end: number; [key: string]: unknown };

/** The kind of a child: "comes" may render nothing, "list" renders any number of elements. */
type Kind = "element" | "text" | "comes" | "list";

let changing = new Set<string | undefined>();

function kindsOf(node: Node | undefined): Kind[] {
  switch (node?.type) {
    case "JSXElement":
      return changing.has(tagOf(node)) ? ["element", "comes"] : ["element"];
    case "JSXFragment":
      return ["element"];
    case "JSXText":
    case "TemplateLiteral":
      return ["text"];
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
      return kindsOf(node.expression as Node);
    case "JSXEmptyExpression":
      return [];
    case "Literal":
      return typeof node.value === "string" && node.value !== "" ? ["text"] : ["comes"];
    case "Identifier":
      return node.name === "undefined" ? ["comes"] : ["text"];
    case "ConditionalExpression": {
      const [one, other] = [node.consequent as Node, node.alternate as Node];
      const kinds = [...kindsOf(one), ...kindsOf(other)];
      return tagOf(one) === tagOf(other) ? kinds : [...kinds, "comes"];
    }
    case "LogicalExpression": {
      const left = node.operator === "&&" ? (["comes"] as Kind[]) : kindsOf(node.left as Node);
      return [...left, ...kindsOf(node.right as Node)];
    }
    case "CallExpression": {
      const name = ((node.callee as Node).property as { name?: string } | undefined)?.name ?? "";
      return /^(?:map|flatMap)$/.test(name) ? ["list"] : ["text"];
    }
    default:
      return ["text"];
  }
}

function tagOf(node: Node): string | undefined {
  if (node.type === "ParenthesizedExpression") return tagOf(node.expression as Node);
  const name = (node.openingElement as { name?: { name?: string } } | undefined)?.name;
  return name?.name;
}

/** Props that hold elements in this code base. */
const ELEMENT_NAMES = /^(?:action|after|foot|drawn)$/;

const HOLDS_ELEMENTS = new Set([
  "app/ui/field.tsx",
  "app/routes/console/access/roles.tsx",
  "app/features/site/shell/site-header.tsx",
  "app/features/moving/mapping-form.tsx",
  "app/features/member/bulk-actions.tsx",
  "app/features/list/ordered-rows.tsx",
  "app/features/alumni/filter-form.tsx",
  "app/features/alumni/import/action-bar.tsx",
]);

const isBlank = (child: Node) =>
  child.type === "JSXText" && /^\s*$/.test(child.value as string) && /\n/.test(child.value as string);

/** Whether React would have to remove a text of this element or insert before one. */
function losesText(parent: Node): boolean {
  const children = (parent.children as Node[]).filter((child) => !isBlank(child));
  const kinds = children
    .map((child) => {
      const { expression } = child as { expression?: Node };
      return expression?.type === "Identifier" && ELEMENT_NAMES.test(expression.name as string)
        ? (["element"] as Kind[])
        : kindsOf(child);
    })
    .filter((each) => each.length > 0);
  if (kinds.length < 2) return false;
  if (kinds.every((each) => each.every((kind) => kind === "text" || kind === "comes"))) return false;
  const isTextRun = (each: Kind[]) =>
    each.every((kind) => kind === "text" || kind === "comes") && each.includes("text");
  return kinds.some((each, at) => {
    const isMixed = each.includes("text") && (each.includes("element") || each.includes("list"));
    const mayGo = each.includes("comes") || each.includes("list");
    if (isMixed) return true;
    if (isTextRun(each) && each.includes("comes")) {
      let [from, to] = [at, at];
      while (from > 0 && isTextRun(kinds[from - 1] ?? [])) from -= 1;
      while (to + 1 < kinds.length && isTextRun(kinds[to + 1] ?? [])) to += 1;
      return kinds.slice(from, to + 1).every((run) => run.includes("comes"));
    }
    const rest = kinds.slice(at + 1);
    const next = rest.findIndex((later) => later.join() === "element");
    const before = next < 0 ? rest : rest.slice(0, next);
    return mayGo && !each.includes("text") && before.some((later) => later.includes("text"));
  });
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (typeof node === "object" && node !== null) {
    if ("type" in node) see(node as Node);
    for (const each of Object.values(node)) visit(each, see);
  }
}

function findLostTexts(file: string, code: string): string[] {
  const found: string[] = [];
  changing = new Set([...code.matchAll(/const ([A-Z]\w*) = [^;=]*[?[]/g)].map(([, name]) => name));
  visit(parseSync(file, code).program, (node) => {
    if ((node.type === "JSXElement" || node.type === "JSXFragment") && losesText(node))
      found.push(
        `${file}:${code.slice(0, node.start).split("\n").length} ${code.slice(node.start, node.end).replace(/\s+/g, " ").slice(0, 300)}`,
      );
  });
  return found;
}

test("T no element has a bare text next to a changing node", () => {
  const files = globSync("app/**/*.tsx", { cwd: ROOT }).filter((file) => !HOLDS_ELEMENTS.has(file));
  const found = files.flatMap((file) => findLostTexts(file, readFileSync(resolve(ROOT, file), "utf8")));
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test.each<[string, boolean]>([
  ["<b>{busy && <i />}{children}</b>", true],
  ["<b>{children}{busy && <i />}</b>", false],
  ["<b><i />{text && ` ${text}`}</b>", true],
  ["<b><i /> 글{text && ` ${text}`}</b>", false],
  ["<b>글 {count}건{more && ' 외'}</b>", false],
  ["<b>{isOne ? '하나' : <i />}<u /></b>", true],
  ["<b>{rows.map((row) => <i key={row} />)} 끝</b>", true],
  ["<b>{busy && <i />}<span>{children}</span></b>", false],
  ["<>{busy && <i />} 글</>", true],
  ["<b>{met ? <i /> : <u />} 글</b>", true],
  ["<b>{met ? <i className='a' /> : <i />} 글</b>", false],
])("%s: %s", (code, isLost) => {
  expect(findLostTexts("a.tsx", `const a = ${code};`)).toHaveLength(isLost ? 1 : 0);
});
