import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOfficeAdministrator, databaseOf, OFFICE } from "../support/kill-site.ts";
import { workerdCpuMs } from "../support/cpu.ts";
import { findWorkerdPid, HEAP_MAX_MB, readPeakRssMb, resetPeakRss, startMeasuredSite } from "./isolate-memory.ts";

// workerd closes connections that are idle for five seconds.
// oxlint-disable-next-line import/no-unassigned-import -- it changes how this process connects, and gives nothing
import "../support/own-connections.ts";

// Measures D1 statements, CPU (D1 included) and memory of backup, trial restore and the restore command.
const ROWS = Number(process.env.ROWS ?? 20_000);
const CHUNK = 50_000;
/** Of ten rows: three audit entries, two comments, two messages, one item, one person with address and key. */
const share = (tenths: number) => Math.floor((ROWS / 10) * tenths);

const NUMBERS = "WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)";
const TEXT =
  "'면역결핍질환 연구망의 등록 환자와 참여 기관, 교육 과정과 심의 결과를 알립니다. ' || i || hex(randomblob(20))";
const FILLS: [rows: number, sql: string][] = [
  [
    share(1),
    `INSERT INTO board_item (id, board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date)
     ${NUMBERS} SELECT i, 'notice', i, '소식 ' || i, '<p>' || ${TEXT} || '</p>', 'x', '편집부', 1700000000000 + i, 1700000000000 FROM n`,
  ],
  [
    share(2),
    `INSERT INTO board_item_comment (id, item_id, content, created_user_id, created_user_name, created_date, modified_date)
     ${NUMBERS} SELECT 'c' || i, 1 + i % ${share(1)}, ${TEXT}, 'x', '홍길동', 1700000000000 + i, 1700000000000 FROM n`,
  ],
  [
    share(1),
    `INSERT INTO user (id, user_name, user_type, role_code, status, password_hash, profile, created_date, modified_date)
     ${NUMBERS} SELECT 'u' || i, '홍길동', 'Member', 'member', 'active', hex(randomblob(48)), '{}', 1700000000000 + i, 1 FROM n`,
  ],
  [
    share(1),
    `INSERT INTO user_key (user_key_type, user_key_code, user_id, verified_date)
     ${NUMBERS} SELECT 'Email', 'many' || i || '@pid.example.kr', 'u' || i, 1 FROM n`,
  ],
  [
    share(2),
    `INSERT INTO message (id, channel, recipient, subject, body, status, created_date)
     ${NUMBERS} SELECT 'm' || i, 'email', 'many' || i || '@pid.example.kr', '안내', ${TEXT}, 'sent', 1700000000000 + i FROM n`,
  ],
  [
    share(3),
    `INSERT INTO audit_log (created_date, actor_user_id, address, action, target_type, target_id, detail, request_id)
     ${NUMBERS} SELECT 1700000000000 + i, 'u' || (i % 1000), '192.0.2.1', 'signin', 'user', 'u' || i, '{"ok":true}', hex(randomblob(8)) FROM n`,
  ],
];

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { restore: string } };
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const state = join(folder, "state");
const { site, collections } = await startMeasuredSite({ persistTo: state, seed: "empty" });

interface Steps {
  steps: number;
  statements: number;
  cpuSeconds: number;
  heapMb: number;
  seconds: number;
}
const say = (what: string, found: object) => console.log(`${what}: ${JSON.stringify(found)}`);

async function takeSteps(job: string, status: () => Promise<string | null>, token: string): Promise<Steps> {
  const most: Steps = { steps: 0, statements: 0, cpuSeconds: 0, heapMb: 0, seconds: 0 };
  const began = performance.now();
  const sent = async () => (await (await fetch(`${site.url}/bench`)).json()) as { statements: number };
  do {
    await sent();
    collections.settle();
    collections.reset();
    const cpu = workerdCpuMs();
    const answer = await fetch(`${site.url}/api/admin/job/${job}/run`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      body: "{}",
    });
    const { data } = (await answer.json()) as { data?: { ok: boolean } };
    if (!data?.ok) throw new Error(`${job}: ${answer.status}`);
    const used = (workerdCpuMs() - cpu) / 1000;
    most.steps += 1;
    most.cpuSeconds = Math.max(most.cpuSeconds, used);
    most.heapMb = Math.max(most.heapMb, Math.round(collections.memory.totalMb));
    most.statements = Math.max(most.statements, (await sent()).statements);
    if (most.steps % 20 === 0) say(`${job}, so far`, most);
  } while ((await status()) === "running");
  most.seconds = Math.round((performance.now() - began) / 1000);
  return most;
}

async function restore(name: string): Promise<{ seconds: number; rssMb: number; said: string }> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...scripts.restore.split(" ").slice(1), name, "--from", state, "--persist-to", join(folder, "restored")],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, MINIFLARE_WORKERD_V8_FLAGS: "" } },
  );
  let said = "";
  let rssMb = 0;
  child.stdout.on("data", (chunk) => {
    said += chunk;
    if (child.pid) rssMb = Math.max(rssMb, readPeakRssMb(child.pid));
  });
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  if (code !== 0) throw new Error(`restore ended with ${code}: ${said}`);
  return { seconds: Math.round((performance.now() - began) / 1000), rssMb, said: said.trim().split("\n").at(-5) ?? "" };
}

try {
  const db = await databaseOf(site);
  await createOfficeAdministrator(site, state);
  const body = JSON.stringify(OFFICE);
  const headers = { "Content-Type": "application/json" };
  const signedIn = await fetch(`${site.url}/api/user/signin`, { method: "POST", headers, body });
  const { data } = (await signedIn.json()) as { data: { accessToken: string } };
  const began = performance.now();
  for (const [rows, sql] of FILLS)
    for (let from = 1; from <= rows; from += CHUNK)
      await db
        .prepare(sql)
        .bind(from, Math.min(from + CHUNK - 1, rows))
        .run();
  await db.prepare("UPDATE board SET last_item_no = ? WHERE board_code = 'notice'").bind(share(1)).run();
  say("rows", { rows: ROWS, seconds: Math.round((performance.now() - began) / 1000) });

  const statusOf = (table: string) => () =>
    db.prepare(`SELECT status FROM ${table} ORDER BY rowid DESC LIMIT 1`).first<string>("status");
  say("backup, most of a step", await takeSteps("backup", statusOf("backup_run"), data.accessToken));
  const run = await db
    .prepare("SELECT name, status, error FROM backup_run")
    .first<{ name: string; status: string; error: string }>();
  if (run?.status !== "ok") throw new Error(`backup: ${run?.error}`);
  resetPeakRss(findWorkerdPid());
  say("drill, most of a step", await takeSteps("drill", statusOf("backup_drill"), data.accessToken));
  say("drill", (await db.prepare("SELECT status, error, state FROM backup_drill").first()) ?? {});
  await site.dispose();
  say("restore", await restore(run.name));
  console.log(`${ROWS} rows; heap of the isolate, which dies above ${HEAP_MAX_MB} MB; CPU of workerd with D1's own.`);
} finally {
  await site.dispose().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
