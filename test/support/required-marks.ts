import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const FIELD = /<Field\b(?:[^<>]|=>|<[^<>]*>)*?\srequired(?=[\s>])(?!=)[\s\S]*?<\/Field>/g;
const GROUP = /<(?:RadioGroup|CheckboxGroup|Checkbox)\b[^>]*?\srequired(?=[\s/>])[^>]*/g;
const REASON = /\breason(?:Hint|Example)[=:]|<(?:Long)?ReasonField\b/;
const CALL = /\bapi((?:\s*\.\w+|\["[^"]+"\])+?)\s*\.\$(post|put|patch|delete)\b/g;

const nameOf = (control: string) => (/\bname="([^"]+)"/.exec(control) ?? /\bid="([^"]+)"/.exec(control))?.[1];

const namesIn = (source: string): string[] => [
  ...[...source.matchAll(FIELD), ...source.matchAll(GROUP)].flatMap(([control]) => nameOf(control) ?? []),
  ...(REASON.test(source) ? ["reason"] : []),
];

const callsIn = (source: string): string[] =>
  [...source.matchAll(CALL)].map(([, chain = "", method = ""]) => {
    const parts = chain.replaceAll(/\["([^"]+)"\]/g, ".$1").split(".");
    return `${method.toUpperCase()} /api/${parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join("/")}`;
  });

/** Of each call the fields that a form of the same file marks as required. */
export function requiredMarks(): Map<string, Set<string>> {
  const marks = new Map<string, Set<string>>();
  for (const file of globSync("app/**/*.tsx", { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), "utf8");
    const names = namesIn(source);
    for (const call of names.length > 0 ? callsIn(source) : [])
      marks.set(call, new Set([...(marks.get(call) ?? []), ...names]));
  }
  return marks;
}
