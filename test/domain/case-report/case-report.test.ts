import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { createCaseReport } from "#worker/adapters/case-report.server.ts";
import { readConfig } from "#worker/config.ts";
import { stubFetch } from "../../hosts/stub-fetch.ts";

const ROWS = [{ location: "서울", count: 12 }];
const caseReport = createCaseReport({ ...readConfig(env), CASE_REPORT_URL: "http://host.test" });

/** Stubs the host; null means no answer. @returns the times of its calls, in milliseconds from now */
function host(answer: (at: number) => Response | null): number[] {
  const asked: number[] = [];
  const start = Date.now();
  stubFetch((_input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(Date.now() - start);
    const response = answer(asked.length);
    return new Promise<Response>((resolve, reject) => {
      if (response) resolve(response);
      else init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
    });
  });
  return asked;
}

async function counts(isImpatient = false): Promise<{ ms: number; result: string }> {
  const start = Date.now();
  const ends: { ms: number; result: string }[] = [];
  const note = (result: string) => void ends.push({ ms: Date.now() - start, result });
  void caseReport.counts(isImpatient).then(
    (rows) => note(JSON.stringify(rows)),
    (error: { code: string }) => note(error.code),
  );
  for (let n = 0; n < 100 && ends.length === 0; n += 1) await vi.advanceTimersByTimeAsync(100);
  const [end] = ends;
  if (!end) throw new Error("no end within ten seconds");
  return end;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  // Ends the backoff of other tests; the first successful answer resets the failures.
  host(() => Response.json(ROWS));
  await counts();
  await vi.advanceTimersByTimeAsync(60_000);
  await counts();
});

test("a silent host is given up after three seconds", async () => {
  const asked = host(() => null);
  expect(await counts()).toEqual({ ms: 3000, result: "UPSTREAM_UNAVAILABLE" });
  expect(asked).toEqual([0, 1500]);
});

test("a silent first request followed by an answer shows no failure", async () => {
  const asked = host((at) => (at === 1 ? null : Response.json(ROWS)));
  expect((await counts()).result).toBe(JSON.stringify(ROWS));
  expect(asked).toEqual([0, 1500]);
});

test("a host that stops after a byte is given up", async () => {
  const trickle = () => new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode("[")) }));
  host(trickle);
  expect(await counts()).toEqual({ ms: 3000, result: "UPSTREAM_UNAVAILABLE" });
});

test("with older figures available, a silent host costs half a second", async () => {
  host(() => null);
  expect((await counts(true)).ms).toBe(500);
});

test("the host rests for a minute after five failures", async () => {
  const refusing = host(() => new Response(null, { status: 401 }));
  for (let n = 0; n < 5; n += 1) await counts();
  expect(refusing).toHaveLength(5);
  const asked = host(() => null);
  expect([await counts(), await counts(true)]).toEqual([
    { ms: 0, result: "UPSTREAM_UNAVAILABLE" },
    { ms: 0, result: "UPSTREAM_UNAVAILABLE" },
  ]);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  const both = await Promise.all([counts(), counts()]);
  expect(both.map(({ ms }) => ms).toSorted((a, b) => a - b)).toEqual([0, 500]);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60_000);
  host(() => Response.json(ROWS));
  expect((await counts()).result).toBe(JSON.stringify(ROWS));
  host(() => null);
  expect((await counts()).ms).toBe(3000);
});
