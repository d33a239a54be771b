import { strFromU8, unzipSync } from "fflate";
import { extractText, getDocumentProxy } from "unpdf";
import { decodeEntities, xmlPieces } from "./xml-text.ts";

export type OfficeKind = "docx" | "xlsx" | "pptx";

const PARTS: Record<OfficeKind, RegExp> = {
  docx: /^word\/(?:document|footnotes|endnotes|header\d*|footer\d*)\.xml$/,
  xlsx: /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/,
  pptx: /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/,
};
/** The limit of unpacked bytes, against zip bombs. */
const PART_BYTES = 40 * 1024 * 1024;
const PDF_PAGES = 500;

export async function readPdf(bytes: ArrayBuffer): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  if (pdf.numPages > PDF_PAGES) throw new Error("too many pages");
  return (await extractText(pdf, { mergePages: true })).text;
}

export function readOffice(kind: OfficeKind, bytes: ArrayBuffer): string {
  let unpacked = 0;
  const parts = unzipSync(new Uint8Array(bytes), {
    filter({ name, originalSize }) {
      if (!PARTS[kind].test(name)) return false;
      unpacked += originalSize;
      return unpacked <= PART_BYTES;
    },
  });
  const names = Object.keys(parts).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return names
    .map((name) => wordsOf(strFromU8(parts[name] ?? new Uint8Array()), name.includes("worksheets")))
    .join("\n");
}

const ENDS_LINE = new Set(["p", "si", "is", "tc"]);
/** Extracts the text, one line per paragraph or cell; skips integers in cells. */
function wordsOf(xml: string, isSheet: boolean): string {
  const out: string[] = [];
  for (const { name, isEnd, text } of xmlPieces(xml)) {
    if (isEnd) out.push(ENDS_LINE.has(name) ? "\n" : "");
    else if (name === "t" || (isSheet && name === "v" && /\D/.test(text))) out.push(text);
    else if (name === "tab" || name === "br") out.push(" ");
  }
  return decodeEntities(out.join(""));
}
