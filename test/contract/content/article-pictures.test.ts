import { expect, test } from "vitest";
import { DomUtils } from "htmlparser2";
import { decorateArticle, withSections } from "#app/features/file/article.server.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";
import { readHtml } from "#worker/domain/kernel/html-text.server.ts";

const fileId = "0b0e7c1e-0000-4000-8000-000000000000";
const picture = { fileId, width: 1500, height: 500, isAnimated: false };
const sources = `/api/file/${fileId}?thumbnail=true&width=320 320w, /api/file/${fileId}?thumbnail=true&width=640 640w, /api/file/${fileId}?thumbnail=true&width=1280 1280w, /api/file/${fileId} 1500w`;

const lazy = { loading: "lazy", decoding: "async" };

const attributes = (html: string, pictures: PicturePlace[], name = "img") =>
  DomUtils.getElementsByTagName(name, readHtml(decorateArticle(html, { pictures })))[0]?.attribs;

test("a picture reserves its space while loading", () => {
  expect(attributes(`<p><img src="/api/file/${fileId}" alt="" /></p>`, [picture])).toEqual({
    src: `/api/file/${fileId}`,
    alt: "",
    ...lazy,
    width: "1500",
    height: "500",
    srcset: sources,
    sizes: "min(100vw, 960px)",
  });
});

test("a picture keeps the size set by its author", () => {
  const html = `<img src="/api/file/${fileId}" alt="" width="300" height="100" />`;
  const sizes = { width: "300", height: "100", srcset: sources, sizes: "min(100vw, 300px)" };
  expect(attributes(html, [picture])).toMatchObject(sizes);
});

test("an animated, small or unknown picture is served in its own size", () => {
  const html = `<img src="/api/file/${fileId}" alt="" />`;
  expect(attributes(html, [])).toEqual({ src: `/api/file/${fileId}`, alt: "", ...lazy });
  expect(attributes(html, [{ ...picture, isAnimated: true }])).toMatchObject({ width: "1500", height: "500" });
  expect(attributes(html, [{ ...picture, width: 300 }])).not.toHaveProperty("srcset");
});

test("a reader who prefers reduced motion gets a still picture", () => {
  const html = `<p><img src="/api/file/${fileId}" alt="" /></p>`;
  expect(attributes(html, [{ ...picture, isAnimated: true }], "source")).toEqual({
    media: "(prefers-reduced-motion:reduce)",
    srcset: `/api/file/${fileId}?thumbnail=true&width=1280`,
  });
});

test("a heading is a link target", () => {
  const page = withSections({ content: "<h2>첫<br />째</h2><p>글</p><h3>작은</h3><h2>둘 &amp; 셋</h2>", pictures: [] });
  expect(page.sections).toEqual([
    { id: "section-1", title: "첫 째" },
    { id: "section-2", title: "둘 & 셋" },
  ]);
  expect(page.content).toContain('<h2 id="section-2">둘 &amp; 셋</h2>');
  expect(page.content).toContain("<h3>작은</h3>");
});
