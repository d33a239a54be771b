import type { AlumniField } from "#worker/contract/alumni/columns.ts";
import { type BookColumn, isOwnFieldCode, type OwnField, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import type { PassedSheet, PeopleTable } from "#worker/contract/alumni/import/people-table.ts";
import type { ReadTableResult, ReadTableRequest } from "./read-dropped-file.ts";

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
  sources: DroppedSource[];
  passed: (PassedSheet & { fileName: string })[];
}

/** Null until the question about hidden content is answered. */
export type HiddenChoice = "take" | "leave" | null;

export interface HiddenChoices {
  rows: HiddenChoice;
  columns: HiddenChoice;
}

/** Mappings by `shapeOf`: sheets with the same headers share one. */
export type ColumnMappings = Readonly<Record<string, (BookColumn | null)[]>>;

export const shapeOf = ({ table }: Pick<DroppedSource, "table">): string => table.heads.join("\n");

/** Reads in a web worker to keep the page responsive. @throws Error with a Korean message */
async function readFile(request: ReadTableRequest) {
  const worker = new Worker(new URL("./read-table.worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<ReadTableResult>((resolve, reject) => {
    worker.addEventListener("message", (event: MessageEvent<ReadTableResult>) => resolve(event.data));
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

/** @throws Error with a Korean message */
export async function readDroppedFiles(files: readonly File[], onRead: (done: number) => void): Promise<DroppedFiles> {
  const sources: DroppedSource[] = [];
  const passed: DroppedFiles["passed"] = [];
  const several = files.length > 1;
  for (const [at, file] of files.entries()) {
    const fileName = file.name.normalize("NFC");
    const answer = await readFile({ file });
    if ("error" in answer) throw new Error(several ? `${fileName}: ${answer.error}` : answer.error);
    for (const table of answer.tables) {
      const inFile = answer.tables.length > 1 ? table.sheet : "";
      const name = [several ? fileName : "", inFile].filter(Boolean).join(" · ");
      const fixed = Object.fromEntries(table.contextValues.map(({ field, value }) => [field, value]));
      sources.push({ key: `${at}:${table.sheet}`, fileName, name, table, isUsed: !table.isHidden, fixed });
    }
    passed.push(...answer.passed.map((sheet) => ({ ...sheet, fileName })));
    onRead(at + 1);
  }
  return { sources, passed };
}

/** Guesses one mapping per sheet shape and ignores columns unknown to the address book. */
export function guessedMappings(
  sources: readonly DroppedSource[],
  { fields, own }: { fields: readonly AlumniField[]; own: readonly OwnField[] },
): ColumnMappings {
  const isUsed = (column: BookColumn | null) =>
    column === null || column === "id" || isOwnFieldCode(column) || fields.includes(column);
  return Object.fromEntries(
    sources.map((source) => [
      shapeOf(source),
      withOwnColumns(source.table.heads, source.table.columns, own).map((column) => (isUsed(column) ? column : null)),
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
  const { heads, rows } = source.table;
  return heads.filter(
    (head, at) => columns[at] === null && (head !== "" || rows.some(({ cells }) => (cells[at] ?? "") !== "")),
  );
}
