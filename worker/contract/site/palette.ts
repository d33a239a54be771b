/** Steps of the site color, from the lightest surface to the darkest (app/app.css). */
export const PALETTE_STEPS = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;

export type PaletteStep = (typeof PALETTE_STEPS)[number];

export type Palette = Record<PaletteStep, string>;

export const DEFAULT_PALETTE: Palette = {
  5: "#eff7f9",
  10: "#dcedf2",
  20: "#b9dae4",
  30: "#86bfcf",
  40: "#4a9bb2",
  50: "#1b7690",
  60: "#0f5f79",
  70: "#0c4b63",
  80: "#0b394d",
  90: "#092838",
};

export const HEX_COLOR = /^#[0-9a-f]{6}$/;
export const HEX_COLOR_LENGTH = 7;

type Triple = readonly [number, number, number];

const channels = (hex: string): Triple => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as never;
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [red, green, blue] = channels(hex).map(toLinear) as unknown as Triple;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high, low] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function toPerceived(hex: string): Triple {
  const [r, g, b] = channels(hex).map(toLinear) as unknown as Triple;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [lightness, Math.hypot(a, c), Math.atan2(c, a)];
}

function linearOf([lightness, chroma, hue]: Triple): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Reduces the chroma to fit the sRGB gamut. */
function fromPerceived([lightness, chroma, hue]: Triple): string {
  let linear = linearOf([lightness, chroma, hue]);
  for (let part = 1; part > 0 && linear.some((value) => value < -0.0005 || value > 1.0005); part -= 0.05)
    linear = linearOf([lightness, chroma * (part - 0.05), hue]);
  const byte = (value: number) =>
    Math.round(Math.min(1, Math.max(0, fromLinear(value))) * 255)
      .toString(16)
      .padStart(2, "0");
  return `#${linear.map(byte).join("")}`;
}

const withLightness = (hex: string, lightness: number, share: number) => {
  const [, chroma, hue] = toPerceived(hex);
  return fromPerceived([lightness, chroma * share, hue]);
};

const darkened = (hex: string, by = 0.01) => {
  const [lightness, chroma, hue] = toPerceived(hex);
  return fromPerceived([Math.max(0, lightness - by), chroma, hue]);
};

/** WCAG 2 AA for text of any size. */
export const CONTRAST_MIN = 4.5;

/** Share of the chosen chroma for each step. */
const SHARES: Record<PaletteStep, number> = {
  5: 0.12,
  10: 0.25,
  20: 0.45,
  30: 0.75,
  40: 1,
  50: 1,
  60: 1,
  70: 0.9,
  80: 0.75,
  90: 0.55,
};

/** Keeps the lightness of the standard palette, so that contrast holds. A color too light for step 60 is darkened. */
export function paletteOf(color: string): Palette {
  const surface = withLightness(color, toPerceived(DEFAULT_PALETTE[10])[0], SHARES[10]);
  let main = color;
  while (contrastRatio(main, surface) < CONTRAST_MIN) main = darkened(main);
  const [lightness] = toPerceived(main);
  const [standard] = toPerceived(DEFAULT_PALETTE[60]);
  const palette = {} as Palette;
  for (const step of PALETTE_STEPS) {
    const [own] = toPerceived(DEFAULT_PALETTE[step]);
    // A color darker than the standard compresses the darker steps, which keep their order.
    const place = step > 60 ? Math.min(own, lightness - ((standard - own) * lightness) / standard) : own;
    palette[step] =
      step === 60 ? main : withLightness(color, step === 50 ? Math.max(lightness, own) : place, SHARES[step]);
  }
  while (contrastRatio(palette[50], "#ffffff") < CONTRAST_MIN) palette[50] = darkened(palette[50]);
  return palette;
}

/** Every pair of text and background colors on the pages. */
export const CONTRAST_PAIRS: readonly { label: string; text: PaletteStep | "white"; ground: PaletteStep | "white" }[] =
  [
    { label: "링크와 제목, 흰 바탕", text: 60, ground: "white" },
    { label: "링크, 옅은 바탕", text: 60, ground: 10 },
    { label: "단추의 흰 글자", text: "white", ground: 60 },
    { label: "강조 글자, 흰 바탕", text: 50, ground: "white" },
    { label: "첫 화면의 글자", text: "white", ground: 70 },
    { label: "바닥글의 글자", text: 20, ground: 90 },
    { label: "바닥글의 작은 글자", text: 30, ground: 90 },
  ];

export function checkContrasts(palette: Palette): { label: string; ratio: number; isEnough: boolean }[] {
  const colorOf = (step: PaletteStep | "white") => (step === "white" ? "#ffffff" : palette[step]);
  return CONTRAST_PAIRS.map(({ label, text, ground }) => {
    const ratio = contrastRatio(colorOf(text), colorOf(ground));
    return { label, ratio, isEnough: ratio >= CONTRAST_MIN };
  });
}

export const paletteStyle = (palette: Palette) =>
  PALETTE_STEPS.map((step) => `--color-primary-${step}:${palette[step]}`).join(";");
