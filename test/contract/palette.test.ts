import { expect, test } from "vitest";
import {
  checkContrasts,
  contrastRatio,
  DEFAULT_PALETTE,
  PALETTE_STEPS,
  paletteOf,
} from "#worker/contract/site/palette.ts";

test("black on white has the maximum contrast", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastRatio("#767676", "#ffffff")).toBeCloseTo(4.54, 1);
});

const CHANNELS = ["00", "33", "66", "99", "cc", "ff"];
const COLORS = CHANNELS.flatMap((r) => CHANNELS.flatMap((g) => CHANNELS.map((b) => `#${r}${g}${b}`)));

test("every chosen colour gives a palette with readable text and evenly ordered shades", () => {
  for (const color of [...COLORS, DEFAULT_PALETTE[60]]) {
    const palette = paletteOf(color);
    expect(
      checkContrasts(palette).filter(({ isEnough }) => !isEnough),
      color,
    ).toEqual([]);
    const onBlack = PALETTE_STEPS.map((step) => contrastRatio(palette[step], "#000000"));
    expect(
      onBlack.every((ratio, at) => at === 0 || ratio <= (onBlack[at - 1] ?? 0) + 0.05),
      color,
    ).toBe(true);
  }
});

test("a readable colour is used unchanged instead of a similar one", () => {
  for (const color of ["#0f5f79", "#1428a0", "#7b1fa2"]) expect(paletteOf(color)[60]).toBe(color);
  expect(paletteOf("#ffcc00")[60]).not.toBe("#ffcc00");
});
