export interface ReaderValues {
  nonce: string;
  userId?: string;
  userName?: string;
  unread?: string;
}
type PlaceKind = keyof typeof WRITERS;

export interface Place {
  at: number;
  kind: PlaceKind;
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
export function placesOf(body: ArrayBuffer, tokens: ReaderValues, isData = false): Place[] {
  const bytes = Buffer.from(body);
  const isInScript = (at: number) => bytes.lastIndexOf("<script", at) > bytes.lastIndexOf("</script", at);
  const nameKind = (at: number) => (isData ? "nameInData" : isInScript(at) ? "nameInScript" : "name");
  return [
    ...find(bytes, tokens.nonce).map((at): Place => ({ at, kind: "nonce" })),
    ...find(bytes, tokens.userId).map((at): Place => ({ at, kind: "id" })),
    ...find(bytes, tokens.unread).map((at): Place => ({ at, kind: "unread" })),
    ...find(bytes, tokens.userName).map((at): Place => ({ at, kind: nameKind(at) })),
  ].toSorted((one, other) => one.at - other.at);
}

function find(bytes: Buffer, token: string | undefined): number[] {
  const found: number[] = [];
  if (token === undefined) return found;
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + TOKEN_BYTES)) found.push(at);
  return found;
}

export function fillPlaces(
  { body, places }: { body: ArrayBuffer; places: Place[] },
  values: ReaderValues,
): Uint8Array<ArrayBuffer> {
  const rendered = new Uint8Array(body);
  const written = new Map<PlaceKind, Uint8Array>();
  for (const { kind } of places) if (!written.has(kind)) written.set(kind, encoder.encode(WRITERS[kind](values)));
  const textOf = ({ kind }: Place) => written.get(kind) ?? NOTHING;
  const longer = places.reduce((sum, place) => sum + textOf(place).length - TOKEN_BYTES, 0);
  const own = new Uint8Array(rendered.length + longer);
  let [from, to] = [0, 0];
  const append = (bytes: Uint8Array) => {
    own.set(bytes, to);
    to += bytes.length;
  };
  for (const place of places) {
    append(rendered.subarray(from, place.at));
    append(textOf(place));
    from = place.at + TOKEN_BYTES;
  }
  append(rendered.subarray(from));
  return own;
}

export const writePlaces = (places: readonly Place[]) => places.map(({ at, kind }) => `${kind}:${at}`).join(",");

export const readPlaces = (text: string): Place[] =>
  text.split(",").flatMap((each) => {
    const [kind = "", at] = each.split(":");
    return kind in WRITERS ? [{ at: Number(at), kind: kind as PlaceKind }] : [];
  });
