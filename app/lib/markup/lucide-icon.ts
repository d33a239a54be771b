import { createElement, type ReactElement, type SVGProps } from "react";
import { createSharedIcon, isReaderPage } from "#app/lib/markup/reader-markup.ts";

interface IconData {
  name: string;
  size: number;
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
  aliases?: readonly string[];
}

/** Left out for guests: the style sheet sets the same for `.lucide` (repeated.css). */
const LOOK: SVGProps<SVGSVGElement> = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
};

const markupOf = ([tag, { key: _key, ...attributes }]: IconData["node"][number]) =>
  `<${[tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)].join(" ")}/>`;

/**
 * Replaces lucide's own function on the server (vite.config.ts): one element an icon and class, where lucide makes three
 * components each time. A member's markup is lucide's, which hydrates it; a guest's refers to one drawing.
 */
export default function createLucideIcon({ name, size, node, aliases = [] }: IconData) {
  const viewBox = `0 0 ${size} ${size}`;
  const drawing = node.map(([tag, attributes]) => createElement(tag, attributes));
  const markup = node.map(markupOf).join("");
  const names = ["lucide", ...[name, ...aliases].map((each) => `lucide-${each}`)];
  const xmlns = "http://www.w3.org/2000/svg";
  const elements = new Map<string, ReactElement>();
  const createIcon = (classes: string) =>
    createElement(
      "svg",
      { xmlns, width: size, height: size, viewBox, ...LOOK, className: classes, "aria-hidden": "true" },
      drawing,
    );
  return function LucideIcon({ className = "", "aria-hidden": _isHidden, ...more }: SVGProps<SVGSVGElement>) {
    if (Object.keys(more).length > 0) throw new TypeError("An icon takes a class alone.");
    const given = className.split(" ").filter(Boolean);
    if (isReaderPage()) return createSharedIcon(["lucide", ...given].join(" "), { name, viewBox, markup });
    const classes = [...names, ...given].join(" ");
    const element = elements.get(classes) ?? createIcon(classes);
    elements.set(classes, element);
    return element;
  };
}
