import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PALETTE_NAMES, paletteStyle } from "#worker/contract/kernel/setting/palette.ts";

const WHITE = "#ffffff";
/** WCAG 2 AA for text of any size. */
const CONTRAST_MIN = 4.5;

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrastRatio(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

test.each(PALETTE_NAMES)("the %s palette gives readable shades", (name) => {
  const shades = new Map(
    paletteStyle(name)
      .split(";")
      .map((rule) => rule.slice("--color-primary-".length).split(":") as [string, string]),
  );
  expect(shades.size).toBe(10);
  const shade = (step: number) => shades.get(String(step)) ?? "";
  // Every pair of text and background colors on the pages.
  const ratios = [
    [shade(60), WHITE],
    [shade(60), shade(10)],
    [WHITE, shade(60)],
    [shade(50), WHITE],
    [WHITE, shade(70)],
    [shade(20), shade(90)],
    [shade(30), shade(90)],
  ].map(([text = "", ground = ""]) => contrastRatio(text, ground));
  expect(ratios.filter((ratio) => !(ratio >= CONTRAST_MIN))).toEqual([]);
  const lights = [...shades.values()].map(luminance);
  expect(lights).toEqual(lights.toSorted((a, b) => b - a));
});

test("the first palette equals that of the style sheet", () => {
  const css = readFileSync("app/app.css", "utf8");
  for (const rule of paletteStyle("teal").split(";")) expect(css).toContain(`${rule.replace(":", ": ")};`);
});
