import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "./build.ts";
import { startCaseReportStub } from "./case-report-stub.ts";
import { readBuiltVars, type RunningSite, startSite } from "./site.ts";
import { LocalError, runCommand } from "./local-error.ts";
import { readShellVars } from "./site-vars.ts";

const BUILD = resolve(import.meta.dirname, "../../build");
const CRON_MINUTES = 1;

await runCommand(main);

async function main(): Promise<void> {
  const { empty, port } = readOptions();
  ensureBuild();
  const stub = await startCaseReportStub();
  // Separate from the demo's folder, so that they never share a database.
  const persistTo = process.env.PERSIST_TO || (empty ? ".wrangler/empty" : ".wrangler/state");
  const site = await startSite({
    port,
    persistTo,
    build: copyBuild(),
    vars: { CASE_REPORT_URL: stub.url, ...readShellVars(readBuiltVars()) },
    seed: empty ? "empty" : "demo",
  });
  runCron(site);
  endWithSignals(site);
  console.log(`주소: ${site.url}`);
  console.log(`계정: ${await accountsOf(site)}`);
  console.log(`메일·문자 보관함: ${site.url}/dev/outbox`);
}

/** Copies the build, so that a rebuild cannot break the running site. */
function copyBuild(): string {
  const copy = mkdtempSync(join(tmpdir(), "hoewon-build-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  cpSync(BUILD, copy, { recursive: true });
  return join(copy, "server");
}

async function accountsOf({ content, mf }: RunningSite): Promise<string> {
  if (content === "demo") return "관리자 admin / Admin!2345, 회원 member01 / Member!2345";
  if (content === "unfinished")
    return "쓸 수 없음 — 백업에서 되살리다가 멈춘 자료 폴더입니다. 이 사이트를 끝내고 npm run restore 명령을 다시 실행해 주십시오";
  const { DB } = await mf.getBindings<{ DB: D1Database }>();
  const isFound = await DB.prepare("SELECT 1 FROM user WHERE user_type = 'Admin' AND status = 'active'").first();
  return isFound
    ? "이 자료 폴더에 있는 관리자와 회원으로 로그인하십시오"
    : "없음 — 첫 관리자를 만드는 방법은 worker/OPERATIONS.md에 있습니다";
}

function readOptions(): { empty: boolean; port: number } {
  const port = Number(process.env.PORT || 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new LocalError(`PORT는 0에서 65535 사이의 숫자여야 합니다: ${process.env.PORT}`);
  }
  try {
    const { values } = parseArgs({ options: { empty: { type: "boolean", default: false } } });
    return { empty: values.empty, port };
  } catch {
    throw new LocalError("알 수 없는 옵션입니다. npm start 또는 npm start -- --empty 로 시작해 주십시오.");
  }
}

function runCron(site: RunningSite): void {
  const run = async () => {
    const worker = await site.mf.getWorker();
    await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date() });
  };
  setInterval(() => {
    run().catch((error: Error) => process.stderr.write(`예약 작업 실패: ${error.message}\n`));
  }, CRON_MINUTES * 60_000).unref();
}

function endWithSignals(site: RunningSite): void {
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await site.dispose();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // Miniflare's handler would exit before ours finishes.
    process.removeAllListeners(signal);
    process.on(signal, () => void end());
  }
  // On a signal npm kills its shell but not this process.
  const { ppid } = process;
  if (!process.env.npm_lifecycle_event) return;
  setInterval(() => {
    if (process.ppid !== ppid) void end();
  }, 500).unref();
}
