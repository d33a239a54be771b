import { useSyncExternalStore } from "react";

export type ConsoleDensity = "dense" | "roomy";

const KEY = "consoleDensity";
const listeners = new Set<() => void>();

function readDensity(): ConsoleDensity {
  try {
    return localStorage.getItem(KEY) === "roomy" ? "roomy" : "dense";
  } catch {
    // A browser that keeps nothing shows what the server sent.
    return "dense";
  }
}

function storeDensity(density: ConsoleDensity): void {
  try {
    localStorage.setItem(KEY, density);
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How close the rows of the console stand, kept by the browser; dense as long as nobody chose. */
export const useConsoleDensity = (): [ConsoleDensity, (density: ConsoleDensity) => void] => [
  useSyncExternalStore(subscribe, readDensity, () => "dense" as const),
  storeDensity,
];
