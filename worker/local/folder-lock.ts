import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalError } from "./local-error.ts";

const THOROUGH_CHECK_BYTES = 64 * 1024 * 1024;

/**
 * Makes the folder and keeps it to one running instance: two servers on one state folder crash.
 * The lock is an open SQLite transaction and not a file with a process id, because the system itself drops it when
 * its holder dies, also where process ids come again (containers).
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
    const lock = new DatabaseSync(join(folder, "running.lock"), { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    if (isBusy(error)) throw folderInUseError(folder);
    throw new LocalError(
      `자료 폴더에 쓸 수 없습니다: ${folder} — 권한을 확인하거나 PERSIST_TO로 다른 폴더를 지정해 주십시오.`,
    );
  }
}

/** Opens every database file below the folder, so that a damaged one is named before workerd trips over it. */
export function checkDatabases(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".sqlite")) checkDatabase(join(folder, name), folder);
  }
}

function checkDatabase(path: string, folder: string): void {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Refused while a workerd holds the file: one that outlived its starter, or wrangler's.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    // The whole file while that takes well under a second, else the schema page alone.
    const question = statSync(path).size < THOROUGH_CHECK_BYTES ? "PRAGMA quick_check(1)" : "PRAGMA schema_version";
    const answer = database.prepare(question).get()?.quick_check ?? "ok";
    if (answer !== "ok") throw brokenDatabaseError(path);
  } catch (error) {
    throw isBusy(error) ? folderInUseError(folder) : brokenDatabaseError(path);
  } finally {
    database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function folderInUseError(folder: string): LocalError {
  return new LocalError(
    `다른 실행이 이미 쓰고 있는 자료 폴더입니다: ${folder} — 그 실행을 끝내거나 PERSIST_TO로 다른 폴더를 지정해 주십시오.`,
  );
}

function brokenDatabaseError(path: string): LocalError {
  return new LocalError(
    `데이터베이스 파일이 손상되어 열 수 없습니다: ${path} — 백업한 파일로 바꾸거나 자료 폴더를 옮긴 뒤 다시 시작해 주십시오.`,
  );
}
