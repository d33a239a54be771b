import { useSyncExternalStore } from "react";
import { type PrinterShift, readPrinterShift } from "#app/features/alumni/paper/print-choice.ts";

const KEY = "printerShift";
const listeners = new Set<() => void>();

function readStored(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function store(shift: PrinterShift): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(shift));
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How far the printer of this machine is off: it is measured once, and kept by the browser. */
export const usePrinterShift = (): [PrinterShift, (shift: PrinterShift) => void] => [
  readPrinterShift(useSyncExternalStore(subscribe, readStored, () => "")),
  store,
];
