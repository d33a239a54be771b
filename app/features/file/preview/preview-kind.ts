/** Null for files that can only be downloaded. */
type PreviewKind = "pdf" | "hangul" | "word" | "words" | "sheet" | "picture";

const KINDS: [PreviewKind, RegExp][] = [
  ["pdf", /\.pdf$/i],
  ["hangul", /\.hwpx?$/i],
  ["word", /\.docx$/i],
  ["words", /\.(?:pptx|txt|csv)$/i],
  ["sheet", /\.(?:xlsx|xls|ods)$/i],
  ["picture", /\.(?:png|jpe?g|gif|webp)$/i],
];

export const previewKindOf = (fileName: string): PreviewKind | null =>
  KINDS.find(([, pattern]) => pattern.test(fileName))?.[0] ?? null;
