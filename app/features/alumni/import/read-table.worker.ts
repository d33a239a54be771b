import { AppError } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";
import { type RawRow, readCsv, unsupportedFileError } from "#worker/contract/alumni/csv.ts";
import { type SheetReader } from "#worker/contract/alumni/sheet-reader.ts";
import { isOleFile, isEncryptedPackage, readSheet } from "#worker/contract/alumni/sheet.ts";
import { checkWorkbook } from "#worker/contract/alumni/xlsx-check.ts";

/** A browser has more room than a Worker of the server: 50,000 rows unpack to some 60 MB. */
const LIMITS = { inflatedBytes: 300 * 1024 * 1024, rows: ALUMNI_LIMITS.importRows };
const TOO_MANY_ROWS = "행이 너무 많습니다. 한 번에 50,000행까지 가져올 수 있습니다. 파일을 나누어 주십시오.";

export interface ReadTableRequest {
  file: File;
  sheet?: string | undefined;
}
export type ReadTableResult = { sheetNames: string[]; rows: RawRow[]; mergedRows: number[] } | { error: string };

async function readDroppedTable({ file, sheet }: ReadTableRequest): Promise<ReadTableResult> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (/\.csv$/i.test(file.name)) {
    const rows = [...readCsv(bytes)].filter((raw) => raw.cells.some((cell) => cell.trim() !== ""));
    return { sheetNames: [], rows, mergedRows: [] };
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) await checkWorkbook(bytes, LIMITS);
  else if (!isOleFile(bytes))
    throw unsupportedFileError("엑셀 파일이 아닙니다. xlsx, xls 또는 csv 파일을 골라 주십시오.");
  else if (isEncryptedPackage(bytes))
    throw unsupportedFileError("암호가 걸린 파일입니다. 암호를 풀고 다시 골라 주십시오.");
  const reader = (await import("@e965/xlsx")) as unknown as SheetReader;
  return readSheet(reader, bytes, { rows: ALUMNI_LIMITS.importRows, message: TOO_MANY_ROWS }, sheet);
}

// Typed by hand: the page's own types know no worker's scope.
const scope = globalThis as unknown as {
  addEventListener(type: "message", listener: (event: MessageEvent<ReadTableRequest>) => void): void;
  postMessage: (answer: ReadTableResult) => void;
};
scope.addEventListener("message", (event) => {
  void readDroppedTable(event.data)
    .catch((error: unknown) => ({
      error: error instanceof AppError ? error.message : "파일을 읽지 못했습니다. 다른 형식으로 저장해 주십시오.",
    }))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
    .then((answer) => scope.postMessage(answer));
});
