import { expect, test } from "vitest";
import { CALLS, SAMPLE_CALLS } from "../calls/calls.ts";
import { samplePlace } from "../calls/sample-paths.ts";
import { callJson, fetchApi } from "../support/api-client.ts";
import { sample, SAMPLE_NOTE } from "../support/sample.ts";
import { createAdministratorSession } from "../support/people.ts";

const QUERIES =
  "page=-1 page=0 page=1e9 page=NaN page=0x10 page= page=1&page=2 size=-5 sort=createdDate sort=title;DROP,ASC sort=password_hash,ASC boardCode=x&boardCode=notice size=abc".split(
    " ",
  );

test.each(QUERIES)("the list refuses %s with a 400 that names the field", async (query) => {
  const answer = await callJson("GET", `/api/board-item?boardCode=notice&${query}`);
  expect([answer.status, answer.code]).toEqual([400, "INVALID_INPUT"]);
  expect(JSON.stringify(answer)).not.toMatch(/SQL|select|D1_/i);
});

test("a page size above the limit is clamped", async () => {
  expect((await callJson("GET", "/api/board-item?boardCode=notice&size=1000000")).data.size).toBe(100);
});

const NO_TRACE = /SQLITE|D1_|Failed query|drizzle|\\n\s+at |\.ts\b/;

const PATHS = "..%2f..%2f %00 %2e%2e 1%20OR%201=1 １ -1 0 1.5 %ED%A0%80 __proto__".split(" ");
const LONG_PATH = "x".repeat(10_000);

test(`an unknown path parameter is not found anywhere (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const [name] of sample(
    Object.entries(CALLS),
    ([call]) => call,
    ([, access]) => access,
  )) {
    const [method = "", pattern = ""] = name.split(" ");
    for (const place of pattern.match(/:\w+/g) ?? []) {
      for (const odd of [...PATHS, LONG_PATH]) {
        const path = pattern.replace(/:\w+/g, (each) => (each === place ? odd : samplePlace(each.slice(1))));
        const answer = await callJson(method, path, { token, ...(method === "GET" ? {} : { body: {} }) });
        const at = [method, pattern, odd.slice(0, 20)];
        // A dot segment is resolved before routing and may match another call.
        expect([...at, answer.status >= 400 && answer.status < 500]).toEqual([...at, true]);
        expect(answer.message, `${odd}`).not.toMatch(NO_TRACE);
      }
    }
  }
});

const ODD_VALUES = [
  "%00",
  "%ED%A0%80",
  "1e9",
  "-1",
  "title;DROP,ASC",
  "%22*NEAR(",
  "가".repeat(200),
  "constructor",
  "",
];

const KEYS = "page size sort keyword status from to boardCode category cohort after version itemNo".split(" ");

test(`no read call breaks on an odd query or reveals internals (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const reading = SAMPLE_CALLS.filter(({ method, path }) => method === "GET" && !path.includes("/case-report/"));
  const numbered = reading.map((call, at) => ({ ...call, at }));
  for (const { at, name, path } of sample(numbered, (call) => call.name)) {
    // Each call gets some of the pairs; together they cover all.
    for (let turn = at * 3; turn < at * 3 + 3; turn++) {
      const query = `${KEYS[turn % KEYS.length]}=${ODD_VALUES[turn % ODD_VALUES.length]}`;
      const response = await fetchApi("GET", `${path}?${query}`, { token });
      expect([name, query.slice(0, 40), response.status < 500]).toEqual([name, query.slice(0, 40), true]);
      if (response.status >= 400) expect(await response.text(), `${turn}`).not.toMatch(NO_TRACE);
    }
  }
});
