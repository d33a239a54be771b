import { isReaderPage } from "#app/lib/markup/reader-markup.ts";
import { Form, Link, type LinkProps } from "react-router";
import { Fragment, jsx as createPart, jsxs as createParts } from "react/jsx-runtime";

type Create = typeof createPart;
type Child = Parameters<Create>[1] extends infer _ ? unknown : never;

const isText = (child: Child): child is string | number => typeof child === "string" || typeof child === "number";
const isNothing = (child: Child): boolean => child === null || child === undefined || typeof child === "boolean";

/** Joins adjacent texts into one node, because React fails on text nodes that a translator replaced. */
function joinTexts(children: readonly Child[]): Child {
  if (children.every((child) => isText(child) || isNothing(child)))
    return children.some(isText) ? children.filter(isText).join("") : null;
  const joined: Child[] = [];
  let first = -1;
  for (const child of children) {
    if (isText(child) && first >= 0) {
      joined[first] = `${String(joined[first])}${child}`;
      joined.push(null);
      continue;
    }
    if (!isNothing(child)) first = isText(child) ? joined.length : -1;
    joined.push(child);
  }
  return joined;
}

const isResolved = (to: LinkProps["to"]) => typeof to === "string" && to.startsWith("/") && !/\/[/.]|[?#]$/.test(to);

const LINK_OPTIONS = ["discover", "mask", "prefetch", "relative", "reloadDocument", "replace", "viewTransition"];

/** The element of a Link to an address from the root, without the hooks that resolve any other. */
function linkedElement({ to, state: _state, target, ...rest }: LinkProps) {
  const isPlain = isResolved(to) && !LINK_OPTIONS.some((name) => name in rest);
  if (!isPlain) return null;
  return isReaderPage() ? { ...rest, href: to, target } : { ...rest, href: to, target, "data-discover": "true" };
}

/** A guest's page has no router to discover an address. */
const isDiscovering = (type: Parameters<Create>[0]) => (type === Link || type === Form) && isReaderPage();

const onServer = (create: Create): Create =>
  import.meta.env.SSR
    ? (type, props, key) => {
        const element = type === Link ? linkedElement(props as LinkProps) : null;
        if (element) return create("a", element, key);
        return create(type, isDiscovering(type) ? { ...(props as object), discover: "none" } : props, key);
      }
    : create;

const createElement = onServer(createPart);
const createStatic = onServer(createParts);

/** The JSX runtime of the compiler (vite.config.ts), for browser and server. */
export const jsx: Create = createElement;
export const jsxs: Create = (type, props, key) => {
  const { children } = props as { children: Child[] };
  const joined = joinTexts(children);
  const create = Array.isArray(joined) ? createStatic : createElement;
  return create(type, { ...(props as object), children: joined }, key);
};
export const jsxDEV = (type: Parameters<Create>[0], props: unknown, key: Parameters<Create>[2], isStatic: boolean) =>
  (isStatic ? jsxs : jsx)(type, props, key);
export { Fragment };
