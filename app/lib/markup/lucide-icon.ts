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

/** Lucide hides the other icons from screen readers. */
const isNamed = (attributes: object): boolean =>
  Object.keys(attributes).some((key) => key.startsWith("aria-") || key === "role");

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
  const createIcon = (attributes: SVGProps<SVGSVGElement>) =>
    createElement("svg", { xmlns, width: size, height: size, viewBox, ...LOOK, ...attributes }, drawing);
  return function LucideIcon({ className = "", ...given }: SVGProps<SVGSVGElement>) {
    const own = className.split(" ").filter(Boolean);
    const more = isNamed(given) ? given : { "aria-hidden": "true" as const, ...given };
    if (isReaderPage())
      return createSharedIcon({ className: ["lucide", ...own].join(" "), ...more }, { name, viewBox, markup });
    const classes = [...names, ...own].join(" ");
    if (Object.keys(given).some((key) => key !== "aria-hidden")) return createIcon({ className: classes, ...more });
    const element = elements.get(classes) ?? createIcon({ className: classes, "aria-hidden": "true" });
    elements.set(classes, element);
    return element;
  };
}
