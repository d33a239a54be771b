// npm run admin:create -- --id admin --name 홍길동 --email a@b.kr [--remote | --persist-to FOLDER] [--print]
// npm run admin:create -- --reset-second-factor --id admin [--remote | --persist-to FOLDER]
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import type { Batches } from "#db/batch.ts";
import { UNFINISHED_SQL } from "#db/page-stamps.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import {
  normaliseUserKey,
  passwordRuleProblem,
  userKeyProblem,
  userNameProblem,
} from "#worker/contract/account/rules.ts";
import { RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import { templateRenderer } from "#worker/domain/mail/render-template.server.ts";
import { openSnapshot, readSnapshotPage } from "#worker/domain/operation/backup-snapshot.server.ts";
import { insertStatements } from "#worker/domain/operation/restore.server.ts";
import { applyByBatch } from "./apply-migrations.ts";
import { readingClosedConnectionsFirst } from "./closed-connections.ts";
import { openFolderStorage } from "./folder-storage.ts";
import { applyMigrations, loadProject, migrateDatabase } from "./migrate.ts";
import { requireMiniflare } from "./require.ts";
import { LocalError, runCommand } from "./local-error.ts";
import { readOrCreateSecrets } from "./site-vars.ts";
import { executeStatements, queryDatabase, PROJECT_ROOT } from "./wrangler.ts";

const { convertV4MiniflareOptions, Miniflare } = requireMiniflare();

const REMOTE = { remote: true } as const;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      id: { type: "string", default: "admin" },
      name: { type: "string", default: "" },
      email: { type: "string", default: "" },
      remote: { type: "boolean", default: false },
      print: { type: "boolean", default: false },
      "reset-second-factor": { type: "boolean", default: false },
      "persist-to": { type: "string", default: process.env.PERSIST_TO || ".wrangler/empty" },
    },
  });
  const folder = values["persist-to"];
  const open = values.remote ? openRemoteDatabase : () => openFolderDatabase(folder);
  if (values["reset-second-factor"]) return resetSecondFactor(open, values.id);
  const person = checkAdministrator(values);
  const database = await open();
  try {
    const pepper = values.remote ? process.env.PASSWORD_PEPPER : readOrCreateSecrets(folder).PASSWORD_PEPPER;
    if (!pepper) throw new LocalError("배포할 때 넣은 PASSWORD_PEPPER 값을 환경변수로 지정해 주십시오.");
    const password = process.env.ADMIN_PASSWORD || (await askPassword("비밀번호: "));
    const weak = passwordRuleProblem(password, RULES);
    if (weak) throw new LocalError(weak);
    const statements = [
      ...(await seedStatements()),
      ...administratorStatements(person, hashPassword(password, pepper)),
    ];
    if (values.print) return console.log(statements.map((statement) => `${statement};`).join("\n"));
    await database.migrate();
    await requireFinished(database);
    const taken = await database.query(
      `SELECT user_id FROM user_key WHERE user_key_code IN (${quoteSql(person.id)}, ${quoteSql(person.email)})`,
    );
    if (taken.length > 0) throw new LocalError("이미 사용 중인 아이디나 이메일입니다.");
    await database.batch(statements);
  } finally {
    await database.close();
  }
  console.log(`관리자를 만들었습니다: ${person.id}`);
});

interface OpenDatabase extends Batches {
  migrate(): Promise<unknown>;
  close(): Promise<void>;
}

async function openFolderDatabase(folder: string): Promise<OpenDatabase> {
  const project = loadProject();
  const storage = await openFolderStorage(folder, project);
  return { ...storage, migrate: () => applyByBatch(storage, project.migrations) };
}

const openRemoteDatabase = (): Promise<OpenDatabase> =>
  Promise.resolve({
    migrate: async () => migrateDatabase(REMOTE),
    query: async <T>(sql: string) => queryDatabase<T>(REMOTE, sql),
    batch: async (statements) => executeStatements(REMOTE, statements),
    close: () => Promise.resolve(),
  });

/** Refuses a half-restored database: the next restore would delete what is written there. */
async function requireFinished({ query }: OpenDatabase): Promise<void> {
  if ((await query(UNFINISHED_SQL)).length > 0)
    throw new LocalError(
      "백업에서 되살리다가 멈춘 자료라서 관리자를 만들거나 고칠 수 없습니다. npm run restore 명령을 다시 실행해 끝까지 되살린 뒤에 실행해 주십시오.",
    );
}

interface StoredForReset {
  userId: string;
  address: string | null;
  subject: string | null;
  body: string | null;
  site: string | null;
}

/** Recovers the last administrator's account; database access is the authorisation. */
async function resetSecondFactor(open: () => Promise<OpenDatabase>, given: string): Promise<void> {
  const id = normaliseUserKey("Id", given);
  const database = await open();
  try {
    await requireFinished(database);
    const [stored] = await database.query<StoredForReset>(
      `SELECT own.user_id AS userId, template.subject, template.body,
         (SELECT user_key_code FROM user_key WHERE user_id = own.user_id AND user_key_type = 'Email' AND verified_date IS NOT NULL) AS address,
         (SELECT value FROM site_setting WHERE key = 'site') AS site
       FROM user_key AS own LEFT JOIN mail_template AS template ON template.kind = 'secondFactorChanged'
       WHERE own.user_key_code = ${quoteSql(id)}`,
    );
    if (!stored) throw new LocalError(`그런 아이디가 없습니다: ${id}`);
    const owner = quoteSql(stored.userId);
    const now = Date.now();
    await database.batch([
      `DELETE FROM second_factor WHERE user_id = ${owner}`,
      `DELETE FROM recovery_code WHERE user_id = ${owner}`,
      `UPDATE second_factor_recovery SET closed_date = ${now} WHERE user_id = ${owner} AND closed_date IS NULL`,
      `UPDATE session SET revoked_date = ${now}, revoked_reason = 'second factor reset' WHERE user_id = ${owner} AND revoked_date IS NULL`,
      `INSERT INTO audit_log (created_date, actor_user_id, address, action, target_type, target_id, subject_count, reason, request_id)
       VALUES (${now}, NULL, 'command', 'second-factor.reset', 'user', ${owner}, 1, 'admin:create --reset-second-factor', '')`,
      ...resetLetterStatements(stored, owner, now),
    ]);
  } finally {
    await database.close();
  }
  console.log(`2단계 인증을 해제하였습니다: ${id}. 비밀번호로 로그인하면 다시 등록하는 화면이 나옵니다.`);
}

function resetLetterStatements(stored: StoredForReset, owner: string, now: number): string[] {
  if (!stored.address) return [];
  const { subject: ownSubject, body: ownBody } = stored;
  const own = ownSubject && ownBody ? [{ kind: "secondFactorChanged", subject: ownSubject, body: ownBody }] : [];
  const settings: unknown = stored.site ? JSON.parse(stored.site) : {};
  const write = templateRenderer(own, settings, readSiteOrigin());
  const { subject, text } = write("secondFactorChanged", { 내용: "서버 관리자의 명령으로 2단계 인증 해제" });
  const values = ["email", stored.address, subject, text, "queued"].map(quoteSql).join(", ");
  return [
    `INSERT INTO message (id, channel, recipient, subject, body, status, next_attempt_date, created_date, user_id)
     VALUES ('${crypto.randomUUID()}', ${values}, ${now}, ${now}, ${owner})`,
  ];
}

interface AdministratorInput {
  id: string;
  name: string;
  email: string;
}

function checkAdministrator(values: AdministratorInput): AdministratorInput {
  const id = normaliseUserKey("Id", values.id);
  const email = normaliseUserKey("Email", values.email);
  const name = values.name.normalize("NFC");
  const problem =
    userKeyProblem("Id", id, RULES) ?? userKeyProblem("Email", email, RULES) ?? userNameProblem(name, RULES);
  if (problem) throw new LocalError(problem);
  return { id, name, email };
}

function quoteSql(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function administratorStatements(person: AdministratorInput, passwordHash: string): string[] {
  const id = crypto.randomUUID();
  const now = Date.now();
  return [
    `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
     VALUES ('${id}', ${quoteSql(person.name)}, 'Admin', 'administrator', 'active', ${quoteSql(passwordHash)}, '{}', ${now}, ${now})`,
    `INSERT INTO user_key (user_key_type, user_key_code, user_id) VALUES ('Id', ${quoteSql(person.id)}, '${id}')`,
    `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Email', ${quoteSql(person.email)}, '${id}', ${now})`,
  ];
}

async function seedStatements(): Promise<string[]> {
  const { seedBase } = await import("../../db/seed.ts");
  const mf = readingClosedConnectionsFirst(
    new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: "export default { fetch: () => new Response() }",
        compatibilityDate: "2026-10-01",
        d1Databases: ["DB"],
      }),
    ),
  );
  try {
    const d1 = (await mf.getD1Database("DB")) as unknown as D1Database;
    await applyMigrations(d1, join(PROJECT_ROOT, "migrations"));
    await seedBase(d1);
    const { tables } = await openSnapshot(d1, d1.prepare("SELECT 1"));
    const statements: string[] = [];
    for (const table of tables) {
      const { rows } = await readSnapshotPage(d1, table, 0);
      statements.push(...insertStatements(table.name, table.columns, rows, true));
    }
    return statements;
  } finally {
    await mf.dispose();
  }
}

function readSiteOrigin(): string {
  const settings = readFileSync(join(PROJECT_ROOT, "wrangler.toml"), "utf8");
  const value = /^SITE_ORIGIN = "([^"]+)"/m.exec(settings)?.[1];
  if (!value) throw new LocalError("wrangler.toml에 SITE_ORIGIN 설정이 없습니다.");
  return value;
}

async function askPassword(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  const line = await Promise.race([
    once(lines, "line").then(([typed]) => typed as string),
    once(lines, "close").then(() => null),
  ]);
  lines.close();
  process.stderr.write("\n");
  if (line === null)
    throw new LocalError("비밀번호를 물을 터미널이 없습니다. ADMIN_PASSWORD 환경변수로 지정해 주십시오.");
  return line;
}
