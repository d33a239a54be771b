import { keptText } from "#app/lib/kept-text.ts";
import { type PrinterShift, readPrinterShift } from "#app/features/alumni/paper/print-choice.ts";

const kept = keptText("printerShift");
const store = (shift: PrinterShift) => kept.store(JSON.stringify(shift));

/** The printer offset is measured once per machine and kept by the browser. */
export const usePrinterShift = (): [PrinterShift, (shift: PrinterShift) => void] => [
  readPrinterShift(kept.useText()),
  store,
];
