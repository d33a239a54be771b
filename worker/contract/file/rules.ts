import { cleanLine } from "../kernel/text.ts";

/** Allow-list of extensions with the served type: no svg, html, xml or programs. */
export const FILE_TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  hwp: "application/x-hwp",
  hwpx: "application/hwp+zip",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  zip: "application/zip",
  txt: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

export const IMAGE_EXTENSIONS = ["png", "jpg", "jpeg", "gif", "webp"];

export function extensionOf(fileName: string): string {
  const at = fileName.lastIndexOf(".");
  return at < 1 ? "" : fileName.slice(at + 1).toLowerCase();
}

/** NFC, one line, no path, no control or direction marks, at most 200 characters. */
export function cleanFileName(value: string): string {
  const name = cleanLine(value.split(/[/\\]/).pop() ?? "").replace(/[<>:"|?*]/g, "_");
  if (name.length <= 200) return name;
  const extension = extensionOf(name);
  return `${name.slice(0, 199 - extension.length)}.${extension}`;
}

/** The default lifetime of an export of personal data. */
export const EXPORT_HOURS = 24;

/** Characters of a file that are indexed; later ones are not found. */
export const FILE_TEXT_LETTERS = 200_000;
