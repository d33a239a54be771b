import { keptText } from "#app/lib/kept-text.ts";

type ConsoleDensity = "dense" | "roomy";

const kept = keptText("consoleDensity");

/** Is kept by the browser; dense by default. */
export const useConsoleDensity = (): [ConsoleDensity, (density: ConsoleDensity) => void] => [
  kept.useText() === "roomy" ? "roomy" : "dense",
  kept.store,
];
