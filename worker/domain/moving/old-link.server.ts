import { isPlainPath } from "#worker/contract/kernel/plain-path.ts";
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

interface Span {
  start: number;
  end: number;
}

const NAMES = { src: /\bsrc\s*=/gi, alt: /\balt\s*=/gi, href: /\bhref\s*=/gi } as const;
const isWord = (text: string, at: number) => /\w/.test(text[at] ?? "");
const isBracket = (text: string, at: number) => text[at] === "<" || text[at] === ">";
const isSpace = (text: string, at: number) => /\s/.test(text[at] ?? "");

/** Tags of a name, each up to the next bracket behind it: what old editors wrote is often no HTML that a parser keeps as it is. */
function* findTags(html: string, name: "a" | "img"): Generator<Span> {
  for (let start = html.indexOf("<"); start >= 0; start = html.indexOf("<", start + 1)) {
    let end = start + 1 + name.length;
    if (html.slice(start + 1, end).toLowerCase() !== name || isWord(html, end)) continue;
    while (end < html.length && !isBracket(html, end)) end += 1;
    yield { start, end };
  }
}

/** Where the value of a tag's attribute stands, without its quotes; in quotes it may hold brackets. */
function findValue(html: string, tag: Span, attribute: keyof typeof NAMES): (Span & { isQuoted: boolean }) | null {
  for (const { index, 0: name } of html.slice(tag.start, tag.end).matchAll(NAMES[attribute])) {
    let start = tag.start + index + name.length;
    while (isSpace(html, start)) start += 1;
    const quote = html[start] ?? "";
    if (quote === '"' || quote === "'") {
      const end = html.indexOf(quote, start + 1);
      if (end >= 0) return { start: start + 1, end, isQuoted: true };
      continue;
    }
    let end = start;
    while (end < html.length && !isBracket(html, end) && !isSpace(html, end) && html[end] !== '"' && html[end] !== "'")
      end += 1;
    if (end > start) return { start, end, isQuoted: false };
  }
  return null;
}

/** Whole tags of pictures, and the path of each where it has one. */
function* findPictures(html: string, oldOrigin: string): Generator<Span & { path: string | null; alt: string }> {
  for (const tag of findTags(html, "img")) {
    if (html[tag.end] !== ">") continue;
    const text = html.slice(tag.start, tag.end);
    const whole = { start: 0, end: text.length };
    const read = (attribute: "src" | "alt") => {
      const value = findValue(text, whole, attribute);
      return value ? text.slice(value.start, value.end) : null;
    };
    const source = read("src");
    const path = source === null ? null : oldFilePath(source, oldOrigin);
    yield { start: tag.start, end: tag.end + 1, path, alt: read("alt") ?? "" };
  }
}

/** The paths of the pictures that a text shows. */
export function picturePaths(html: string, oldOrigin: string): string[] {
  const paths = [...findPictures(html, oldOrigin)].map(({ path }) => path);
  return [...new Set(paths.filter((path) => path !== null))];
}

/**
 * The text with its pictures as files of this site and its links to the old site as places here, from where they are led
 * on. What is written into it is cleaned afterwards like everything that people write.
 */
export function rewriteAddresses(html: string, oldOrigin: string, pictureId: (path: string) => string | null): string {
  const pictures = [...findPictures(html, oldOrigin)].map(({ path, alt, ...span }) => {
    const id = path === null ? null : pictureId(path);
    const text =
      id === null ? "" : `<img src="/api/file/${id}" alt="${escapeHtml(decodeEntities(alt)).slice(0, 300)}">`;
    return { ...span, text };
  });
  const shown = withReplaced(html, pictures);
  const links = [...findTags(shown, "a")].flatMap((tag) => {
    const value = findValue(shown, tag, "href");
    if (!value) return [];
    const { start, end, isQuoted } = value;
    const href = localAddress(decodeEntities(shown.slice(start, end)), oldOrigin);
    const quotes = isQuoted ? 1 : 0;
    return [{ start: start - quotes, end: end + quotes, text: `"${escapeHtml(href)}"` }];
  });
  return withReplaced(shown, links);
}

/** The text with other words in these places; one that begins within the one before it is passed over. */
function withReplaced(text: string, places: readonly (Span & { text: string })[]): string {
  let done = 0;
  let written = "";
  for (const { start, end, text: replacement } of places) {
    if (start < done) continue;
    written += text.slice(done, start) + replacement;
    done = end;
  }
  return written + text.slice(done);
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
