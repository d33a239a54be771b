import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import {
  type EnvelopeName,
  needsAddress,
  perSheet,
  type PrintKind,
  type PrintOrder,
  SHIFT_MAX,
  sheetCount,
  type SheetName,
  sheetOf,
} from "#worker/contract/alumni/paper.ts";
import type { PrintCounts } from "#worker/domain/alumni/print.server.ts";

export interface PrinterShift {
  shiftX: number;
  shiftY: number;
}

/** Returns the stored shift clamped to its bounds, or no shift if it is unreadable. */
export function readPrinterShift(stored: string): PrinterShift {
  const within = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) ? Math.min(SHIFT_MAX, Math.max(-SHIFT_MAX, value)) : 0;
  try {
    const { shiftX, shiftY } = JSON.parse(stored) as Record<string, unknown>;
    return { shiftX: within(shiftX), shiftY: within(shiftY) };
  } catch {
    return { shiftX: 0, shiftY: 0 };
  }
}

export interface PrintChoice extends PrinterShift {
  kind: PrintKind;
  sheet: SheetName;
  envelope: EnvelopeName;
  /** The first free label on a partly used sheet. */
  start: number;
  order: PrintOrder;
  columns: AlumniFieldCode[];
  /** The suffix after a name: 귀하, 님. */
  suffix: string;
  sender: string;
}

export const FIRST_PRINT_CHOICE: PrintChoice = {
  kind: "label",
  sheet: "LS-3107",
  envelope: "small",
  start: 1,
  order: "name",
  columns: [],
  suffix: "귀하",
  sender: "",
  shiftX: 0,
  shiftY: 0,
};

const USUAL_COLUMNS: Record<PrintKind, AlumniFieldCode[]> = {
  label: [],
  envelope: [],
  card: ["affiliation", "position"],
  directory: ["affiliation", "position", "mobile", "email"],
};

export const usualColumns = (kind: PrintKind, fields: readonly AlumniFieldCode[]): AlumniFieldCode[] =>
  USUAL_COLUMNS[kind].filter((field) => fields.includes(field));

/** Null for a kind without label positions. */
export function sheetForChoice({ kind, sheet }: PrintChoice) {
  if (kind === "label") return sheetOf(sheet === "card" ? "LS-3107" : sheet);
  return kind === "card" ? sheetOf("card") : null;
}

/** Returns null if only the browser can count the pages. */
export function plannedPages(choice: PrintChoice, counts: PrintCounts): { people: number; pages: number | null } {
  const people = needsAddress(choice.kind) ? counts.withAddress : counts.total;
  const sheet = sheetForChoice(choice);
  if (sheet) return { people, pages: sheetCount(people, perSheet(sheet), choice.start) };
  return { people, pages: choice.kind === "envelope" ? people : null };
}
