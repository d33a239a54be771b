/** @module-tag full */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { lockFolder } from "#worker/local/folder-lock.ts";
import { freePort } from "../support/free-port.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Resolves with the output so far; rejects when the process ends without the text. */
function untilSaid(child: ChildProcess, text: string): Promise<string> {
  let out = "";
  return new Promise((settle, refuse) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        // The output is coloured when `CI` is set.
        out += chunk;
        if (stripVTControlCharacters(out).includes(text)) settle(out);
      });
    }
    child.once("exit", (code) => refuse(new Error(`ended with ${code}: ${out}`)));
  });
}

test("npm run dev serves the source with demo content", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hoewon-dev-"));
  const port = await freePort();
  const { VITEST: _, ...environment } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "worker/local/dev.ts"], {
    cwd: ROOT,
    env: { ...environment, PORT: String(port), PERSIST_TO: folder },
  });
  const ended = new Promise((done) => child.once("exit", done));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await untilSaid(child, "Local:");
  const site = `http://localhost:${port}`;
  const list = await fetch(`${site}/board/notice/List/`);
  const html = await list.text();
  expect([list.status, list.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(html).toContain("/board/notice/View/60");
  expect(html).toContain("/app/features/site/reader/reader-script.ts");
  expect(await (await fetch(`${site}/Account/Signin`)).text()).toContain("/app/root.tsx");
  expect((await fetch(`${site}/dev/outbox`)).status).toBe(200);
  const body = JSON.stringify({ userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" });
  const headers = { "Content-Type": "application/json" };
  expect((await fetch(`${site}/api/user/signin`, { method: "POST", headers, body })).status).toBe(200);
  child.kill("SIGTERM");
  await ended;
  await expect(fetch(site)).rejects.toThrow();
  lockFolder(folder)();
}, 300_000);
