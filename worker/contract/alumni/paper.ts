import { valuesOf } from "../kernel/labels.ts";
import type { LetterMeans } from "../mail/letters.ts";
import type { AlumniFieldCode } from "./own-fields.ts";

// Print layouts of the address book, in millimetres. Free of zod for the browser.

export const PRINT_KIND_LABELS = {
  label: "주소 라벨",
  envelope: "봉투",
  card: "이름표·명함",
  directory: "기수별 명부",
} as const;

export type PrintKind = keyof typeof PRINT_KIND_LABELS;

export const PRINT_KINDS = valuesOf(PRINT_KIND_LABELS);

/** Skips people without an address. */
export const needsAddress = (kind: PrintKind) => kind === "label" || kind === "envelope";

export const printMeans = (kind: PrintKind): LetterMeans => (needsAddress(kind) ? "post" : "paper");

export const PRINT_ORDER_LABELS = { name: "이름", cohort: "기수", zipCode: "우편번호" } as const;

export type PrintOrder = keyof typeof PRINT_ORDER_LABELS;

export const PRINT_ORDERS = valuesOf(PRINT_ORDER_LABELS);

/** The limit of one browser layout; larger lists are printed in parts. */
export const PRINT_PEOPLE_MAX = 5000;

export interface LabelSheet {
  name: string;
  label: string;
  columns: number;
  rows: number;
  width: number;
  height: number;
  top: number;
  left: number;
  gapX: number;
  gapY: number;
}

export const A4 = { width: 210, height: 297 } as const;

/** A4 sheets sold in Korea: Formtec's numbers, and cards of 90 x 50 mm. */
export const LABEL_SHEETS = {
  // Corner, size and step of these four: Formtec's manual, "라벨 위치 조정방법" (formtec.co.kr, software manual 27).
  "LS-3106": { columns: 3, rows: 8, width: 64, height: 33.9, top: 12.5, left: 6.5, gapX: 2.5, gapY: 0 },
  "LS-3109": { columns: 2, rows: 9, width: 100, height: 29.9, top: 13.5, left: 3.7, gapX: 2.5, gapY: 0 },
  "LS-3107": { columns: 2, rows: 8, width: 99.1, height: 33.9, top: 14.2, left: 4.7, gapX: 2.5, gapY: 0 },
  "LS-3108": { columns: 2, rows: 7, width: 99.1, height: 38.1, top: 13.8, left: 5, gapX: 2.5, gapY: 0 },
  // Size: Formtec's product list. The margin is half of the rest of A4.
  "LS-3102": { columns: 4, rows: 10, width: 47, height: 26.9, top: 14, left: 11, gapX: 0, gapY: 0 },
  // Top: Formtec's Word template (13 above, 13.2 below). Horizontal step: the same for all 99.1 mm labels.
  "LS-3114": { columns: 2, rows: 4, width: 99.1, height: 67.7, top: 13, left: 4.65, gapX: 2.5, gapY: 0 },
  // Size: Formtec's product list. The margin is half of the rest of A4; step as above.
  "LS-3118": { columns: 2, rows: 2, width: 99.1, height: 140, top: 8.5, left: 4.65, gapX: 2.5, gapY: 0 },
  // Ten cards of Korean size, centred, to be cut; no maker's sheet.
  card: { columns: 2, rows: 5, width: 90, height: 50, top: 23.5, left: 15, gapX: 0, gapY: 0 },
} as const satisfies Record<string, Omit<LabelSheet, "name" | "label">>;

export type SheetName = keyof typeof LABEL_SHEETS;

export const perSheet = ({ columns, rows }: Pick<LabelSheet, "columns" | "rows">) => columns * rows;

const sheetLabel = (name: SheetName): string => {
  const sheet = LABEL_SHEETS[name];
  const size = `${perSheet(sheet)}칸, ${sheet.width}×${sheet.height} mm`;
  return name === "card" ? `명함 용지 ${size}` : `폼텍 ${name} ${size}`;
};

export const sheetOf = (name: SheetName): LabelSheet => ({ ...LABEL_SHEETS[name], name, label: sheetLabel(name) });

export const LABEL_SHEET_NAMES = valuesOf(LABEL_SHEETS).filter((name) => name !== "card");

export const ENVELOPES = {
  small: { label: "소봉투 220×105 mm", width: 220, height: 105 },
  large: { label: "대봉투(A4) 330×245 mm", width: 330, height: 245 },
} as const;

export type EnvelopeName = keyof typeof ENVELOPES;

/** Corrects a printer's paper feed, in millimetres. */
export const SHIFT_MAX = 10;

/** @param start first free label of the first sheet, from 1 */
export const sheetCount = (people: number, perPage: number, start: number): number =>
  people === 0 ? 0 : Math.ceil((people + start - 1) / perPage);

/** null is a used or free place. */
export function layOutSheets<T>(people: readonly T[], perPage: number, start: number): (T | null)[][] {
  const places: (T | null)[] = [...Array.from({ length: start - 1 }, () => null), ...people];
  return Array.from({ length: sheetCount(people.length, perPage, start) }, (_, page) =>
    Array.from({ length: perPage }, (_place, at) => places[page * perPage + at] ?? null),
  );
}

/** The upper left corner, counted from 0 row by row. */
export function placeOf(sheet: LabelSheet, at: number): { left: number; top: number } {
  const column = at % sheet.columns;
  const row = Math.floor(at / sheet.columns);
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    left: round(sheet.left + column * (sheet.width + sheet.gapX)),
    top: round(sheet.top + row * (sheet.height + sheet.gapY)),
  };
}

export type PrintedPerson = { id: string } & Partial<Record<AlumniFieldCode, string>>;

export const LEFT_OUT_NAMES = 20;

export function groupByCohort(people: readonly PrintedPerson[]): { cohort: string; people: PrintedPerson[] }[] {
  const groups = new Map<string, PrintedPerson[]>();
  for (const person of people) {
    const cohort = person.cohort ?? "";
    groups.set(cohort, [...(groups.get(cohort) ?? []), person]);
  }
  const rank = (cohort: string) => (cohort === "" ? Infinity : Number(cohort));
  return [...groups]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([cohort, members]) => ({ cohort, people: members }));
}
