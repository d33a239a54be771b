/** The first words of a cleaned text, for search engines and shared links. */
export function summaryOf(html: string): string {
  const text = html.replace(/<[^>]*>/g, " ").replace(/&nbsp;|\s+/g, " ");
  const signs: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };
  return text
    .replace(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign] ?? sign)
    .trim()
    .slice(0, 120);
}
