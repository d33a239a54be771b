import { AppError } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { findPeople, type PeopleBook, type ReadingChoices } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "#worker/adapters/spreadsheet/read-file.ts";
import { type SheetContent, unreadableFileError } from "#worker/contract/alumni/import/sheet-content.ts";

/** The limits exceed the server's: an export of 50,000 rows with every column must be readable. */
export const DROPPED_FILE_LIMITS = {
  inflatedBytes: 300 * 1024 * 1024,
  rows: ALUMNI_LIMITS.importRows,
  cellsPerRow: 60,
  message: "행이 너무 많습니다. 한 번에 50,000행까지 가져올 수 있습니다. 파일을 나누어 주십시오.",
};

export interface ReadTableRequest {
  file: File;
  choices?: ReadingChoices;
}
export type ReadTableResult = PeopleBook | { error: string };

const readSheets = async (file: File) => {
  // A dropped folder arrives as an unreadable file.
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) throw unreadableFileError("폴더이거나 열 수 없는 파일입니다. 파일을 하나씩 골라 주십시오.");
  return readFileSheets(new Uint8Array(buffer), DROPPED_FILE_LIMITS);
};

const withReason = <T extends object>(work: Promise<T>): Promise<T | { error: string }> =>
  work.catch((error: unknown) => ({
    error: error instanceof AppError ? error.message : "파일을 읽지 못했습니다. 다른 형식으로 저장해 주십시오.",
  }));

/** Returns the people of a file, or a reason in Korean. */
export const readDroppedFile = ({ file, choices }: ReadTableRequest): Promise<ReadTableResult> =>
  withReason(
    readSheets(file).then((sheets) => {
      const savedDate = new Date(file.lastModified).toISOString();
      const dated = sheets.map((sheet) => ({ savedDate, ...sheet }));
      return findPeople(dated, file.name.normalize("NFC"), choices);
    }),
  );

export interface ReadSheetsRequest {
  file: File;
  isPlain: true;
}
export type ReadSheetsResult = { sheets: SheetContent[] } | { error: string };

/** Returns the rows of a file that holds no people, or a reason in Korean. */
export const readDroppedSheets = ({ file }: ReadSheetsRequest): Promise<ReadSheetsResult> =>
  withReason(readSheets(file).then((sheets) => ({ sheets })));
