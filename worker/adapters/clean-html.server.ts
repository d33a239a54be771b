import { Parser } from "htmlparser2";
import sanitizeHtml from "sanitize-html";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { EXTERNAL_LINK_ATTRIBUTES, RICH_TEXT_RULES, safeHref } from "#worker/contract/kernel/rich-text.ts";
import { normaliseUnicode, stripControlCharacters } from "#worker/contract/kernel/text.ts";

export { imageFileIds } from "#worker/contract/kernel/rich-text.ts";

const SPAN = /^[1-9]\d{0,2}$/;
const LENGTH = /^\d{1,5}%?$/;
const ATTRIBUTE_VALUES = new Map([
  ["colspan", SPAN],
  ["rowspan", SPAN],
  ["span", SPAN],
  ["start", /^-?\d{1,5}$/],
  ["width", LENGTH],
  ["height", LENGTH],
  ["scope", /^(?:row|col|rowgroup|colgroup)$/],
]);

/**
 * The allow-list for member HTML, applied at every write; app/features/editor/editor-extensions.ts has the same schema.
 */
const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags:
    "p br hr h2 h3 h4 strong b em i u s sub sup blockquote ul ol li a img table caption colgroup col thead tbody tfoot tr th td code pre span div figure figcaption".split(
      " ",
    ),
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
  allowedStyles: {
    "*": {
      color: [RICH_TEXT_RULES.color],
      "background-color": [RICH_TEXT_RULES.color],
      "text-align": [RICH_TEXT_RULES.align],
    },
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  nestingLimit: 60,
  transformTags: {
    h1: "h2",
    h5: "h4",
    h6: "h4",
    "*": (tagName, attribs) => ({
      tagName,
      attribs: Object.fromEntries(
        Object.entries(attribs).filter(([name, value]) => ATTRIBUTE_VALUES.get(name)?.test(value) ?? true),
      ),
    }),
    a: (tagName, attributes) => {
      const href = safeHref(attributes.href ?? "");
      if (href === null) return { tagName, attribs: {} };
      const { rel, target } = EXTERNAL_LINK_ATTRIBUTES;
      return { tagName, attribs: { href, rel, ...(/^https?:/i.test(href) ? { target } : {}) } };
    },
  },
  exclusiveFilter: (frame) => frame.tag === "img" && !RICH_TEXT_RULES.image.test(frame.attribs.src ?? ""),
};

/** Removing a tag can leave an invalid pair of neighbours; the result settles within a few rounds. */
const ROUNDS_MAX = 5;

/** A table of 5,000 coloured cells has half of the nodes; cost per node grows with depth. */
export const HTML_LIMITS = { nodes: 40_000, depth: 600 } as const;

/** Reads tags and attributes up to the limits. @throws AppError PAYLOAD_TOO_LARGE */
function checkComplexity(html: string): void {
  let nodes = 0;
  let depth = 0;
  const count = () => {
    nodes += 1;
    if (nodes > HTML_LIMITS.nodes || depth > HTML_LIMITS.depth) {
      throw new AppError("PAYLOAD_TOO_LARGE", {
        message: "본문의 서식이 지나치게 복잡합니다. 서식을 지우고 글만 붙여 넣거나 글을 나누어 주십시오.",
      });
    }
  };
  const parser = new Parser({
    onattribute: count,
    onopentag() {
      depth += 1;
      count();
    },
    onclosetag() {
      depth -= 1;
    },
  });
  parser.end(html);
}

/** Is idempotent: cleaned HTML is stored byte for byte when it is saved again. */
export function cleanHtml(html: string): string {
  checkComplexity(html);
  let given = normaliseUnicode(stripControlCharacters(html), "NFC");
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    // A numeric entity can encode a control character as well.
    const cleaned = stripControlCharacters(sanitizeHtml(given, OPTIONS));
    if (cleaned === given) return cleaned;
    given = cleaned;
  }
  return given;
}
