import { expect } from "vitest";
import { startTestSite } from "../../support/test-site.ts";
import { test } from "../fixtures.ts";

const REGIONS =
  "chungbuk chungnam daegu daejeon gyungbuk gyungnam jeju jeonbuk jeonnam kangwon kwangju kyunggi pusan sejong seoul ulsan".split(
    " ",
  );

test.for<[path: string, words: string]>([
  ["/", "드문 병, 함께 찾는 답"],
  ["/pid/about", "걸어온 길"],
  ["/pid/target", "등록 대상 질환군"],
  ["/pid/registration", "한눈에 보는 절차"],
  ["/pid/center", "지정된 센터가 없습니다"],
  ["/pid/organization", "조직도"],
  ["/Registry", "레지스트리로 알고자 하는 것"],
  ["/research/proposal", "제안 자격"],
  ["/research/rules", "기본 원칙"],
  ["/terms", "제1조(목적)"],
  ["/privacy", "개인정보의 처리 목적"],
])("%s is complete in its HTML", async ([path, words], { site, get }) => {
  const { status, text } = await get(path);
  expect(status).toBe(200);
  expect(text).toContain(words);
  expect(text.match(/<h1[ >]/g)).toHaveLength(1);
  expect(text).toContain(`<link rel="canonical" href="${site.url}${path}"/>`);
  expect(text).toContain('property="og:image"');
  expect(text).toMatch(/<title>[^<|]+ \| 한국면역결핍질환연구망<\/title>/);
});

test.for(REGIONS)("the region %s has its page", async (region, { get }) => {
  const { status, text } = await get(`/pid/center/${region}`);
  expect(status).toBe(200);
  for (const word of ["기관명", "책임자", "주소", "길찾기", 'href="tel:', "(새 창)"]) expect(text).toContain(word);
});

test("a centre without a photograph shows no picture", async ({ get }) => {
  const { text } = await get("/pid/center/jeju");
  expect(text).not.toContain('<img src="/api/file/');
  expect(text).toContain("오시는 길");
});

test("the organisation chart is a nested list", async ({ get }) => {
  const chart = (await get("/pid/organization")).text;
  expect(chart).toMatch(/article-chart[\s\S]*<ul role="list">[\s\S]*<div class="node">[\s\S]*<ul role="list">/);
  for (const path of ["/pid/registration", "/research/proposal"])
    expect((await get(path)).text, path).toMatch(/article-steps[\s\S]*<h2[^>]*>[^<]*절차[^<]*<\/h2>\s*<ol>/);
  const contents = /aria-label="이 페이지의 목차"/;
  expect(chart).toMatch(contents);
  expect((await get("/pid/residence")).text).not.toMatch(contents);
});

test("the form of a research proposal is downloaded under its Korean name", async ({ get }) => {
  const { text } = await get("/research/proposal");
  const [path = ""] = /\/api\/file\/[0-9a-f-]{36}\?download=true/.exec(text) ?? [];
  const { status, headers } = await get(path);
  expect(status).toBe(200);
  expect(decodeURIComponent(headers.get("Content-Disposition") ?? "")).toContain("연구제안서 양식.docx");
});

test.for([
  "/pid/center/incheon",
  "/pid/center/nowhere",
  "/pid/nothing",
  "/other/about",
  "/other/center/seoul",
  "/privacy?version=99",
])("%s does not exist", async (path, { get }) => {
  const { status, text } = await get(path);
  expect(status).toBe(404);
  expect(text).toContain("홈으로");
});

test.for(["/PID/About", "/pid/center/SEOUL", "/registry", "/Research/Rules", "/Terms", "/tos/content/termscontent"])(
  "%s reaches its page in upper or lower case",
  async (path, { get }) => {
    expect((await get(path)).status).toBe(200);
  },
);

test("without a case-report host the residence page is shown as in preparation", async ({ get }) => {
  const { status, text } = await get("/pid/residence");
  expect(status).toBe(200);
  expect(text).toContain("서비스 준비중입니다");
});

test("a page without a text is shown as in preparation", async () => {
  const empty = await startTestSite({ seed: "empty" });
  expect(await (await fetch(empty.url)).text()).toContain("등록된 게시물이 없습니다.");
  const response = await fetch(`${empty.url}/pid/about`);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("서비스 준비중입니다");
  await empty.dispose();
});

test("legal texts show their versions", async ({ get }) => {
  const current = await get("/privacy");
  expect(current.text).toContain("시행일");
  expect(current.text).toContain("2023. 11. 20. 시행");
  const old = await get("/privacy?version=1");
  expect(old.text).toContain('name="robots" content="noindex"');
  const compared = await get("/privacy?version=2&compare=1");
  expect(compared.text).toContain("달라진 점");
  expect(compared.text).toContain("<del>");
  for (const name of ["PrivacyContent", "TermsContent"]) {
    const bare = await get(`/TOS/Content/${name}`);
    expect(bare.status, name).toBe(200);
    expect(bare.text, name).not.toContain("<header");
    expect(bare.headers.get("Content-Security-Policy"), name).toContain("frame-ancestors 'self'");
  }
});

test("the sitemap lists only pages that a guest may read", async ({ site, get, readSitemap }) => {
  for (const path of ["/sitemap.xml", "/sitemap/pages.xml", "/sitemap/notice-1.xml"]) {
    const { status, headers } = await get(path);
    expect([path, status, headers.get("Content-Type")]).toEqual([path, 200, "application/xml; charset=utf-8"]);
  }
  for (const path of ["/sitemap/notice-2.xml", "/sitemap/free-1.xml", "/sitemap/notice-0.xml", "/sitemap/x.xml"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const addresses = await readSitemap();
  expect(addresses).toContain("/Registry");
  expect(addresses.filter((path) => path?.startsWith("/pid/center/"))).toHaveLength(16);
  expect(addresses).toContain("/board/notice/List/");
  expect(addresses.some((path) => path?.startsWith("/board/notice/View/"))).toBe(true);
  expect(addresses.some((path) => path?.startsWith("/board/free"))).toBe(false);
  expect((await get("/robots.txt")).text).toContain(`Sitemap: ${site.url}/sitemap.xml`);
});

test("a preview redirects a guest to the sign-in page", async ({ get }) => {
  const { status, headers } = await get("/pid/about?preview=1");
  expect(status).toBe(302);
  expect(headers.get("Location")).toContain("/account/signin?returnUrl=");
});

test("a small screen without script gets the site's font", async ({ site, get }) => {
  const { text } = await get("/pid/about");
  const [link] = /<link[^>]+\/assets\/pretendard[^>]+>/.exec(text) ?? [];
  expect(link).toContain("(scripting: none)");
  const [fonts] = /\/assets\/pretendard[^"]+/.exec(link ?? "") ?? [];
  expect(fonts).toBeDefined();
  const sheet = (await get(fonts ?? "")).text;
  const files = [...sheet.matchAll(/url\(([^)]+)\)/g)].map((match) => match[1] ?? "");
  expect(files).toHaveLength(92);
  expect(files.filter((file) => !/^\/assets\/[\w.-]+\.woff2$/.test(file))).toEqual([]);
  const font = await fetch(site.url + files[0]);
  expect([font.status, font.headers.get("Cache-Control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  expect((await get("/fonts/LICENSE.txt")).text).toContain("SIL Open Font License");
});

test("a phone can install the site", async ({ site }) => {
  const response = await fetch(`${site.url}/manifest.webmanifest`);
  expect(response.headers.get("Content-Type")).toContain("application/manifest+json");
  const manifest = (await response.json()) as { name: string; icons: { src: string }[] };
  expect(manifest.name).toBe("한국면역결핍질환연구망");
  for (const { src } of manifest.icons) expect((await fetch(site.url + src)).status, src).toBe(200);
  expect(await (await fetch(site.url)).text()).toContain('rel="manifest"');
});
