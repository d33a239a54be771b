import { accessSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalError } from "./local-error.ts";

const THOROUGH_CHECK_BYTES = 64 * 1024 * 1024;

/**
 * Locks the folder, because two servers corrupt its state. An open SQLite transaction ends with its process, even with
 * reused process ids (containers).
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
      accessSync(join(folder, name), constants.R_OK | constants.W_OK);
    const lock = new DatabaseSync(join(folder, "running.lock"), { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    throw folderError(error, folder);
  }
}

export function checkDatabases(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".sqlite")) checkDatabase(join(folder, name), folder);
  }
}

function checkDatabase(path: string, folder: string): void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Fails while another workerd holds the file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    // Checks the whole file if fast, else the schema page only.
    const question = statSync(path).size < THOROUGH_CHECK_BYTES ? "PRAGMA quick_check(1)" : "PRAGMA schema_version";
    const answer = database.prepare(question).get()?.quick_check ?? "ok";
    if (answer !== "ok") throw brokenDatabaseError(path);
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw BROKEN.has(sqliteCode(error)) ? brokenDatabaseError(path) : folderError(error, folder, path);
  } finally {
    database.close();
  }
}

const BUSY = 5;
const FULL = 13;
const BROKEN = new Set([11, 26]);

const sqliteCode = (error: unknown) =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

const REASONS: Record<string, string> = {
  EACCES: "쓸 권한이 없습니다. 소유자와 권한을 확인하거나",
  EPERM: "쓸 권한이 없습니다. 소유자와 권한을 확인하거나",
  EROFS: "읽기 전용으로 연결된 디스크입니다. 쓸 수 있게 다시 연결하거나",
  ENOSPC: "디스크가 가득 찼습니다. 공간을 비우거나",
  ENOTDIR: "폴더가 아니라 파일입니다. 이름을 확인하거나",
  EEXIST: "폴더가 아니라 파일입니다. 이름을 확인하거나",
};

function folderError(error: unknown, folder: string, path = folder): LocalError {
  if (sqliteCode(error) === BUSY)
    return new LocalError(
      `다른 실행이 이미 쓰고 있는 자료 폴더입니다: ${folder} — 그 실행을 끝내거나 PERSIST_TO로 다른 폴더를 지정해 주십시오.`,
    );
  const { code = "", message, path: at = path } = error as NodeJS.ErrnoException;
  const reason = REASONS[sqliteCode(error) === FULL ? "ENOSPC" : code] ?? `${message}. 권한과 남은 공간을 확인하거나`;
  return new LocalError(`자료 폴더에 쓸 수 없습니다: ${at} — ${reason} PERSIST_TO로 다른 폴더를 지정해 주십시오.`);
}

function brokenDatabaseError(path: string): LocalError {
  return new LocalError(
    `데이터베이스 파일이 손상되어 열 수 없습니다: ${path} — 백업한 파일로 바꾸거나 자료 폴더를 옮긴 뒤 다시 시작해 주십시오.`,
  );
}
