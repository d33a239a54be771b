// npm run admin:create -- --id admin --name 홍길동 --email a@b.kr [--remote | --persist-to FOLDER] [--print]
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { hashPassword } from "#worker/adapters/password.server.ts";
import {
  normaliseUserKey,
  passwordRuleProblem,
  userKeyProblem,
  userNameProblem,
} from "#worker/contract/account/rules.ts";
import { RULES } from "#worker/contract/kernel/identity-rules.ts";
import { dumpLines } from "#worker/domain/operation/backup.server.ts";
import { loadStatements, readDump } from "./load-dump.ts";
import { lockFolder } from "./lock.ts";
import { applyMigrations } from "./migrate.ts";
import { Trouble } from "./trouble.ts";
import { secretsOf } from "./vars.ts";
import { execute, main, migrate, type Place, query, ROOT } from "./wrangler.ts";

await main(async () => {
  const { values } = parseArgs({
    options: {
      id: { type: "string", default: "admin" },
      name: { type: "string", default: "" },
      email: { type: "string", default: "" },
      remote: { type: "boolean", default: false },
      print: { type: "boolean", default: false },
      "persist-to": { type: "string", default: ".wrangler/empty" },
    },
  });
  const folder = values["persist-to"];
  const place: Place = values.remote ? { remote: true } : { remote: false, folder };
  const person = checked(values);
  const unlock = place.remote ? () => undefined : lockFolder(folder);
  const pepper = values.remote ? process.env.PASSWORD_PEPPER : secretsOf(folder).PASSWORD_PEPPER;
  if (!pepper) throw new Trouble("배포할 때 넣은 PASSWORD_PEPPER 값을 환경변수로 지정해 주십시오.");
  const password = process.env.ADMIN_PASSWORD ?? (await ask("비밀번호: "));
  const weak = passwordRuleProblem(password, RULES);
  if (weak) throw new Trouble(weak);
  const statements = [...(await baseStatements()), ...personStatements(person, hashPassword(password, pepper))];
  if (values.print) return console.log(statements.map((statement) => `${statement};`).join("\n"));
  try {
    migrate(place);
    const taken = query(
      place,
      `SELECT user_id FROM user_key WHERE user_key_code IN (${sql(person.id)}, ${sql(person.email)})`,
    );
    if (taken.length > 0) throw new Trouble("이미 사용 중인 아이디나 이메일입니다.");
    execute(place, statements);
  } finally {
    unlock();
  }
  console.log(`관리자를 만들었습니다: ${person.id}`);
});

interface Person {
  id: string;
  name: string;
  email: string;
}

function checked(values: Person): Person {
  const id = normaliseUserKey("Id", values.id);
  const email = normaliseUserKey("Email", values.email);
  const name = values.name.normalize("NFC");
  const problem =
    userKeyProblem("Id", id, RULES) ?? userKeyProblem("Email", email, RULES) ?? userNameProblem(name, RULES);
  if (problem) throw new Trouble(problem);
  return { id, name, email };
}

function sql(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function personStatements(person: Person, passwordHash: string): string[] {
  const id = crypto.randomUUID();
  const now = Date.now();
  return [
    `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
     VALUES ('${id}', ${sql(person.name)}, 'Admin', 'administrator', 'active', ${sql(passwordHash)}, '{}', ${now}, ${now})`,
    `INSERT INTO user_key (user_key_type, user_key_code, user_id) VALUES ('Id', ${sql(person.id)}, '${id}')`,
    `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date) VALUES ('Email', ${sql(person.email)}, '${id}', ${now})`,
  ];
}

/** Roles, settings and boards that every site starts with, as `seedBase` writes them; what is there stays. */
async function baseStatements(): Promise<string[]> {
  const { seedBase } = await import("../../db/seed.ts");
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-10-01",
      d1Databases: ["DB"],
    }),
  );
  try {
    const d1 = (await mf.getD1Database("DB")) as unknown as D1Database;
    await applyMigrations(d1, join(ROOT, "migrations"));
    await seedBase(d1, { PRODUCT_CODE: productCode() });
    const lines: string[] = [];
    for await (const line of dumpLines(d1, new Date())) lines.push(line);
    return loadStatements(readDump(gzipSync(lines.join("\n"))), { triggers: [], keep: true });
  } finally {
    await mf.dispose();
  }
}

function productCode(): string {
  return /^PRODUCT_CODE = "([^"]+)"/m.exec(readFileSync(join(ROOT, "wrangler.toml"), "utf8"))?.[1] ?? "pid";
}

/** Asked on the terminal, without showing what is typed. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  const [line] = (await once(lines, "line")) as [string];
  lines.close();
  process.stderr.write("\n");
  return line;
}
