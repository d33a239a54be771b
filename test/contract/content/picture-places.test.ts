import { expect, test } from "vitest";
import { reservePicturePlaces } from "#app/features/file/picture-places.ts";

const fileId = "0b0e7c1e-0000-4000-8000-000000000000";
const picture = { fileId, width: 1500, height: 500, isAnimated: false };
const sources = `/api/file/${fileId}?thumbnail=true&amp;width=320 320w, /api/file/${fileId}?thumbnail=true&amp;width=640 640w, /api/file/${fileId}?thumbnail=true&amp;width=1280 1280w, /api/file/${fileId} 1500w`;

test("a text's picture keeps its place while it loads and comes in the size it is shown in", () => {
  expect(reservePicturePlaces(`<p><img src="/api/file/${fileId}" alt="" /></p>`, [picture])).toBe(
    `<p><img width="1500" height="500" srcset="${sources}" sizes="min(100vw, 960px)" src="/api/file/${fileId}" alt="" /></p>`,
  );
});

test("what its writer said of its size stays", () => {
  const html = `<img src="/api/file/${fileId}" alt="" width="300" height="100" />`;
  expect(reservePicturePlaces(html, [picture])).toBe(
    html.replace("<img ", `<img  srcset="${sources}" sizes="min(100vw, 300px)" `),
  );
});

test("a moving picture, a small one and one that we know nothing of come as they are", () => {
  const html = `<img src="/api/file/${fileId}" alt="" />`;
  expect(reservePicturePlaces(html, [])).toBe(html);
  expect(reservePicturePlaces(html, [{ ...picture, isAnimated: true }])).toContain(
    `<img width="1500" height="500" src="/api/file/`,
  );
  expect(reservePicturePlaces(html, [{ ...picture, width: 300 }])).not.toContain("srcset");
});

test("whoever asked for less motion gets the first frame of a moving picture", () => {
  const moving = reservePicturePlaces(`<p><img src="/api/file/${fileId}" alt="" /></p>`, [
    { ...picture, isAnimated: true },
  ]);
  expect(moving).toBe(
    `<p><picture><source media="(prefers-reduced-motion:reduce)" srcset="/api/file/${fileId}?thumbnail=true&amp;width=1280"><img width="1500" height="500" src="/api/file/${fileId}" alt="" /></picture></p>`,
  );
});
