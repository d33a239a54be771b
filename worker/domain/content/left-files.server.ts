import { cleanHtml } from "#worker/adapters/clean-html.server.ts";

const PICTURE = /<img\b[^<>]*>/g;
const EMPTIED = /<(p|figure)>\s*<\/\1>/g;

/** A text of a file as it can stand here: without the pictures that are on no page of this site, which are named. */
export function withoutMissingPictures(html: string, files: ReadonlySet<string>): { html: string; left: string[] } {
  const left: string[] = [];
  const cleaned = cleanHtml(html);
  const kept = cleaned.replace(PICTURE, (picture) => {
    if (files.has(/\/api\/file\/([0-9a-f-]{36})/.exec(picture)?.[1] ?? "")) return picture;
    left.push(`사진 '${/\balt="([^"]*)"/.exec(picture)?.[1] || "설명 없음"}'`);
    return "";
  });
  return { html: left.length === 0 ? cleaned : cleanHtml(kept.replace(EMPTIED, "")), left };
}

/** The same of a text in both languages. */
export function withoutMissingPicturesIn(
  texts: { content: string; englishContent: string },
  files: ReadonlySet<string>,
) {
  const korean = withoutMissingPictures(texts.content, files);
  const english = withoutMissingPictures(texts.englishContent, files);
  return { content: korean.html, englishContent: english.html, left: [...korean.left, ...english.left] };
}
