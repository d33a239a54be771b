/** Is separate from text-links.ts, which the page's frame does not need. */
export const telephoneHref = (number: string) => `tel:${number.replace(/[^\d+]/g, "")}`;
