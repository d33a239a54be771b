import { ownValue } from "#worker/contract/kernel/labels.ts";

// A streaming HTML and XML reader in linear time.

type MarkupPiece =
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; attributes: string; isClosed: boolean }
  | { kind: "close"; name: string };

const SKIPPED = new Set(["script", "style", "head"]);

/** The end of a tag, ignoring > within quotes. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (quote) {
      if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ">") return at;
  }
  return -1;
}

/** Yields tags with lower-case names and the texts between them. */
export function* readMarkup(text: string, skipped: ReadonlySet<string> = SKIPPED): Generator<MarkupPiece> {
  let skipping = "";
  for (let at = 0; at < text.length;) {
    const start = text.indexOf("<", at);
    if (start !== at && !skipping)
      yield { kind: "text", text: decodeEntities(text.slice(at, start < 0 ? undefined : start)) };
    if (start < 0) return;
    const special = ["<!--", "<![CDATA["].find((mark) => text.startsWith(mark, start));
    if (special) {
      const mark = special === "<!--" ? "-->" : "]]>";
      const end = text.indexOf(mark, start + special.length);
      if (special !== "<!--" && !skipping)
        yield { kind: "text", text: text.slice(start + special.length, end < 0 ? undefined : end) };
      if (end < 0) return;
      at = end + mark.length;
      continue;
    }
    if (!/[a-z/!?]/i.test(text[start + 1] ?? "")) {
      if (!skipping) yield { kind: "text", text: "<" };
      at = start + 1;
      continue;
    }
    const end = tagEnd(text, start + 1);
    if (end < 0) return;
    at = end + 1;
    const inside = text.slice(start + 1, end);
    const isClose = inside.startsWith("/");
    const name = (/^\/?([a-z][\w:.-]*)/i.exec(inside)?.[1] ?? "").toLowerCase();
    if (name === "") continue;
    if (skipping) {
      if (isClose && name === skipping) skipping = "";
    } else if (isClose) yield { kind: "close", name };
    else {
      const isClosed = inside.endsWith("/");
      if (skipped.has(name) && !isClosed) skipping = name;
      else yield { kind: "open", name, attributes: inside.slice(name.length), isClosed };
    }
  }
}

/** Expects no spaces around the equals sign. */
export function attributeOf(attributes: string, name: string): string | null {
  const lower = attributes.toLowerCase();
  for (let at = lower.indexOf(`${name}=`); at >= 0; at = lower.indexOf(`${name}=`, at + 1)) {
    if (at > 0 && !/[\s"']/.test(lower[at - 1] ?? "")) continue;
    const start = at + name.length + 1;
    const quote = attributes[start] ?? "";
    if (quote !== '"' && quote !== "'") return decodeEntities(attributes.slice(start).split(/[\s/]/, 1)[0] ?? "");
    const end = attributes.indexOf(quote, start + 1);
    return decodeEntities(attributes.slice(start + 1, end < 0 ? undefined : end));
  }
  return null;
}

export const numberAttribute = (attributes: string, name: string, max: number): number => {
  const value = Number(attributeOf(attributes, name) ?? 1);
  return Number.isInteger(value) && value > 0 ? Math.min(value, max) : 1;
};

const ENTITIES: Record<string, string> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", middot: "·" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ownValue(ENTITIES, (name as string).toLowerCase()) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
