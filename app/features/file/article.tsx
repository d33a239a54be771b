import { reservePicturePlaces } from "#app/features/file/picture-places.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";

/** Adds what a reader needs and a writer need not know: tables in a frame of their own, a word on links that leave. */
function frameTables(html: string): string {
  return html
    .replace(/<table\b/g, '<div class="table-frame" role="region" aria-label="표" tabindex="0"><table')
    .replace(/<\/table>/g, "</table></div>")
    .replace(/<a (?=[^<>]*target="_blank")/g, '<a title="새 창 열림" ')
    .replace(/<img /g, '<img loading="lazy" decoding="async" ');
}

/** A box around the words of each list entry, to be drawn as one; lists stay lists for those who hear them. */
function chartList(html: string): string {
  return html
    .replace(/<li([^<>]*)>((?:[^<]|<(?!\/?(?:li|ul|ol)\b))*)/g, '<li$1><div class="node">$2</div>')
    .replace(/<ul/g, '<ul role="list"');
}

/** The list after a heading drawn as an organisation chart, or as numbered steps; in the text it stays a list. */
export type ArticleStyle = "chart" | "steps";

interface ArticleBodyProps {
  html: string;
  pictures?: readonly PicturePlace[];
  articleStyle?: ArticleStyle | undefined;
}

/** What a person wrote, as the server cleaned it: `html` never comes from anywhere else. */
export function ArticleBody({ html, pictures = [], articleStyle }: ArticleBodyProps) {
  const shown = frameTables(reservePicturePlaces(html, pictures));
  return (
    <div
      className={articleStyle ? `article article-${articleStyle}` : "article"}
      dangerouslySetInnerHTML={{ __html: articleStyle === "chart" ? chartList(shown) : shown }}
    />
  );
}
