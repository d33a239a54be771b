export const SITEMAP_PAGES = "pages.xml";

/** @property part from 1, by the numbers of the items */
export interface SitemapPart {
  boardCode: string;
  part: number;
}

export const sitemapPartName = ({ boardCode, part }: SitemapPart): string => `${boardCode}-${part}.xml`;

/** @param name from `sitemapPartName` */
export function readSitemapPartName(name: string): SitemapPart | null {
  const [, boardCode, part] = /^([a-z][a-z0-9-]{0,29})-([1-9]\d{0,6})\.xml$/.exec(name) ?? [];
  return boardCode && part ? { boardCode, part: Number(part) } : null;
}
