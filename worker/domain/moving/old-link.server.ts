import { isPlainPath } from "#worker/adapters/zip-reader.server.ts";
import { decodeEntities, escapeHtml } from "./old-text.server.ts";

/** Folders in which gnuboard, Rhymix, XE and Zeroboard keep what people upload. */
const FILE_FOLDER = /\/(?:data\/[a-z0-9_]+|files\/attach|files\/cache\/thumbnails)\/./i;

/** Where a picture or file of an old site lay below its folder, out of its address; null where it is no such address. */
export function oldFilePath(address: string, oldOrigin: string): string | null {
  const text = decodeEntities(address).trim();
  const isOwn = oldOrigin !== "" && text.toLowerCase().startsWith(`${oldOrigin.toLowerCase()}/`);
  const isWhole = /^(?:https?:)?\/\//i.test(text);
  const [bare = ""] = (isWhole ? text.replace(/^(?:https?:)?\/\/[^/]*/i, "") : text).split(/[?#]/);
  const place = `/${decodePath(bare).replace(/^(?:\.{0,2}\/)+/, "")}`;
  const start = place.search(FILE_FOLDER);
  const path = place.slice(start + 1);
  if (start < 0 || !isPlainPath(path)) return null;
  // Of another host it is taken alone where it can be no other's: below the folders of these systems.
  return !isWhole || isOwn || /^(?:data\/(?:file|editor)|files\/attach)\//i.test(path) ? path : null;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const PICTURE = /<img\b[^<>]*>/gi;
const LINK = /(<a\b[^<>]*?\bhref\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>]+)/gi;
const SOURCE = /\bsrc\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+)/i;
const unquoted = (value: string) => value.replace(/^["']|["']$/g, "");

/** The paths of the pictures that a text shows. */
export function picturePaths(html: string, oldOrigin: string): string[] {
  const paths = [...html.matchAll(PICTURE)].map(([tag]) => {
    const source = SOURCE.exec(tag)?.[1];
    return source === undefined ? null : oldFilePath(unquoted(source), oldOrigin);
  });
  return [...new Set(paths.filter((path) => path !== null))];
}

/**
 * The text with its pictures as files of this site and its links to the old site as places here, from where they are led
 * on. What is written into it is cleaned afterwards like everything that people write.
 */
export function rewriteAddresses(html: string, oldOrigin: string, pictureId: (path: string) => string | null): string {
  return html
    .replace(PICTURE, (tag) => {
      const source = SOURCE.exec(tag)?.[1];
      const path = source === undefined ? null : oldFilePath(unquoted(source), oldOrigin);
      const id = path === null ? null : pictureId(path);
      if (id === null) return "";
      const alt = unquoted(/\balt\s*=\s*("[^"]*"|'[^']*')/i.exec(tag)?.[1] ?? "");
      return `<img src="/api/file/${id}" alt="${escapeHtml(decodeEntities(alt)).slice(0, 300)}">`;
    })
    .replace(LINK, (_whole, before: string, value: string) => {
      const href = localAddress(decodeEntities(unquoted(value)), oldOrigin);
      return `${before}"${escapeHtml(href)}"`;
    });
}

/** An address of the old site as a path of this one; another's stays as it is. */
function localAddress(address: string, oldOrigin: string): string {
  const text = address.trim();
  if (oldOrigin !== "" && text.toLowerCase().startsWith(`${oldOrigin.toLowerCase()}/`))
    return `/${text.slice(oldOrigin.length + 1).replace(/^\/+/, "")}`;
  // Written beside the page that showed it: gnuboard's pages lie in /bbs.
  const script = /^(?:\.\.?\/)*(?:bbs\/)?((?:board|download|link|rss)\.php\?.*)$/i.exec(text)?.[1];
  if (script !== undefined) return `/bbs/${script}`;
  const below = text.replace(/^(?:\.\.?\/)+/, "");
  return below === text || below === "" ? text : `/${below}`;
}
