import { strFromU8, unzipSync } from "fflate";
import { attributeOf, decodeEntities, xmlPieces } from "#app/features/file/upload/xml-text.ts";

/** Data addresses by the document's name of the picture. */
export type WordPictures = ReadonlyMap<string, string>;

const LIMITS = { count: 20, bytes: 4 * 1024 * 1024, allBytes: 12 * 1024 * 1024, listBytes: 1024 * 1024 };
/** Characters of all pictures that a document draws, the repeated ones included: each is sent to the page again. */
export const DRAWN_LETTERS = 20 * 1024 * 1024;
const LIST = "word/_rels/document.xml.rels";

/** Pictures that cannot hold script; SVG, EMF and addresses of other sites are not drawn. */
export function shownPictures(bytes: Uint8Array): WordPictures {
  const list = unzipSync(bytes, {
    filter: ({ name, originalSize }) => name === LIST && originalSize <= LIMITS.listBytes,
  });
  const paths = picturePaths(strFromU8(list[LIST] ?? new Uint8Array()));
  const wanted = new Set(paths.values());
  let left = LIMITS.allBytes;
  let count = 0;
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!wanted.has(name) || originalSize > Math.min(LIMITS.bytes, left) || count === LIMITS.count) return false;
      left -= originalSize;
      count += 1;
      return true;
    },
  });
  // Once a file, which many names may share.
  const addresses = new Map(Object.entries(files).map(([path, content]) => [path, addressOf(content)]));
  return new Map([...paths].map(([key, path]) => [key, addresses.get(path) ?? ""]));
}

function picturePaths(xml: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { name, attributes } of xmlPieces(xml)) {
    const [key, target] = [attributeOf(attributes, "Id"), attributeOf(attributes, "Target")];
    if (name !== "Relationship" || !key || !target || /TargetMode="External"/i.test(attributes)) continue;
    const path = decodeEntities(target);
    paths.set(key, path.startsWith("/") ? path.slice(1) : `word/${path}`);
  }
  return paths;
}

const TYPES: [type: string, start: string][] = [
  ["image/png", "\x89PNG\r\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
];

function addressOf(content: Uint8Array): string {
  const type = pictureType(content);
  return type ? `data:${type};base64,${toBase64(content)}` : "";
}

function pictureType(content: Uint8Array): string | undefined {
  const start = String.fromCharCode(...content.subarray(0, 12));
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return TYPES.find(([, signature]) => start.startsWith(signature))?.[0];
}

function toBase64(content: Uint8Array): string {
  let text = "";
  for (let at = 0; at < content.length; at += 8192) text += String.fromCharCode(...content.subarray(at, at + 8192));
  return btoa(text);
}
