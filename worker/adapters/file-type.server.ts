import { lookUp } from "#worker/contract/kernel/labels.ts";
import { extensionOf } from "#worker/contract/file/rules.ts";

export const FILE_TYPE_BYTES = 4096;

const startsWithBytes = (bytes: Uint8Array, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
const readAscii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
const isZip = (bytes: Uint8Array) =>
  startsWithBytes(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWithBytes(bytes, 0x50, 0x4b, 0x05, 0x06);
const isOleFile = (bytes: Uint8Array) => startsWithBytes(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);

/** Text has no control characters but tab, line feed, return and form feed, in UTF-8, UTF-16 with BOM and CP949. */
function isText(bytes: Uint8Array): boolean {
  if (startsWithBytes(bytes, 0xff, 0xfe) || startsWithBytes(bytes, 0xfe, 0xff)) return true;
  return bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d);
}

const startsWithEntry = (bytes: Uint8Array, ...names: string[]) => {
  const length = (bytes[26] ?? 0) + (bytes[27] ?? 0) * 256;
  const entry = readAscii(bytes, 30, 30 + Math.min(length, 100));
  return names.some((name) => entry.startsWith(name));
};
const isOffice = (bytes: Uint8Array) =>
  isZip(bytes) &&
  startsWithEntry(bytes, "[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "customXml/");

const TYPE_TESTS: Record<string, (bytes: Uint8Array) => boolean> = {
  png: (bytes) => startsWithBytes(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  jpg: (bytes) => startsWithBytes(bytes, 0xff, 0xd8, 0xff),
  jpeg: (bytes) => startsWithBytes(bytes, 0xff, 0xd8, 0xff),
  gif: (bytes) => /^GIF8[79]a$/.test(readAscii(bytes, 0, 6)),
  webp: (bytes) => readAscii(bytes, 0, 4) === "RIFF" && readAscii(bytes, 8, 12) === "WEBP",
  pdf: (bytes) => readAscii(bytes, 0, 5) === "%PDF-",
  hwp: isOleFile,
  doc: isOleFile,
  xls: isOleFile,
  ppt: isOleFile,
  hwpx: (bytes) => isZip(bytes) && startsWithEntry(bytes, "mimetype", "version.xml", "META-INF/", "Contents/"),
  docx: isOffice,
  xlsx: isOffice,
  pptx: isOffice,
  zip: isZip,
  txt: isText,
  csv: isText,
};

export function contentMatchesExtension(fileName: string, head: Uint8Array): boolean {
  return lookUp(TYPE_TESTS, extensionOf(fileName))?.(head) ?? false;
}
