/** Steps of the site color, from the lightest surface to the darkest (app/app.css). */
const STEPS = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90] as const;

export type PaletteName = "teal" | "blue" | "green" | "violet" | "red";

/** `teal` equals the style sheet's own. */
export const PALETTES: Record<PaletteName, { label: string; shades: string }> = {
  teal: { label: "청록", shades: "eff7f9 dcedf2 b9dae4 86bfcf 4a9bb2 1b7690 0f5f79 0c4b63 0b394d 092838" },
  blue: { label: "파랑", shades: "f1f5ff e1eafd c0d3ff 93b2fe 5c86fc 395ed7 1428a0 0d1b85 081368 050f47" },
  green: { label: "초록", shades: "eff8f2 ddefe3 bdddc8 8ec3a1 58a075 327c53 0f6039 024d2b 023b20 052917" },
  violet: { label: "보라", shades: "f8f3ff efe4fe dec8fd c89dfe a968ef 8541c6 6b21a8 57138b 430d6d 2e0d4c" },
  red: { label: "자주", shades: "fff2f3 fee1e5 fac3ca f097a6 d5657b ac4059 8a1f3d 71122f 580c23 3e0b18" },
};

export const PALETTE_NAMES = Object.keys(PALETTES) as PaletteName[];

export const PALETTE_LABELS = Object.fromEntries(PALETTE_NAMES.map((name) => [name, PALETTES[name].label])) as Record<
  PaletteName,
  string
>;

export const shadeOf = (name: PaletteName, step: (typeof STEPS)[number]): string =>
  `#${PALETTES[name].shades.split(" ")[STEPS.indexOf(step)]}`;

export const paletteStyle = (name: PaletteName): string =>
  STEPS.map((step) => `--color-primary-${step}:${shadeOf(name, step)}`).join(";");
