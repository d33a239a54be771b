import { findDirectory, readDirectory, readEntry, ZipProblem } from "#worker/adapters/zip-reader.server.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { type ArchiveProblemCode, MOVING_LIMITS, RDX_VERSION } from "#worker/contract/moving/rules.ts";
import type { RdxEntry } from "#worker/contract/moving/moving.ts";
import type { ArchiveDbRow, MovingStep } from "./moving-step.server.ts";
import { mappableName, parseRecord } from "./rdx-record.server.ts";
import { countRecords } from "./count-records.server.ts";

const UNLISTED_NAMED = 1000;

class ArchiveRefused extends Error {
  readonly code: ArchiveProblemCode;
  readonly fileName: string;
  readonly entryName: string;
  constructor(code: ArchiveProblemCode, fileName: string, entryName = "") {
    super(`archive: ${code}`);
    this.code = code;
    this.fileName = fileName;
    this.entryName = entryName;
  }
}

export async function checkArchives(step: MovingStep): Promise<void> {
  try {
    while (step.state.phase !== "done" && !step.isSpent()) {
      if (step.state.phase === "directory") await readArchiveDirectory(step);
      else if (step.state.phase === "index") await readIndexes(step);
      else await countRecords(step);
    }
  } catch (cause) {
    if (!(cause instanceof ArchiveRefused)) throw cause;
    const { code, fileName, entryName } = cause;
    step.state.problem = { code, fileName, entryName };
    await step.commit([], { status: "failed", endedDate: step.ctx.now() });
  }
}

async function readArchiveDirectory(step: MovingStep): Promise<void> {
  const archive = step.archives[step.state.entryIndex];
  if (!archive) {
    Object.assign(step.state, { phase: "index", entryIndex: 0, position: 0 });
    return;
  }
  const source = step.sourceOf(archive.id);
  try {
    const place = await findDirectory(source);
    const read = await readDirectory(source, place, step.state.position);
    const usable = read.entries.filter(({ name, problem }) => {
      if (problem === "locked") throw new ZipProblem("locked", name);
      if (problem) step.addIssue("entry-bad", `${archive.fileName}: ${name}`, problem);
      return !problem && !name.endsWith("/");
    });
    step.state.position = read.after;
    if (read.isEnd) Object.assign(step.state, { entryIndex: step.state.entryIndex + 1, position: 0 });
    const rows = usable.map(({ problem: _problem, name, ...entry }) => ({
      ...entry,
      name: normaliseUnicode(name, "NFC"),
    }));
    const insert = step.d1
      .prepare(
        `INSERT OR IGNORE INTO moving_entry (archive_id, name, "offset", compressed_size, size, method, crc)
         SELECT ?1, value ->> 'name', value ->> 'offset', value ->> 'compressedSize', value ->> 'size', value ->> 'method', value ->> 'crc' FROM json_each(?2)`,
      )
      .bind(archive.id, JSON.stringify(rows));
    await step.commit([insert, ...(read.isEnd ? prefixStatements(step, archive) : [])]);
    if (read.isEnd) await step.readArchives();
  } catch (cause) {
    if (cause instanceof ZipProblem)
      throw new ArchiveRefused(isDump(cause, archive) ? "dump" : cause.code, archive.fileName, cause.entryName);
    throw cause;
  }
}

const isDump = ({ code }: ZipProblem, { fileName }: ArchiveDbRow) =>
  code === "not-zip" && /\.(?:sql|gz|bz2)$/i.test(fileName);

const FOLDERS =
  "folder(name) AS (VALUES ('data/file/'), ('data/editor/'), ('files/attach/'), ('wp-content/uploads/'), ('storage/app/'))";

/**
 * Normalises paths: archives may contain parent folders, `public_html/data/file/…`, or a subfolder alone, `uploads/…`.
 */
function prefixStatements({ d1 }: MovingStep, archive: ArchiveDbRow): D1PreparedStatement[] {
  return [
    `WITH ${FOLDERS} UPDATE OR IGNORE moving_entry SET name = CASE WHEN name LIKE 'uploads/%' THEN 'wp-content/' WHEN name GLOB '[12][0-9][0-9][0-9]/[01][0-9]/*' THEN 'wp-content/uploads/'
         WHEN name LIKE 'attach/%' THEN 'files/' WHEN name LIKE 'app/public/%' THEN 'storage/' WHEN name LIKE 'file/%' OR name LIKE 'editor/%' THEN 'data/' ELSE '' END || name
       WHERE archive_id = (SELECT id FROM moving_archive WHERE id = ?1 AND kind = 'files')
         AND NOT EXISTS (SELECT 1 FROM moving_entry AS e JOIN folder ON instr(e.name, folder.name) > 0 WHERE e.archive_id = ?1)`,
    `WITH ${FOLDERS} UPDATE moving_archive SET prefix = coalesce((SELECT substr(e.name, 1, instr(e.name, folder.name) - 1)
         FROM moving_entry AS e JOIN folder ON instr(e.name, folder.name) > 0 WHERE e.archive_id = ?1 ORDER BY instr(e.name, folder.name) LIMIT 1), '')
       WHERE id = ?1 AND kind = 'files'`,
  ].map((sql) => d1.prepare(sql).bind(archive.id));
}

async function readIndexes(step: MovingStep): Promise<void> {
  const entries: RdxEntry[] = [];
  for (const archive of step.archives.filter(({ kind }) => kind === "rdx")) {
    const found = await step.findEntry(archive.id, "index.json");
    if (!found) throw new ArchiveRefused(await guessContents(step, archive), archive.fileName);
    const index = await readIndex(step, archive, found);
    step.state.preview.source = index.source;
    step.state.preview.timeZone = index.timeZone;
    entries.push(...index.entries.map((entry) => ({ ...entry, archiveId: archive.id })));
    await nameUnlisted(step, archive, index.entries);
  }
  const order = { member: 0, message: 2, board: 1 } as const;
  entries.sort((a, b) => order[a.type] - order[b.type]);
  if (entries.length === 0) throw new ArchiveRefused("empty", step.archives[0]?.fileName ?? "");
  Object.assign(step.state, { phase: "records", entryIndex: 0, position: 0 });
  await step.commit([], { entries });
  step.row.entries = entries;
}

async function guessContents(step: MovingStep, archive: ArchiveDbRow): Promise<ArchiveProblemCode> {
  step.spend(1);
  const found = await step.d1
    .prepare(
      `SELECT max(name LIKE '%.sql' OR name LIKE '%.sql.gz') AS hasDump,
         max(name LIKE '%.xlsx' OR name LIKE '%.xls' OR name LIKE '%.csv' OR name LIKE '%.ods' OR name = 'xl/workbook.xml') AS hasSheets
       FROM moving_entry WHERE archive_id = ?1`,
    )
    .bind(archive.id)
    .first<{ hasDump: number | null; hasSheets: number | null }>();
  if (found?.hasDump) return "dump";
  return found?.hasSheets ? "sheets" : "no-index";
}

/** Reports lists missing in the index, which would be lost silently. */
async function nameUnlisted(step: MovingStep, archive: ArchiveDbRow, entries: { name: string }[]): Promise<void> {
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      `SELECT name FROM moving_entry WHERE archive_id = ?1 AND name LIKE '%.jsonl'
       AND name NOT IN (SELECT value FROM json_each(?2)) ORDER BY name LIMIT ${UNLISTED_NAMED}`,
    )
    .bind(archive.id, JSON.stringify(entries.map(({ name }) => name)))
    .all<{ name: string }>();
  for (const { name } of results) step.addIssue("entry-unlisted", `${archive.fileName}: ${name}`);
}

async function readIndex(step: MovingStep, archive: ArchiveDbRow, found: Parameters<typeof readEntry>[1]) {
  const refuse = (code: ArchiveProblemCode) => new ArchiveRefused(code, archive.fileName, "index.json");
  if (found.size > MOVING_LIMITS.indexBytes) throw refuse("bad-index");
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const piece of readEntry(step.sourceOf(archive.id), found))
      text += decoder.decode(piece, { stream: true });
    text += decoder.decode();
  } catch (cause) {
    throw cause instanceof ZipProblem ? refuse(cause.code) : cause;
  }
  const record = parseRecord(text.replace(/^\ufeff/, ""));
  const version = /^(\d+)\.(\d+)$/.exec(typeof record?.version === "string" ? record.version : "");
  if (!record || !version || !Array.isArray(record.entries)) throw refuse("bad-index");
  const [major = 0, minor = 0] = RDX_VERSION.split(".").map(Number);
  const isNewer = Number(version[1]) > major || (Number(version[1]) === major && Number(version[2]) > minor);
  if (isNewer) throw refuse("newer");
  return {
    source: typeof record.source === "string" ? record.source.slice(0, 40) : "",
    timeZone: typeof record.tz === "string" ? record.tz.slice(0, 60) : "Asia/Seoul",
    entries: record.entries.slice(0, MOVING_LIMITS.entries).flatMap((entry: unknown) => indexEntry(entry)),
  };
}

function indexEntry(entry: unknown): Omit<RdxEntry, "archiveId">[] {
  const { filename, type, title } = (entry ?? {}) as Record<string, unknown>;
  if (typeof filename !== "string" || !/^(member|message|board)$/.test(String(type))) return [];
  const kind = type as RdxEntry["type"];
  return [
    {
      name: filename.slice(0, 1000),
      type: kind,
      title: typeof title === "string" ? title.slice(0, 100) : "",
      boardKey: kind === "board" ? boardKeyOf(filename) : "",
    },
  ];
}

/** `boards/free_3.jsonl` is the third list of the board `free`. */
function boardKeyOf(filename: string): string {
  const base = (filename.split("/").at(-1) ?? "").replace(/(?:_\d+)?\.jsonl$/i, "");
  try {
    return mappableName(decodeURIComponent(base).slice(0, 100));
  } catch {
    return mappableName(base.slice(0, 100));
  }
}
