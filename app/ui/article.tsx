/** An organisation chart, numbered steps or a timeline. */
export type ArticleLook = "chart" | "steps" | "timeline";

/** A heading as a link target. */
export interface ArticleSection {
  id: string;
  title: string;
}

/** Expects sanitized HTML; loaders decorate it by `article.server.ts`. */
export function ArticleBody({ html, look }: { html: string; look?: ArticleLook | undefined }) {
  return <div className={look ? `article article-${look}` : "article"} dangerouslySetInnerHTML={{ __html: html }} />;
}
