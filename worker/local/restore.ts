// npm run restore -- 2026-11-21.ndjson.gz [--remote | --persist-to FOLDER]
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadStatements, readDump } from "./load-dump.ts";
import { lockFolder } from "./lock.ts";
import { Trouble } from "./trouble.ts";
import { execute, main, migrate, type Place, query } from "./wrangler.ts";

await main(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: ".wrangler/state" },
    },
  });
  const [file] = positionals;
  if (!file || !existsSync(file))
    throw new Trouble("백업 파일을 지정해 주십시오: npm run restore -- 2026-11-21.ndjson.gz");
  const dump = readDump(readFileSync(file));
  const folder = values["persist-to"];
  const place: Place = values.remote ? { remote: true } : { remote: false, folder };
  const unlock = place.remote ? () => undefined : lockFolder(folder);
  try {
    migrate(place);
    const [people] = query<{ count: number }>(place, "SELECT count(*) AS count FROM user");
    if (people?.count) throw new Trouble("비어 있지 않은 데이터베이스입니다. 새 데이터베이스에만 되살릴 수 있습니다.");
    const triggers = query<{ name: string; sql: string }>(
      place,
      "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    );
    execute(place, loadStatements(dump, { triggers }));
    const counts = dump.tables.map(({ table }) => `(SELECT count(*) FROM "${table}") AS "${table}"`);
    const [held] = query<Record<string, number>>(place, `SELECT ${counts.join(", ")}`);
    for (const { table, rows } of dump.tables) {
      if (held?.[table] !== rows.length) {
        throw new Trouble(
          `${table}: ${rows.length}건이어야 하는데 ${held?.[table]}건입니다. 새 데이터베이스로 다시 해 주십시오.`,
        );
      }
    }
  } finally {
    unlock();
  }
  const total = dump.tables.reduce((sum, { rows }) => sum + rows.length, 0);
  console.log(`${dump.createdDate}의 백업을 되살렸습니다: 표 ${dump.tables.length}개, ${total}건`);
});
