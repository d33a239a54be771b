export interface ReaderValues {
  nonce: string;
  userId?: string;
  userName?: string;
  unread?: string;
}
type PlaceholderKind = keyof typeof WRITERS;

export interface Placeholder {
  at: number;
  kind: PlaceholderKind;
}

/** 32 random hex digits, for a nonce or a placeholder. */
export const newToken = () => crypto.randomUUID().replaceAll("-", "");
const TOKEN_BYTES = 32;
const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

const inString = (text: string) => JSON.stringify(text).slice(1, -1);
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
const SCRIPT_ESCAPES: Record<string, string> = {
  "&": "\\u0026",
  ">": "\\u003e",
  "<": "\\u003c",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** Escapes like React and the router's data and script (react-router/lib/dom/ssr/markup). */
const WRITERS = {
  nonce: ({ nonce }: ReaderValues) => nonce,
  id: ({ userId = "" }: ReaderValues) => userId,
  unread: ({ unread = "" }: ReaderValues) => unread,
  name: ({ userName = "" }: ReaderValues) => userName.replace(/[&<>"']/g, (each) => ESCAPES[each] ?? each),
  nameInData: ({ userName = "" }: ReaderValues) => inString(userName),
  nameInScript: ({ userName = "" }: ReaderValues) =>
    inString(inString(userName)).replace(/[&><\u2028\u2029]/g, (each) => SCRIPT_ESCAPES[each] ?? each),
};

/** Finds the placeholders in order. @param isData true for the router's data format */
export function findPlaceholders(body: ArrayBuffer, tokens: ReaderValues, isData = false): Placeholder[] {
  const bytes = Buffer.from(body);
  const isInScript = (at: number) => bytes.lastIndexOf("<script", at) > bytes.lastIndexOf("</script", at);
  const nameKind = (at: number) => (isData ? "nameInData" : isInScript(at) ? "nameInScript" : "name");
  return [
    ...find(bytes, tokens.nonce).map((at): Placeholder => ({ at, kind: "nonce" })),
    ...find(bytes, tokens.userId).map((at): Placeholder => ({ at, kind: "id" })),
    ...find(bytes, tokens.unread).map((at): Placeholder => ({ at, kind: "unread" })),
    ...find(bytes, tokens.userName).map((at): Placeholder => ({ at, kind: nameKind(at) })),
  ].toSorted((one, other) => one.at - other.at);
}

function find(bytes: Buffer, token: string | undefined): number[] {
  const found: number[] = [];
  if (token === undefined) return found;
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + TOKEN_BYTES)) found.push(at);
  return found;
}

export function fillPagePlaceholders(
  { body, placeholders }: { body: ArrayBuffer; placeholders: Placeholder[] },
  values: ReaderValues,
): Uint8Array<ArrayBuffer> {
  const rendered = new Uint8Array(body);
  const written = new Map<PlaceholderKind, Uint8Array>();
  for (const { kind } of placeholders) if (!written.has(kind)) written.set(kind, encoder.encode(WRITERS[kind](values)));
  const textOf = ({ kind }: Placeholder) => written.get(kind) ?? NOTHING;
  const longer = placeholders.reduce((sum, placeholder) => sum + textOf(placeholder).length - TOKEN_BYTES, 0);
  const own = new Uint8Array(rendered.length + longer);
  let [from, to] = [0, 0];
  const append = (bytes: Uint8Array) => {
    own.set(bytes, to);
    to += bytes.length;
  };
  for (const placeholder of placeholders) {
    append(rendered.subarray(from, placeholder.at));
    append(textOf(placeholder));
    from = placeholder.at + TOKEN_BYTES;
  }
  append(rendered.subarray(from));
  return own;
}

export const writePlaceholders = (placeholders: readonly Placeholder[]) =>
  placeholders.map(({ at, kind }) => `${kind}:${at}`).join(",");

export const readPlaceholders = (text: string): Placeholder[] =>
  text.split(",").flatMap((each) => {
    const [kind = "", at] = each.split(":");
    return kind in WRITERS ? [{ at: Number(at), kind: kind as PlaceholderKind }] : [];
  });
