import { startSite } from "#worker/local/site.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ARGON2_PARAMETERS } from "#worker/adapters/password.server.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

// Measures the cost of a sign-in as a multiple of a request to an empty Worker.
const ROUNDS = 30;
const HEADERS = { "Content-Type": "application/json" };

async function median(run: () => Promise<void>): Promise<number> {
  for (let n = 0; n < 3; n += 1) await run();
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

async function post(url: string, body: unknown, expected: number): Promise<void> {
  const response = await fetch(url, { method: "POST", headers: HEADERS, body: JSON.stringify(body) });
  await response.arrayBuffer();
  if (response.status !== expected) throw new Error(`${url} answered ${response.status}`);
}

const packageFile = (name: string) => fileURLToPath(import.meta.resolve(`@phi-ag/argon2${name}`));

/** A Worker that only hashes, with current and former parameters, or only answers. */
function bareWorker(): Miniflare {
  const script = `
    import { Buffer } from "node:buffer";
    import { scryptSync } from "node:crypto";
    import Argon2 from "./argon2.mjs";
    import wasm from "./argon2.wasm";
    const salt = Buffer.alloc(16, 7);
    const cost = ${JSON.stringify({ ...ARGON2_PARAMETERS, type: 2 })};
    let argon2;
    export default { fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/argon2") {
        argon2 ??= new Argon2(new WebAssembly.Instance(wasm));
        argon2.hash("Member!2345", { ...cost, salt });
      }
      if (pathname === "/scrypt")
        scryptSync("Member!2345", salt, 32, { N: 16384, r: 8, p: 5, maxmem: 67108864 });
      return new Response("ok");
    } };`;
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [
        {
          name: "bare",
          modules: [
            { type: "ESModule", path: "bare.mjs", contents: script },
            { type: "ESModule", path: "argon2.mjs", contents: readFileSync(packageFile(""), "utf8") },
            { type: "CompiledWasm", path: "argon2.wasm", contents: readFileSync(packageFile("/argon2.wasm")) },
          ],
          modulesRoot: ".",
          compatibilityDate: "2026-10-01",
          compatibilityFlags: ["nodejs_compat"],
        },
      ],
    }),
  );
}

const bare = bareWorker();
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
try {
  const floor = String(await bare.ready);
  const read = async (url: string) => void (await (await fetch(url)).arrayBuffer());
  const rows: [what: string, ms: number][] = [
    ["bare Worker", await median(() => read(floor))],
    ["Argon2id alone in a bare Worker", await median(() => read(`${floor}argon2`))],
    ["scrypt, as before, in a bare Worker", await median(() => read(`${floor}scrypt`))],
    ["GET site-setting/authentication", await median(() => read(`${site.url}/api/site-setting/authentication`))],
    [
      "POST user/signin",
      await median(() =>
        post(
          `${site.url}/api/user/signin`,
          { userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" },
          200,
        ),
      ),
    ],
  ];
  const base = rows[0]?.[1] ?? 1;
  for (const [what, ms] of rows) {
    console.log(`${what.padEnd(34)} ${ms.toFixed(2).padStart(9)} ms ${(ms / base).toFixed(1).padStart(8)} x`);
  }
} finally {
  await Promise.all([bare.dispose(), site.dispose()]);
  rmSync(folder, { recursive: true, force: true });
}
