import sanitizeHtml from "sanitize-html";

const COLOR = [/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, /^rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)$/i];
const ALIGN = [/^(?:left|center|right|justify)$/];
const HREF = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i;
const OWN_IMAGE = /^\/api\/file\/[0-9a-f-]{36}$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0020\u007f]/g;

/** The allow-list of everything that people write; the editor's schema is the same. Applied at every write. */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [
    "p",
    "br",
    "hr",
    "h2",
    "h3",
    "h4",
    "strong",
    "b",
    "em",
    "i",
    "u",
    "s",
    "sub",
    "sup",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "img",
    "table",
    "caption",
    "colgroup",
    "col",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "code",
    "pre",
    "span",
    "div",
    "figure",
    "figcaption",
  ],
  allowedAttributes: {
    "*": ["style"],
    a: ["href", "rel", "target"],
    img: ["src", "alt", "width", "height"],
    th: ["colspan", "rowspan", "scope"],
    td: ["colspan", "rowspan"],
    col: ["span"],
    colgroup: ["span"],
    ol: ["start"],
  },
  allowedStyles: { "*": { color: COLOR, "background-color": COLOR, "text-align": ALIGN } },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  nestingLimit: 60,
  transformTags: {
    a: (tagName, attributes) => {
      const href = (attributes.href ?? "").replace(CONTROL, "");
      if (!HREF.test(href)) return { tagName, attribs: {} };
      const outside = /^https?:/i.test(href);
      return {
        tagName,
        attribs: { href, rel: "noopener noreferrer nofollow", ...(outside ? { target: "_blank" } : {}) },
      };
    },
  },
  exclusiveFilter: (frame) => frame.tag === "img" && !OWN_IMAGE.test(frame.attribs.src ?? ""),
};

export function cleanHtml(html: string): string {
  return sanitizeHtml(html.normalize("NFC"), OPTIONS);
}

/** The pictures of this site that a cleaned text shows, by file id. */
export function imageIds(cleaned: string): string[] {
  return [...new Set([...cleaned.matchAll(/src="\/api\/file\/([0-9a-f-]{36})"/g)].map((match) => match[1] ?? ""))];
}

/** Has the text anything to read or look at? */
export function isBlankHtml(cleaned: string): boolean {
  return (
    !cleaned.includes("<img") &&
    cleaned
      .replace(/<[^>]*>/g, "")
      .replace(/&nbsp;/g, " ")
      .trim() === ""
  );
}
