/** What a written document may hold: the server's cleaning and the editor's schema both read it here. */
export const RICH_TEXT_RULES = {
  color: /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})|rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\))$/i,
  align: /^(?:left|center|right|justify)$/,
  href: /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i,
  image: /^\/api\/file\/[0-9a-f-]{36}$/,
  headings: [2, 3, 4],
} as const;

/** A table of this caption is shown as cards, a person or an office each: heads in the first row, a name in the first column. */
export const CONTACTS_CAPTION = "연락처";

export const EXTERNAL_LINK_ATTRIBUTES = { rel: "noopener noreferrer nofollow", target: "_blank" } as const;

const PLACEHOLDER_ORIGIN = "http://site.invalid";

/** Does a browser read the address as its beginning says: as one at all, and as a place of this site where it begins with `/`? */
function isUnchangedUrl(href: string): boolean {
  if (!URL.canParse(href, PLACEHOLDER_ORIGIN)) return false;
  const { origin, pathname } = new URL(href, PLACEHOLDER_ORIGIN);
  return !href.startsWith("/") || (origin === PLACEHOLDER_ORIGIN && !pathname.startsWith("//"));
}

/** An address without what a browser would ignore in it, or null when it may not be linked. */
export function safeHref(value: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const href = value.replace(/[\u0000-\u0020\u007f]/g, "");
  return RICH_TEXT_RULES.href.test(href) && isUnchangedUrl(href) ? href : null;
}

/** The pictures of this site that a text shows, by file id. */
export function imageFileIds(html: string): string[] {
  return [...new Set([...html.matchAll(/src="\/api\/file\/([0-9a-f-]{36})"/g)].map((match) => match[1] ?? ""))];
}
