import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { DatabaseDump } from "./load-dump.ts";
import { LocalError } from "./local-error.ts";

export type StoredFileList = Map<string, { size: number; etag: string }>;
const brokenFileListError = () => new LocalError("파일 목록이 손상되었거나 끝까지 받지 못한 파일입니다.");

/** Reads the list of objects that stands beside a dump. @throws Trouble unless its checksum holds */
export function readStoredFileList(bytes: Uint8Array): StoredFileList {
  let lines: string[];
  try {
    lines = gunzipSync(bytes).toString("utf8").trimEnd().split("\n");
  } catch {
    throw brokenFileListError();
  }
  const [head = "{}", ...rest] = lines;
  const tail = JSON.parse(rest.pop() ?? "{}") as { files?: number; sha256?: string };
  const digest = createHash("sha256");
  for (const line of rest) digest.update(`${line}\n`);
  const whole = rest.length === tail.files && digest.digest("hex") === tail.sha256;
  if ((JSON.parse(head) as { hoewonFiles?: number }).hoewonFiles !== 1 || !whole) throw brokenFileListError();
  return new Map(
    rest.map((line) => {
      const [key, size, etag] = JSON.parse(line) as [string, number, string];
      return [key, { size, etag }];
    }),
  );
}

/** Files of the dump that were not in the storage, or not whole, when the list was made. */
export function missingFiles(dump: DatabaseDump, list: StoredFileList): { fileName: string; key: string }[] {
  const table = dump.tables.find((each) => each.table === "file");
  if (!table) return [];
  const at = (name: string) => table.columns.indexOf(name);
  return table.rows
    .filter((row) => row[at("status")] !== "pending")
    .filter((row) => list.get(String(row[at("storage_key")]))?.size !== row[at("size")])
    .map((row) => ({ fileName: String(row[at("file_name")]), key: String(row[at("storage_key")]) }));
}
