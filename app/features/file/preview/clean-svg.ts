const TAGS = new Set(
  "svg g defs clipPath mask pattern linearGradient radialGradient stop rect line path circle ellipse polygon polyline text tspan image use".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  (
    "id x y dx dy x1 y1 x2 y2 cx cy r rx ry fx fy d points width height viewBox preserveAspectRatio transform opacity " +
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin " +
    "clip-path clip-rule clipPathUnits mask maskUnits patternUnits patternContentUnits patternTransform gradientUnits " +
    "gradientTransform offset stop-color stop-opacity font-family font-size font-weight font-style text-anchor " +
    "text-decoration letter-spacing textLength lengthAdjust dominant-baseline rotate writing-mode href xlink:href"
  ).split(" "),
);
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[a-z0-9+/=\s]*$/i;
const SITE_FONT = "Pretendard Variable";

/**
 * Removes scripts, styles, links and external references. Parses without a window so that nothing runs before. @param
 * prefix keeps ids unique across pages
 */
export function cleanSvg(svg: string, prefix: string): SVGElement | null {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (!(root instanceof SVGElement) || root.tagName !== "svg") return null;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== root.namespaceURI || !TAGS.has(element.tagName)) element.remove();
    else for (const { name, value } of Array.from(element.attributes)) cleanAttribute(element, name, value, prefix);
  }
  return document.importNode(root, true);
}

function cleanAttribute(element: Element, name: string, value: string, prefix: string): void {
  const kept = ATTRIBUTES.has(name) ? cleanAttributeValue(element.tagName, name, value, prefix) : null;
  if (kept === null) element.removeAttribute(name);
  else if (kept !== value) element.setAttribute(name, kept);
}

function cleanAttributeValue(tag: string, name: string, value: string, prefix: string): string | null {
  if (name === "id") return prefix + value;
  if (name === "font-family") return `${value}, '${SITE_FONT}'`;
  if (name.endsWith("href")) {
    if (tag === "image") return PICTURE.test(value) ? value : null;
    return value.startsWith("#") ? `#${prefix}${value.slice(1)}` : null;
  }
  if (!/url\s*\(|\\/i.test(value)) return value;
  const inside = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
  return inside === undefined ? null : `url(#${prefix}${inside})`;
}
