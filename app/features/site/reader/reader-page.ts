/**
 * Prerenders likely next pages (Speculation Rules), but only pages that every guest sees alike and no searches or
 * files.
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
