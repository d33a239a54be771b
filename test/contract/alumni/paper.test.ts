import { expect, test } from "vitest";
import { readPrinterShift } from "#app/features/alumni/paper/print-choice.ts";
import {
  A4,
  groupByCohort,
  LABEL_SHEETS,
  layOutSheets,
  perSheet,
  placeOf,
  sheetCount,
  SHIFT_MAX,
  type SheetName,
  sheetOf,
} from "#worker/contract/alumni/paper.ts";

const NAMES = Object.keys(LABEL_SHEETS) as SheetName[];

test.for(NAMES)("every label of %s has its own place on the paper", (name) => {
  const sheet = sheetOf(name);
  const places = Array.from({ length: perSheet(sheet) }, (_, at) => placeOf(sheet, at));
  for (const { left, top } of places) {
    expect([left >= 0, left + sheet.width <= A4.width + 0.01]).toEqual([true, true]);
    expect([top >= 0, top + sheet.height <= A4.height + 0.01]).toEqual([true, true]);
  }
  for (const [at, a] of places.entries()) {
    for (const b of places.slice(at + 1)) {
      const apart = a.left + sheet.width <= b.left + 0.01 || b.left + sheet.width <= a.left + 0.01;
      expect(apart || a.top + sheet.height <= b.top + 0.01 || b.top + sheet.height <= a.top + 0.01).toBe(true);
    }
  }
  expect(sheet.label).toContain(`${perSheet(sheet)}칸`);
});

test.for(NAMES)("the margins of %s are equal on both sides", (name) => {
  const sheet = sheetOf(name);
  const right = A4.width - sheet.left - sheet.columns * sheet.width - (sheet.columns - 1) * sheet.gapX;
  const bottom = A4.height - sheet.top - sheet.rows * sheet.height - (sheet.rows - 1) * sheet.gapY;
  // Label sheets may be off centre by 1 mm across and 3 mm along.
  expect(Math.abs(sheet.left - right)).toBeLessThanOrEqual(1);
  expect(Math.abs(sheet.top - bottom)).toBeLessThanOrEqual(3);
});

test("Formtec sheets have the label positions printed on their packages", () => {
  const counts = Object.fromEntries(NAMES.map((name) => [name, perSheet(LABEL_SHEETS[name])]));
  expect(counts).toEqual({
    "LS-3106": 24,
    "LS-3109": 18,
    "LS-3107": 16,
    "LS-3108": 14,
    "LS-3102": 40,
    "LS-3114": 8,
    "LS-3118": 4,
    card: 10,
  });
});

test("labels follow the rows at the measures of the sheet", () => {
  const sheet = sheetOf("LS-3107");
  expect([placeOf(sheet, 0), placeOf(sheet, 1), placeOf(sheet, 2)]).toEqual([
    { left: 4.7, top: 14.2 },
    { left: 106.3, top: 14.2 },
    { left: 4.7, top: 48.1 },
  ]);
});

test("a partly used sheet is filled from its first free label", () => {
  expect(layOutSheets(["a", "b", "c"], 4, 3)).toEqual([
    [null, null, "a", "b"],
    ["c", null, null, null],
  ]);
  expect(layOutSheets([], 4, 3)).toEqual([]);
  for (let people = 0; people < 40; people += 1) {
    for (let start = 1; start <= 16; start += 5) {
      const all = Array.from({ length: people }, (_, at) => at);
      const sheets = layOutSheets(all, 16, start);
      expect(sheets.length).toBe(sheetCount(people, 16, start));
      expect(sheets.flat().filter((each) => each !== null)).toEqual(all);
      expect(sheets.every((places) => places.length === 16)).toBe(true);
    }
  }
});

test("a printer offset is limited to its bounds", () => {
  expect(readPrinterShift('{"shiftX":-1.5,"shiftY":40}')).toEqual({ shiftX: -1.5, shiftY: SHIFT_MAX });
  for (const stored of ["", "x", "[]", '{"shiftX":"3","shiftY":null}', "3"])
    expect([stored, readPrinterShift(stored)]).toEqual([stored, { shiftX: 0, shiftY: 0 }]);
});

test("a directory is sorted by cohort number, people without a cohort last", () => {
  const person = (id: string, cohort?: string) => (cohort === undefined ? { id } : { id, cohort });
  const groups = groupByCohort([person("a", "10"), person("b"), person("c", "9"), person("d", "10")]);
  expect(groups.map(({ cohort, people }) => [cohort, people.map(({ id }) => id).join("")])).toEqual([
    ["9", "c"],
    ["10", "ad"],
    ["", "b"],
  ]);
});
