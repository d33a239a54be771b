import { expect } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { test as siteTest } from "../fixtures.ts";

// Rows of "What Korean rules ask" in security.md that a page or the transport fulfils.

const test = siteTest.extend(
  "siteOptions",
  { scope: "file" },
  {
    vars: { MESSAGE_TRANSPORT: "resend", RESEND_API_KEY: "test" },
    outbound: () => new Response("", { status: 500 }) as never,
  },
);

const ask = (site: RunningSite, url: string, init: RequestInit = {}) =>
  site.mf.dispatchFetch(url, { redirect: "manual", ...init } as never);

test("고시 제7조①: an unencrypted request is redirected to HTTPS", async ({ site }) => {
  const page = await ask(site, "http://pid.example.kr/board/notice/List/?page=2");
  expect([page.status, page.headers.get("Location")]).toEqual([
    308,
    "https://pid.example.kr/board/notice/List/?page=2",
  ]);
  const write = await ask(site, "http://pid.example.kr/api/user/signin", { method: "POST", body: "{}" });
  expect([write.status, write.headers.get("Set-Cookie")]).toEqual([308, null]);
  const secure = await ask(site, "https://pid.example.kr/");
  expect([secure.status, secure.headers.get("Strict-Transport-Security")]).toEqual([200, "max-age=31536000"]);
  const local = await fetch(`${site.url}/`);
  expect([local.status, local.headers.get("Strict-Transport-Security")]).toEqual([200, null]);
});

const HEADINGS = [
  "처리 목적",
  "개인정보의 항목",
  "보유 기간",
  "파기",
  "제3자 제공",
  "처리위탁",
  "국외 이전",
  "정보주체와 법정대리인의 권리",
  "자동 수집 장치",
  "안전성 확보조치",
  "개인정보 보호책임자",
  "변경 이력",
];

test("법 제30조, 제28조의8: the privacy notice has its headings", async ({ site }) => {
  const text = await (await fetch(`${site.url}/privacy`)).text();
  const headings = [...text.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map((match) => match[1]?.replace(/<[^>]*>/g, "") ?? "");
  for (const heading of HEADINGS)
    expect(
      headings.some((each) => each.includes(heading)),
      heading,
    ).toBe(true);
  for (const word of ["Cloudflare, Inc.", "Resend", "미국", "accessToken", "localStorage|로컬 저장소", "10일"])
    expect(new RegExp(word).test(text), word).toBe(true);
  const previous = await fetch(`${site.url}/privacy?version=1`);
  expect(previous.status).toBe(200);
  expect(/<select[^>]*name="version"/.test(text), "a select lists the versions").toBe(true);
  const home = await (await fetch(`${site.url}/`)).text();
  expect(/<a[^>]*href="\/privacy"/i.test(home)).toBe(true);
});
