/** A list drawn as an organisation chart or as numbered steps, a table of dates as a timeline. */
export type ArticleLook = "chart" | "steps" | "timeline";

/** Shows HTML that the server cleaned; loaders decorate it by `article.server.ts`. */
export function ArticleBody({ html, look }: { html: string; look?: ArticleLook | undefined }) {
  return <div className={look ? `article article-${look}` : "article"} dangerouslySetInnerHTML={{ __html: html }} />;
}
