import { decorateArticle } from "#app/features/file/article-html.ts";
import { reservePicturePlaces } from "#app/features/file/picture-places.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";

/** A box around the words of each list entry, to be drawn as one; lists stay lists for those who hear them. */
function chartList(html: string): string {
  return html
    .replace(/<li([^<>]*)>((?:[^<]|<(?!\/?(?:li|ul|ol)\b))*)/g, '<li$1><div class="node">$2</div>')
    .replace(/<ul/g, '<ul role="list"');
}

const FRAME = '<div class="table-frame"';
const BEGINS_WITH_YEAR = /^[^<>]{0,200}>(?:<[^<>]{0,200}>){0,3}(?:[A-Z][a-z]{2,8} (?:19|20)\d{2}|(?:19|20)\d{2}[.년])/;

/** Marks the tables whose first cell is a date, to be drawn as a line of time; for those who hear them they stay tables. */
function timelineTables(html: string): string {
  return html
    .split(FRAME)
    .map((part, at) => {
      const cell = part.indexOf("<td");
      const isDated = at > 0 && cell >= 0 && BEGINS_WITH_YEAR.test(part.slice(cell, cell + 1000));
      return isDated ? `<div class="table-frame timeline"${part}` : at > 0 ? FRAME + part : part;
    })
    .join("");
}

const DRAWN: Record<ArticleStyle, (html: string) => string> = {
  chart: chartList,
  steps: (html) => html,
  timeline: timelineTables,
};

/** A list drawn as an organisation chart or as numbered steps, a table of dates as a line of time; in the text they stay what they are. */
export type ArticleStyle = "chart" | "steps" | "timeline";

interface ArticleBodyProps {
  html: string;
  pictures?: readonly PicturePlace[];
  articleStyle?: ArticleStyle | undefined;
}

/** What a person wrote, as the server cleaned it: `html` never comes from anywhere else. */
export function ArticleBody({ html, pictures = [], articleStyle }: ArticleBodyProps) {
  const shown = decorateArticle(reservePicturePlaces(html, pictures), useTexts().article);
  return (
    <div
      className={articleStyle ? `article article-${articleStyle}` : "article"}
      dangerouslySetInnerHTML={{ __html: articleStyle ? DRAWN[articleStyle](shown) : shown }}
    />
  );
}
