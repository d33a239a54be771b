// npm run restore -- 2026-11-21.ndjson.gz [--remote | --persist-to FOLDER]
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { missingFiles, readStoredFileList } from "./stored-file-list.ts";
import { dumpLoadStatements, readDump } from "./load-dump.ts";
import { lockFolder } from "./folder-lock.ts";
import { LocalError } from "./local-error.ts";
import { migrateDatabase } from "./migrate.ts";
import { executeStatements, runCommand, type DatabasePlace, queryDatabase } from "./wrangler.ts";

await runCommand(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: ".wrangler/state" },
      /** The list of files that stands beside the dump; found by its name where it is not given. */
      files: { type: "string" },
    },
  });
  const [file] = positionals;
  if (!file || !existsSync(file))
    throw new LocalError("백업 파일을 지정해 주십시오: npm run restore -- 2026-11-21.ndjson.gz");
  const dump = readDump(readFileSync(file));
  const beside = values.files ?? file.replace(/\.ndjson\.gz$/, ".files.ndjson.gz");
  const list = existsSync(beside) ? readStoredFileList(readFileSync(beside)) : null;
  const folder = values["persist-to"];
  const place: DatabasePlace = values.remote ? { remote: true } : { remote: false, folder };
  const unlock = place.remote ? () => undefined : lockFolder(folder);
  try {
    migrateDatabase(place);
    const [people] = queryDatabase<{ count: number }>(place, "SELECT count(*) AS count FROM user");
    if (people?.count)
      throw new LocalError("비어 있지 않은 데이터베이스입니다. 새 데이터베이스에만 되살릴 수 있습니다.");
    const triggers = queryDatabase<{ name: string; sql: string }>(
      place,
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    );
    executeStatements(place, dumpLoadStatements(dump, { triggers }));
    const counts = dump.tables.map(({ table }) => `(SELECT count(*) FROM "${table}") AS "${table}"`);
    const [held] = queryDatabase<Record<string, number>>(place, `SELECT ${counts.join(", ")}`);
    for (const { table, rows } of dump.tables) {
      if (held?.[table] !== rows.length) {
        throw new LocalError(
          `${table}: ${rows.length}건이어야 하는데 ${held?.[table]}건입니다. 새 데이터베이스로 다시 해 주십시오.`,
        );
      }
    }
  } finally {
    unlock();
  }
  const total = dump.tables.reduce((sum, { rows }) => sum + rows.length, 0);
  if (list) {
    const missing = missingFiles(dump, list);
    console.log(`파일 ${list.size}개의 목록과 대조하였습니다: 저장소에 없던 파일 ${missing.length}개`);
    for (const { fileName, key } of missing) console.log(`  없음: ${fileName} (${key})`);
  } else console.log(`파일 목록이 없어 저장소의 파일은 대조하지 못하였습니다: ${beside}`);
  console.log(`${dump.createdDate}의 백업을 되살렸습니다: 표 ${dump.tables.length}개, ${total}건`);
});
