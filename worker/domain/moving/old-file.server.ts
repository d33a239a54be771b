import { lookUp } from "#worker/contract/kernel/labels.ts";
import { extensionOf, FILE_TYPES } from "#worker/contract/file/rules.ts";
import { OLD_FILE_EXTENSIONS } from "#worker/contract/moving/rules.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import type { MovingStep } from "./moving-step.server.ts";
import type { OldComment, OldDocument, OldFile } from "./rdx-record.server.ts";
import { isPlainPath, normaliseUnicode } from "#worker/contract/kernel/text.ts";

/** Readers of an item see all its comments, so secret comments on public items are left out. */
export const isShownBelow = (item: OldDocument, { state }: OldComment): boolean =>
  state === "public" || (state === "secret" && item.state === "secret");

export const filesOf = (each: OldDocument): OldFile[] => [
  ...each.files,
  ...each.comments.filter((comment) => isShownBelow(each, comment)).flatMap((comment) => comment.files),
];
export const fileKeyOf = (itemKey: string, { id, path }: OldFile) => `${itemKey}/${id || path}`;
export const pictureKeyOf = (itemKey: string, path: string) => `${itemKey}/img/${path}`;
export const fileKeysOf = (itemKey: string, each: OldDocument) =>
  filesOf(each).flatMap((file) => [fileKeyOf(itemKey, file), pictureKeyOf(itemKey, file.path)]);

export function isTakenFile(fileName: string): boolean {
  const extension = extensionOf(fileName);
  return lookUp(FILE_TYPES, extension) !== undefined || OLD_FILE_EXTENSIONS.includes(extension);
}

export async function findStoredPaths(step: MovingStep, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const parts = jsonArrays([...new Set(paths)]);
  const searches = step.archives.flatMap((archive) => parts.map((wanted) => ({ ...archive, wanted })));
  for (const { id, prefix, wanted } of searches) {
    step.spend(1);
    const { results } = await step.d1
      .prepare(
        "SELECT value AS path FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM moving_entry WHERE archive_id = ?2 AND name = ?3 || value)",
      )
      .bind(wanted, id, prefix)
      .all<{ path: string }>();
    for (const { path } of results) found.add(path);
  }
  return found;
}

const OWN_FOLDER = /^(?:data\/(?:file|editor)|files\/attach|wp-content\/uploads|storage\/app)\//i;
/** Upload folders of the old systems; Zeroboard has one per board. */
const FILE_FOLDER = /\/(?:data\/[a-z0-9_]+|files\/(?:attach|cache\/thumbnails)|wp-content\/uploads|storage\/app)\/./i;

const PATH_LENGTH = 1000;

const hostOf = (address: string): string =>
  /^(?:https?:)?\/\/(?:www\.)?([^/?#]*)/i.exec(address.trim())?.[1]?.toLowerCase() ?? "";

export const isOutside = (address: string, oldOrigin: string): boolean =>
  hostOf(address) !== "" && hostOf(address) !== hostOf(oldOrigin);

export function oldFilePaths(address: string, oldOrigin: string): string[] {
  const text = address.trim();
  const isWhole = hostOf(text) !== "";
  if (!isWhole && /^[a-z][a-z0-9+.-]*:/i.test(text)) return [];
  const [bare = ""] = (isWhole ? text.replace(/^(?:https?:)?\/\/[^/]*/i, "") : text).split(/[?#]/);
  const place = `/${normaliseUnicode(decodePath(bare), "NFC").replace(/^(?:\.{0,2}\/)+/, "")}`;
  const start = place.search(FILE_FOLDER);
  const path = place.slice(Math.max(start, 0) + 1);
  if (path === "" || path.length > PATH_LENGTH || !isPlainPath(path)) return [];
  if (isOutside(text, oldOrigin) && (start < 0 || !OWN_FOLDER.test(path))) return [];
  const original = path.replace(/-\d{2,5}x\d{2,5}(?=\.\w{3,4}$)/, "");
  const scaled = original.replace(/(?=\.\w{3,4}$)/, "-scaled");
  const beforeThumb = path.replace(/\/thumb-([^/]*)_\d{1,5}x\d{1,5}(?=\.\w{3,4}$)/, "/$1");
  return [...new Set([path, original, scaled, beforeThumb])];
}

export const isUploadPath = (path: string): boolean => FILE_FOLDER.test(`/${path}`);

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function localAddress(address: string, oldOrigin: string): string {
  const text = address.trim();
  if (/^www\.[^/]+\./i.test(text)) return `http://${text}`;
  if (hostOf(text) !== "") {
    if (isOutside(text, oldOrigin)) return text.startsWith("//") ? `https:${text}` : text;
    return `/${text.replace(/^(?:https?:)?\/\/[^/?#]*/i, "").replace(/^\/+/, "")}`;
  }
  // Gnuboard writes addresses relative to /bbs.
  const script = /^(?:\.\.?\/)*(?:bbs\/)?((?:board|download|link|rss)\.php\?.*)$/i.exec(text)?.[1];
  if (script !== undefined) return `/bbs/${script}`;
  const below = text.replace(/^(?:\.\.?\/)+/, "");
  return below === text || below === "" ? text : `/${below}`;
}
