import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// A plain object answers for `constructor` and `__proto__`; external keys need `lookUp`, `Object.hasOwn` or a Map.

const OWN_KEYS: Record<string, string> = {
  ESCAPES: "one sign",
  SCRIPT_ESCAPES: "one sign",
  SIGNS: "one sign",
  HTML_ENTITIES: "one sign",
  ENTITIES: "a name out of the pattern",
  DIGITS: "one sign",
  LETTERS: "one sign",
  LEET: "one sign",
  AUDIT_TARGET_NAMES: "a name of the code's own",
  SETTING_NAMES: "a name of the code's own",
  REASONS: "a rule's name",
  COUNTED_ANEW: "a table's name",
  ownHours: "a job's name",
  JOB_TIMES: "a job's name",
  values: "a field of the address book",
  hashes: "a field of the address book",
  before: "keys of the object itself",
  after: "keys of the object itself",
  from: "keys of the object itself",
  sides: "labels of a form",
  errors: "names of a form's fields",
  problems: "names of a form's fields",
  places: "names of a form's fields",
  CONTROL_BY_FIELD: "names of a form's fields",
  ROW_KEYS: "a key of the keyboard",
  file: "sections of a file that is read whole",
  decisions: "kinds of the code's own",
  unverified: "kinds of keys",
  Sheets: "a number",
  table: "within `lookUp`",
};

const DECLARED = /(\w+)\??\s*:\s*(?:\w+\s*=\s*)?(?:Readonly<)?(?:Partial<)?Record<string,/g;
const READ = /(?:(\.)|(?<![\w".]))(\w+)(?:\?\.)?\[(?!["'`\]\d])[^\]\n]*\](?!\s*(?:=[^=>]|\?\?=))/g;

const sources = globSync("{app,worker}/**/*.{ts,tsx}")
  .filter((path) => !path.startsWith("worker/local/"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const declaredIn = (text: string) => new Set([...text.matchAll(DECLARED)].map(([, name = ""]) => name));

function openReads(path: string, text: string, members: ReadonlySet<string>): string[] {
  const own = declaredIn(text);
  return [...text.matchAll(READ)].flatMap(([whole, dot = "", name = ""]) =>
    (dot === "" ? own : members).has(name) && !(name in OWN_KEYS) ? [`${path}: ${whole}`] : [],
  );
}

test("no table is read by an external name that every object has", () => {
  const members = new Set(sources.flatMap(({ text }) => [...declaredIn(text)]));
  expect(sources.flatMap(({ path, text }) => openReads(path, text, members))).toEqual([]);
});

test("only a table read by a variable is reported", () => {
  const read = (line: string) =>
    openReads("a.ts", `const texts: Record<string, string> = {};\n${line}`, new Set(["inner"]));
  for (const line of ["texts[name]", "return texts[name.trim()] ?? x", "outer.inner[name]", "outer?.inner?.[name]"])
    expect(read(line), `${line}`).toHaveLength(1);
  for (const line of ['texts["name"]', "texts[name] = x", "lookUp(texts, name)", "other[name]"])
    expect(read(line), `${line}`).toEqual([]);
});
