import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { isPlainPath } from "#worker/contract/kernel/plain-path.ts";

/** Folders that can be no other's than an old site's. */
const OWN_FOLDER = /^(?:data\/(?:file|editor)|files\/attach|wp-content\/uploads|storage\/app)\//i;
/** Folders in which these systems keep what people upload; Zeroboard has one for each board. */
const FILE_FOLDER = /\/(?:data\/[a-z0-9_]+|files\/(?:attach|cache\/thumbnails)|wp-content\/uploads|storage\/app)\/./i;

const PATH_LENGTH = 1000;

const hostOf = (address: string): string =>
  /^(?:https?:)?\/\/(?:www\.)?([^/?#]*)/i.exec(address.trim())?.[1]?.toLowerCase() ?? "";

/** Is it a whole address of a site other than the old one? */
export const isOutside = (address: string, oldOrigin: string): boolean =>
  hostOf(address) !== "" && hostOf(address) !== hostOf(oldOrigin);

/**
 * Where a file of an old site may have lain below its folder, out of its address: as it says, then the original of a smaller
 * picture. None where it is no address of the old site.
 */
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

/** Lies it in a folder of what people uploaded? */
export const isUploadPath = (path: string): boolean => FILE_FOLDER.test(`/${path}`);

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** An address of the old site as a path of this one; another's stays as it is. */
export function localAddress(address: string, oldOrigin: string): string {
  const text = address.trim();
  if (/^www\.[^/]+\./i.test(text)) return `http://${text}`;
  if (hostOf(text) !== "") {
    if (isOutside(text, oldOrigin)) return text.startsWith("//") ? `https:${text}` : text;
    return `/${text.replace(/^(?:https?:)?\/\/[^/?#]*/i, "").replace(/^\/+/, "")}`;
  }
  // Written beside the page that showed it: gnuboard's pages lie in /bbs.
  const script = /^(?:\.\.?\/)*(?:bbs\/)?((?:board|download|link|rss)\.php\?.*)$/i.exec(text)?.[1];
  if (script !== undefined) return `/bbs/${script}`;
  const below = text.replace(/^(?:\.\.?\/)+/, "");
  return below === text || below === "" ? text : `/${below}`;
}
