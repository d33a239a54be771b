import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { startCaseReportStub } from "#worker/local/case-report-stub.ts";
import { startSite } from "#worker/local/site.ts";
import { workerdCpuMs } from "./cpu.ts";

// What a page costs from the edge and without it, as a multiple of a Worker that says hello: ratios hold, figures do not.
// Not compressed, which at Cloudflare is no work of the Worker; the files in front of it cost here what they do not there.
const REQUESTS = 150;
const CONNECTIONS = 8;

async function measureCpu(urls: readonly string[], more: Record<string, string> = {}): Promise<number> {
  let turn = 0;
  const get = async () => {
    const url = urls[turn++ % urls.length] ?? "";
    const response = await fetch(url, { headers: { "Accept-Encoding": "identity", ...more } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  };
  for (let n = 0; n < Math.max(20, urls.length); n += 1) await get();
  const rounds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = workerdCpuMs();
    let left = REQUESTS;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left-- > 0) await get();
      }),
    );
    rounds.push((workerdCpuMs() - start) / REQUESTS);
  }
  return rounds.toSorted((a, b) => a - b)[1] ?? 0;
}

const hello = 'export default { fetch: () => new Response("hello") };';
const helloWorker = (more: object) =>
  new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [
        {
          name: "bare",
          modules: [{ type: "ESModule", path: "bare.mjs", contents: hello }],
          modulesRoot: ".",
          compatibilityDate: "2026-10-01",
          ...more,
        },
      ],
    }),
  );
const bare = helloWorker({});
const behindFiles = helloWorker({
  assets: { directory: resolve("build/client"), routerConfig: { has_user_worker: true } },
});
const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const stub = await startCaseReportStub();
const site = await startSite({ port: 0, persistTo: folder, quiet: true, vars: { CASE_REPORT_URL: stub.url } });
try {
  const floor = await measureCpu([String(await bare.ready)]);
  const row = (what: string, ms: number) =>
    console.log(`${what.padEnd(44)} ${ms.toFixed(2).padStart(7)} ms CPU ${(ms / floor).toFixed(1).padStart(6)} x`);
  row("bare Worker", floor);
  row("the same behind this site's files", await measureCpu([String(await behindFiles.ready)]));
  const addressesIn = async (url: string) =>
    [...(await (await fetch(url)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address);
  const pages = (await Promise.all((await addressesIn(`${site.url}/sitemap.xml`)).map(addressesIn))).flat();
  // More than an instance of the Worker has at hand, so that each is asked of the cache.
  row(`${pages.length} pages in turn from the edge`, await measureCpu(pages));
  await fetch(`${site.url}/pid/residence`);
  const signedIn = await fetch(`${site.url}/api/user/signin`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userKeyType: "Id", userKeyCode: "member01", password: "Member!2345" }),
  });
  const { data } = (await signedIn.json()) as { data: { accessToken: string } };
  const cookie = { Cookie: `accessToken=${data.accessToken}` };
  for (const path of ["/", "/board/notice/List/", "/board/notice/View/60", "/pid/center", "/pid/residence"]) {
    row(`${path} from the edge`, await measureCpu([site.url + path]));
    row(`${path} rendered, for a member`, await measureCpu([site.url + path], cookie));
    const html = await (await fetch(site.url + path, { headers: cookie })).text();
    const scripts = new Set(html.match(/\/assets\/[\w.-]+\.js/g)).size;
    console.log(`${"".padEnd(44)} ${(Buffer.byteLength(html) / 1000).toFixed(1)} kB of HTML, ${scripts} scripts`);
  }
} finally {
  await Promise.all([bare.dispose(), behindFiles.dispose(), site.dispose()]);
  stub.close();
  rmSync(folder, { recursive: true, force: true });
}
