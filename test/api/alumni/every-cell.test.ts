/** @module-tag full */
import { type CellObject, read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { DROPPED_FILE_LIMITS } from "#app/features/alumni/import/read-dropped-file.ts";
import {
  type DroppedSource,
  guessedMappings,
  mappedColumns,
  unusedColumns,
} from "#app/features/alumni/import/dropped-files.ts";
import { columnMapping, combineSources, splitIntoParts } from "#app/features/alumni/import/import-table.ts";
import { ALUMNI_FIELDS, type AlumniValues, cellText, EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import { type ImportPlace, placeOfRow } from "#worker/contract/alumni/import/header.ts";
import { findPeople, type PeopleTable, peopleTableSentences } from "#worker/contract/alumni/import/people-table.ts";
import { cellName } from "#worker/contract/alumni/import/shown-cells.ts";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import type { SheetContent } from "#worker/contract/alumni/import/sheet-content.ts";
import type { ImportPreview } from "#worker/contract/alumni/view.ts";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";
import { callAs } from "../../support/api-client.ts";
import { BODY_HABITS } from "../../contract/alumni/body-habits.ts";
import { CELL_HABITS } from "../../contract/alumni/cell-habits.ts";
import { HEADER_HABITS } from "../../contract/alumni/header-habits.ts";
import { LIBREOFFICE_FILES } from "./workbooks.ts";
import { createAdministratorSession, type TestSession } from "../../support/people.ts";
import { expectLog } from "../../support/expected-log.ts";
import { runSql } from "../../support/test-database.ts";
import { env } from "cloudflare:workers";

type FileBytes = Uint8Array<ArrayBuffer>;
const LIMITS = { ...DROPPED_FILE_LIMITS, rows: 5000 };

const FILES: [name: string, fileName: string, bytes: () => FileBytes][] = [
  ...[...HEADER_HABITS, ...BODY_HABITS, ...CELL_HABITS].map(
    ({ habit, fileName = "명부.xlsx", bytes }): [string, string, () => FileBytes] => [habit, fileName, bytes],
  ),
  ...[...LIBREOFFICE_FILES].map(([file, bytes]): [string, string, () => FileBytes] => [file, file, bytes]),
];

/** Counts cells with a second reader; null for text files and pages, which it parses differently. */
function cellsOtherwise(bytes: FileBytes): number | null {
  const isBook = (bytes[0] === 0x50 && bytes[1] === 0x4b) || bytes[0] === 0xd0;
  if (!isBook) return null;
  const book = read(bytes, { type: "array" });
  const filled = (cell: CellObject) =>
    cell.t !== "z" && (cell.f !== undefined || utils.format_cell(cell).trim() !== "");
  return Object.values(book.Sheets)
    .flatMap((sheet) => Object.entries(sheet))
    .filter(([place, cell]) => !place.startsWith("!") && filled(cell as CellObject)).length;
}

interface Imported {
  result: ImportResult;
  people: AlumniValues[];
  sources: readonly ImportPlace[];
  sentences: readonly string[];
}

async function importTables(
  admin: TestSession,
  sources: DroppedSource[],
): Promise<Imported & { used: DroppedSource[] }> {
  await runSql("DELETE FROM alumni");
  const used = sources.map((source) => ({ ...source, isUsed: true }));
  const hidden = { rows: "take", columns: "take" } as const;
  const table = combineSources(used, guessedMappings(used, { fields: ALUMNI_FIELDS, own: [] }), hidden);
  if (!table) throw new Error("no table");
  const send = async (method: string, path: string, body: object) => {
    const answer = await callAs(admin, method, `/api/alumni/import/${path}`, body);
    expect([path, answer.code, answer.fields]).toEqual([path, "SUCCESS", {}]);
    return answer.data;
  };
  const [rows, ...others] = splitIntoParts(table, new Map());
  expect(others).toEqual([]);
  const { fileName, headerRow, heads, sources: places } = table;
  const head = { fileName, headRow: headerRow, heads, mapping: columnMapping(table), sources: places };
  const { importId } = await send("POST", "open", { ...head, parts: 1 });
  await send("PUT", `${importId}/part/1`, { rows });
  const result: ImportResult = await send("POST", `${importId}/plan`, { mode: "upsert" });
  await send("POST", `${importId}/commit`, { skipInvalid: true });
  const { results } = await env.DB.prepare(
    "SELECT *, graduation_year AS graduationYear, zip_code AS zipCode, state_date AS stateDate, state_note AS stateNote FROM alumni ORDER BY rowid",
  ).all();
  return { result, people: results as unknown as AlumniValues[], sources: places, sentences: table.sentences, used };
}

const isOf =
  ({ sources }: Imported, source: DroppedSource, row: number) =>
  (told: { row: number }) => {
    const place = placeOfRow(sources, told.row);
    return place.row === row && place.name === (sources.length > 0 ? source.name : "");
  };

/** "stored" for the exact value, else the notice that names it; null means a loss. */
function fateOf(imported: Imported, source: DroppedSource, row: number, at: number, text: string): string | null {
  const { table } = source;
  const sentences = peopleTableSentences(table).join("\n");
  const [first, last] = table.headerRows;
  if (table.hasHeader && row >= first && row <= last) return sentences.includes("머리글은 ") ? "header" : null;
  const unnamed = /(\d+)행부터 뺀 행이 \d+행 더 있습니다/.exec(sentences)?.[1];
  if (unnamed !== undefined && row >= Number(unnamed)) return "set aside";
  if (table.setAside.some((each) => each.row === row)) return sentences.includes("행을 뺐습니다") ? "set aside" : null;
  const isPerson = table.rows.some((each) => each.row === row);
  const person = isPerson ? row : table.rows.findLast((each) => each.row < row)?.row;
  if (person === undefined || (!isPerson && !sentences.includes("윗사람의 행에 합쳤습니다"))) return null;
  if (table.outside.some((each) => each.row === row && each.column === at))
    return sentences.includes(cellName(row, at)) || sentences.includes(" 외 ") ? "outside" : null;
  if (at >= table.heads.length) return null;
  const { result, people } = imported;
  const here = isOf(imported, source, person);
  const columns = mappedColumns(source, guessedMappings([source], { fields: ALUMNI_FIELDS, own: [] }), {
    rows: "take",
    columns: "take",
  });
  const column = columns[at];
  const added = result.preview.filter(({ kind }) => kind === "insert").toSorted((a, b) => a.row - b.row);
  const shown: ImportPreview | undefined = added.find(here);
  const stored = shown && people[added.indexOf(shown)];
  const isNamePart = column === "name" || table.namePartColumns.includes(at);
  if (isNamePart && table.joinedNames.count > 0 && stored?.name.includes(text))
    return sentences.includes("성과 이름 열을 이어") ? "joined" : null;
  if (!column) return unusedColumns(source, columns).includes(table.heads[at] ?? "") ? "unused column" : null;
  if (column !== "id" && stored && shown) {
    const value = cellText(stored[column as keyof AlumniValues]);
    expect(shown.changes.find(({ field }) => field === column)?.after ?? "").toBe(value);
    if (value === text) return "stored";
  }
  // Below a header that reorders the columns, cells move to other fields.
  const turned = table.setAside.some((each) => each.kind === "reordered" && each.row < person);
  if (turned && stored && ALUMNI_FIELDS.some((field) => cellText(stored[field]) === text)) return "stored";
  if (imported.sentences.some((said) => said.includes(`${cellName(row, at)} ‘${text}’`))) return "listed";
  if (result.rules.some(({ field, samples }) => field === column && samples.some(here))) return "rule";
  if (result.errors.some(here)) return "error";
  return null;
}

const cellsOf = ({ rows }: SheetContent) =>
  rows.flatMap(({ row, cells }) => cells.flatMap((text, at) => (text.trim() === "" ? [] : [{ row, at, text }])));

/** Stored values that no cell or context value of the row explains. */
function madeUp(imported: Imported, table: PeopleTable): string[] {
  const known = new Set<unknown>([...table.columns, ...table.contextValues.map(({ field }) => field)]);
  const others = ALUMNI_FIELDS.filter((field) => !known.has(field));
  return imported.sources.length > 0
    ? []
    : imported.people.flatMap((person) => others.filter((field) => person[field] !== EMPTY_ALUMNI_VALUES[field]));
}

test(`no cell of ${FILES.length} sheets is altered or dropped silently`, async () => {
  const admin = await createAdministratorSession();
  const lost: unknown[] = [];
  const fates: Record<string, number> = {};
  for (const [habit, fileName, bytes] of FILES) {
    const sheets = await readFileSheets(bytes(), LIMITS);
    const counted = cellsOtherwise(bytes());
    if (counted !== null) expect([habit, sheets.flatMap(cellsOf).length]).toEqual([habit, counted]);
    const { tables, passed } = findPeople(sheets, fileName);
    const sources = tables.map((table, at): DroppedSource => {
      const fixed = Object.fromEntries(table.contextValues.map(({ field, value }) => [field, value]));
      const name = tables.length > 1 ? table.sheet : "";
      return { key: `${at}`, fileName, name, table, isUsed: true, fixed };
    });
    const imported = await importTables(admin, sources);
    for (const content of sheets) {
      const source = imported.used.find(({ table }) => table.sheet === content.name);
      for (const { row, at, text } of cellsOf(content)) {
        const fate = source
          ? fateOf(imported, source, row, at, text)
          : passed.some(({ sheet }) => sheet === content.name)
            ? "passed sheet"
            : null;
        if (fate === null) lost.push([habit, row, at, text]);
        else fates[fate] = (fates[fate] ?? 0) + 1;
      }
    }
    for (const { table } of imported.used) lost.push(...madeUp(imported, table).map((field) => [habit, field]));
  }
  expectLog(/ODS number format/);
  expect(lost).toEqual([]);
  expect(FILES.length).toBeGreaterThanOrEqual(80);
  expect(Object.values(fates).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(500);
  expect(Object.keys(fates).toSorted()).toEqual([
    "error",
    "header",
    "joined",
    "listed",
    "outside",
    "passed sheet",
    "rule",
    "set aside",
    "stored",
    "unused column",
  ]);
});
