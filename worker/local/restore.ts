// npm run restore -- 2026-11-21 [--from remote|FOLDER] [--remote | --persist-to FOLDER] [--without-pepper]
// oxlint-disable-next-line import/no-unassigned-import -- it changes how this process runs, and gives nothing
import "./worker-memory.ts";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UNFINISHED_SQL } from "#db/page-stamps.ts";
import { splitPeppers } from "#worker/config.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { FILE_COPY_PREFIX, fileCopyCipher } from "#worker/domain/operation/backup-files.server.ts";
import {
  BackupError,
  type BackupReader,
  openBackup,
  type OpenedBackup,
  pepperFingerprint,
} from "#worker/domain/operation/backup-manifest.server.ts";
import {
  batchTarget,
  restoreDatabase,
  type RestoreTarget,
  type StoredFile,
} from "#worker/domain/operation/restore.server.ts";
import { applyByBatch, applyByImport } from "./apply-migrations.ts";
import { openFolderStorage } from "./folder-storage.ts";
import { LocalError, runCommand } from "./local-error.ts";
import { type Project, readProject } from "./project.ts";
import { readOrCreateSecrets, replaceSecret } from "./site-vars.ts";
import { bucketName, executeStatements, queryDatabase, runWrangler } from "./wrangler.ts";

interface Place {
  target: RestoreTarget;
  putFile(key: string, bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

const PURPOSES: Record<string, string> = {
  image: "글에 넣은 그림",
  content: "페이지에 넣은 그림",
  general: "사이트의 그림",
  inquiry: "문의에 붙인 파일",
  alumni: "주소록에 붙인 파일",
};

const DAYS_SEARCHED = 60;
const FILE_BYTES = 8 * 1024 * 1024;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      /** `remote`, a folder of `npm start`, or a folder with downloaded objects (`dump/…`, `files/…`). */
      from: { type: "string", default: "remote" },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string", default: process.env.PERSIST_TO || ".wrangler/restored" },
      "without-pepper": { type: "boolean", default: false },
      "without-files": { type: "boolean", default: false },
    },
  });
  const [name] = positionals;
  if (!name || !/^[\w-]+$/.test(name))
    throw new LocalError(
      "백업의 이름을 지정해 주십시오: npm run restore -- 2026-11-21 (이름은 관리 → 예약 작업·백업에 있습니다)",
    );
  const project = readProject();
  const source = await openSource(values.from, project);
  let place: Place | undefined;
  try {
    const secrets = sourceSecrets(values.from);
    const key = process.env.BACKUP_KEY ?? secrets.BACKUP_KEY;
    if (!key)
      throw new LocalError("백업을 풀 열쇠가 필요합니다. 배포할 때 넣은 BACKUP_KEY 값을 환경변수로 지정해 주십시오.");
    const backup = await openBackup(source.read, name, key).catch(asLocalError);
    const peppers = await checkPeppers(backup.manifest.pepper, secrets, values["without-pepper"]);
    place = values.remote ? remotePlace(project) : await localPlace(values["persist-to"], peppers, project);
    const [found] = await place.target.query<{ people: number; unfinished: string | null }>(
      `SELECT (SELECT count(*) FROM user) AS people, (${UNFINISHED_SQL}) AS unfinished`,
    );
    if (found?.unfinished)
      console.log(`${found.unfinished}의 백업을 되살리다가 멈춘 곳입니다. 지우고 처음부터 되살립니다.`);
    else if (found?.people)
      throw new LocalError("비어 있지 않은 데이터베이스입니다. 새 데이터베이스에만 되살릴 수 있습니다.");
    const { putFile, target } = place;
    const cipher = await fileCopyCipher(key);
    const lost = new Map<string, string>();
    let files = 0;
    const onFiles = async (list: StoredFile[]) => {
      if (values["without-files"]) return;
      for (const [fileKey] of list) {
        const sealed = await source.read(`${FILE_COPY_PREFIX}${fileKey}`);
        const bytes = sealed && (await cipher.open(fileKey, sealed).catch(() => null));
        if (bytes) await putFile(fileKey, bytes);
        else lost.set(fileKey, sealed ? "백업의 사본이 손상됨" : "백업에 사본이 없음");
        files += bytes ? 1 : 0;
      }
    };
    const onProgress = ({ part, parts, rows }: { part: number; parts: number; rows: number }) =>
      console.log(`조각 ${part}/${parts} · ${rows.toLocaleString("ko")}건`);
    const newer = await findNewest(source.read, backup, key);
    const broken = await restoreDatabase(backup, target, { onProgress, onFiles, newer }).catch(asLocalError);
    const { tables, createdDate, files: listed } = backup.manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${createdDate}의 백업을 되살렸습니다: 표 ${tables.length}개, ${rows.toLocaleString("ko")}건. 건수와 크기를 모두 대조하였습니다.`,
    );
    console.log(values["without-files"] ? "파일은 되살리지 않았습니다." : `파일 ${files}개를 되살렸습니다.`);
    if (listed.missing > 0)
      console.log(`  백업할 때 이미 없던 파일 ${listed.missing}개: ${listed.missingNames.join(", ")}`);
    for (const fault of broken) console.log(`  백업한 자료에서 맞지 않던 것: ${fault}`);
    console.log(
      `${newer ? `이 백업 뒤에 파기한 정보는 ${newer.manifest.name}의 백업을 보고 감추었으며, 첫 예약 작업이 다시 파기합니다. 그 백업` : "더 새로운 백업이 없어 이 백업 뒤에 파기한 정보를 알 수 없습니다. 이 백업"} 뒤에 파기한 사람은 관리 → 개인정보 → 파기 대장과 비교하여 다시 파기해 주십시오.`,
    );
    await sayWhatIsNext(target, backup, values["without-pepper"]);
    if (lost.size > 0) {
      process.exitCode = 1;
      console.error(await describeLostFiles(target, lost));
    }
    await place.finish();
    place = undefined;
  } finally {
    await source.finish();
    await place?.finish();
  }
});

/** The newest nightly backup, if it is later. */
async function findNewest(read: BackupReader, { manifest }: OpenedBackup, key: string) {
  for (let days = 0; days < DAYS_SEARCHED; days += 1) {
    const found = await findOfNight(read, koreanDay(new Date(Date.now() - days * DAY_MS)), key);
    if (found) return found.manifest.createdDate > manifest.createdDate ? found : undefined;
  }
  return undefined;
}

/** The last of a night's backups, which are numbered from the second on. */
async function findOfNight(read: BackupReader, day: string, key: string): Promise<OpenedBackup | undefined> {
  let found: OpenedBackup | undefined;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? day : `${day}-${number}`;
    const opened = await openBackup(read, name, key).catch(() => undefined);
    // The first try of a night may have failed.
    if (!opened && number > 1) return found;
    found = opened ?? found;
  }
}

async function describeLostFiles(target: RestoreTarget, lost: ReadonlyMap<string, string>): Promise<string> {
  const lines: string[] = [];
  const keys = [...lost.keys()];
  for (let at = 0; at < keys.length; at += 200) {
    const list = keys.slice(at, at + 200).map((key) => `'${key.replaceAll("'", "''")}'`);
    const rows = await target.query<LostFile>(
      `SELECT f.storage_key AS key, f.file_name AS name, f.purpose AS purpose, i.item_no AS itemNo, i.title AS title, b.board_name AS boardName
       FROM file AS f LEFT JOIN board_item AS i ON i.id = f.item_id LEFT JOIN board AS b ON b.board_code = i.board_code
       WHERE f.storage_key IN (${list.join(", ")}) ORDER BY b.board_name, i.item_no, f.sort_order`,
    );
    for (const { key, name, purpose, itemNo, title, boardName } of rows) {
      const place = itemNo === null ? (PURPOSES[purpose] ?? purpose) : `${boardName} ${itemNo}번 글 '${title}'`;
      lines.push(`  ${name} · ${place} · ${lost.get(key)} (${key})`);
    }
  }
  return `자료는 모두 되살렸으나 파일 ${lost.size}개는 되살리지 못하였습니다. 원본이 있으면 아래 글에서 다시 올려 주십시오.\n${lines.join("\n")}`;
}

interface LostFile {
  key: string;
  name: string;
  purpose: string;
  itemNo: number | null;
  title: string | null;
  boardName: string | null;
}

async function sayWhatIsNext(target: RestoreTarget, { manifest }: OpenedBackup, isWithoutPepper: boolean) {
  const [held] = await target.query<{ n: number }>("SELECT count(*) AS n FROM message WHERE status = 'held'");
  const [stale] = await target.query<{ n: number }>("SELECT count(*) AS n FROM board_item_search WHERE is_stale = 1");
  console.log("모든 로그인이 끝났습니다. 다시 로그인해야 합니다.");
  console.log(
    `보내려던 메일·문자 ${held?.n ?? 0}건은 보류하였습니다. 관리 → 메일·문자 기록에서 골라 다시 보낼 수 있습니다.`,
  );
  const notices = manifest.tables.find(({ name }) => name === "notice_pending")?.rows ?? 0;
  if (notices > 0)
    console.log(
      `새 글·댓글을 알리려고 기다리던 알림 ${notices.toLocaleString("ko")}건은 이미 보냈을 수 있어 지웠습니다. 필요하면 글을 구독한 분들께 따로 알려 주십시오.`,
    );
  console.log(`검색 색인은 예약 작업이 다시 만듭니다(글 ${stale?.n ?? 0}건). 진행은 관리 → 예약 작업·백업에 있습니다.`);
  if (isWithoutPepper)
    console.log(
      "PASSWORD_PEPPER 없이 되살렸습니다. 옛 비밀번호로는 아무도 로그인할 수 없고, 비밀번호를 새로 정해야 합니다.",
    );
}

/** Checked before writing: without the backup's pepper no password works. */
async function checkPeppers(expected: string, secrets: Record<string, string>, isWithout: boolean) {
  const current = process.env.PASSWORD_PEPPER ?? secrets.PASSWORD_PEPPER;
  const older = process.env.PASSWORD_PEPPER_OLD ?? secrets.PASSWORD_PEPPER_OLD ?? "";
  const given = { ...(current && { PASSWORD_PEPPER: current }), ...(older && { PASSWORD_PEPPER_OLD: older }) };
  const known = [...(current ? [current] : []), ...splitPeppers(older)];
  const fingerprints = await Promise.all(known.map(pepperFingerprint));
  if (current && fingerprints.includes(expected)) return given;
  if (isWithout) return {};
  throw new LocalError(
    `${current ? "PASSWORD_PEPPER가 백업을 만든 사이트의 것과 다릅니다." : "백업을 만든 사이트의 PASSWORD_PEPPER가 필요합니다."} 옛 값을 환경변수로 지정해 주십시오. 잃어버렸다면 --without-pepper 로 되살릴 수 있으나, 그러면 모두가 비밀번호를 새로 정해야 합니다.`,
  );
}

function asLocalError(error: unknown): never {
  throw error instanceof BackupError ? new LocalError(error.message) : error;
}

function sourceSecrets(from: string): Record<string, string> {
  const path = join(from, "secrets.json");
  return from !== "remote" && existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, string>)
    : {};
}

async function openSource(from: string, project: Project): Promise<{ read: BackupReader; finish(): Promise<void> }> {
  const nothing = () => Promise.resolve();
  if (from === "remote") return { read: readRemoteObject, finish: nothing };
  if (!existsSync(from) || !statSync(from).isDirectory()) throw new LocalError(`백업이 있는 폴더가 아닙니다: ${from}`);
  if (!existsSync(join(from, "v3"))) {
    const read: BackupReader = async (key) => {
      const path = join(from, key);
      return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
    };
    return { read, finish: nothing };
  }
  const storage = await openFolderStorage(from, project);
  return { read: (key) => storage.readObject("BACKUPS", key), finish: storage.close };
}

async function readRemoteObject(key: string): Promise<Uint8Array | null> {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-object-"));
  try {
    const file = join(folder, "object");
    runWrangler(["r2", "object", "get", `${bucketName("BACKUPS")}/${key}`, "--remote", "--file", file]);
    return new Uint8Array(readFileSync(file));
  } catch (error) {
    if (/does not exist|not found|404/i.test(String(error))) return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function localPlace(folder: string, peppers: Record<string, string>, project: Project): Promise<Place> {
  const storage = await openFolderStorage(folder, project);
  try {
    readOrCreateSecrets(folder);
    for (const [name, value] of Object.entries(peppers)) replaceSecret(folder, name, value);
    await applyByBatch(storage, project.migrations);
    // Keeps the demo's well-known passwords out.
    await storage.batch([
      "CREATE TABLE IF NOT EXISTS _local_seed (content TEXT PRIMARY KEY)",
      "INSERT OR IGNORE INTO _local_seed (content) VALUES ('empty')",
    ]);
  } catch (error) {
    await storage.close();
    throw error;
  }
  return {
    target: batchTarget(storage),
    putFile: (key, bytes) => storage.putObject("FILES", key, bytes),
    finish: storage.close,
  };
}

function remotePlace({ migrations }: Project): Place {
  const place = { remote: true } as const;
  applyByImport(place, migrations);
  return {
    target: {
      async run(statements) {
        let waiting: string[] = [];
        let size = 0;
        for (const [index, statement] of statements.entries()) {
          waiting.push(statement);
          size += statement.length;
          if (size < FILE_BYTES && index < statements.length - 1) continue;
          executeStatements(place, waiting);
          waiting = [];
          size = 0;
        }
      },
      query: async <T>(sql: string) => queryDatabase<T>(place, sql),
    },
    async putFile(key, bytes) {
      const folder = mkdtempSync(join(tmpdir(), "hoewon-object-"));
      try {
        const file = join(folder, "object");
        writeFileSync(file, bytes, { mode: 0o600 });
        runWrangler(["r2", "object", "put", `${bucketName("FILES")}/${key}`, "--remote", "--file", file]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    finish: () => Promise.resolve(),
  };
}
