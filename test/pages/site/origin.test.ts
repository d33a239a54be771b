import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { test as siteTest } from "../fixtures.ts";

// As at Cloudflare: a configured address, reached by any host name.
const OWN = "https://pid.example.kr";

const test = siteTest.extend(
  "siteOptions",
  { scope: "file" },
  {
    vars: { SITE_ORIGIN: OWN, MESSAGE_TRANSPORT: "resend", RESEND_API_KEY: "test" },
    outbound: () => new Response("", { status: 500 }) as never,
  },
);

async function textOf(site: RunningSite, url: string, headers: Record<string, string> = {}): Promise<string> {
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

test.for(PATHS)("%s names only the configured address, whatever the Host header", async (path, { site }) => {
  for (const address of [path, `${path}?x=1`]) {
    for (const host of ["https://evil.example", "https://pid.example.kr:8443", "https://localhost:99", OWN]) {
      const text = await textOf(site, host + address, {
        "X-Forwarded-Host": "evil.example",
        Forwarded: "host=evil.example",
      });
      expect(text, host).not.toMatch(/evil\.example|:8443|localhost/);
      expect(text, host).toContain(OWN);
    }
  }
});

test("a forged host name does not poison the page", async ({ site }) => {
  for (const path of PATHS) {
    await textOf(site, `https://evil.example${path}`);
    await textOf(site, OWN + path, { Host: "evil.example", "X-Forwarded-Host": "evil.example" });
    expect(await textOf(site, OWN + path), path).not.toContain("evil.example");
  }
  expect(await textOf(site, `${OWN}/pid/about`)).toContain(`<link rel="canonical" href="${OWN}/pid/about"/>`);
});
