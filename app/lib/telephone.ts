/** Apart from the search for links in texts, which a page's frame does not need. */
export const telephoneHref = (number: string) => `tel:${number.replace(/[^\d+]/g, "")}`;
