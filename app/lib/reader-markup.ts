// A tag alone is matched: in a text and in an attribute its sign stands as an entity.
const LINK_MARK = /(<(?:a|form)\b[^<>]*) data-discover="true"/g;
const ICON =
  /<svg xmlns="[^"]*" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="lucide lucide-[\w-]+/g;

/** The markup of a page that no application takes up: without its marks, and icons as the style sheet draws them anyway. */
export const trimReaderMarkup = (html: string): string =>
  html.replaceAll(LINK_MARK, "$1").replaceAll(ICON, '<svg viewBox="0 0 24 24" class="lucide');
