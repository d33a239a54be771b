import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { RunningSite } from "#worker/local/site.ts";
import { startTestSite } from "../../support/test-site.ts";
import { expectLog } from "../../support/expected-log.ts";
import { test as pageTest } from "../fixtures.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

// The external host over real HTTP, with configurable faults.
type Play = (request: IncomingMessage, response: ServerResponse) => void;
let play: Play;
let receivedRequests: IncomingMessage[] = [];
const host = createServer((request, response) => {
  receivedRequests.push(request);
  play(request, response);
});
const json =
  (body: unknown, status = 200): Play =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const siteOptions = () => {
  const CASE_REPORT_URL = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  return { vars: { CASE_REPORT_URL, CASE_REPORT_APP_ID: "app-1" } };
};
const test = pageTest
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
  .extend("siteOptions", { scope: "file" }, async ({}, { onCleanup }) => {
    await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
    onCleanup(() => {
      host.closeAllConnections();
      host.close();
    });
    return siteOptions();
  })
  .extend("kv", { scope: "file" }, async ({ site }) => (await site.mf.getBindings<Pick<Env, "KV">>()).KV)
  /** A header that pages ignore bypasses the edge cache. */
  .extend("residence", ({ get }) => async () => {
    const { status, text } = await get("/pid/residence", { Authorization: "Bearer none" });
    return { status, text: text.replaceAll("<!-- -->", "") };
  });
const KEY = "case-report:counts";
const OLD = new Date(Date.now() - 11 * 60_000).toISOString();
const keepOld = (kv: Pick<KVNamespace, "put">) =>
  kv.put(KEY, JSON.stringify({ asOfDate: OLD, locations: [{ regionCode: "seoul", regionName: "서울", count: 7 }] }));

interface Answer {
  status: number;
  code: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what came over the wire
  data: any;
}
async function counts({ url }: RunningSite): Promise<Answer> {
  const response = await fetch(`${url}/api/case-report/subject-location-count`);
  const body = (await response.json()) as Omit<Answer, "status">;
  return { status: response.status, code: body.code, data: body.data };
}

test.beforeEach(async ({ kv }) => {
  receivedRequests = [];
  await kv.delete(KEY);
});

const ROWS = [
  { location: "서울", count: 12 },
  { location: "경기도", count: 30 },
];
test.for([
  ["an array alone", ROWS],
  ["inside code and data", { code: "SUCCESS", data: ROWS }],
  [
    "with codes, text numbers and a part of a region twice",
    [
      { location: "11", count: "10" },
      { location: "seoul", count: 2 },
      { location: "KR-41", count: 30 },
    ],
  ],
])("counts are understood: %s", async ([_shape, body], { site }) => {
  play = json(body);
  const { status, data } = await counts(site);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    total: 42,
    stale: false,
    locations: [
      { regionCode: "seoul", regionName: "서울", count: 12 },
      { regionCode: "kyunggi", regionName: "경기", count: 30 },
    ],
  });
  expect(receivedRequests[0]?.url).toBe("/KPID/pid/GetSubjectLocationCount");
  expect(receivedRequests[0]?.headers).toMatchObject({ authorization: "app-1", token: "" });
});

test("a cached answer saves a call to the host", async ({ site, kv }) => {
  play = json(ROWS);
  // KV takes one write per key and second, and the previous test used it.
  await expect
    .poll(async () => {
      await counts(site);
      return kv.get(KEY);
    })
    .not.toBeNull();
  receivedRequests = [];
  await counts(site);
  expect(receivedRequests).toEqual([]);
});

test("people of an unknown place are counted as 기타", async ({ site }) => {
  play = json([...ROWS, { location: "평양", count: 3 }]);
  const { data } = await counts(site);
  expect(data.total).toBe(45);
  expect(data.locations.at(-1)).toEqual({ regionCode: "other", regionName: "기타", count: 3 });
});

test("a single failure is invisible: 500, then an answer", async ({ site }) => {
  play = (request, response) =>
    receivedRequests.length === 1 ? json({}, 500)(request, response) : json(ROWS)(request, response);
  expect((await counts(site)).data.total).toBe(42);
});

test("a member with the permission continues with a token", async ({ site, member }) => {
  expectLog(/"path":"\/api\/case-report\/token","code":"UPSTREAM_UNAVAILABLE"/);
  const hand = async () => {
    const response = await fetch(`${site.url}/api/case-report/token`, {
      method: "POST",
      headers: { Authorization: member.bearer.Authorization },
    });
    return (await response.json()) as { code: string; data: unknown };
  };
  let sent = "";
  play = (request, response) => {
    request.on("data", (chunk) => (sent += chunk));
    request.on("end", () =>
      json({ code: "SUCCESS", data: { token: "t 1", url: "https://crf.example.com/in" } })(request, response),
    );
  };
  expect((await hand()).data).toEqual({ url: "https://crf.example.com/in?token=t+1" });
  expect(JSON.parse(sent)).toMatchObject({ userName: "김하늘" });
  expect(receivedRequests[0]?.url).toBe("/KPID/pid/Token");
  expect(JSON.stringify(receivedRequests[0]?.headers)).not.toContain(member.token);
  play = json({ token: "t", url: "javascript:alert(1)" });
  expect((await hand()).code).toBe("UPSTREAM_UNAVAILABLE");
});

const cut: Play = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
  response.write('[{"location":"서울",', () => response.destroy());
};
const endless: Play = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = `${" ".repeat(1024 * 1024)}`;
  let left = 50;
  const more = () => {
    while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
    response.end("[]");
  };
  more();
};
const FAULTS: [string, Play][] = [
  ["401", json({ code: "UNAUTHORIZED" }, 401)],
  ["500", json({}, 500)],
  ["half an answer", cut],
  ["50 MB", endless],
  ["not JSON", (_request, response) => response.end("<html>점검 중입니다</html>")],
  ["another shape", json({ data: { seoul: 1 } })],
  ["a negative count", json([{ location: "서울", count: -1 }])],
  ["a redirect", (_request, response) => response.writeHead(302, { location: "/KPID/other" }).end()],
  ["silence", () => undefined],
  ["one byte a second", (_request, response) => void response.writeHead(200).write("[")],
];
test.for(sample(FAULTS, ([fault]) => fault))(
  `the page works with %s (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ([_fault, broken], { site, kv, residence }) => {
    expectLog(/subject-location-count","code":"UPSTREAM_UNAVAILABLE"/);
    // A fifth failure in a row would open the circuit, so the last call succeeds.
    play = json(ROWS);
    expect((await counts(site)).data.total).toBe(42);
    await kv.delete(KEY);
    play = broken;
    const without = await counts(site);
    expect([without.status, without.code]).toEqual([503, "UPSTREAM_UNAVAILABLE"]);
    const bare = await residence();
    expect(bare.status).toBe(200);
    expect(bare.text).toContain("연계 서비스가 응답하지 않습니다.");

    await keepOld(kv);
    const stale = await counts(site);
    expect([stale.status, stale.data]).toMatchObject([200, { total: 7, stale: true, asOfDate: OLD }]);
    const page = await residence();
    expect(page.status).toBe(200);
    expect(page.text).toContain("최근 집계를 불러오지 못했습니다.");
    expect(page.text).toContain("총 7명");
  },
);

test("after five failures in a row the host is not called", { tags: "full" }, async () => {
  const other = await startTestSite(siteOptions());
  onTestFinished(() => other.dispose());
  play = (_request, response) => response.writeHead(401).end();
  for (let n = 0; n < 5; n += 1) await counts(other);
  expect(receivedRequests).toHaveLength(5);
  play = json(ROWS);
  expect((await counts(other)).code).toBe("UPSTREAM_UNAVAILABLE");
  expect(receivedRequests).toHaveLength(5);
});

test("when the host answers again, its counts are shown again", async ({ site, kv }) => {
  play = json(ROWS);
  await keepOld(kv);
  expect((await counts(site)).data).toMatchObject({ total: 42, stale: false });
});

test("the page without a host says so", async ({ site, residence }) => {
  expectLog(/subject-location-count","code":"UPSTREAM_UNAVAILABLE"/);
  host.closeAllConnections();
  await new Promise((done) => host.close(done));
  expect((await counts(site)).code).toBe("UPSTREAM_UNAVAILABLE");
  const page = await residence();
  expect(page.status).toBe(200);
  expect(page.text).toContain("연계 서비스가 응답하지 않습니다.");
  expect((await fetch(`${site.url}/`)).status).toBe(200);
});
