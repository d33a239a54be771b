import { isPlainPath, normaliseUnicode } from "../kernel/text.ts";

export type OldAddress =
  | { kind: "board"; key: string }
  | { kind: "item"; board: string; number: number }
  | { kind: "file"; board: string; item: number; index: number }
  | { kind: "file-number"; number: number }
  | { kind: "path"; path: string };

const NAME = /^[A-Za-z0-9_-]{1,60}$/;
const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : null;
const nameOf = (text: string | null): string | null => (text !== null && NAME.test(text) ? text : null);

/** Parses addresses of gnuboard, Rhymix, XE and Zeroboard; returns null for all others. */
export function parseOldAddress(url: URL): OldAddress | null {
  const path = url.pathname.replace(/\/{2,}/g, "/");
  const query = url.searchParams;
  const script = /\/([a-z]+)\.php$/i.exec(path)?.[1]?.toLowerCase();
  if (script) return parseScript(script, query);
  if (query.has("document_srl") || query.has("mid")) return parseQuery(query);
  const stored = storedPath(path);
  if (stored) return { kind: "path", path: stored };
  const download = /^(?:\/[\w-]+)?\/files\/download\/(?:link\/)?(\d{1,12})\//.exec(path);
  if (download) return { kind: "file-number", number: Number(download[1]) };
  const [, first = "", second] = /^\/([A-Za-z0-9_-]{1,60})(?:\/(\d{1,12}))?\/?$/.exec(path) ?? [];
  const number = numberOf(second ?? null);
  if (number !== null) return { kind: "item", board: first, number };
  if (second !== undefined || first === "") return null;
  return numberOf(first) === null ? { kind: "board", key: first } : { kind: "item", board: "", number: Number(first) };
}

function parseScript(script: string, query: URLSearchParams): OldAddress | null {
  const key = nameOf(query.get("bo_table")) ?? nameOf(query.get("id"));
  const item = numberOf(query.get("wr_id")) ?? numberOf(query.get("no"));
  if (script === "download" && key !== null) {
    const owner = numberOf(query.get("wr_id"));
    const index = /^\d{1,3}$/.exec(query.get("no") ?? "")?.[0];
    return owner === null || index === undefined
      ? null
      : { kind: "file", board: key, item: owner, index: Number(index) };
  }
  if (script === "index") return parseQuery(query);
  if (key === null || !/^(?:board|zboard|view|rss|link|write)$/.test(script)) return null;
  return item === null ? { kind: "board", key } : { kind: "item", board: key, number: item };
}

function parseQuery(query: URLSearchParams): OldAddress | null {
  const fileNumber = numberOf(query.get("file_srl"));
  if (fileNumber !== null && query.get("act")?.startsWith("procFile"))
    return { kind: "file-number", number: fileNumber };
  const key = nameOf(query.get("mid")) ?? "";
  const number = numberOf(query.get("document_srl"));
  if (number !== null) return { kind: "item", board: key, number };
  return key === "" ? null : { kind: "board", key };
}

const STORED = /\/(?:data\/(?:file|editor|cheditor5?|geditor)|files\/attach|wp-content\/uploads|storage\/app)\/./;

/** Strips the old site's folder from a path such as `/gnuboard5/data/file/free/1.png`. */
function storedPath(path: string): string | null {
  const start = path.search(STORED);
  if (start < 0) return null;
  try {
    const plain = normaliseUnicode(decodeURIComponent(path.slice(start + 1)), "NFC");
    return isPlainPath(plain) && plain.length <= 500 ? plain : null;
  } catch {
    return null;
  }
}
