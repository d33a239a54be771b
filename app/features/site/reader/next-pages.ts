/**
 * What a reader probably opens next is rendered by the browser before they press (Speculation Rules): pages alone that
 * every guest gets alike. A search costs a look into the index, a file is no page, and all else needs the application.
 */
export function nextPageRules(productCode: string, root = ""): string {
  const pages = [
    "/",
    `/${productCode}/*`,
    "/board/*/List/*",
    "/board/*/View/*",
    "/Registry",
    "/research/*",
    "/terms",
    "/privacy",
  ].map((path) => root + (root && path === "/" ? "" : path));
  return JSON.stringify({
    prerender: [
      {
        where: {
          and: [
            { href_matches: pages },
            { not: { href_matches: "/*\\?*keyword=*" } },
            { not: { selector_matches: "[target], [download]" } },
          ],
        },
        eagerness: "moderate",
      },
    ],
  });
}
