/** @module-tag full */
import { NEWCOMER } from "../calls/newcomer.ts";
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test as base } from "vitest";
import routes from "#app/routes.ts";
import { migrateDatabase, readMigrations } from "#worker/local/migrate.ts";
import { startSite } from "#worker/local/site.ts";
import { SAMPLE_CALLS } from "../calls/calls.ts";
import { watchLog } from "../support/expected-log.ts";
import { findBreakingStatements, nextMigration } from "../support/next-schema.ts";
import { samplePlace } from "../calls/sample-paths.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MIGRATIONS = join(ROOT, "migrations");
/** Built checkout of the last release. Without it, today's Worker runs on a schema with possible additions. */
const { RELEASE } = process.env;

const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("folder", { scope: "file" }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), "hoewon-old-code-"));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend("site", { scope: "file" }, async ({ folder }, { onCleanup }) => {
    const files = join(folder, "migrations");
    cpSync(MIGRATIONS, files, { recursive: true });
    if (!RELEASE) {
      const { name, queries } = nextMigration(MIGRATIONS);
      writeFileSync(join(files, name), queries.join(";\n--> statement-breakpoint\n"));
    }
    const persistTo = join(folder, "state");
    expect(migrateDatabase({ remote: false, folder: persistTo }, files)).toEqual(
      readdirSync(files).filter((name) => name.endsWith(".sql")),
    );
    const options = { port: 0, persistTo, quiet: true, onLog: watchLog, seed: "demo" as const };
    const site = await startSite({ ...options, ...(RELEASE && { build: join(RELEASE, "build/server") }) });
    onCleanup(() => site.dispose());
    return site;
  })
  .extend("db", { scope: "file" }, async ({ site }) => (await site.mf.getBindings<{ DB: D1Database }>()).DB)
  .extend("call", { scope: "file" }, ({ site }) => async (name: string, body?: unknown, token = "") => {
    const [method = "", path = ""] = name.split(" ");
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(site.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const answer = (await response.json()) as { code: string; data: Record<string, string> };
    expect([name, response.status, answer.code], JSON.stringify(answer)).toEqual([name, 200, "SUCCESS"]);
    return answer.data;
  })
  .extend(
    "signIn",
    { scope: "file" },
    ({ call }) =>
      (userKeyCode: string, password: string) =>
        call("POST /api/user/signin", { userKeyType: "Id", userKeyCode, password }),
  );

const ADMIN = ["admin", "Admin!2345"] as const;

type Route = (typeof routes)[number];
const paths = (list: readonly Route[], parent = ""): string[] =>
  list.flatMap(({ path = "", children = [] }) => {
    const whole = path.startsWith("/") ? path : `${parent}/${path}`;
    return [whole, ...paths(children, whole)];
  });

test("an administrator can open every page on a newer schema", async ({ site, signIn }) => {
  const { accessToken } = await signIn(...ADMIN);
  const pages = paths(routes).map((path) => path.replace(/:(\w+)\??/g, (_, name: string) => samplePlace(name)));
  expect(pages.length).toBeGreaterThan(80);
  const calls = SAMPLE_CALLS.flatMap(({ method, path }) =>
    method === "GET" && !path.includes("/case-report/") ? [path] : [],
  );
  const headers = { Cookie: `accessToken=${accessToken}`, Authorization: `Bearer ${accessToken}` };
  const broken: string[] = [];
  for (const path of [...pages, ...calls]) {
    const response = await fetch(site.url + path, { headers, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status >= 500) broken.push(`${response.status} ${path}`);
  }
  expect(broken).toEqual([]);
});

test("everyday writes work on a newer schema", async ({ site, db, call, signIn }) => {
  const { accessToken: admin } = await signIn(...ADMIN);
  const email = { userKeyType: "Email", userKeyCode: "newcomer@pid.example.kr" };
  const { userKeyToken } = await call("POST /api/user-key/check", email);
  const pincode = await db
    .prepare("SELECT pincode FROM message WHERE recipient = ? AND pincode IS NOT NULL")
    .bind(email.userKeyCode)
    .first<string>("pincode");
  const verified = await call("POST /api/user-key/confirm", { userKeyToken, pincode });
  const { agreements } = (await call("GET /api/site-setting/authentication")) as unknown as {
    agreements: { code: string; version: string; required: boolean }[];
  };
  await call("POST /api/user/signup", {
    ...NEWCOMER,
    agreements: agreements.map(({ code, version }) => ({ code, version })),
    userKeyTokenForEmail: verified.userKeyToken,
  });
  const { refreshToken } = await signIn("newcomer", "Zk7!mQ2x");
  const { accessToken: member } = await call("POST /api/user/signin-by-refresh-token", { refreshToken });

  const { itemNo } = await call(
    "PUT /api/board-item/free",
    { title: "새 글", content: "<p>본문</p>", fileIds: [] },
    member,
  );
  const { version } = await call(`GET /api/board-item/free/${itemNo}`, undefined, member);
  await call(
    `PATCH /api/board-item/free/${itemNo}`,
    { title: "고친 글", content: "<p>본문</p>", fileIds: [], version },
    member,
  );
  await call(`PUT /api/board-item-comment/free/${itemNo}`, { content: "댓글" }, member);
  const found = await call("POST /api/board-item/search", { keyword: "고친", target: "title" }, member);
  expect(found.totalElements).toBe(1);
  await call(`DELETE /api/board-item/free/${itemNo}`, undefined, member);
  await call(`POST /api/board-item/free/${itemNo}/restore`, {}, admin);

  const person = await call("PUT /api/alumni", { name: "김하늘", cohort: 3 }, admin);
  await call(`PATCH /api/alumni/${person.id}`, { name: "김바다", version: 1 }, admin);
  const csv = "이름,기수\r\n이바다,3\r\n";
  const size = new TextEncoder().encode(csv).length;
  const { uploadUrl, fileId } = await call("POST /api/alumni/upload-url", { fileName: "동문.csv", size }, admin);
  expect((await fetch(site.url + uploadUrl, { method: "PUT", body: csv })).status).toBe(200);
  await call("POST /api/alumni/import-data", { fileId, mode: "insert", dryRun: false }, admin);
  await call("PUT /api/admin/board", { boardCode: "press", boardName: "보도자료" }, admin);
  const [link] = (await call("GET /api/admin/quick-link", undefined, admin)) as unknown as {
    id: string;
    version: number;
  }[];
  await call(`DELETE /api/admin/quick-link/${link?.id}?version=${link?.version}`, undefined, admin);
  await call("PUT /api/admin/quick-link", { label: "공지", note: "", href: "/terms" }, admin);
  await call("PUT /api/admin/mailing", { source: "member", target: { filter: {} } }, admin);
  await call("PUT /api/admin/round", { target: { filter: {} } }, admin);
  await call("PUT /api/admin/moving", { site: "옛 누리집" }, admin);
  const { jobs } = (await call("GET /api/admin/job", undefined, admin)) as unknown as { jobs: { name: string }[] };
  expect(jobs.length).toBeGreaterThan(15);
  for (const { name: job } of jobs)
    expect([job, await call(`POST /api/admin/job/${job}/run`, {}, admin)]).toEqual([job, { name: job, ok: true }]);
  expect(await db.prepare("SELECT status FROM backup_run").first("status")).toBe("ok");
  if (!RELEASE)
    expect(await db.prepare("SELECT count(*) > 0 AS n FROM board_item WHERE next_number = 1").first("n")).toBe(1);
});

test("no statement depends on the position of a column", () => {
  const sources = globSync(["worker/**/*.ts", "db/**/*.ts", "app/**/*.{ts,tsx}", "migrations/*.sql"], { cwd: ROOT });
  expect(sources.length).toBeGreaterThan(500);
  const byPlace = sources.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), "utf8").matchAll(
        /INSERT (?:OR \w+ )?INTO [`"]?(\w+)[`"]?\s+(?:SELECT|VALUES)\b/g,
      ),
    ]
      .filter(([, table]) => table !== "_restore_piece")
      .map(([statement]) => `${path}: ${statement}`),
  );
  expect(byPlace).toEqual([]);
});

const BREAKING = [
  "DROP TABLE popup",
  "DROP TRIGGER audit_log_no_update",
  "ALTER TABLE `user` DROP COLUMN profile",
  "ALTER TABLE user RENAME COLUMN profile TO fields",
  "ALTER TABLE `user` ADD `age` integer NOT NULL",
  "ALTER TABLE `user` ADD `age` integer DEFAULT 0 CHECK (age > 0)",
  "CREATE UNIQUE INDEX user_named ON user (user_name)",
  "CREATE TRIGGER user_logged AFTER INSERT ON user BEGIN INSERT INTO own (id) VALUES (new.rowid); END",
  "DROP TRIGGER due_summed_new",
  "CREATE TRIGGER due_summed_new AFTER INSERT ON due BEGIN INSERT INTO own (id) VALUES (new.rowid); END",
  "CREATE TRIGGER user_kept BEFORE UPDATE ON user BEGIN SELECT RAISE(ABORT, 'kept'); END",
];

test.runIf(RELEASE)("the migrations of the last release are unchanged", () => {
  const released = readMigrations(join(RELEASE ?? "", "migrations"));
  expect(released.length).toBeGreaterThan(0);
  expect(readMigrations(MIGRATIONS).slice(0, released.length)).toEqual(released);
});

test("later migrations only add what older code can ignore", () => {
  const [first, ...later] = readMigrations(MIGRATIONS).map(({ queries }) => queries);
  expect(first?.length).toBeGreaterThan(200);
  expect(findBreakingStatements(first ?? [], later.flat())).toEqual([]);
  expect(findBreakingStatements(first ?? [], BREAKING)).toEqual(BREAKING);
  const own = ["CREATE TABLE own (id integer)", "CREATE UNIQUE INDEX own_id ON own (id)"];
  expect(findBreakingStatements(first ?? [], [...nextMigration(MIGRATIONS).queries, ...own])).toEqual([]);
});
