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

// Matches tags only: text and attributes escape `<` as an entity.
const LINK_MARK = /(<(?:a|form) [^<>]*) data-discover="true"/g;
// Attributes that lucide-react writes; the style sheet sets the same (repeated.css).
const ICON =
  /<svg xmlns="[^"<>]*" width="24" height="24" (viewBox="0 0 24 24") fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="(lucide) lucide-[\w-]+(["\s][^<>]*)>((?:[^<]|<(?!\/?svg))*)<\/svg>/g;
const OWN_DRAWING = /<svg viewBox="[^"<>]*" class="(?!lucide)[^<>]*>((?:[^<]|<(?!\/?svg))*)<\/svg>/g;

/** Shrinks the markup of a page without React: drops router attributes and writes repeated icons once. */
export function trimReaderMarkup(html: string): string {
  const repeated = new Map<string, string>();
  const seen = new Set<string>();
  const markRepeated = (drawing: string) => {
    if (seen.has(drawing) && !repeated.has(drawing)) repeated.set(drawing, `i${repeated.size}`);
    seen.add(drawing);
  };
  for (const [, , , , drawing = ""] of html.matchAll(ICON)) markRepeated(drawing);
  for (const [, drawing = ""] of html.matchAll(OWN_DRAWING)) markRepeated(drawing);
  const draw = (drawing: string) => {
    const id = repeated.get(drawing);
    return id ? `<use href="#${id}"/>` : drawing;
  };
  const shared = [...repeated].map(([drawing, id]) => `<g id="${id}">${drawing}</g>`).join("");
  return html
    .replaceAll(LINK_MARK, "$1")
    .replaceAll(OWN_DRAWING, (svg, drawing: string) => svg.replace(drawing, () => draw(drawing)))
    .replaceAll(
      ICON,
      (_icon, viewBox: string, name: string, rest: string, drawing: string) =>
        `<svg ${viewBox} class="${name}${rest}>${draw(drawing)}</svg>`,
    )
    .replace("</body>", () => (shared ? `<svg hidden="">${shared}</svg></body>` : "</body>"));
}
