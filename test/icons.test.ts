import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import createLucideIcon from "#app/lib/markup/lucide-icon.ts";
import { renderForReaders, SharedDrawings } from "#app/lib/markup/reader-markup.ts";

const APP = resolve(import.meta.dirname, "../app");
const sources = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
const names = new Set(
  sources.flatMap((file) =>
    [...readFileSync(join(APP, file), "utf8").matchAll(/"lucide-react\/icons\/([a-z0-9-]+)"/g)].map(([, name]) => name),
  ),
);

interface Icon {
  default: FunctionComponent<{ className?: string; "aria-label"?: string; id?: string }>;
  __iconData: Parameters<typeof createLucideIcon>[0];
}
const icons = await Promise.all(
  [...names].map(async (name) => [name, (await import(`lucide-react/icons/${name}`)) as Icon] as const),
);
const render = renderToStaticMarkup;

test.for(icons)("the server's %s has the markup that the browser hydrates", ([, { default: Own, __iconData }]) => {
  const Ours = createLucideIcon(__iconData);
  for (const props of [
    {},
    { className: "size-4  shrink-0" },
    { className: "size-4", "aria-label": "정렬" },
    { id: "a" },
  ])
    expect(render(createElement(Ours, props))).toBe(render(createElement(Own, props)));
});

test("a guest's page draws each icon once", () => {
  const [[, { __iconData }]] = icons as [(typeof icons)[number]];
  const Ours = createLucideIcon(__iconData);
  const page = createElement("body", null, createElement(Ours), createElement(Ours), createElement(SharedDrawings));
  const html = renderForReaders(() => render(page));
  expect(html.match(/<use href="#i0"/g)).toHaveLength(2);
  expect(html.match(/<symbol id="i0"/g)).toHaveLength(1);
});

test("a named icon is not hidden on a guest's page", () => {
  const [[, { __iconData }]] = icons as [(typeof icons)[number]];
  const Ours = createLucideIcon(__iconData);
  const html = renderForReaders(() => render(createElement(Ours, { "aria-label": "정렬" })));
  expect(html).toContain('<svg class="lucide" aria-label="정렬">');
});

test("a page after a guest's has its own drawings", () => {
  const [[, { __iconData }]] = icons as [(typeof icons)[number]];
  const Ours = createLucideIcon(__iconData);
  expect(() =>
    renderForReaders(() => {
      throw new Error("a page fails");
    }),
  ).toThrow("a page fails");
  expect(render(createElement(Ours))).not.toContain("<use");
});
