/** A text that the loader decorated already: a page that shows it needs none of the code that does it. */
export function ReadyArticle({ html }: { html: string }) {
  return <div className="article" dangerouslySetInnerHTML={{ __html: html }} />;
}
