const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export interface XmlPiece {
  /** Without its prefix. */
  name: string;
  attributes: string;
  isEnd: boolean;
  isEmpty: boolean;
  /** The text after the tag, with its entities. */
  text: string;
}

/** The tags of a document in their order. */
export function* xmlPieces(xml: string): Generator<XmlPiece> {
  for (const [, tag = "", text = ""] of xml.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const isEnd = tag.startsWith("/");
    const name = (tag.split(/[\s/]/)[isEnd ? 1 : 0] ?? "").split(":").at(-1) ?? "";
    yield { name, attributes: tag, isEnd, isEmpty: tag.endsWith("/"), text };
  }
}

/** Without its prefix. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const start = `${name}="`;
  for (let at = attributes.indexOf(start); at >= 0; at = attributes.indexOf(start, at + 1)) {
    const from = at + start.length;
    if (/[\s:]/.test(attributes.charAt(at - 1))) return attributes.slice(from, attributes.indexOf('"', from));
  }
  return undefined;
}

export const decodeEntities = (text: string): string =>
  text
    .replace(/&(amp|lt|gt|quot|apos);/g, (_sign, name: string) => ENTITIES[name] ?? "")
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (_sign, hex: string, code: string) => {
      const point = Number.parseInt(code, hex ? 16 : 10);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
    });
