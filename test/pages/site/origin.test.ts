import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { startTestSite } from "../../test-site.ts";

// As it runs at Cloudflare: with a configured address, and reached by whatever name somebody asked for.
const OWN = "https://pid.example.kr";

let site: RunningSite;
beforeAll(async () => {
  site = await startTestSite({
    vars: { SITE_ORIGIN: OWN, MESSAGE_TRANSPORT: "resend", RESEND_API_KEY: "test" },
    outbound: () => new Response("", { status: 500 }) as never,
  });
});
afterAll(() => site?.dispose());

async function textOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await site.mf.dispatchFetch(url, { headers });
  expect([url, response.status]).toEqual([url, 200]);
  return response.text();
}

const PATHS = [
  "/",
  "/pid/about",
  "/pid/center/seoul",
  "/board/notice/List/",
  "/board/notice/View/60",
  "/board/notice/rss.xml",
  "/sitemap.xml",
  "/robots.txt",
  "/_.data",
];

test.each(PATHS)("%s names the configured address alone, by whatever name it was asked for", async (path) => {
  for (const address of [path, `${path}?x=1`]) {
    for (const host of ["https://evil.example", "https://pid.example.kr:8443", "https://localhost:99", OWN]) {
      const text = await textOf(host + address, { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" });
      expect(text, host).not.toMatch(/evil\.example|:8443|localhost/);
      expect(text, host).toContain(OWN);
    }
  }
});

test("who asks by another name poisons no page for those who come by the right one", async () => {
  for (const path of PATHS) {
    await textOf(`https://evil.example${path}`);
    await textOf(OWN + path, { Host: "evil.example", "X-Forwarded-Host": "evil.example" });
    expect(await textOf(OWN + path), path).not.toContain("evil.example");
  }
  expect(await textOf(`${OWN}/pid/about`)).toContain(`<link rel="canonical" href="${OWN}/pid/about"/>`);
});
