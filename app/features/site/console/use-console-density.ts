import { keptText } from "#app/lib/kept-text.ts";

export type ConsoleDensity = "dense" | "roomy";

const kept = keptText("consoleDensity");

/** How close the rows of the console stand, kept by the browser; dense as long as nobody chose. */
export const useConsoleDensity = (): [ConsoleDensity, (density: ConsoleDensity) => void] => [
  kept.useText() === "roomy" ? "roomy" : "dense",
  kept.store,
];
