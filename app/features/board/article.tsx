import { placed } from "#app/features/board/picture-places.ts";
import type { PicturePlace } from "#worker/contract/board.ts";

/** Adds what a reader needs and a writer need not know: tables in a frame of their own, a word on links that leave. */
function framed(html: string): string {
  return html
    .replace(/<table\b/g, '<div class="table-frame" role="region" aria-label="표" tabindex="0"><table')
    .replace(/<\/table>/g, "</table></div>")
    .replace(/<a (?=[^>]*target="_blank")/g, '<a title="새 창 열림" ')
    .replace(/<img /g, '<img loading="lazy" decoding="async" ');
}

interface ArticleProps {
  html: string;
  pictures?: readonly PicturePlace[];
}

/** What a person wrote, as the server cleaned it: `html` never comes from anywhere else. */
export function Article({ html, pictures = [] }: ArticleProps) {
  return <div className="article" dangerouslySetInnerHTML={{ __html: framed(placed(html, pictures)) }} />;
}
