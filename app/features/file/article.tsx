import { decorateArticle } from "#app/features/file/article-html.ts";
import { reservePicturePlaces } from "#app/features/file/picture-places.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";

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
  const shown = decorateArticle(reservePicturePlaces(html, pictures));
  return (
    <div
      className={articleStyle ? `article article-${articleStyle}` : "article"}
      dangerouslySetInnerHTML={{ __html: articleStyle === "chart" ? chartList(shown) : shown }}
    />
  );
}
