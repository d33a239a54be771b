/** Shared by the server's sanitizer and the editor's schema. */
export const RICH_TEXT_RULES = {
  color: /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6})|rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\))$/i,
  align: /^(?:left|center|right|justify)$/,
  href: /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i,
  image: /^\/api\/file\/[0-9a-f-]{36}$/,
  headings: [2, 3, 4],
} as const;

/** Tables with this caption are rendered as cards: headings in the first row, names in the first column. */
export const CONTACTS_CAPTION = "연락처";

export const EXTERNAL_LINK_ATTRIBUTES = { rel: "noopener noreferrer nofollow", target: "_blank" } as const;

const PLACEHOLDER_ORIGIN = "http://site.invalid";

/** Refuses an address that a browser resolves to another origin than it seems. */
function isUnchangedUrl(href: string): boolean {
  if (!URL.canParse(href, PLACEHOLDER_ORIGIN)) return false;
  const { origin, pathname } = new URL(href, PLACEHOLDER_ORIGIN);
  return !href.startsWith("/") || (origin === PLACEHOLDER_ORIGIN && !pathname.startsWith("//"));
}

/** Removes characters that browsers ignore; null for an address that may not be linked. */
export function safeHref(value: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const href = value.replace(/[\u0000-\u0020\u007f]/g, "");
  return RICH_TEXT_RULES.href.test(href) && isUnchangedUrl(href) ? href : null;
}

export function imageFileIds(html: string): string[] {
  return [...new Set([...html.matchAll(/src="\/api\/file\/([0-9a-f-]{36})"/g)].map((match) => match[1] ?? ""))];
}
