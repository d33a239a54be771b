import type { AlumniField } from "#worker/contract/alumni/columns.ts";
import { type BookColumn, isOwnFieldCode, type OwnField, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import type { PassedSheet, PeopleTable } from "#worker/contract/alumni/import/people-table.ts";
import type { FormAnswers, ImportOptions } from "#worker/contract/alumni/import/cell-changes.ts";
import { formKey } from "#worker/contract/alumni/import/header.ts";
import type { RememberedForm } from "#worker/contract/alumni/import/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { listImportForms } from "#worker/domain/alumni/import/memory.server.ts";
import type { View } from "#worker/domain/kernel/context.ts";
import type { ReadSheetsRequest, ReadSheetsResult, ReadTableRequest, ReadTableResult } from "./read-dropped-file.ts";

export interface DroppedSource {
  key: string;
  fileName: string;
  /** The display name if there are several sources. */
  name: string;
  table: PeopleTable;
  isUsed: boolean;
  /** Values that apply to every person of the source. */
  fixed: Partial<Record<AlumniField, string>>;
}

export interface DroppedFiles {
  files: readonly File[];
  /** Rows that someone pointed at as headers, by the key of a sheet. */
  headRows: Readonly<Record<string, number>>;
  sources: DroppedSource[];
  passed: (PassedSheet & { key: string; fileName: string })[];
}

export type HiddenChoices = FormAnswers["hidden"];

export type ImportForm = View<typeof listImportForms>[number];

/** Mappings by `shapeOf`: sheets with the same headers share one. */
export type ColumnMappings = Readonly<Record<string, (BookColumn | null)[]>>;

export const shapeOf = ({ table }: Pick<DroppedSource, "table">): string => table.heads.join("\n");

/** Reads in a web worker to keep the page responsive. @throws Error with a Korean message */
export async function readInWorker<Request extends ReadTableRequest | ReadSheetsRequest>(request: Request) {
  type Result = Request extends ReadSheetsRequest ? ReadSheetsResult : ReadTableResult;
  const worker = new Worker(new URL("./read-table.worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<Result>((resolve, reject) => {
    worker.addEventListener("message", (event: MessageEvent<Result>) => resolve(event.data));
    worker.addEventListener("error", () =>
      reject(new Error("파일을 읽지 못했습니다. 페이지를 새로 고친 뒤 다시 시도해 주십시오.")),
    );
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  worker.postMessage(request);
  try {
    return await answered;
  } finally {
    worker.terminate();
  }
}

/** Reads a file that holds no people. @throws AppError INVALID_INPUT with a reason */
export async function readSheets(file: File) {
  const answer = await readInWorker({ file, isPlain: true });
  if ("error" in answer) throw invalidInput({ file: answer.error });
  return answer.sheets;
}

export const findForm = (forms: readonly ImportForm[], { table }: Pick<DroppedSource, "table">) =>
  forms.find(({ heads }) => formKey(heads) === formKey(table.heads));

/** A sheet of next year is the same one. */
const sheetName = ({ table, fileName }: Pick<DroppedSource, "table" | "fileName">) =>
  (table.sheet || fileName).replace(/(?:19|20)\d\d/g, "").trim();

const isTicked = (table: PeopleTable) => !table.isHidden && table.leaving === null;

/** @throws Error with a Korean message */
export async function readDroppedFiles(
  files: readonly File[],
  forms: readonly ImportForm[],
  headRows: DroppedFiles["headRows"],
  onRead: (done: number) => void,
): Promise<DroppedFiles> {
  const known = new Set(forms.map(({ heads }) => formKey(heads)).filter(Boolean));
  const sources: DroppedSource[] = [];
  const passed: DroppedFiles["passed"] = [];
  const several = files.length > 1;
  for (const [at, file] of files.entries()) {
    const fileName = file.name.normalize("NFC");
    const pointed = Object.entries(headRows).flatMap(([key, row]) =>
      key.startsWith(`${at}:`) ? [[key.slice(`${at}:`.length), row] as const] : [],
    );
    const answer = await readInWorker({
      file,
      choices: { headRows: Object.fromEntries(pointed), known, keepsUnread: true },
    });
    if ("error" in answer) throw new Error(several ? `${fileName}: ${answer.error}` : answer.error);
    for (const table of answer.tables) {
      const inFile = answer.tables.length > 1 ? table.sheet : "";
      const name = [several ? fileName : "", inFile].filter(Boolean).join(" · ");
      const fixed = Object.fromEntries(table.contextValues.map(({ field, value }) => [field, value]));
      const answered = findForm(forms, { table })?.answers.sheets ?? {};
      const isUsed = lookUp(answered, sheetName({ table, fileName })) ?? isTicked(table);
      sources.push({ key: `${at}:${table.sheet}`, fileName, name, table, isUsed, fixed });
    }
    passed.push(...answer.passed.map((sheet) => ({ ...sheet, key: `${at}:${sheet.sheet}`, fileName })));
    onRead(at + 1);
  }
  return { files, headRows, sources, passed };
}

/** The answers about these files, to be remembered by form. */
export function formsOf(
  sources: readonly DroppedSource[],
  mappings: ColumnMappings,
  hidden: HiddenChoices,
  { emptied, decisions }: Pick<ImportOptions, "emptied" | "decisions">,
): RememberedForm[] {
  return [...new Set(sources.map((source) => shapeOf(source)))].slice(0, FORMS_MAX).flatMap((shape) => {
    const same = sources.filter((source) => shapeOf(source) === shape);
    const changed = same.filter(({ table, isUsed }) => isUsed !== isTicked(table));
    const sheets = Object.fromEntries(changed.map((source) => [sheetName(source), source.isUsed]));
    const heads = same[0]?.table.heads ?? [];
    return [{ heads, columns: mappings[shape] ?? [], sheets, hidden, emptied, decisions }];
  });
}

const FORMS_MAX = 20;

/** Remembers or guesses one mapping per sheet shape and ignores columns unknown to the address book. */
export function guessedMappings(
  sources: readonly DroppedSource[],
  { fields, own }: { fields: readonly AlumniField[]; own: readonly OwnField[] },
  forms: readonly ImportForm[] = [],
): ColumnMappings {
  const isUsed = (column: BookColumn | null) =>
    column === null ||
    column === "id" ||
    (isOwnFieldCode(column) ? own.some(({ code }) => code === column) : fields.includes(column));
  const guessed = ({ table }: DroppedSource) => withOwnColumns(table.heads, table.columns, own);
  return Object.fromEntries(
    sources.map((source) => [
      shapeOf(source),
      (findForm(forms, source)?.columns ?? guessed(source)).map((column) => (isUsed(column) ? column : null)),
    ]),
  );
}

export interface HeaderColumns {
  heads: string[];
  columns: (BookColumn | null)[];
}

export const mappedColumns = (source: DroppedSource, mappings: ColumnMappings, hidden: HiddenChoices) =>
  (mappings[shapeOf(source)] ?? []).map((column, at) =>
    hidden.columns === "leave" && source.table.hiddenColumns.includes(at) ? null : column,
  );

/** Returns the headers of columns that have values but no target field. */
export function unusedColumns(source: DroppedSource, columns: readonly (BookColumn | null)[]): string[] {
  const { heads, rows, namePartColumns } = source.table;
  return heads.filter(
    (head, at) =>
      columns[at] === null &&
      !namePartColumns.includes(at) &&
      (head !== "" || rows.some(({ cells }) => (cells[at] ?? "") !== "")),
  );
}
