import { AppError } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { findPeople, type PeopleBook, type ReadingChoices } from "#worker/contract/alumni/import/people-table.ts";
import { readFileSheets } from "#worker/contract/alumni/import/read-file.ts";
import type { SheetReader } from "#worker/contract/alumni/import/sheet-content.ts";

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

export const loadReader = async () => (await import("@e965/xlsx")) as unknown as SheetReader;

/** Returns the people of a file, or a reason in Korean. */
export async function readDroppedFile({ file, choices }: ReadTableRequest): Promise<ReadTableResult> {
  // A dropped folder arrives as an unreadable file.
  const buffer = await file.arrayBuffer().catch(() => null);
  if (buffer === null) return { error: "폴더이거나 열 수 없는 파일입니다. 파일을 하나씩 골라 주십시오." };
  try {
    const sheets = await readFileSheets(loadReader, new Uint8Array(buffer), DROPPED_FILE_LIMITS);
    const savedDate = new Date(file.lastModified).toISOString();
    return findPeople(
      sheets.map((sheet) => ({ savedDate, ...sheet })),
      file.name.normalize("NFC"),
      choices,
    );
  } catch (error) {
    return {
      error: error instanceof AppError ? error.message : "파일을 읽지 못했습니다. 다른 형식으로 저장해 주십시오.",
    };
  }
}
