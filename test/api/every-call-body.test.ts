import { expect, test } from "vitest";
import { SAMPLE_CALLS, takesJson } from "../calls/calls.ts";
import { BANK_FILE_BYTES } from "#worker/contract/alumni/dues/due-input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { SETTING_FILE_LIMITS } from "#worker/contract/site/rules.ts";
import { callAs, callJson } from "../support/api-client.ts";
import { rowsOf } from "../support/test-database.ts";
import { isFull, sample, SAMPLE_NOTE } from "../support/sample.ts";
import { createTestItem } from "../support/factories.ts";
import { createAdministratorSession, createMemberSession } from "../support/people.ts";

const jsonCalls = sample(
  SAMPLE_CALLS.filter(takesJson),
  ({ name }) => name,
  ({ access }) => access,
);

const MALFORMED = [
  "{",
  "[",
  "nul",
  '{"a":}',
  "'a'",
  '{"a":1,}',
  "\u0000",
  '{"a":"\ud800',
  "undefined",
  "NaN",
  "<xml/>",
  "[1]",
  '"text"',
  "1",
  "null",
  "true",
];

test(`only valid JSON of the expected shape is accepted (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  for (const { name, method, path } of jsonCalls)
    for (const body of MALFORMED) {
      const answer = await callJson(method, path, { body, token });
      expect.soft([400, 404], `${name} ${JSON.stringify(body)}`).toContain(answer.status);
      expect.soft(answer.data, `${name} ${JSON.stringify(body)}`).toBeUndefined();
    }
});

/** How many calls get an oversized body without a stated length, too: one reader refuses it for all. */
const CHUNKED_CALLS = isFull ? jsonCalls.length : 3;

const bodyOver = (bytes: number) => new TextEncoder().encode(JSON.stringify({ content: "a".repeat(bytes) }));
/** Most calls refuse the first; the others get the next, and each must refuse the last. */
const HUGE = [SIZE_LIMITS.jsonBytes, SIZE_LIMITS.postBytes, SETTING_FILE_LIMITS.bytes, BANK_FILE_BYTES].map(bodyOver);

async function refusalOf(send: (huge: Uint8Array<ArrayBuffer>) => Promise<{ status: number }>): Promise<number> {
  let status = 0;
  for (const huge of HUGE) {
    ({ status } = await send(huge));
    if (status === 413) return status;
  }
  return status;
}

test(`a body of another type or size is refused (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const headers = { "Content-Type": "text/plain" };
  for (const [index, { name, method, path }] of jsonCalls.entries()) {
    expect.soft([404, 415], name).toContain((await callJson(method, path, { body: "{}", headers, token })).status);
    const refusal = await refusalOf((body) => callJson(method, path, { body, token }));
    expect.soft([404, 413], name).toContain(refusal);
    if (index >= CHUNKED_CALLS) continue;
    const ofChunks = await refusalOf((body) => callJson(method, path, { body: new Blob([body]).stream(), token }));
    expect.soft([404, 413], name).toContain(ofChunks);
  }
});

test("an oversized body is drained, so that its sender receives the answer", async () => {
  const { accessToken: token } = await createMemberSession();
  const chunk = new Uint8Array(1024 * 1024);
  const frame = new TextEncoder().encode(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  );
  const refused: [method: string, path: string, type: string, status: number][] = [
    ["POST", "/api/user/signin", "application/json", 413],
    ["PUT", "/api/board-item/images", "multipart/form-data; boundary=x", 413],
    ["PUT", "/api/file/upload/none.none", "image/png", 404],
    ["POST", "/api/site-setting/info", "application/json", 405],
  ];
  for (const [method, path, type, status] of refused) {
    let left = 12;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === 12) controller.enqueue(frame);
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const answer = await callJson(method, path, { body, headers: { "Content-Type": type }, token });
    expect([path, answer.status, left]).toEqual([path, status, -1]);
  }
});

test("a client that stalls in an oversized body gets the answer", { tags: "full" }, async () => {
  const chunk = new Uint8Array(300_000);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return new Promise(() => {});
      sent = true;
      controller.enqueue(chunk);
      return Promise.resolve();
    },
  });
  expect((await callJson("POST", "/api/user/signin", { body })).status).toBe(413);
});

test("a dangerous key pollutes no prototype", async () => {
  const author = await createMemberSession();
  const itemNo = await createTestItem(author, "free");
  const [before] = (await rowsOf("board_item")) as Record<string, unknown>[];
  const body = `{"version":1,"title":"새 제목","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"id":99,"createdUserId":"x","userId":"x","createdDate":"2020-01-01T00:00:00Z","viewCount":99,"deletedDate":1,"userType":"Admin","roleCode":"administrator","permissions":["ADMIN_Access"]}`;
  expect((await callAs(author, "PATCH", `/api/board-item/free/${itemNo}`, body)).status).toBe(200);
  const [after] = (await rowsOf("board_item")) as Record<string, unknown>[];
  expect(after).toEqual({ ...before, title: "새 제목", version: 2, modified_date: after?.modified_date });
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
