import { expect, test, vi } from "vitest";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { fetchApi } from "../support/api-client.ts";
import { needsSession, SAMPLE_CALLS, takesJson } from "../calls/calls.ts";
import { sample, SAMPLE_NOTE } from "../support/sample.ts";
import { createMemberSession } from "../support/people.ts";
import { runSql } from "../support/test-database.ts";

// Access is checked before input, so that a refusal costs the same for any body.

function watchReading() {
  const read = { letters: 0, parsed: 0, forms: 0 };
  const { decode } = TextDecoder.prototype;
  const { parse } = JSON;
  vi.spyOn(TextDecoder.prototype, "decode").mockImplementation(function (this: TextDecoder, input, options) {
    read.letters += input?.byteLength ?? 0;
    return decode.call(this, input, options);
  });
  vi.spyOn(JSON, "parse").mockImplementation((text: string, reviver) => {
    read.parsed += text.length;
    return parse(text, reviver) as unknown;
  });
  const { formData } = Response.prototype;
  vi.spyOn(Response.prototype, "formData").mockImplementation(function (this: Response) {
    read.forms += 1;
    return formData.call(this);
  });
  return read;
}

const COSTLY = `{"content":"${" ".repeat(SIZE_LIMITS.postBytes - 100)}-","fields":[${"[".repeat(20)}${"]".repeat(20)}]}`;
const guarded = sample(
  SAMPLE_CALLS.filter(needsSession),
  ({ name }) => name,
  ({ access }) => access,
);
test(`a guest is refused before the body is read (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(SIZE_LIMITS.imageBytes)], "a.png", { type: "image/png" }));
  const ended = await createMemberSession();
  await runSql("UPDATE session SET revoked_date = 1");
  for (const { name, method, path } of guarded)
    for (const by of [{}, { token: ended.accessToken }]) {
      const read = watchReading();
      const response = await fetchApi(method, path, { body: path.endsWith("/images") ? form : COSTLY, ...by });
      // Allows for reading the session rows and token; the body is a thousand times as long.
      const { letters, parsed, forms } = read;
      vi.restoreAllMocks();
      expect.soft(response.status, name).toBe(401);
      expect.soft([letters < 5000, parsed < 5000, forms], name).toEqual([true, true, 0]);
    }
});

const open = sample(
  SAMPLE_CALLS.filter((call) => takesJson(call) && !needsSession(call)),
  ({ name }) => name,
  ({ access }) => access,
);
test(`a public call reads little of its body, however large (${SAMPLE_NOTE})`, { tags: "sampled" }, async () => {
  for (const { name, method, path } of open) {
    const read = watchReading();
    const statuses = [];
    for (const body of [COSTLY, new Blob([COSTLY]).stream()])
      statuses.push((await fetchApi(method, path, { body })).status);
    const { letters, parsed, forms } = read;
    vi.restoreAllMocks();
    expect
      .soft(
        statuses.filter((status) => ![404, 413].includes(status)),
        name,
      )
      .toEqual([]);
    // 64 kB for a sign-up, 16 kB for the others, plus the session rows.
    const most = statuses.length * 4 * SIZE_LIMITS.strangerBytes + 5000;
    expect.soft([letters < most, parsed < 5000, forms], name).toEqual([true, true, 0]);
  }
});

test("the counter of these tests detects a body that is read", async () => {
  const { accessToken: token } = await createMemberSession();
  const read = watchReading();
  await fetchApi("PUT", "/api/board-item/free", { body: COSTLY, token });
  const { letters, parsed } = read;
  vi.restoreAllMocks();
  expect([letters, parsed].every((each) => each > COSTLY.length - 1)).toBe(true);
});
